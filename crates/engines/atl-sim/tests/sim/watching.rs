//! A run that is watched and stepped is the same run, and what was seen adds up to what was
//! counted.

use atl_core::time::{Span, Time};
use atl_scenario::Overrides;
use atl_scenario::scenario::Scenario;
use atl_sim::{Happening, Simulation, What};

fn scenario(name: &str) -> Scenario {
    let overrides = Overrides {
        quick: true,
        duration: Some("90s".to_owned()),
        set: vec![("warmup".to_owned(), "0s".to_owned())],
        ..Overrides::default()
    };
    atl_scenario::open(name, &overrides).expect("built in")
}

#[test]
fn stepping_changes_nothing_and_everything_is_seen() {
    for name in ["showcase/roaming", "showcase/video-call", "atl/table1", "showcase/bus"] {
        let scenario = scenario(name);
        for point in scenario.points.iter().take(2) {
            let mut run = Simulation::watched(&point.setup, 3);
            let mut seen: Vec<Happening> = Vec::new();
            while run.step(Time::MAX) {
                for flow in 0..run.flows() {
                    let _ = run.state(flow);
                }
                seen.extend(run.take_happenings());
            }
            let result = run.run();
            assert_eq!(result, Simulation::new(&point.setup, 3).run(), "{name}");
            assert!(seen.is_sorted_by_key(|happening| happening.at), "{name}");
            for (id, flow) in result.flows.iter().enumerate() {
                let of = |what: fn(&What) -> bool| {
                    let data = seen.iter().filter(|h| h.flow == id && h.kind.is_data());
                    data.filter(|h| what(&h.what)).count() as u64
                };
                let dropped = of(|what| *what == What::Dropped);
                let lost = of(|what| matches!(what, What::Lost(_)));
                assert_eq!((Some(dropped), Some(lost)), (flow.dropped, flow.lost), "{name} {id}");
                assert!(of(|what| *what == What::Arrived) > 0, "{name} {id}");
            }
        }
    }
}

#[test]
fn a_run_that_nobody_watches_keeps_nothing() {
    let scenario = scenario("showcase/roaming");
    let mut run = Simulation::new(&scenario.points[0].setup, 1);
    while run.step(Time::MAX) {}
    assert_eq!(run.take_happenings(), []);
}

#[test]
fn a_step_that_has_nothing_to_do_ends_at_the_time_asked_for() {
    let scenario = scenario("showcase/roaming");
    let setup = &scenario.points[0].setup;
    let mut run = Simulation::watched(setup, 1);
    let mut asked = Time::ZERO;
    while asked < Time::ZERO + setup.duration {
        asked += Span::from_millis(7);
        while run.step(asked) {
            assert!(run.now() <= asked);
        }
        assert_eq!(run.now(), asked.min(Time::ZERO + setup.duration));
    }
    assert_eq!(run.run(), Simulation::new(setup, 1).run());
}
