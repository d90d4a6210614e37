//! Goodput over QUIC, against the rate of the link and the simulator's TCP.

use atl_core::time::Span;
use atl_engine::{Engine as _, Watch};
use atl_sim::Sim;

use crate::support::{flow, mbps, path, run};

/// Bytes of data in a full packet of 1500: 28 of UDP and IPv4, 16 of the tag, 1 + 8 + 2 of the
/// header (a packet number of two octets), 1 + 1 + 4 of the STREAM frame and its offset; a few more
/// once offsets or packet numbers grow.
const PAYLOAD: f64 = 1500.0 - 28.0 - 16.0 - 11.0 - 6.0;

#[test]
fn a_clean_link_is_full() {
    for protocol in ["noq-newreno", "noq-cubic", "reno", "tcp-atl"] {
        let mut setup = path(&format!("{protocol:?}"), 0.0, 16);
        // After the losses that end slow start: what waits behind a hole is delivered all at once.
        setup.warmup = Span::from_secs(6);
        let result = run(&setup, 1);
        let flow = flow(&result);
        // All protocols here fill the queue: nothing but headers is missing from 20 Mb/s.
        let share = flow.goodput_bps / 20e6;
        assert!(
            share > 0.985 * PAYLOAD / 1500.0 && share < PAYLOAD / 1500.0 + 0.003,
            "{protocol} {share}"
        );
        assert!(
            flow.throughput_bps > 0.99 * 20e6 && flow.throughput_bps < 1.002 * 20e6,
            "{protocol}"
        );
        // 100 ms and 0.6 for a full packet; CUBIC never empties the queue, which is worth 102 ms
        // when full.
        let least = flow.rtt_min_s.expect("it measures");
        assert!((0.1006..0.2).contains(&least), "{protocol} {least}");
    }
}

#[test]
fn a_second_flow_takes_its_share() {
    let mut setup = path("\"noq-newreno\"", 0.0, 30);
    let mut second = setup.flows[0].clone();
    second.name = "second".to_owned();
    setup.flows.push(second);
    setup.warmup = Span::from_secs(10);
    let result = run(&setup, 3);
    let [a, b] = [0, 1].map(|flow| result.flows[flow].goodput_bps / 20e6);
    assert!(a + b > 0.92, "{a} {b}");
    assert!(a.min(b) > 0.2, "{a} {b}");
}

/// The targets of the host: TCP-ATL over QUIC gets at least 3.5 times what noq's CUBIC gets at a
/// loss of 1e-3, and ten times at 1e-2. Over seeds the ratios scatter by less than a tenth.
#[test]
fn losses_of_the_link_cost_tcp_atl_little_and_cubic_much() {
    for (loss, times) in [(1e-3, 3.5), (1e-2, 10.0)] {
        let atl = mbps(&path("\"tcp-atl\"", loss, 40), 1);
        let cubic = mbps(&path("\"noq-cubic\"", loss, 40), 1);
        assert!(atl > times * cubic, "at {loss}: {atl} and {cubic} Mb/s");
    }
}

/// The simulator with `recovery = "quic"` is QUIC as far as goodput goes: within 5 %. The ratio of
/// a seed scatters by less than 1 % (standard deviation, of 5 seeds). With TCP's growth, which a
/// hole stops, TCP-ATL has 16 % less here.
#[test]
fn the_simulator_with_recovery_of_quic_gets_what_quic_gets() {
    for name in ["tcp-atl", "cubic"] {
        let setup = path(&format!("{{ name = {name:?}, recovery = \"quic\" }}"), 1e-2, 60);
        let ratio = [1, 2].map(|seed| {
            let simulated = Sim.run(&setup, seed, &Watch::unwatched()).expect("it runs");
            flow(&simulated).goodput_bps / 1e6 / mbps(&setup, seed)
        });
        assert!(ratio.iter().all(|r| (r - 1.0).abs() < 0.05), "{name}: {ratio:?}");
    }
}

#[test]
fn bbr3_runs_whatever_it_draws() {
    let rate = mbps(&path("\"noq-bbr3\"", 0.0, 12), 1);
    assert!(rate > 14.0, "{rate} Mb/s");
}
