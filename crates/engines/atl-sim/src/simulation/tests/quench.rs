//! Source quenches that travel back to their senders.

use std::fmt::Write;
use std::path::Path;

use atl_core::time::Time;
use atl_core::window::WindowController;
use atl_engine::protocol::Recovery;
use atl_engine::setup::Setup;
use atl_scenario::protocol::catalogue;
use atl_scenario::{Overrides, no_files, parse};

use super::Simulation;
use crate::flow::{Ends, PacedEnds, TcpEnds};
use crate::packet::{Bits, OptionsId, Packet, PacketKind};

/// A path without losses: its queue holds every window.
const CLEAN: &str = r#"
title = "t"
duration = "8s"
[[link]]
name = "wire"
from = "a"
to = "b"
rate = "3Mb/s"
delay = "30ms"
queue = 1000
[[flow]]
name = "f"
from = "a"
to = "b"
protocol = "sack"
[tcp]
segment = 1000
header = 40
ack = 40
initial-window = 2
receive-window = 60
[pacing]
target = "2Mb/s"
"#;

/// The path with this protocol, without error control if it is a TCP.
fn setup(protocol: &str) -> Setup {
    let text = CLEAN.replace("sack", protocol);
    let scenario = parse("t", &text, Path::new("t.toml"), &no_files, &Overrides::default());
    let scenario = scenario.unwrap_or_else(|errors| panic!("{errors}"));
    let mut setup = scenario.points[0].setup.clone();
    if let Some(tcp) = setup.flows[0].protocol.tcp_mut() {
        tcp.recovery = Recovery::None;
    }
    setup
}

/// The receiver's host sends a quench.
fn quench(sim: &mut Simulation) {
    let hop = sim.flows[0].paths.back;
    sim.offer(&Packet {
        sent_at: sim.now,
        seq: 0,
        tx: 0,
        flow: 0,
        hop,
        options: OptionsId::NONE,
        bytes: 56,
        kind: PacketKind::Quench,
        bits: Bits::NONE,
    });
}

#[test]
fn every_window_falls_at_a_quench_and_opens_again() {
    let mut text = String::from("protocol time_s cwnd ssthresh in_flight quenches delivered\n");
    for name in catalogue().iter().filter(|p| p.recovery().is_some()).map(|p| p.name) {
        let mut sim = Simulation::new(&setup(name), 1);
        for step in 1..=32 {
            let at = Time::from_millis(250 * step);
            sim.advance_to(at);
            let Ends::Tcp(TcpEnds { sender, .. }) = &sim.flows[0].ends else { panic!("a TCP") };
            let (controller, counts) = (sender.controller(), sender.counts());
            writeln!(
                text,
                "{name} {:.2} {:.2} {:.2} {} {} {}",
                at.secs(),
                controller.window(),
                controller.ssthresh(),
                sender.in_flight(),
                counts.quenches,
                sim.delivered(0)
            )
            .expect("a text takes what it is given");
            assert_eq!((counts.retransmissions, counts.timeouts), (0, 0), "{name}");
            // Twice, in bursts of three of which only one counts.
            if step == 12 || step == 20 {
                for ms in 0..3 {
                    sim.advance_to(at + atl_core::time::Span::from_millis(ms));
                    quench(&mut sim);
                }
            }
        }
        let Ends::Tcp(TcpEnds { sender, .. }) = &sim.flows[0].ends else { panic!("a TCP") };
        assert_eq!(sender.counts().quenches, 2, "{name}");
    }
    insta::with_settings!({ snapshot_path => "../../../tests/sim/snapshots", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("quench", text);
    });
}

#[test]
fn paced_flows_ignore_quenches() {
    let state = |quenched: bool| {
        let mut sim = Simulation::new(&setup("rap"), 1);
        for step in 1..=16 {
            sim.advance_to(Time::from_millis(500 * step));
            if quenched {
                quench(&mut sim);
            }
        }
        let Ends::Paced(PacedEnds { sender, .. }) = &sim.flows[0].ends else { panic!("it paces") };
        (sender.sent(), sim.delivered(0), sender.controller().rate().to_bits())
    };
    assert_eq!(state(true), state(false));
}

#[test]
fn a_quench_before_the_start_of_a_flow_starts_nothing() {
    let mut plan = setup("sack");
    plan.flows[0].start = Time::from_millis(2000);
    let mut sim = Simulation::new(&plan, 1);
    sim.advance_to(Time::from_millis(1000));
    quench(&mut sim);
    sim.advance_to(Time::from_millis(1900));
    let Ends::Tcp(TcpEnds { sender, .. }) = &sim.flows[0].ends else { panic!("a TCP") };
    assert_eq!((sender.counts().quenches, sender.counts().sent), (0, 0));
    sim.advance_to(Time::from_millis(4000));
    assert!(sim.delivered(0) > 100);
}
