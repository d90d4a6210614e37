//! Runs in real time, some seconds each. What is counted holds exactly; numbers that depend on the
//! scheduler are only compared in runs that kept time, and loosely.

use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_engine::{Engine as _, Watch};
use atl_quic::{Crypto, QuicSim};
use atl_sockets::quic::Quic;

use crate::lane;
use crate::support::{self, comes_near, consistent, lanes, setup, timely, turn};

fn simulated(setup: &Setup, seed: u64) -> RunResult {
    QuicSim::new(Crypto::Null).run(setup, seed, &Watch::unwatched()).expect("a run")
}

#[test]
fn four_controllers_at_once_lose_no_count_and_come_near_virtual_time() {
    let _turn = turn();
    let protocols = ["tcp-atl", "reno", "noq-cubic", "noq-bbr3"];
    let setup = lanes(5, &protocols.map(|protocol| lane(protocol, 0.01, true)));
    assert_eq!(Quic.gaps(&setup), []);
    let real = timely(&Quic, &setup, 1);
    // A row per flow each half second, from 0.5 s to the end.
    let samples = &real.0.samples;
    assert_eq!(samples.len(), 10 * 4);
    assert!(samples.iter().skip(8).all(|sample| sample.cwnd.is_some_and(|cwnd| cwnd > 1.0)));
    // 4 s at 1 % loss: where a loss falls decides much of it.
    comes_near((&real, &simulated(&setup, 1)), 0.5..2.0, 0.080);
}

/// The word of the MAC of the sender's own link reaches its controller: without it TCP-ATL is
/// NewReno.
#[test]
fn a_sender_hears_its_own_link_and_what_that_loses() {
    let _turn = turn();
    let head = "title = \"t\"\nduration = \"8s\"\nwarmup = \"2s\"\n[record]\nevery = \"100ms\"\n";
    let lanes = [lane("tcp-atl", 0.03, true), lane("tcp-atl", 0.03, false)].concat();
    let setup = setup(&(head.to_owned() + &lanes));
    let (result, kept) = timely(&Quic, &setup, 3);
    let alpha = |flow| {
        let samples = result.samples.iter().filter(|sample| sample.flow == flow);
        samples.filter_map(|sample| sample.alpha).fold(0.0, f64::max)
    };
    assert!(alpha(0) > 2.0, "{}", alpha(0));
    assert!((alpha(1) - 1.0).abs() < 1e-9, "{}", alpha(1));
    let [told, untold] = &result.flows[..] else { panic!("two flows") };
    if kept {
        assert!(told.goodput_bps > 1.5 * untold.goodput_bps, "{told:?} {untold:?}");
    }
}

/// The far one of two links is wireless: the receiver reports it in QUIC datagrams.
#[test]
fn a_receiver_reports_its_own_link_and_handoffs_reach_the_samples() {
    let _turn = turn();
    let text = |receiver: &str| {
        format!(
            r#"
            title = "t"
            duration = "4s"
            [record]
            every = "100ms"
            [network.near]
            rate = "5Mb/s"
            delay = "5ms"
            loss = 0.01
            [network.far]
            rate = "5Mb/s"
            delay = "40ms"
            loss = 0.01
            [[link]]
            name = "wire"
            from = "server"
            to = "station"
            rate = "50Mb/s"
            delay = "5ms"
            [[link]]
            name = "air"
            from = "station"
            to = "phone"
            wireless = true
            network = "near"
            roam = [{{ at = "2s", network = "far" }}]
            [[flow]]
            name = "down"
            from = "server"
            to = "phone"
            protocol = "tcp-atl"
            receiver = "{receiver}"
            "#
        )
    };
    for (receiver, hears) in [("aware", true), ("unaware", false)] {
        let setup = setup(&text(receiver));
        let result = Quic.run(&setup, 1, &Watch::unwatched()).expect("a run");
        consistent(&setup, &result);
        let alpha = result.samples.iter().filter_map(|s| s.alpha).fold(0.0, f64::max);
        assert_eq!(alpha > 1.2, hears, "{receiver}: {alpha}");
        let networks = |network| result.samples.iter().filter(|s| s.network == network).count();
        // 2 s of 100 ms each, the sample at the very moment of the handoff in either.
        assert!(networks(0).abs_diff(20) <= 1 && networks(1).abs_diff(20) <= 1);
    }
}

/// A file ends, and what ends is timed.
#[test]
fn a_file_is_timed_and_a_schedule_of_writes_has_delays() {
    let _turn = turn();
    let head = "title = \"t\"\nduration = \"4s\"\n";
    let file = lane("reno", 0.0, false) + "source = { bytes = \"500kB\" }\n";
    let cbr = lane("tcp-atl", 0.0, false) + "source = { rate = \"1Mb/s\" }\n";
    let setup = setup(&(head.to_owned() + &file + &cbr));
    let (result, kept) = timely(&Quic, &setup, 1);
    let [file, cbr] = &result.flows[..] else { panic!("two flows") };
    let took = file.completion_s.expect("it ends");
    // 500 kB take 0.8 s at 5 Mb/s, and more with headers, a handshake and slow start.
    assert!(took > 0.8 && (took < 3.0 || !kept), "{took}");
    assert!(cbr.completion_s.is_none() && cbr.offered_bps.is_some());
    let delay = cbr.delay_s.expect("it writes at known times");
    assert!(delay > 0.020, "{delay}");
    if kept {
        let simulated = simulated(&setup, 1);
        let expected = simulated.flows[1].delay_s.expect("the same");
        // Timers tick once in a millisecond, and wake up late.
        assert!((delay - expected).abs() < 0.010, "{delay} and {expected}");
        assert!((cbr.goodput_bps / simulated.flows[1].goodput_bps - 1.0).abs() < 0.05);
    }
}

/// A host that takes up to 40 ms for each packet lets them arrive in clusters; what it holds at
/// the end is under way.
#[test]
fn a_host_delays_its_packets_as_in_virtual_time() {
    let _turn = turn();
    let slow = |protocol| lane(protocol, 0.0, false) + "source = { rate = \"1Mb/s\" }\n";
    let setup = lanes(5, &[slow("noq-cubic") + "overhead = \"40ms\"\n", slow("tcp-atl")]);
    let (result, kept) = timely(&Quic, &setup, 1);
    let simulated = simulated(&setup, 1);
    let jitter = |result: &RunResult, flow: usize| result.flows[flow].jitter_s.expect("arrivals");
    assert!(jitter(&result, 0) > 3.0 * jitter(&result, 1), "{:?}", result.flows);
    if kept {
        let ratio = jitter(&result, 0) / jitter(&simulated, 0);
        assert!((0.8..1.25).contains(&ratio), "{ratio}");
        let rtt = |result: &RunResult| result.flows[0].rtt_median_s.expect("samples");
        assert!((rtt(&result) - rtt(&simulated)).abs() < 0.005, "{:?}", result.flows);
    }
}

/// The ECN field leaves on the sockets, and the library hears of the links' marks as in virtual
/// time; ECT(1) of Prague goes to the shallow queue. A link that clears the field ends ECN.
#[test]
fn the_ecn_field_crosses_the_sockets() {
    let _turn = turn();
    let link =
        |queue: &str, rule: &str| format!("rate = \"5Mb/s\"\nqueue = {queue}\necn = \"{rule}\"");
    let of = |protocol: &str, queue: &str, rule: &str, tcp: &str| {
        support::lane(protocol, false, &link(queue, rule)) + &format!("tcp = {{ {tcp} }}\n")
    };
    let classic = "ecn = \"classic\"";
    let lanes = [
        of("reno", "{ packets = 100, mark = 15 }", "keep", classic),
        of("prague", "{ discipline = \"dualpi2\" }", "keep", ""),
        of("cubic", "{ packets = 30, mark = 15 }", "bleach", classic),
        of("noq-cubic", "{ packets = 30, mark = 15 }", "keep", ""),
    ];
    let head = "title = \"t\"\nduration = \"8s\"\nwarmup = \"1s\"\n".to_owned();
    let setup = setup(&(head + &lanes.concat()));
    assert_eq!(Quic.gaps(&setup), []);
    let (result, kept) = timely(&Quic, &setup, 1);
    let expected = simulated(&setup, 1);
    let marked = |result: &RunResult| -> Vec<Option<bool>> {
        result.flows.iter().map(|flow| flow.marked.map(|marked| marked > 0)).collect()
    };
    assert_eq!(marked(&result), [Some(true), Some(true), Some(false), None]);
    assert_eq!(marked(&expected), marked(&result));
    if kept {
        for (real, sim) in result.flows.iter().zip(&expected.flows) {
            let ratio = real.goodput_bps / sim.goodput_bps;
            assert!((0.7..1.43).contains(&ratio), "{ratio}: {real:?} {sim:?}");
        }
        let prague = result.flows[1].queueing_p95_s();
        assert!(prague.is_none_or(|queueing| queueing < 0.030), "{prague:?}");
    }
}
