//! Features that engines lack, found before anything runs.

use atl_engine::setup::Setup;
use atl_engine::{Gap, check};

use crate::scenario;
use crate::scripted::{Scripted, p_w};

/// An engine that must not run anything.
fn engine(name: &'static str) -> Scripted<'static> {
    Scripted::new(|_, _, _| panic!("nothing is to run")).named(name)
}

/// Gaps for losses from 1e-2 on, for flows of TCP, and for a missing permission.
fn many(setup: &Setup) -> Vec<Gap> {
    let mut gaps = vec![Gap::new("this machine", "TUN devices", "no permission; run it as root")];
    if p_w(setup) > 5e-3 {
        gaps.push(Gap::link(&setup.links[0], "loss", "a high loss", "5e-3 is the most"));
    }
    let flows = setup.flows.iter();
    gaps.extend(flows.map(|f| Gap::flow(f, "protocol", "a window", "only paced flows")));
    gaps
}

#[test]
fn all_gaps_of_all_engines_and_scenarios_are_reported_together() {
    let (a, b) = (scenario("a"), scenario("b"));
    let able = engine("able");
    let unable = engine("unable").with_gaps(&many);
    assert_eq!(check(&[&able], &[&a, &b]), Ok(()));
    let gaps = check(&[&able, &unable], &[&a, &b]).expect_err("gaps");
    let of = |name: &str| {
        format!(
            "engine `unable` cannot run `{name}`:\n  \
             - this machine: TUN devices: no permission; run it as root\n  \
             - flow `up-1` and 4 more (flow.up.protocol): a window: only paced flows\n  \
             - link `air` (link.air.loss): a high loss: 5e-3 is the most [at p_w = 1e-2 and 1 more point]"
        )
    };
    assert_eq!(gaps.to_string(), format!("{}\n{}", of("a"), of("b")));
    assert_eq!(gaps.reports().len(), 6);
    let json = serde_json::to_value(&gaps.reports()[2]).expect("JSON");
    assert_eq!(
        json,
        serde_json::json!({
            "engine": "unable",
            "scenario": "a",
            "places": ["link `air`"],
            "key": "link.air.loss",
            "what": "a high loss",
            "why": "5e-3 is the most",
            "points": ["p_w = 1e-2", "p_w = 1e-1"],
        })
    );
}

#[test]
fn keys_are_those_of_the_file() {
    let mut setup = scenario("a").points.remove(0).setup;
    let key = |gap: Gap| gap.key.expect("a key");
    let mut back = setup.links[0].clone();
    back.name = "air.back".to_owned();
    assert_eq!(key(Gap::link(&back, "queue", "", "")), "link.air.queue");
    assert_eq!(key(Gap::flow(&setup.flows[4], "source", "", "")), "flow.up.source");
    // A group chosen in the file is no part of the flow's name.
    setup.flows[0].group = "all".to_owned();
    setup.flows[0].name = "up-link".to_owned();
    assert_eq!(key(Gap::flow(&setup.flows[0], "source", "", "")), "flow.up-link.source");
}
