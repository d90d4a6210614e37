//! The search for the lie that pays most.

use std::io::ErrorKind;
use std::num::NonZeroUsize;
use std::path::Path;

use atl_core::path::LinkReport;
use atl_core::time::Span;
use atl_core::units::Probability;
use atl_engine::Cancel;
use atl_engine::setup::ReceiverAwareness;
use atl_experiment::attack::{Case, Medium, Network, STRATEGIES, Search, judge};
use atl_link::random::Stream;
use atl_scenario::Overrides;
use atl_scenario::scenario::Scenario;
use atl_sim::Sim;

fn read(case: &Case) -> Scenario {
    let none = |_: &Path| Err(ErrorKind::NotFound.into());
    let text = case.file(&[1, 2]);
    atl_scenario::parse("case", &text, Path::new("case"), &none, &Overrides::default())
        .unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

/// A short queue, on which lies pay most.
fn short_queue(medium: Medium) -> Network {
    Network { medium, kbps: 2_000, rtt: Span::from_millis(6), queue: 10, neighbours: 1 }
}

fn everything(law: &str, medium: Medium) -> Case {
    let lie = LinkReport { loss: Probability::ONE, delay: Span::from_secs(10) }.into();
    Case { law: law.to_owned(), network: short_queue(medium), lie }
}

#[test]
fn every_strategy_makes_a_scenario_that_holds_its_claims() {
    let mut stream = Stream::new(1, "test");
    for law in ["tcp-atl", "arc"] {
        for strategy in STRATEGIES {
            for wire in [true, false] {
                let network = Network::draw(wire, &mut stream);
                let lie = (strategy.draw)(&network, &mut stream);
                let case = Case { law: law.to_owned(), network, lie }.near(&mut stream);
                let scenario = read(&case);
                let flows = &scenario.points[1].setup.flows;
                // Times are written in full, and so are probabilities.
                assert_eq!(flows[0].receiver, ReceiverAwareness::Claims(case.lie), "{case:?}");
                assert_eq!(scenario.points[0].setup.flows[0].receiver, ReceiverAwareness::Aware);
                assert_eq!(flows.len() as u32, 1 + case.network.neighbours);
            }
        }
    }
}

#[test]
fn a_gain_is_what_the_flows_got() {
    let judged = |case: &Case| judge(case, &[1], &Sim, None, &Cancel::default()).expect("runs");
    let wire = judged(&everything("tcp-atl-robust", Medium::Wire));
    assert!(wire.over_neighbours > 0.5, "{wire:?}");
    let most = (1.2 * wire.honest_over_neighbours).max(2.0);
    assert!((wire.excess - wire.over_neighbours / most).abs() < 1e-12, "{wire:?}");
    let radio = judged(&everything("tcp-atl", Medium::Radio { loss: 1e-2, share: 0.5 }));
    assert!((radio.excess - radio.over_honest / 1.5).abs() < 1e-12, "{radio:?}");
    // A receiver that says what is true gains nothing.
    let mut honest = everything("tcp-atl", Medium::Wire);
    honest.lie = LinkReport::NONE.into();
    let honest = judged(&honest);
    assert_eq!(honest.over_neighbours.to_bits(), honest.honest_over_neighbours.to_bits());
}

#[test]
fn the_same_seed_finds_the_same_on_any_number_of_threads() {
    let found = |jobs| {
        let cancel = Cancel::default();
        let laws = ["tcp-atl".to_owned()];
        let mut search = Search::new((&laws, &[true]), 3, &Sim, NonZeroUsize::new(jobs), &cancel);
        for _ in 0..4 {
            search.step().expect("runs");
        }
        let (case, gain) = search.worst().expect("a case");
        (case.clone(), gain.excess.to_bits(), search.tried())
    };
    assert_eq!(found(1), found(2));
}
