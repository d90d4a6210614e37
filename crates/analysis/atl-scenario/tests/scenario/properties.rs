//! No text makes the reader panic, and its messages are well-formed.

use std::io;
use std::path::Path;

use atl_engine::setup::{FlowMobile, Path as Way};
use atl_scenario::{Overrides, builtin, parse};
use proptest::prelude::*;

use crate::mobility::TWO_CELLS;

/// Fragments with a meaning in scenario files.
const PIECES: &[&str] = &[
    "",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "=",
    ",",
    ".",
    "\n",
    "#",
    "$",
    "$p_w",
    "\"$protocol\"",
    "é",
    "\u{0}",
    "0",
    "-1",
    "1e999",
    "nan",
    "inf",
    "9223372036854775807",
    "99999999999999999999",
    "1979-05-27",
    "\"1e9s\"",
    "\"0s\"",
    "\"1e-300b/s\"",
    "\"1e15b/s\"",
    "true",
    "[[link]]",
    "[[flow]]",
    "[sweep]",
    "[vars]",
    "name",
    "\"air\"",
    "count = 1000",
    "roam = [{}]",
    "roam = [{ at = \"1s\", queue = \"1ms\" }]",
    "[network.x]",
    "[network.x]\nrate = \"1Mb/s\"\nqueue = \"1ms\"",
    "[[sweep.also]]",
    "[[quote]]",
    "[[figure]]",
    "seeds = [1, 1]",
    "queue = \"1B\"",
    "trace = \"t\"",
    "overhead = \"auto\"",
    "one-way = true",
    "queue = { bytes = \"1B\", priority = true }",
    "agent = \"snoop\"",
    "adaptation = \"aal-t\"",
    "adaptation = { name = \"aal-t\", faults = {} }",
    "receiver = {}",
    "{ at = \"1s\", lasts = \"1ns\", every = \"2ns\", times = 3 }",
    "{ label = \"x\", value = [] }",
];

#[derive(Clone, Debug)]
struct Edit {
    at: prop::sample::Index,
    cut: usize,
    piece: &'static str,
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let edit = (any::<prop::sample::Index>(), 0..30_usize, prop::sample::select(PIECES))
        .prop_map(|(at, cut, piece)| Edit { at, cut, piece });
    prop::collection::vec(edit, 1..6)
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for edit in edits {
        let at = edit.at.index(chars.len() + 1);
        let end = (at + edit.cut).min(chars.len());
        chars.splice(at..end, edit.piece.chars());
    }
    chars.into_iter().collect()
}

fn check(text: &str, overrides: &Overrides) -> Result<(), TestCaseError> {
    let read = |path: &Path| {
        if path.ends_with("missing") {
            Err(io::ErrorKind::NotFound.into())
        } else {
            Ok("1\n5\n".to_owned())
        }
    };
    match parse("any", text, Path::new("any.toml"), &read, overrides) {
        Ok(scenario) => {
            prop_assert!(!scenario.points.is_empty() && !scenario.seeds.is_empty());
            for point in &scenario.points {
                let setup = &point.setup;
                prop_assert!(!setup.flows.is_empty() && setup.warmup < setup.duration);
                for flow in &setup.flows {
                    let cells = |m: FlowMobile| setup.mobiles[m.mobile].cells.len();
                    prop_assert_eq!(flow.paths.len(), flow.mobile.map_or(1, cells));
                    for Way { forward, back } in &flow.paths {
                        let (first, last) = (forward[0], forward[forward.len() - 1]);
                        let home = back[back.len() - 1];
                        prop_assert_eq!(setup.links[first].from, setup.links[home].to);
                        prop_assert_eq!(setup.links[last].to, setup.links[back[0]].from);
                    }
                }
            }
        }
        Err(errors) => {
            prop_assert!(errors.len() > 0);
            prop_assert!(!errors.to_string().is_empty() && !errors.render(true).is_empty());
            for report in errors.reports() {
                prop_assert!(!report.message.is_empty());
                prop_assert!(report.line.is_none_or(|l| l <= text.matches('\n').count() + 1));
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_damaged_file_is_refused_or_means_something(
        which in any::<prop::sample::Index>(),
        edits in edits(),
        quick in any::<bool>(),
    ) {
        let text = edited(builtin()[which.index(builtin().len())].text, &edits);
        check(&text, &Overrides { quick, ..Overrides::default() })?;
    }

    #[test]
    fn a_damaged_map_is_refused_or_means_something(edits in edits()) {
        check(&edited(TWO_CELLS, &edits), &Overrides::default())?;
    }

    #[test]
    fn any_setting_of_a_map_is_refused_or_means_something(
        key in prop::sample::select(&[
            "cell.wlan.at", "cell.wlan.radius", "cell.umts.at.0", "cell.umts.behind", "cell", "mobile", "mobile.bus.path",
            "mobile.bus.path.1", "mobile.bus.path.1.0", "mobile.bus.speed", "mobile.bus.start", "mobile.bus.handoff",
            "mobile.bus.handoff.binding", "mobile.bus.handoff.history", "flow.download.from",
        ][..]),
        value in prop_oneof![
            prop::sample::select(PIECES).prop_map(str::to_owned),
            prop::sample::select(&[
                "nan", "[nan, inf]", "[0, 0]", "[]", "[[0, 0], [1e-300, 0]]", "[[1e7, 1e7], [-1e7, -1e7]]", "1e-300m/s",
                "1e-300m", "entry", "{ at = \"strongest\", hysteresis = 60, exponent = 1 }", "[[\"wlan\", \"umts\"]]",
            ][..]).prop_map(str::to_owned),
            "[0-9.e-]{1,8}(m|km|m/s|km/h|s)?",
        ],
    ) {
        check(TWO_CELLS, &Overrides { set: vec![(key.to_owned(), value)], ..Overrides::default() })?;
    }

    #[test]
    fn any_text_is_refused_or_means_something(text in "\\PC{0,200}") {
        check(&text, &Overrides::default())?;
    }

    #[test]
    fn any_setting_is_refused_or_means_something(
        which in any::<prop::sample::Index>(),
        key in prop::sample::select(&[
            "protocol", "p_w", "queue", "link.air.delay", "link.0.rate", "link.0.roam", "flow.0.count", "flow.0.tcp",
            "flow.0.source", "flow.0.overhead", "flow.0.protocol.beta", "network", "sweep", "sweep.also", "vars",
            "duration", "seeds", "record.every", "link", "title", "x.y", "..", "quote.0.ratio",
        ][..]),
        value in prop_oneof![
            prop::sample::select(PIECES).prop_map(str::to_owned),
            "\\PC{0,20}",
            "[0-9.e,-]{1,8}(ms|s|Mb/s|%)?",
        ],
    ) {
        let text = builtin()[which.index(builtin().len())].text;
        let set = vec![(key.to_owned(), value)];
        check(text, &Overrides { set, ..Overrides::default() })?;
    }
}
