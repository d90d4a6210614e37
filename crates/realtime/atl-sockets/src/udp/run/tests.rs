//! Runs in real time, some seconds each. What is counted holds exactly; numbers that depend on the
//! scheduler are only compared in runs that kept time, and loosely.

use atl_engine::setup::Setup;
use atl_engine::{Engine as _, Watch};
use atl_sim::Sim;

use super::run;
use crate::live::attack::{cancelled, sprayed};
use crate::support::{self, comes_near, consistent, kept_time, setup, timely, turn};
use crate::udp::Udp;

/// A flow over a link of its own.
fn lane(protocol: &str, loss: f64, wireless: bool) -> String {
    let queue = "queue = { packets = 30, priority = true }";
    let link = format!("rate = \"2Mb/s\"\n{queue}\nloss = {loss}");
    support::lane(protocol, wireless, &link) + "start-jitter = \"50ms\"\n"
}

fn lanes(seconds: u32) -> Setup {
    let protocols = ["arc", "rcp-atl", "tfrc", "nada"];
    support::lanes(seconds, &protocols.map(|protocol| lane(protocol, 0.01, true)))
}

#[test]
fn four_protocols_at_once_lose_no_count_and_come_near_the_simulator() {
    let _turn = turn();
    let setup = lanes(4);
    assert_eq!(Udp.gaps(&setup), []);
    let real = timely(&Udp, &setup, 1);
    // A row per flow each half second, from 0.5 s to the end.
    assert_eq!(real.0.samples.len(), 8 * 4);
    let expected = Sim.run(&setup, 1, &Watch::unwatched()).expect("a run");
    // On a quiet machine they differ by 1 %, and by up to 8 % in 3 s of a protocol that a loss
    // sends another way.
    comes_near((&real, &expected), 0.75..1.33, 0.060);
}

/// The word of the MAC of the sender's own link reaches its controller: without it RCP-ATL takes
/// every loss for congestion.
#[test]
fn a_sender_hears_its_own_link() {
    let _turn = turn();
    let head = "title = \"t\"\nduration = \"5s\"\nwarmup = \"1s\"\n";
    let lanes = [lane("rcp-atl", 0.05, true), lane("rcp-atl", 0.05, false)].concat();
    let setup = setup(&(head.to_owned() + &lanes));
    let (result, kept) = timely(&Udp, &setup, 3);
    let [told, untold] = &result.flows[..] else { panic!("two flows") };
    if kept {
        assert!(told.goodput_bps > 1.3 * untold.goodput_bps, "{told:?} {untold:?}");
    }
}

#[test]
fn handoffs_reach_both_ends_and_the_samples() {
    let _turn = turn();
    let text = r#"
        title = "t"
        duration = "3s"
        [record]
        every = "1s"
        [network.near]
        rate = "2Mb/s"
        delay = "5ms"
        loss = 0.01
        [network.far]
        rate = "2Mb/s"
        delay = "40ms"
        loss = 0.01
        [[link]]
        name = "up"
        from = "phone"
        to = "net"
        network = "near"
        wireless = true
        roam = [{ at = "1500ms", network = "far" }]
        [[link]]
        name = "down"
        from = "net"
        to = "tablet"
        network = "near"
        wireless = true
        roam = [{ at = "2s", network = "far" }]
        [[flow]]
        name = "call"
        from = "phone"
        to = "tablet"
        protocol = "rcp-atl"
        source = { frames = 30, min = "100kb/s", max = "1Mb/s", reaction = "100ms", playout = "400ms" }
    "#;
    let setup = setup(text);
    let (result, kept) = timely(&Udp, &setup, 1);
    let networks: Vec<u32> = result.samples.iter().map(|sample| sample.network).collect();
    assert_eq!(networks, [0, 1, 1]);
    let media = result.flows[0].media.expect("a live encoder");
    assert!(media.frames >= 60, "{media:?}");
    if kept {
        let srtt = |at: usize| result.samples[at].srtt_s.expect("an RTT");
        assert!(srtt(0) < 0.05 && srtt(2) > 0.07, "{} {}", srtt(0), srtt(2));
    }
}

/// 4 Mb/s come to 1 Mb/s: from the change on, three packets in four find no room, and so do those
/// that wait then. The long queue before drops nothing.
#[test]
fn a_network_brings_its_own_queue_in_real_time_too() {
    let _turn = turn();
    let setup = |queue: &str| {
        let link = format!(
            "rate = \"1Mb/s\"\nqueue = 1000\nroam = [{{ at = \"1s\", delay = \"30ms\"{queue} }}]"
        );
        let pacing = "pacing = { target = \"4Mb/s\", minimum = \"4Mb/s\" }\n";
        let lane = support::lane("aimd-rate", false, &link) + pacing;
        setup(&format!("title = \"t\"\nduration = \"2s\"\n{lane}"))
    };
    let (kept, own) = (setup(""), setup(", queue = 10"));
    assert_eq!(Udp.gaps(&own), []);
    let drops = |result: &atl_engine::result::RunResult| result.links[0].dropped;
    assert_eq!(drops(&Sim.run(&kept, 1, &Watch::unwatched()).expect("a run")), 0);
    let expected = drops(&Sim.run(&own, 1, &Watch::unwatched()).expect("a run"));
    assert!(expected > 400, "{expected}");
    let (result, on_time) = timely(&Udp, &own, 1);
    // However late packets are, those that wait at the change are dropped.
    assert!(drops(&result) > 100, "{result:?}");
    if on_time {
        assert!(drops(&result).abs_diff(expected) < expected / 10, "{result:?}");
    }
}

/// A flow over 2 Mb/s with this queue, and with this rule for the ECN field on the way.
fn ecn_lane(protocol: &str, queue: &str, rule: &str, pacing: &str) -> String {
    let link = format!("rate = \"2Mb/s\"\nqueue = {queue}\necn = \"{rule}\"");
    format!(
        "{}pacing = {{ target = \"4Mb/s\", {pacing} }}\n",
        support::lane(protocol, false, &link)
    )
}

/// The ECN field leaves on the sockets, the links mark it, and ACKs and reports tell of it: as in
/// the simulator the queue drops nothing. Behind a link that clears the field nothing is marked.
#[test]
fn the_ecn_field_crosses_the_sockets() {
    let _turn = turn();
    let head = "title = \"t\"\nduration = \"8s\"\nwarmup = \"2s\"\n".to_owned();
    let marks = "{ packets = 100, mark = 10 }";
    let lanes = [
        ecn_lane("rap", marks, "keep", "ecn = true"),
        ecn_lane("rcp-atl", marks, "keep", "ecn = true, feedback = \"50ms\""),
        ecn_lane("nada", "{ discipline = \"codel\" }", "keep", "ecn = true"),
        ecn_lane("aimd-rate", "{ packets = 12, mark = 6 }", "bleach", "ecn = true"),
        ecn_lane("rcs", marks, "keep", "ecn = false"),
    ];
    let setup = setup(&(head + &lanes.concat()));
    assert_eq!(Udp.gaps(&setup), []);
    let (result, kept) = timely(&Udp, &setup, 1);
    let expected = Sim.run(&setup, 1, &Watch::unwatched()).expect("a run");
    for (lane, (real, sim)) in result.flows.iter().zip(&expected.flows).enumerate() {
        let said = format!(
            "lane {lane}: {:?} of {:?} marked, {:?} dropped; simulated {:?} of {:?}, {:?}",
            real.marked, real.arrived, real.dropped, sim.marked, sim.arrived, sim.dropped
        );
        assert_eq!(real.marked.map(|n| n > 0), sim.marked.map(|n| n > 0), "{said}");
        if kept {
            assert_eq!(real.dropped.map(|n| n > 0), sim.dropped.map(|n| n > 0), "{said}");
            let ratio = real.goodput_bps / sim.goodput_bps;
            assert!((0.75..1.33).contains(&ratio), "{said}: {ratio}");
        }
    }
    assert!(result.flows[0].marked.is_some_and(|n| n > 0));
    assert_eq!((result.flows[3].marked, result.flows[4].marked), (Some(0), None));
}

#[test]
fn garbage_at_every_port_is_counted_and_changes_nothing() {
    let _turn = turn();
    let setup = lanes(3);
    let result = sprayed(run, &setup);
    consistent(&setup, &result);
    if kept_time(&result) {
        let clean = Sim.run(&setup, 1, &Watch::unwatched()).expect("a run");
        for (real, sim) in result.flows.iter().zip(&clean.flows) {
            let ratio = real.goodput_bps / sim.goodput_bps;
            assert!((0.7..1.43).contains(&ratio), "{ratio}");
        }
    }
}

/// A packet of 65 535 bytes, the most that a scenario allows, is the longest UDP datagram over
/// IPv4.
#[test]
fn the_longest_packets_arrive() {
    let _turn = turn();
    let text = r#"
        title = "t"
        duration = "1500ms"
        [[link]]
        name = "up"
        from = "phone"
        to = "server"
        rate = "50Mb/s"
        delay = "5ms"
        [[flow]]
        name = "up"
        from = "phone"
        to = "server"
        protocol = "tfrc"
        tcp = { segment = 65495, header = 40 }
    "#;
    let setup = setup(text);
    let result = Udp.run(&setup, 1, &Watch::unwatched()).expect("a run");
    consistent(&setup, &result);
    let arrived = result.flows[0].arrived.expect("counted");
    assert!(arrived > 5, "{:?}", result.flows[0]);
    assert!(result.links[0].delivered_bytes >= arrived * 65_535);
    assert_eq!(result.datagrams.map(|datagrams| datagrams.refused), Some(0));
}

#[test]
fn a_cancelled_run_ends_at_once_and_leaves_no_socket() {
    let _turn = turn();
    cancelled(run, &lanes(30));
}

#[test]
fn what_it_cannot_do_is_a_gap() {
    let text = r#"
        title = "t"
        duration = "3s"
        [[link]]
        name = "air"
        from = "phone"
        to = "net"
        rate = "2Mb/s"
        delay = "5ms"
        wireless = true
        agent = "snoop"
        [[link]]
        name = "wire"
        from = "net"
        to = "server"
        rate = "2Mb/s"
        delay = "5ms"
        [[flow]]
        name = "web"
        from = "phone"
        to = "server"
        protocol = "newreno"
    "#;
    let gaps = Udp.gaps(&setup(text));
    let keys: Vec<&str> = gaps.iter().filter_map(|gap| gap.key.as_deref()).collect();
    // Both directions of the link.
    assert_eq!(keys, ["flow.web.protocol", "link.air.agent", "link.air.agent"]);
}

/// Controllers of the library noq run only over QUIC: there is a gap, and it says where they do
/// run.
#[test]
fn controllers_of_noq_are_a_gap() {
    for protocol in ["noq-cubic", "noq-bbr3", "noq-newreno"] {
        let head = "title = \"t\"\nduration = \"3s\"\n";
        let gaps = Udp.gaps(&setup(&(head.to_owned() + &lane(protocol, 0.0, false))));
        let [gap] = &gaps[..] else { panic!("{protocol}: {gaps:?}") };
        assert_eq!(gap.what, "a controller of the QUIC library noq");
        assert!(gap.why.contains("`quic-sim` or `quic`"), "{}", gap.why);
    }
}

#[test]
fn applications_that_answer_each_other_are_a_gap() {
    let text = "title = \"t\"\nduration = \"3s\"\n".to_owned()
        + &lane("newreno", 0.0, false)
        + "source = { application = \"request-response\" }\n";
    let gaps = Udp.gaps(&setup(&text));
    let sources = gaps.iter().filter(|gap| gap.what.contains("application"));
    let keys: Vec<&str> = sources.filter_map(|gap| gap.key.as_deref()).collect();
    // One for each direction.
    assert_eq!(keys.len(), 2, "{gaps:?}");
    assert!(keys.iter().all(|key| key.ends_with(".source")), "{keys:?}");
}
