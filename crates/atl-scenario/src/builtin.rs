//! The scenarios that come with the program, embedded, so that an installed `atl` finds them anywhere.

use std::fs;
use std::io;
use std::path::Path;

use crate::errors::Errors;
use crate::load::builtin_path;
use crate::overrides::Overrides;
use crate::scenario::Scenario;

/// A scenario that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Name, as `atl run` takes it (`atl/table1`).
    pub name: &'static str,
    /// Its file's text.
    pub text: &'static str,
}

/// A built-in scenario by its path below `scenarios/`.
macro_rules! scenarios {
    ($($name:literal),* $(,)?) => {
        &[$(Builtin {
            name: $name,
            text: include_str!(concat!("../../../scenarios/", $name, ".toml")),
        }),*]
    };
}

/// Traces that built-in scenarios name, by their path.
macro_rules! traces {
    ($($path:literal),* $(,)?) => {
        &[$((concat!("scenarios/", $path), include_str!(concat!("../../../scenarios/", $path)))),*]
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
    "atl/fig17",
    "atl/eq10",
    "atl/liar",
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
    "showcase/roaming",
    "showcase/recorded-trace",
    "showcase/shared-bottleneck",
    "showcase/wifi-5g-starlink",
    "showcase/train",
    "showcase/both-ways-lossy",
    "showcase/video-call",
    "showcase/arq-tunnel",
];

static TRACES: &[(&str, &str)] = traces!["showcase/traces/commute.up"];

/// Every scenario that comes with the program.
pub fn builtin() -> &'static [Builtin] {
    SCENARIOS
}

/// Reads a built-in scenario; a trace of its own is embedded too, one that the command line names is a
/// file.
pub(crate) fn parse(builtin: &Builtin, overrides: &Overrides) -> Result<Scenario, Errors> {
    let read = |path: &Path| -> io::Result<String> {
        match TRACES.iter().find(|(name, _)| Path::new(name) == path) {
            Some((_, text)) => Ok((*text).to_owned()),
            None => fs::read_to_string(path),
        }
    };
    crate::load::parse(builtin.name, builtin.text, &builtin_path(builtin.name), &read, overrides)
}
