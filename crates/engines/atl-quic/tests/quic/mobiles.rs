//! Connections of mobiles: they move from network to network, and everything that was sent is
//! accounted for.

use atl_engine::result::{RunResult, Sample};
use atl_engine::setup::Setup;
use atl_engine::{Engine as _, Watch};
use atl_quic::{Crypto, QuicSim};
use atl_sim::Sim;
use proptest::prelude::*;

use crate::support::{flow, parse, run};

/// A mobile among two cells, and its flow.
#[derive(Clone, Debug)]
struct Drive {
    protocol: String,
    /// The mobile sends.
    up: bool,
    /// It comes back, too.
    back: bool,
    /// From access point to access point, in metres. Each cell has a radius of 100 m: below 200 m
    /// they overlap.
    apart: u32,
    rates: [f64; 2],
    delays: [u32; 2],
    /// Packets of each queue, which has two bands.
    queue: u32,
    loss: f64,
    more: String,
}

impl Default for Drive {
    /// Cells of 10 and 20 Mb/s. Both cover the car from 5 to 10 s; it moves half way.
    fn default() -> Self {
        Drive {
            protocol: "{ name = \"reno\", recovery = \"rack\" }".into(),
            up: false,
            back: false,
            apart: 150,
            rates: [10.0, 20.0],
            delays: [10, 10],
            queue: 100,
            loss: 0.0,
            more: String::new(),
        }
    }
}

impl Drive {
    fn new(name: &str, new_path: &str) -> Self {
        let recovery = if name.starts_with("noq") { "" } else { ", recovery = \"rack\"" };
        let protocol = format!("{{ name = {name:?}{recovery}, new-path = {new_path} }}");
        Drive { protocol, ..Drive::default() }
    }

    fn setup(&self) -> Setup {
        let Drive { protocol, up, back, apart, rates, delays, queue, loss, more } = self;
        let (seconds, home) = if *back { (30, ", [\"0m\", \"0m\"]") } else { (15, "") };
        let (from, to) = if *up { ("car", "server") } else { ("server", "car") };
        let cell = |name: &str, at: u32, index: usize| {
            let (rate, delay) = (rates[index], delays[index]);
            format!(
                r#"
[[cell]]
name = {name:?}
at = ["{at}m", "0m"]
radius = "100m"
behind = "gateway"
rate = "{rate}Mb/s"
delay = "{delay}ms"
loss = {loss:?}
queue = {{ discipline = "priority", packets = {queue} }}
"#
            )
        };
        parse(&format!(
            r#"
title = "A drive"
duration = "{seconds}s"

[[link]]
name = "wire"
from = "server"
to = "gateway"
rate = "155Mb/s"
delay = "10ms"
queue = 1000
{}{}
[[mobile]]
name = "car"
path = [["0m", "0m"], ["{apart}m", "0m"]{home}]
speed = "10m/s"

[[flow]]
name = "flow"
from = {from:?}
to = {to:?}
protocol = {protocol}
tcp = {{ segment = 1176 }}
{more}
[record]
every = "100ms"
"#,
            cell("old", 0, 0),
            cell("new", *apart, 1),
        ))
    }

    fn run(&self, seed: u64) -> RunResult {
        run(&self.setup(), seed)
    }
}

/// Mean goodput between two times, in Mb/s.
fn mbps(result: &RunResult, from: f64, to: f64) -> f64 {
    let within = |sample: &&Sample| sample.time_s > from + 1e-9 && sample.time_s <= to + 1e-9;
    let rates: Vec<f64> = result.samples.iter().filter(within).map(|s| s.goodput_bps).collect();
    rates.iter().sum::<f64>() / rates.len() as f64 / 1e6
}

const HOWS: [&str; 6] = [
    "\"keep\"",
    "\"reset\"",
    "\"resume\"",
    "{ how = \"probe\", meanwhile = \"old\" }",
    "{ how = \"probe\", meanwhile = \"new\" }",
    "{ how = \"probe\", meanwhile = \"both\" }",
];

/// Whatever it does with the new path, it moves once, loses nothing but what a full queue drops,
/// and uses the new cell.
#[test]
fn a_connection_moves_with_its_host() {
    for how in HOWS {
        for up in [false, true] {
            let drive = Drive { up, ..Drive::new("tcp-atl", how) };
            let result = drive.run(1);
            let flow = flow(&result);
            assert_eq!((flow.handoffs, flow.lost), (Some(1), Some(0)), "{how}, up {up}: {flow:?}");
            let (old, new) = (mbps(&result, 2.0, 5.0), mbps(&result, 11.0, 15.0));
            assert!(old > 8.5, "{how}, up {up}: {old} Mb/s in the old cell");
            assert!(new > 17.0, "{how}, up {up}: {new} Mb/s in the new cell");
            let probed = flow.probe_bytes.expect("counted") > 0;
            assert_eq!(probed, how.contains("probe"), "{how}, up {up}");
        }
    }
}

/// The paper's aim (Taleb et al., sec. IV-B): the window is right as soon as the host has moved. It
/// is what the new path carries in a round trip: 20 Mb/s for 42 ms are 86 packets of 1228 bytes,
/// and the queue may add to that.
#[test]
fn a_probed_path_begins_with_its_window() {
    for up in [false, true] {
        let window = |how: &str| {
            let result = Drive { up, ..Drive::new("reno", how) }.run(1);
            let after = |s: &&Sample| s.time_s > 7.55 && s.time_s < 7.75;
            result.samples.iter().find(after).and_then(|s| s.cwnd).expect("a window")
        };
        let probed = window("{ how = \"probe\", meanwhile = \"old\" }");
        assert!((70.0..190.0).contains(&probed), "up {up}: {probed} packets");
        assert!(window("\"reset\"") < 70.0, "up {up}");
    }
}

/// With both in use, more arrives than either carries, and each path has a window.
#[test]
fn both_paths_carry_data_until_the_host_has_moved() {
    let result = Drive::new("cubic", HOWS[5]).run(1);
    let both = mbps(&result, 6.0, 7.0);
    assert!(both > 24.0, "{both} Mb/s over paths of 10 and 20");
    let beside = result.samples.iter().filter(|s| s.cwnd_beside.is_some());
    let times: Vec<f64> = beside.map(|s| s.time_s).collect();
    assert!(times.first() > Some(&5.0) && times.last() < Some(&7.6), "{times:?}");
}

/// Back in a cell of a long round trip at 22.5 s, half of what it carried is a good beginning
/// (Careful Resume, RFC 9959).
#[test]
fn a_path_that_was_left_is_resumed() {
    let back = |how: &str| {
        let drive =
            Drive { back: true, rates: [20.0, 10.0], delays: [90, 10], ..Drive::new("reno", how) };
        let result = drive.run(1);
        assert_eq!(flow(&result).handoffs, Some(2), "{how}");
        mbps(&result, 22.5, 24.5)
    };
    let (resumed, reset) = (back("\"resume\""), back("\"reset\""));
    assert!(resumed > 1.15 * reset, "{resumed} against {reset} Mb/s");
    let bounded = back("{ how = \"resume\", most = 5 }");
    assert!(bounded < 1.02 * reset, "{bounded} against {reset} Mb/s");
}

/// The old cell ends before the new one begins: what was under way there is lost, and the transfer
/// resumes.
#[test]
fn without_overlap_a_transfer_resumes() {
    for how in [HOWS[0], HOWS[1], HOWS[3]] {
        for up in [false, true] {
            // Alone between 10 and 11 s.
            let drive = Drive { apart: 210, up, more: String::new(), ..Drive::new("reno", how) };
            let mut setup = drive.setup();
            setup.duration = atl_core::time::Span::from_secs(20);
            let result = run(&setup, 1);
            let new = mbps(&result, 16.0, 20.0);
            assert!(new > 15.0, "{how}, up {up}: {new} Mb/s in the new cell");
            assert!(flow(&result).lost > Some(0) || up, "{how}");
        }
    }
}

/// Cells that lose 2 % of the packets: TCP-ATL knows it of its own link in each, by reports of its
/// host or of the receiver.
#[test]
fn reports_of_the_new_cell_reach_the_controller_there() {
    for how in [HOWS[0], HOWS[1], HOWS[5]] {
        for up in [false, true] {
            let more = if up { "" } else { "receiver = \"aware\"" };
            let (loss, more) = (0.02, more.to_owned());
            let goodput = |name| {
                let drive = Drive { up, loss, more: more.clone(), ..Drive::new(name, how) };
                let result = drive.run(1);
                assert_eq!(flow(&result).handoffs, Some(1));
                mbps(&result, 10.0, 15.0)
            };
            let (told, not) = (goodput("tcp-atl"), goodput("reno"));
            assert!(told > 3.0 * not, "{how}, up {up}: {told} against {not} Mb/s");
        }
    }
}

/// The simulator's sender recovers as QUIC does, and roams by the same rules. The ratio was .988 to
/// 1.005 over both directions and five seeds.
#[test]
fn the_simulator_and_quic_agree_on_what_a_move_costs() {
    for how in HOWS {
        for up in [false, true] {
            let protocol = format!("{{ name = \"cubic\", recovery = \"quic\", new-path = {how} }}");
            let setup = Drive { protocol, up, ..Drive::default() }.setup();
            let modelled = Sim.run(&setup, 1, &Watch::unwatched()).expect("it runs");
            let ratio = flow(&run(&setup, 1)).goodput_bps / flow(&modelled).goodput_bps;
            assert!((ratio - 1.0).abs() < 0.03, "{how}, up {up}: {ratio}");
        }
    }
}

/// Of the library's own controllers each path has a new one.
#[test]
fn controllers_of_the_library_roam_too() {
    for up in [false, true] {
        let result = Drive { up, ..Drive::new("noq-cubic", "\"reset\"") }.run(1);
        assert_eq!(flow(&result).handoffs, Some(1));
        assert!(mbps(&result, 11.0, 15.0) > 15.0, "up {up}");
    }
}

/// A flow that starts late begins in the cell where its host is by then.
#[test]
fn a_flow_that_starts_after_the_move_begins_in_the_new_cell() {
    for how in [HOWS[0], HOWS[1]] {
        let drive = Drive { more: "start = \"11s\"".into(), ..Drive::new("reno", how) };
        let result = drive.run(1);
        let flow = flow(&result);
        assert_eq!((flow.handoffs, flow.lost), (Some(0), Some(0)), "{how}");
        assert!(mbps(&result, 12.0, 15.0) > 15.0, "{how}");
    }
}

#[test]
fn drives_are_deterministic() {
    let drive = Drive { loss: 0.01, ..Drive::new("tcp-atl", HOWS[5]) };
    assert_eq!(drive.run(3), drive.run(3));
    assert_ne!(drive.run(3), drive.run(4));
}

/// Each way of roaming that a scenario can ask for and QUIC lacks is named as a gap.
#[test]
fn what_roaming_over_quic_cannot_do_is_a_gap() {
    let gaps = |name: &str, how: &str, more: &str| {
        let drive = Drive { more: more.into(), ..Drive::new(name, how) };
        let gaps = QuicSim::new(Crypto::Null).gaps(&drive.setup());
        gaps.into_iter().map(|gap| gap.what).collect::<Vec<_>>()
    };
    let none: [&str; 0] = [];
    for how in HOWS {
        assert_eq!(gaps("reno", how, ""), none, "{how}");
    }
    assert_eq!(gaps("noq-cubic", "\"reset\"", ""), none);
    let knows = ["a controller that begins with what is known of a path"];
    assert_eq!(gaps("noq-cubic", "\"probe\"", ""), knows);
    assert_eq!(gaps("reno", "\"pad\"", ""), ["a sender that pads its window"]);
    assert_eq!(gaps("reno", "{ how = \"resume\", most = 10 }", ""), none);
    let blind = "{ how = \"probe\", validate = false }";
    assert_eq!(gaps("reno", blind, ""), ["a sender that does not validate a new path"]);
    let mut long = Drive::new("reno", "\"probe\"").setup();
    long.flows[0].tcp.segment = 1448;
    let what = QuicSim::new(Crypto::Null).gaps(&long).remove(0).what;
    assert_eq!(what, "probes of 1500 bytes");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every data packet has one end, wherever the cells are.
    #[test]
    fn packets_are_conserved(
        name in prop::sample::select(vec!["tcp-atl", "tcp-atl-robust", "reno", "cubic", "bbr3"]),
        how in prop::sample::select(HOWS.to_vec()),
        up: bool,
        apart in 120_u32..230,
        rates in [1.0..20.0_f64, 1.0..20.0],
        delays in [1_u32..60, 1..60],
        queue in 5_u32..200,
        loss in 0.0..0.1_f64,
        seed in any::<u64>(),
    ) {
        let drive = Drive { up, apart, rates, delays, queue, loss, ..Drive::new(name, how) };
        let result = drive.run(seed);
        let flow = &result.flows[0];
        prop_assert_eq!(
            flow.under_way_before.expect("known") + flow.sent,
            flow.arrived.expect("known") + flow.dropped.expect("known") + flow.lost.expect("known")
                + flow.under_way_after.expect("known"),
            "{:?}", flow
        );
        for link in &result.links {
            prop_assert_eq!(link.offered, link.delivered + link.dropped + link.lost + link.held);
        }
        for pair in result.samples.windows(2) {
            prop_assert!(pair[0].delivered_bytes <= pair[1].delivered_bytes);
        }
    }
}
