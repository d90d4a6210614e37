//! Queue disciplines and throttled plans, under QUIC and under the simulator's TCP.

use atl_core::time::Span;
use atl_engine::result::RunResult;
use atl_engine::{Engine as _, Watch};
use atl_sim::Sim;

use crate::support::{parse, run, text};

/// CUBIC flows over 20 Mb/s and 100 ms behind this queue: the last 20 of 30 s, with QUIC's real
/// packets and in the simulator.
fn runs(keys: &str, protocols: &[&str]) -> [RunResult; 2] {
    let mut setup = parse(&text("\"cubic\"", 0.0, 30).replace("queue = 170", keys));
    setup.warmup = Span::from_secs(10);
    setup.flows.clear();
    for (n, protocol) in protocols.iter().enumerate() {
        let mut other = parse(&text(&format!("{protocol:?}"), 0.0, 30));
        let mut flow = other.flows.remove(0);
        flow.name = format!("flow{n}");
        setup.flows.push(flow);
    }
    let quic = run(&setup, 1);
    [quic, Sim.run(&setup, 1, &Watch::unwatched()).expect("it runs")]
}

#[test]
fn active_queues_are_short_at_nearly_the_same_goodput() {
    let long = runs("queue = 1000", &["cubic"]);
    for discipline in ["codel", "fq-codel", "cake", "pie", "dualpi2"] {
        let short = runs(&format!("queue = {{ discipline = {discipline:?} }}"), &["cubic"]);
        for (long, short) in long.iter().zip(&short) {
            let (long, short) = (&long.flows[0], &short.flows[0]);
            let p95 = short.rtt_p95_s.expect("it measures");
            assert!(long.rtt_p95_s.expect("it measures") > 0.3);
            assert!(p95 < 0.15, "{discipline}: {p95}");
            let share = short.goodput_bps / long.goodput_bps;
            assert!(share > 0.8, "{discipline}: {share}");
        }
    }
}

/// A queue for each flow gives each its half, however they compete. Reno does not use all of its
/// own, since CoDel's drops halve its window, and leaves the rest to BBRv3.
#[test]
fn fq_codel_and_cake_tell_flows_apart() {
    let share = |result: &RunResult| {
        let [a, b] = [0, 1].map(|flow| result.flows[flow].throughput_bps);
        a / (a + b)
    };
    let shared = runs("queue = 60", &["bbr3", "reno"]).map(|r| share(&r));
    for discipline in ["fq-codel", "cake"] {
        let queue = format!("queue = {{ discipline = \"{discipline}\" }}");
        let fair = runs(&queue, &["bbr3", "reno"]).map(|r| share(&r));
        for (fair, shared) in fair.into_iter().zip(shared) {
            assert!((0.45..0.67).contains(&fair), "{discipline}: {fair}");
            assert!(shared > fair + 0.1, "{discipline}: {shared} {fair}");
        }
    }
}

#[test]
fn a_throttled_plan_gets_its_rate() {
    let plan = "rate = \"5Mb/s\", burst = \"60kB\"";
    let policed = format!("queue = {{ discipline = {{ name = \"policer\", {plan} }} }}");
    for result in runs(&policed, &["bbr3"]) {
        let flow = &result.flows[0];
        // 60 kB in 20 s are 0.5 % of 5 Mb/s.
        let share = flow.throughput_bps / 5e6;
        assert!((0.7..1.006).contains(&share), "{share}");
        assert!(flow.rtt_p95_s.expect("it measures") < 0.11, "nothing waits");
    }
    for result in runs(&format!("queue = 100\nshaper = {{ {plan} }}"), &["cubic"]) {
        let flow = &result.flows[0];
        let share = flow.throughput_bps / 5e6;
        assert!((0.97..1.006).contains(&share), "{share}");
        // 100 packets of 1500 bytes take 240 ms.
        let p95 = flow.rtt_p95_s.expect("it measures");
        assert!((0.2..0.36).contains(&p95), "{p95}");
    }
}
