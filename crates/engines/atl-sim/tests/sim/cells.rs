//! Packets that travel in cells: AAL5 and AAL-T from end to end and as tunnels, over links that
//! damage, lose and mark.

use atl_engine::result::{AdaptationResult, FlowResult, RunResult};
use atl_sim::Simulation;

use crate::support::parse;

/// Two links of 20 Mb/s, 5 ms each, with further keys of the first one, in both directions, and of
/// the flow.
fn text(link: &str, flow: &str) -> String {
    format!(
        r#"
title = "t"
duration = "20s"
[tcp]
segment = 1000
header = 40
ack = 40
initial-window = 2
[[link]]
name = "air"
from = "a"
to = "b"
rate = "20Mb/s"
delay = "5ms"
queue = 2000
{link}
[[link]]
name = "wire"
from = "b"
to = "c"
rate = "20Mb/s"
delay = "5ms"
queue = 2000
[[flow]]
name = "f"
from = "a"
to = "c"
{flow}
"#
    )
}

fn run(link: &str, flow: &str) -> RunResult {
    Simulation::new(&parse(&text(link, flow)), 1).run()
}

fn adaptation(flow: &FlowResult) -> AdaptationResult {
    flow.adaptation.expect("its packets travel in cells")
}

/// 48 of 53 octets, 1448 of the 1536 octets of 32 cells: 17.08 of 20 Mb/s. AAL-T's 1448 + 52 + 4
/// octets and 4 for each of three PDUs fill 32 cells too; a status cell for each ACK, and one in 32
/// cells' time, are 6 % more.
#[test]
fn on_a_clean_path_the_overhead_is_that_of_cells_and_trailers() {
    for (layer, least) in [("aal5", 16.9), ("aal-t", 15.9)] {
        let flow = format!(
            "protocol = \"sack\"\nadaptation = {{ name = \"{layer}\", queue = 100 }}\n\
             tcp = {{ segment = 1448, header = 52, receive-window = 100 }}"
        );
        let result = run("", &flow);
        let flow = &result.flows[0];
        let goodput = flow.goodput_bps / 1e6;
        assert!((least..=17.08).contains(&goodput), "{layer}: {goodput}");
        assert_eq!(
            (flow.lost, flow.dropped, flow.timeouts),
            (Some(0), Some(0), Some(0)),
            "{layer}"
        );
        let cells = adaptation(flow);
        assert_eq!((cells.retransmitted, cells.wrong, cells.undetected), (0, 0, 0), "{layer}");
        assert_eq!(cells.cell_errors(), Some(0.0));
        // Everything that left arrives within 10 ms: at most a window of 100 packets is under way.
        assert!(cells.offered - cells.delivered <= 100, "{cells:?}");
    }
}

/// Cells are counted by a write's own bytes: 100 and 40 of headers, with AAL5's trailer of 8
/// octets, fill 4 cells of 48 octets, and not the 22 of a full packet. AAL-T's 4 octets for the
/// packet and 4 for its PDU fill 4 too, beside those of its control packets.
#[test]
fn a_small_write_fills_the_cells_of_its_bytes() {
    let source = "source = { bytes = \"100B\", every = \"20ms\" }";
    for law in ["\"sack\"", "{ name = \"aimd-rate\", alpha = 100 }"] {
        for layer in ["aal5", "aal-t"] {
            let flow = format!("protocol = {law}\nadaptation = \"{layer}\"\n{source}");
            let result = run("", &flow);
            let (flow, cells) = (&result.flows[0], adaptation(&result.flows[0]));
            assert_eq!((flow.lost, flow.dropped), (Some(0), Some(0)), "{law} {layer}");
            // At the start TCP sends a few writes together.
            assert!(flow.sent.abs_diff(1000) <= 15, "{law} {layer}: {} packets", flow.sent);
            assert!(cells.delivered.abs_diff(flow.sent) <= 1, "{law} {layer}: {cells:?}");
            let data = cells.cells - cells.control_cells;
            let expected = 4 * flow.sent..=41 * flow.sent / 10;
            assert!(expected.contains(&data), "{law} {layer}: {cells:?}");
        }
    }
}

/// A packet of 32 cells survives with (1 - CER)^32 (eq. 6).
#[test]
fn aal5_loses_a_packet_with_any_of_its_cells() {
    let rate = "protocol = { name = \"aimd-rate\", alpha = 0.001 }\nadaptation = \"aal5\"\n\
                pacing = { target = \"5Mb/s\", minimum = \"5Mb/s\" }\n\
                tcp = { segment = 1448, header = 52 }";
    let result = run("loss = { cell-errors = 1e-3 }\nreverse = { loss = 0 }", rate);
    let flow = &result.flows[0];
    let expected = 1.0 - 0.999_f64.powi(32);
    let share = flow.lost.expect("counted") as f64 / flow.sent as f64;
    let spread = (expected * (1.0 - expected) / flow.sent as f64).sqrt();
    assert!(flow.sent > 5000, "{}", flow.sent);
    assert!((share - expected).abs() < 4.0 * spread, "{share}, not {expected} +- {spread}");
    // 32 cells a packet; a cell error ratio counts all of them.
    let seen = adaptation(flow).cell_errors().expect("cells were sent");
    let spread = (1e-3 / (32.0 * flow.sent as f64)).sqrt();
    assert!((seen - 1e-3).abs() < 4.0 * spread, "{seen}");
    assert_eq!(adaptation(flow).undetected, 0, "CRC-32 lets 2^-32 through");
}

/// Whatever the channel does, TCP above AAL-T loses nothing, and what it receives is right.
#[test]
fn aal_t_delivers_everything_once_and_in_order() {
    for loss in [
        "loss = { cell-errors = 1e-3 }",
        "loss = { cell-errors = 0.05 }",
        "loss = 0.02",
        "loss = { good-to-bad = 0.01, bad-to-good = 0.2 }",
        "blackout = [{ at = \"1s\", lasts = \"500ms\", every = \"2s\" }]",
    ] {
        // No timer of TCP's own expires before AAL-T has repaired a blackout.
        let flow = "protocol = \"newreno\"\nadaptation = \"aal-t\"\nsource = { bytes = \"2MB\" }\n\
                    tcp = { segment = 1448, header = 52, receive-window = 40, min-rto = \"3s\" }";
        let result = run(loss, flow);
        let flow = &result.flows[0];
        assert!(flow.completion_s.is_some(), "{loss}: {flow:?}");
        assert_eq!(flow.delivered, Some(1382), "{loss}");
        assert_eq!(
            (flow.retransmissions, flow.lost, flow.timeouts),
            (Some(0), Some(0), Some(0)),
            "{loss}"
        );
        let cells = adaptation(flow);
        assert!(cells.retransmitted > 0, "{loss}: {cells:?}");
        assert_eq!(cells.undetected, 0, "{loss}");
    }
}

/// Headers with several wrong bits sometimes pass as other headers: the cell goes to another
/// channel. With 3 % of the bits wrong that is not rare, and nothing wrong is ever delivered.
#[test]
fn stray_cells_are_never_delivered() {
    let flow = |name: &str| {
        format!(
            "protocol = \"newreno\"\nadaptation = {{ name = \"aal-t\", status-interval = \"2ms\" }}\n\
             source = {{ bytes = \"4kB\" }}\nstart-jitter = \"10ms\"\n\
             tcp = {{ segment = 100, min-rto = \"30s\" }}\n\
             [[flow]]\nname = \"{name}\"\nfrom = \"a\"\nto = \"c\"\n"
        )
    };
    let flows = format!("{}{}", flow("g"), flow("h"));
    let all = flows.rsplit_once("[[flow]]").expect("there are some").0;
    let mut astray = 0;
    for seed in 1..=3 {
        let setup = parse(&text("loss = { bit-errors = 2e-3 }", all));
        let result = Simulation::new(&setup, seed).run();
        for flow in &result.flows {
            assert_eq!(flow.delivered, Some(40), "{flow:?}");
            assert_eq!(adaptation(flow).undetected, 0);
            astray += adaptation(flow).cells_astray;
        }
    }
    assert!(astray > 100, "{astray}");
}

/// Flows of both families and both directions through one tunnel, over a link that damages cells.
#[test]
fn a_tunnel_carries_both_families_in_both_directions() {
    let more = "[[flow]]\nname = \"down\"\nfrom = \"c\"\nto = \"a\"\nprotocol = \"cubic\"\n\
                [[flow]]\nname = \"call\"\nfrom = \"a\"\nto = \"b\"\nprotocol = \"tfrc\"\n\
                pacing = { target = \"2Mb/s\" }\n";
    let flow = format!("protocol = \"tcp-atl\"\nsource = {{ bytes = \"2MB\" }}\n{more}");
    let link = "wireless = true\nloss = { cell-errors = 2e-3 }\nadaptation = \"aal-t\"";
    let result = run(link, &flow);
    let [up, down, call] = &result.flows[..] else { panic!("three flows") };
    assert_eq!(up.delivered, Some(2000));
    assert!(up.completion_s.is_some() && up.lost == Some(0), "{up:?}");
    assert!(down.goodput_bps > 5e6, "{down:?}");
    assert!(call.goodput_bps > 1e6 && call.lost == Some(0), "{call:?}");
    // The tunnel's counts cover all flows in its direction.
    assert_eq!(up.adaptation, call.adaptation);
    assert!(up.adaptation != down.adaptation && adaptation(down).retransmitted > 0);
    let cells = adaptation(up);
    assert_eq!(cells.undetected, 0);
    // Also ACKs of the flow in the other direction.
    assert!(cells.refused >= up.dropped.expect("counted") + call.dropped.expect("counted"));
}

/// Faults of the paper's scenarios, forced: everything is delivered all the same.
#[test]
fn every_forced_fault_is_repaired() {
    for fault in ["1", "2", "3", "4", "5", "6", "7", "\"any\""] {
        // Scenario 7 discards everything under way, as rarely as a CRC fails.
        let share = if fault == "7" { 0.004 } else { 0.05 };
        let flow = format!(
            "protocol = \"newreno\"\nsource = {{ bytes = \"1MB\" }}\n\
             adaptation = {{ name = \"aal-t\", payload = 4, faults = {{ scenario = {fault}, share = {share} }} }}\n\
             tcp = {{ receive-window = 40, min-rto = \"5s\" }}"
        );
        let result = run("", &flow);
        let flow = &result.flows[0];
        assert_eq!(flow.delivered, Some(1000), "scenario {fault}: {flow:?}");
        assert_eq!((flow.lost, flow.retransmissions), (Some(0), Some(0)), "scenario {fault}");
        let cells = adaptation(flow);
        assert_eq!(cells.undetected, 0, "scenario {fault}");
        match fault {
            // Tags in data have no effect.
            "6" => assert_eq!((cells.retransmitted, cells.wrong), (0, 0)),
            "7" => assert!(cells.sent_whole_again > 0, "{cells:?}"),
            "5" => assert!(cells.retransmitted > 0 && cells.wrong == 0, "{cells:?}"),
            _ => assert!(cells.retransmitted > 0 && cells.wrong > 0, "{fault}: {cells:?}"),
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let flow = "protocol = \"cubic\"\nadaptation = \"aal-t\"";
    let of = |seed| {
        let setup = parse(&text("loss = { cell-errors = 1e-2 }", flow));
        let result = Simulation::new(&setup, seed).run();
        (result.flows, result.links, result.events)
    };
    assert_eq!(of(7), of(7));
    assert_ne!(of(7), of(8));
}

/// Each end's queue holds this many packets; the rest is dropped there, and counted as dropped.
#[test]
fn packets_that_find_the_queue_full_are_dropped() {
    let flow = "protocol = \"sack\"\nadaptation = { name = \"aal-t\", queue = 10 }\n\
                tcp = { initial-window = 500 }";
    let result = run("", flow);
    let flow = &result.flows[0];
    assert!(flow.dropped.expect("counted") > 0);
    assert_eq!(adaptation(flow).refused, flow.dropped.expect("counted"));
    assert_eq!(flow.lost, Some(0));
}
