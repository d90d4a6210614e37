//! Built-in scenarios, embedded in the program so that an installed `atl` has them everywhere.

use std::path::Path;

/// A scenario that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Name for `atl run`, such as `atl/table1`.
    pub name: &'static str,
    /// Text of its file.
    pub text: &'static str,
}

impl Builtin {
    /// The text for a copy elsewhere: without the first line, whose path to the schema is only
    /// right in this repository.
    pub fn copy(&self) -> &'static str {
        match self.text.split_once('\n') {
            Some((first, rest)) if first.starts_with("#:schema ") => rest,
            _ => self.text,
        }
    }
}

/// Embeds scenarios by their paths below `scenarios/`.
macro_rules! scenarios {
    ($($name:literal),* $(,)?) => {
        &[$(Builtin {
            name: $name,
            text: include_str!(concat!("../../../../scenarios/", $name, ".toml")),
        }),*]
    };
}

/// Embeds the traces that built-in scenarios name, by path.
macro_rules! traces {
    ($($path:literal),* $(,)?) => {
        &[$((concat!("scenarios/", $path), include_str!(concat!("../../../../scenarios/", $path)))),*]
    };
}

static SCENARIOS: &[Builtin] = scenarios![
    "atl/table1",
    "atl/fig02",
    "atl/fig06",
    "atl/fig07",
    "atl/fig08",
    "atl/fig09",
    "atl/table2",
    "atl/table3",
    "atl/fig10",
    "atl/fig11",
    "atl/table1-rate",
    "atl/fig12",
    "atl/fig13",
    "atl/fig14",
    "atl/fig15",
    "atl/fig16",
    "atl/fig16-causes",
    "atl/fig17",
    "atl/ablation",
    "atl/beta",
    "atl/gain",
    "atl/eq10",
    "atl/liar",
    "atl/robust-grid",
    "arc/fig07",
    "arc/bursts",
    "arc/fig10",
    "arc/fig12",
    "arc/fig12c",
    "arc/fig13",
    "aalt/table1",
    "aalt/fig05",
    "aalt/fig08",
    "aalt/fig09",
    "aalt/robustness",
    "aalt/scattering",
    "handoff/fig03",
    "handoff/fig04",
    "handoff/fig05",
    "handoff/fig06",
    "handoff/fig07",
    "handoff/fig08",
    "handoff/fig09",
    "handoff/fig10",
    "handoff/fig11",
    "handoff/battery",
    "handoff/region",
    "handoff/attack",
    "showcase/roaming",
    "showcase/recorded-trace",
    "showcase/shared-bottleneck",
    "showcase/wifi-5g-starlink",
    "showcase/train",
    "showcase/both-ways-lossy",
    "showcase/video-call",
    "showcase/arq-tunnel",
    "showcase/handover-contest",
    "showcase/wifi-to-5g",
    "showcase/dying-path",
    "showcase/bus",
    "showcase/ping-pong",
    "showcase/wrong-turn",
    "showcase/quic",
    "showcase/quic-handover",
    "showcase/kernel",
    "showcase/beside-kernel",
    "showcase/l4s",
    "showcase/l4s-files",
    "showcase/marks-and-losses",
    "showcase/home-router",
    "showcase/knowledge",
    "showcase/hard-paths",
    "showcase/noq-819",
    "showcase/picoquic",
    "showcase/streaming",
    "showcase/pep",
];

static TRACES: &[(&str, &str)] = traces![
    "showcase/traces/commute.up",
    "showcase/traces/wifi.down",
    "showcase/traces/5g.down",
    "showcase/traces/arq.delay"
];

/// All built-in scenarios, in the order of `atl list`.
pub fn builtin() -> &'static [Builtin] {
    SCENARIOS
}

/// The built-in scenarios that `spec` may refer to: the one with this name, or all whose last
/// component it is (`roaming` for `showcase/roaming`). A path as in the repository
/// (`scenarios/showcase/roaming.toml`) works as well.
pub fn named(spec: &str) -> Vec<&'static Builtin> {
    let name = spec.strip_suffix(".toml").unwrap_or(spec);
    let name = name.strip_prefix("scenarios/").unwrap_or(name);
    match SCENARIOS.iter().find(|scenario| scenario.name == name) {
        Some(exact) => vec![exact],
        None => {
            let last = |scenario: &&Builtin| scenario.name.rsplit('/').next() == Some(name);
            SCENARIOS.iter().filter(last).collect()
        }
    }
}

/// The text of a built-in trace by its path: the scenario's path joined with the one that the
/// scenario names.
pub fn trace(path: &Path) -> Option<&'static str> {
    TRACES.iter().find(|(name, _)| Path::new(name) == path).map(|(_, text)| *text)
}
