//! Each protocol's window on one fixed path, so that a change of its behaviour shows. The path has
//! what the suite is about: random loss, a handoff to a slower and longer network, a blackout, a
//! short queue. After an intended change, `cargo insta review` accepts the new trajectories; the
//! commit says why they changed.

use std::fmt::Write;

use crate::support::{flow, link, lossy};
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_engine::setup::Setup;
use atl_link::{Blackout, Change, Config, Delay, Loss, QueueConfig, Service};
use atl_scenario::protocol::catalogue;
use atl_sim::Simulation;

/// 3 Mb/s, 20 ms, 0.2 % loss; from 20 s on 2 Mb/s, 100 ms, 1 %; dead from 40 to 41 s.
fn path(protocol: &str) -> Setup {
    let mut air = lossy(Config::constant(Rate::from_mbps(3.0), Span::from_millis(20), 30), 2e-3);
    air.queue = QueueConfig::Priority { packets: 30 };
    let mut to = air.initial.clone();
    to.service = Service::Constant(Rate::from_mbps(2.0));
    to.delay = Delay::Constant(Span::from_millis(100));
    to.loss = Loss::Bernoulli(Probability::clamped(1e-2));
    air.schedule = vec![Change { at: Time::from_millis(20_000), to }];
    let lasts = Span::from_secs(1);
    air.blackouts = vec![Blackout { at: Time::from_millis(40_000), lasts, hold: false }];
    let mut home = air.clone();
    home.initial.loss = Loss::None;
    home.schedule[0].to.loss = Loss::None;
    let wired = Config::constant(Rate::from_mbps(10.0), Span::from_millis(10), 100);
    let mut links = vec![
        link("air", 0, 1, air),
        link("wire", 1, 2, wired.clone()),
        link("wire.back", 2, 1, wired),
        link("air.back", 1, 0, home),
    ];
    (links[0].wireless, links[3].wireless) = (true, true);
    let mut flow = flow("flow", protocol, &[0, 1], &[2, 3]);
    flow.tcp.receive_window = 200;
    flow.pacing.target = Some(Rate::from_mbps(2.9));
    Setup {
        nodes: ["source", "access", "sink"].map(String::from).to_vec(),
        links,
        flows: vec![flow],
        mobiles: Vec::new(),
        map: None,
        duration: Span::from_secs(60),
        warmup: Span::ZERO,
        sample_every: Some(Span::from_secs(1)),
    }
}

#[test]
fn no_trajectory_has_changed() {
    let simulated = catalogue().iter().filter(|listed| !listed.is_quic());
    for name in simulated.map(|listed| listed.name).chain(["sack/rack", "sack/quic"]) {
        let result = Simulation::new(&path(name), 1).run();
        let mut text = String::from(if result.samples[0].cwnd.is_some() {
            "time_s cwnd ssthresh srtt_ms alpha beta delivered_kB\n"
        } else {
            "time_s rate_kbps srtt_ms alpha beta delivered_kB\n"
        });
        for s in &result.samples {
            let srtt = s.srtt_s.unwrap_or(0.0) * 1e3;
            let share = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.3}"));
            let decision = match (s.cwnd, s.ssthresh, s.rate_bps) {
                (Some(cwnd), Some(ssthresh), _) => format!("{cwnd:.2} {ssthresh:.2}"),
                (_, _, Some(rate)) => format!("{:.1}", rate / 1e3),
                _ => "-".to_owned(),
            };
            writeln!(
                text,
                "{:.0} {decision} {srtt:.1} {} {} {}",
                s.time_s,
                share(s.alpha),
                share(s.beta),
                s.delivered_bytes / 1000
            )
            .expect("a text takes what it is given");
        }
        insta::assert_snapshot!(name.replace('/', "-on-"), text);
    }
}
