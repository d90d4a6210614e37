//! The worst paths that searches have found, each as the file that the search wrote: they hurt as
//! much as docs/protocols/paths.md says.

use std::sync::Arc;

use atl_engine::result::{RunResult, Sample};
use atl_engine::{Engine, Watch};
use atl_link::QueueConfig;
use atl_quic::{Crypto, QuicSim};
use atl_scenario::scenario::Scenario;
use atl_sim::Sim;

fn runs(scenario: &Scenario, engine: &dyn Engine) -> Vec<RunResult> {
    let setup = &scenario.points[0].setup;
    let run = |seed: &u64| engine.run(setup, *seed, &Watch::unwatched()).expect("a run");
    scenario.seeds.iter().map(run).collect()
}

/// The least that was on the way at a drop, in packets: the window or the packets in flight,
/// whichever is more, at the ends of the sample's time.
fn least_at_a_drop(samples: &[Sample]) -> f64 {
    let sent = |sample: &Sample| sample.cwnd.unwrap_or(0.0).max(f64::from(sample.in_flight));
    let drops = samples.windows(2).filter(|pair| pair[1].losses_per_s.is_some_and(|x| x > 0.0));
    drops.map(|pair| sent(&pair[0]).max(sent(&pair[1]))).fold(f64::INFINITY, f64::min)
}

/// CCAC's `aimd_premature_loss`: with a queue of two bandwidth-delay products a fixed path drops at
/// three, and the window never falls below one and a half. ACKs that wait for a round trip let a
/// sender drop at little more than two, after which the window is one.
#[test]
fn held_acks_make_a_queue_of_two_products_drop_at_little_more_than_two() {
    let scenario = crate::parsed("sack-drops", include_str!("paths/sack-drops.toml"));
    let setup = &scenario.points[0].setup;
    let QueueConfig::DropTail { packets } = setup.links[0].config.queue else {
        panic!("a queue of packets")
    };
    let queue = f64::from(packets);
    for run in runs(&scenario, &Sim) {
        // The queue holds two products, and path and queue three.
        let share = least_at_a_drop(&run.samples) / (1.5 * queue);
        assert!((0.66..0.74).contains(&share), "{share}");
        assert_eq!(run.flows[0].lost, Some(0), "nothing but drops");
    }
    // Without the hold the same sender drops where path and queue are full.
    let mut plain = setup.clone();
    plain.links.iter_mut().for_each(|link| Arc::make_mut(&mut link.config).blackouts.clear());
    let run = Sim.run(&plain, 1, &Watch::unwatched()).expect("a run");
    let share = least_at_a_drop(&run.samples) / (1.5 * queue);
    assert!(share > 0.95, "{share}");
}

/// A finding of that page: on a path that becomes longer noq's BBRv3, which draws from the system's
/// randomness, uses little of it.
#[test]
fn bbr3_of_noq_uses_little_of_a_path_that_became_longer() {
    let text = include_str!("paths/noq-bbr3-utilisation.toml");
    let mbps = |protocol: &str| {
        let text = text.replace("noq-bbr3", protocol);
        let engine = QuicSim::new(Crypto::Null);
        let run = runs(&crate::parsed(protocol, &text), &engine).swap_remove(0);
        assert_eq!((run.flows[0].dropped, run.flows[0].lost), (Some(0), Some(0)), "{protocol}");
        run.flows[0].goodput_bps / 1e6
    };
    let (bbr, cubic) = (mbps("noq-bbr3"), mbps("noq-cubic"));
    assert!(bbr < 0.6 * cubic, "{bbr} of {cubic}");
}

/// Found by a search: a path that has become nine times as long and nearly four times as fast is
/// hardly used 14 to 24 s later, and is again after a minute.
#[test]
fn bbr3_needs_a_minute_for_a_path_that_became_longer_and_faster() {
    let text = include_str!("paths/bbr3-stuck.toml");
    let share = |from: u32, to: u32| {
        let part = format!("duration = \"{to}s\"\nwarmup = \"{from}s\"");
        let runs =
            runs(&crate::parsed("stuck", &text.replace("duration = \"30000ms\"", &part)), &Sim);
        let sum: f64 = runs.iter().map(|run| run.flows[0].goodput_bps).sum();
        sum / runs.len() as f64 / 10e6
    };
    let (soon, later) = (share(20, 30), share(70, 80));
    assert!((0.1..0.35).contains(&soon), "{soon}");
    assert!(later > 0.8, "{later}");
}
