//! The engine `kernel`: runs in real time, some seconds each, on machines that allow namespaces;
//! elsewhere they say that they skipped. What is counted holds exactly; numbers that depend on the
//! scheduler are only compared in runs that kept time, and loosely.

use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_engine::{Engine as _, Gap, Stopped, Watch};
use atl_sim::Sim;
use atl_sockets::kernel::Kernel;

use crate::support::{self, comes_near, setup, timely, turn};

/// A flow over a link of its own.
fn lane(protocol: &str, loss: f64) -> String {
    let link = format!("rate = \"10Mb/s\"\nqueue = 40\nloss = {loss}\nreverse = {{ loss = 0 }}");
    support::lane(protocol, false, &link) + "start-jitter = \"50ms\"\n"
}

/// True, after saying so, if this machine does not allow a run of the setup.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn cannot(setup: &Setup) -> bool {
    let gaps = Kernel.gaps(setup);
    let machine = gaps.iter().find(|gap| gap.place == "this machine");
    if let Some(gap) = machine {
        eprintln!("skipped: {}", gap.why);
    } else {
        assert_eq!(gaps, []);
    }
    machine.is_some()
}

#[test]
fn cubic_and_reno_lose_no_count_and_come_near_the_simulator() {
    let _turn = turn();
    let setup = support::lanes(5, &[lane("cubic", 0.0), lane("sack", 0.0)]);
    if cannot(&setup) {
        return;
    }
    let real = timely(&Kernel, &setup, 1);
    // A row per flow each half second, from 0.5 s to the end.
    assert_eq!(real.0.samples.len(), 10 * 2);
    let expected = Sim.run(&setup, 1, &Watch::unwatched()).expect("a run");
    // After a start that filled it, the queue of 48 ms may never have been empty.
    comes_near((&real, &expected), 0.85..1.18, 0.080);
    let last = real.0.samples.last().expect("samples");
    assert!(last.cwnd.is_some_and(|cwnd| cwnd >= 2.0) && last.srtt_s.is_some(), "{last:?}");
}

/// The sender's own estimate has the delay in it: the network's measurement begins after it.
#[test]
fn a_host_delays_its_packets_as_the_simulators_does() {
    let _turn = turn();
    let slow = |overhead: &str| {
        let text = lane("sack", 0.0) + "source = { rate = \"500kb/s\" }\n" + overhead;
        support::lanes(4, &[text])
    };
    let (prompt, slow) = (slow(""), slow("overhead = \"100ms\"\n"));
    if cannot(&slow) {
        return;
    }
    // A packet every 23 ms waits for the ones before it, too.
    let srtt = |result: &RunResult| {
        let known: Vec<f64> = result.samples.iter().filter_map(|sample| sample.srtt_s).collect();
        known.iter().sum::<f64>() / known.len() as f64
    };
    let simulated = |setup| srtt(&Sim.run(setup, 1, &Watch::unwatched()).expect("a run"));
    let (expected, without) = (simulated(&slow), simulated(&prompt));
    assert!(expected > without + 0.045, "{expected} s and {without} s");
    let (result, kept) = timely(&Kernel, &slow, 1);
    let real = srtt(&result);
    assert!(!kept || (real - expected).abs() < 0.01, "{real} s and {expected} s");
}

#[test]
fn losses_are_those_of_the_link_and_are_repaired() {
    let _turn = turn();
    let setup = support::lanes(5, &[lane("cubic", 0.02)]);
    if cannot(&setup) {
        return;
    }
    let (result, _) = timely(&Kernel, &setup, 2);
    let flow = &result.flows[0];
    let (lost, again) = (flow.lost.expect("counted"), flow.retransmissions.expect("counted"));
    assert!(lost > 5, "{flow:?}");
    // Each loss is repaired, but for those whose repair is still to come.
    assert!(again + 10 >= lost && again <= 2 * lost + 20, "{lost} lost, {again} sent again");
    let share = lost as f64 / flow.sent as f64;
    assert!((0.005..0.05).contains(&share), "{share}");
}

#[test]
fn a_transfer_ends_and_its_packets_have_the_size_that_was_asked_for() {
    let _turn = turn();
    let text = lane("sack", 0.0) + "source = { bytes = \"3MB\" }\ntcp = { segment = 1000 }\n";
    let setup = support::lanes(4, &[text]);
    if cannot(&setup) {
        return;
    }
    let (result, kept) = timely(&Kernel, &setup, 3);
    let flow = &result.flows[0];
    let expected = Sim.run(&setup, 3, &Watch::unwatched()).expect("a run");
    let took = flow.completion_s.expect("it ended");
    if kept {
        let ratio = took / expected.flows[0].completion_s.expect("it ended");
        // The kernel's handshake takes a round trip, 40 ms of some 2600.
        assert!((0.9..1.15).contains(&ratio), "{ratio}: {took} s");
    }
    // 3000 packets of 1052 bytes, with few repairs; some before measurement began.
    let link = &result.links[0];
    let size = link.delivered_bytes as f64 / link.delivered as f64;
    assert!((1030.0..=1052.0).contains(&size), "{size} bytes a packet");
}

/// A law of ours and the kernel's CUBIC on one link, in one ledger. The law comes first, so that no
/// flow has the same place among its kind as in the setup.
#[test]
fn a_law_of_ours_runs_over_quic_beside_the_kernels_tcp() {
    let _turn = turn();
    let text = r#"
        title = "t"
        duration = "6s"
        warmup = "1s"
        [record]
        every = "500ms"
        [[link]]
        name = "shared"
        from = "home"
        to = "server"
        rate = "10Mb/s"
        delay = "20ms"
        queue = "40ms"
        [[flow]]
        name = "ours"
        from = "home"
        to = "server"
        protocol = "residual"
        [[flow]]
        name = "theirs"
        from = "home"
        to = "server"
        protocol = "cubic"
        [[flow]]
        name = "foreign"
        from = "home"
        to = "server"
        protocol = "noq-cubic"
        [[flow]]
        name = "back"
        from = "server"
        to = "home"
        protocol = "newreno"
    "#;
    let setup = setup(text);
    if cannot(&setup) {
        return;
    }
    let (result, kept) = timely(&Kernel, &setup, 1);
    assert_eq!(result.samples.len(), 12 * 4);
    for (index, flow) in result.flows.iter().enumerate() {
        // The observer of segments counts repairs, and QUIC sends no packet again.
        assert_eq!(flow.retransmissions.is_some(), index % 2 == 1, "{flow:?}");
    }
    if kept {
        let shared: f64 = result.flows[..3].iter().map(|flow| flow.goodput_bps).sum();
        assert!((8e6..10e6).contains(&shared), "{shared} b/s");
        // Each of them fills the queue that all share.
        for flow in &result.flows[..3] {
            let rtt = flow.rtt_median_s.expect("samples");
            assert!((0.045..0.090).contains(&rtt) && flow.goodput_bps > 1e5, "{flow:?}");
        }
        assert!(result.flows[3].goodput_bps > 7e6, "{:?}", result.flows[3]);
    }
}

/// A sender over QUIC hears of its own link what it would on the engine `quic`.
#[test]
fn a_sender_beside_the_kernels_hears_its_own_link() {
    let _turn = turn();
    let link = "rate = \"10Mb/s\"\nqueue = 40\nloss = 0.03\nreverse = { loss = 0 }";
    let lanes = [support::lane("tcp-atl-robust", true, link), support::lane("cubic", true, link)];
    let setup = support::lanes(5, &lanes);
    if cannot(&setup) {
        return;
    }
    let (result, kept) = timely(&Kernel, &setup, 1);
    let [told, cubic] = &result.flows[..] else { panic!("two flows") };
    if kept {
        assert!(told.goodput_bps > 2.0 * cubic.goodput_bps, "{told:?} {cubic:?}");
    }
}

#[test]
fn a_cancelled_run_ends_at_once() {
    let _turn = turn();
    let setup = support::lanes(30, &[lane("cubic", 0.0)]);
    if cannot(&setup) {
        return;
    }
    let begun = std::time::Instant::now();
    let stop = || begun.elapsed().as_millis() > 500;
    let ended = Kernel.run(&setup, 1, &Watch::new(&stop, &|_| {}));
    assert!(matches!(ended, Err(Stopped::Cancelled)), "{ended:?}");
    assert!(begun.elapsed().as_secs() < 15, "half of its duration: {:?}", begun.elapsed());
}

#[test]
fn it_keeps_the_contract_of_engines() {
    let _turn = turn();
    let text = "title = \"t\"\nduration = \"1500ms\"\nwarmup = \"500ms\"\n".to_owned()
        + &lane("cubic", 0.01);
    if cannot(&setup(&text)) {
        return;
    }
    let origin = std::path::Path::new("test.toml");
    let scenario =
        atl_scenario::parse("test", &text, origin, &atl_scenario::no_files, &Default::default());
    let scenario = scenario.unwrap_or_else(|errors| panic!("{errors}"));
    atl_engine::conformance::engine(&Kernel, &scenario);
}

fn gaps(flows: &str) -> Vec<Gap> {
    Kernel.gaps(&setup(&("title = \"t\"\nduration = \"3s\"\n".to_owned() + flows)))
}

/// Gaps that do not depend on the machine, by key.
fn keys(flows: &str) -> Vec<String> {
    gaps(flows).into_iter().filter_map(|gap| gap.key).collect()
}

#[test]
fn what_it_cannot_do_is_a_gap() {
    let lane = |more: &str| keys(&(lane("newreno", 0.0) + more));
    assert_eq!(lane(""), [""; 0]);
    let of = |key: &str| vec![format!("flow.newreno-false.{key}")];
    assert_eq!(lane("overhead = \"1ms\"\n"), [""; 0]);
    assert_eq!(lane("tcp = { nagle = \"rfc896\" }\n"), of("tcp.nagle"));
    assert_eq!(lane("tcp = { ecn = \"classic\" }\n"), of("tcp.ecn"));
    assert_eq!(lane("tcp = { segment = 50 }\n"), of("tcp.segment"));
    for protocol in ["tfrc", "freeze-tcp", "peach", "wtcp"] {
        let key = format!("flow.{protocol}-false.protocol");
        assert!(keys(&self::lane(protocol, 0.0)).contains(&key), "{protocol}");
    }
    let beside = |protocol: &str, more: &str| {
        keys(&(self::lane("newreno", 0.0) + &self::lane(protocol, 0.0) + more))
    };
    for protocol in ["tcp-atl", "residual", "noq-cubic", "bbr3"] {
        assert_eq!(beside(protocol, ""), [""; 0], "over QUIC");
        // A host over QUIC delays its datagrams.
        assert_eq!(beside(protocol, "overhead = \"1ms\"\n"), [""; 0]);
        let gaps = gaps(&self::lane(protocol, 0.0));
        assert!(gaps.iter().any(|gap| gap.what.contains("no flow of the kernel's")), "{gaps:?}");
    }
    let small = "tcp = { segment = 1000, header = 40 }\n";
    assert_eq!(beside("tcp-atl", small), ["flow.tcp-atl-false.tcp.segment"]);
    let two = self::lane("newreno", 0.0) + &self::lane("sack", 0.0);
    let two = two + "tcp = { min-rto = \"1s\", initial-window = 2, timestamps = false }\n";
    let shared = ["initial-window", "min-rto", "timestamps"];
    assert_eq!(keys(&two), shared.map(|key| format!("flow.sack-false.tcp.{key}")));
}
