//! The robust TCP-ATL where its earlier law collapsed, and beside others. `atl/robust-grid` has the
//! whole grid.

use crate::support::{dumbbell, flow, link, lossy};
use atl_core::time::Span;
use atl_core::units::Rate;
use atl_engine::setup::Setup;
use atl_link::{Config, Loss};
use atl_sim::Simulation;

/// The paths of ATL's Fig. 6 to 8: a wireless link of 2 Mb/s and a wired one of the same rate.
fn satellite(protocol: &str, delay_ms: u64, queue: u32, p_w: f64, flows: usize) -> Setup {
    let rate = Rate::from_mbps(2.0);
    let air = lossy(Config::constant(rate, Span::from_millis(delay_ms), queue), p_w);
    let mut home = air.clone();
    home.initial.loss = Loss::None;
    let wire = Config::constant(rate, Span::from_millis(10), queue);
    let mut links = vec![
        link("air", 0, 1, air),
        link("wire", 1, 2, wire.clone()),
        link("wire.back", 2, 1, wire),
        link("air.back", 1, 0, home),
    ];
    (links[0].wireless, links[3].wireless) = (true, true);
    let flows = (0..flows).map(|i| {
        let mut flow = flow(&format!("flow-{i}"), protocol, &[0, 1], &[2, 3]);
        flow.overhead = rate.time_for(1040);
        flow.tcp.access_rate = Some(rate);
        flow.start = atl_core::time::Time::from_millis(37 * i as u64);
        flow
    });
    Setup {
        nodes: ["source", "access", "sink"].map(String::from).to_vec(),
        links,
        flows: flows.collect(),
        mobiles: Vec::new(),
        map: None,
        duration: Span::from_secs(100),
        warmup: Span::ZERO,
        sample_every: None,
    }
}

/// Goodput of all flows in Mb/s, median RTT in ms and Jain's index: means of three seeds.
fn measured(setup: &Setup) -> (f64, f64, f64) {
    let seeds = 1..=3;
    let n = 3.0;
    let (mut goodput, mut rtt, mut jain) = (0.0, 0.0, 0.0);
    for seed in seeds {
        let run = Simulation::new(setup, seed).run();
        let rates: Vec<f64> = run.flows.iter().map(|f| f.goodput_bps).collect();
        let sum: f64 = rates.iter().sum();
        let squares: f64 = rates.iter().map(|rate| rate * rate).sum();
        let flows = rates.len() as f64;
        goodput += sum / n / 1e6;
        jain += sum * sum / squares / flows / n;
        rtt += run.flows.iter().filter_map(|f| f.rtt_median_s).sum::<f64>() / flows / n * 1e3;
    }
    (goodput, rtt, jain)
}

#[test]
fn it_does_not_collapse_on_short_queues() {
    // The earlier law: 1.11 Mb/s of 2 at 1e-6.
    for p_w in [1e-6, 1e-2] {
        let (robust, ..) = measured(&satellite("tcp-atl-robust", 150, 12, p_w, 1));
        for rival in ["tcp-atl/rack", "sack/rack", "cubic/rack"] {
            let (other, ..) = measured(&satellite(rival, 150, 12, p_w, 1));
            assert!(robust > 0.97 * other, "{p_w}: {robust} against {other} of {rival}");
        }
    }
}

#[test]
fn it_keeps_queues_shorter_than_cubic_does() {
    let (goodput, rtt, _) = measured(&satellite("tcp-atl-robust", 50, 120, 1e-2, 1));
    let (_, cubic, _) = measured(&satellite("cubic/rack", 50, 120, 0.0, 1));
    assert!(goodput > 1.8, "{goodput} of 2 Mb/s");
    assert!(rtt < 0.5 * cubic, "{rtt} against {cubic} ms");
}

#[test]
fn four_of_it_share_alike() {
    for queue in [12, 50] {
        let (goodput, _, jain) = measured(&satellite("tcp-atl-robust", 50, queue, 1e-3, 4));
        assert!(goodput > 1.85 && jain > 0.95, "queue {queue}: {goodput} Mb/s, {jain}");
    }
}

#[test]
fn beside_sack_and_cubic_it_neither_starves_nor_takes_twice_its_share() {
    let names =
        ["tcp-atl-robust", "sack/rack", "cubic/rack", "tcp-atl-robust", "sack/rack", "cubic/rack"];
    for queue in [20, 50, 200] {
        let mut setup = dumbbell(&names, Rate::from_mbps(12.0), queue, 120.0);
        for flow in &mut setup.flows {
            flow.overhead = Span::from_micros(500);
        }
        let run = Simulation::new(&setup, 1).run();
        let share = run.flows.iter().map(|f| f.goodput_bps).sum::<f64>() / names.len() as f64;
        let own = (run.flows[0].goodput_bps + run.flows[3].goodput_bps) / 2.0 / share;
        assert!((0.2..2.0).contains(&own), "queue {queue}: {own} of a fair share");
    }
}

/// A link without loss that tells its delay gives the sender no reason to grow faster: the link is
/// the bottleneck, and R - 2 d_w would be little more than the queueing that both flows cause.
#[test]
fn reports_of_a_link_that_loses_nothing_change_nothing() {
    let beside_cubic = |told: bool| {
        let air = Config::constant(Rate::from_mbps(20.0), Span::from_millis(10), 40);
        let mut links = vec![link("air", 0, 1, air.clone()), link("air.back", 1, 0, air)];
        links[0].wireless = told;
        let flows = ["tcp-atl-robust", "cubic"].map(|name| flow(name, name, &[0], &[1]));
        let setup = Setup {
            nodes: ["phone", "server"].map(String::from).to_vec(),
            links,
            flows: flows.to_vec(),
            mobiles: Vec::new(),
            map: None,
            duration: Span::from_secs(30),
            warmup: Span::ZERO,
            sample_every: None,
        };
        let run = Simulation::new(&setup, 1).run();
        [0, 1].map(|i| (run.flows[i].delivered.expect("counted"), run.flows[i].sent))
    };
    let (told, untold) = (beside_cubic(true), beside_cubic(false));
    assert_eq!(told, untold);
    assert!(told[0].0 < 2 * told[1].0, "{told:?}");
}

/// Goodput of a phone's upload over that of a CUBIC beside it, over six seeds. Its wireless link is
/// the bottleneck, loses nothing and tells its delay, which is nearly all of the path's.
fn over_cubic(law: &str, queue: u32, d_w_ms: u64) -> f64 {
    let rate = Rate::from_mbps(20.0);
    let air = Config::constant(rate, Span::from_millis(d_w_ms), queue);
    let wire = Config::constant(Rate::from_mbps(1000.0), Span::from_micros(500), 1000);
    let mut links = vec![
        link("air", 0, 1, air.clone()),
        link("air.back", 1, 0, air),
        link("wire", 1, 2, wire.clone()),
        link("wire.back", 2, 1, wire),
    ];
    links[0].wireless = true;
    let flows = [law, "cubic/rack"].map(|name| {
        let mut flow = flow(name, name, &[0, 2], &[3, 1]);
        flow.start_jitter = Span::from_millis(100);
        flow.overhead = rate.time_for(1040);
        flow
    });
    let setup = Setup {
        nodes: ["phone", "access point", "server"].map(String::from).to_vec(),
        links,
        flows: flows.to_vec(),
        mobiles: Vec::new(),
        map: None,
        duration: Span::from_secs(40),
        warmup: Span::ZERO,
        sample_every: None,
    };
    let mut sums = [0.0, 0.0];
    for seed in 1..=6 {
        let run = Simulation::new(&setup, seed).run();
        for (sum, flow) in sums.iter_mut().zip(&run.flows) {
            *sum += flow.goodput_bps;
        }
    }
    sums[0] / sums[1]
}

/// docs/protocols/atl.md has the table: with 120 s and three seeds the most was 1.17. In 40 s, of
/// which a CUBIC needs ten to use a path of 190 packets with a queue of ten, it is 1.51 ± .3.
#[test]
fn the_truth_about_a_link_without_loss_does_not_starve_a_cubic() {
    for law in ["tcp-atl-robust", "residual"] {
        for queue in [10, 40, 160] {
            for d_w_ms in [1, 10, 40] {
                let ratio = over_cubic(law, queue, d_w_ms);
                assert!(ratio < 1.8, "{law}, queue {queue}, d_w {d_w_ms} ms: {ratio}");
            }
        }
    }
    // The paper's law, `tcp-atl`, does starve it.
    assert!(over_cubic("tcp-atl", 40, 40) > 3.0);
}
