//! Whole transfers in virtual time, beside noq's own controllers.

use std::sync::Arc;

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_core::window::{ControllerConfig, Start, atl, reno};
use atl_noq::{Factory, Marks, Observed};
use noq_proto::congestion::{ControllerFactory, CubicConfig, NewRenoConfig};

use crate::world::{CLIENT, Driver, Network, World, network, transport};

const LINK_MBPS: f64 = 20.0;
const DELAY_MS: u64 = 50;

/// 20 Mb/s, 50 ms each way, and a queue of one bandwidth-delay product.
fn link(seed: u64, loss: f64) -> Network {
    network(seed, LINK_MBPS, DELAY_MS, 166, loss)
}

/// The same without loss, and with a queue that no slow start fills here.
fn deep() -> Network {
    network(1, LINK_MBPS, DELAY_MS, 5000, 0.0)
}

/// A client that sends `total` bytes with these controllers.
fn world(
    factory: Arc<impl ControllerFactory + Send + Sync + 'static>,
    link: Network,
    total: u64,
) -> World {
    let mut client = transport();
    client.congestion_controller_factory(factory);
    World::new(3, [client, transport()], vec![link], CLIENT, total)
}

/// Goodput of a flow without end, in Mb/s.
fn goodput(world: &mut World, secs: u64) -> f64 {
    world.run(Time::from_millis(1000 * secs), &mut ());
    assert!(world.transfer.intact);
    world.transfer.received as f64 * 8e-6 / secs as f64
}

fn theirs(
    factory: impl ControllerFactory + Send + Sync + 'static,
    link: Network,
    secs: u64,
) -> f64 {
    goodput(&mut world(Arc::new(factory), link, u64::MAX), secs)
}

fn factory(config: impl Into<ControllerConfig>, loss: f64) -> Factory {
    let start = Start::default().access_rate(Some(Rate::from_mbps(LINK_MBPS)));
    let factory = Factory::new(config.into()).start(start);
    let report =
        LinkReport { loss: Probability::clamped(loss), delay: Span::from_millis(DELAY_MS) };
    factory.reports().own(report);
    factory
}

fn observed(factory: &Factory) -> Observed {
    let paths = factory.paths();
    assert_eq!(paths.len(), 1);
    paths[0].observed()
}

/// The mean over four seeds of 40 s each. The standard deviation of a seed is about 5 % at 1e-3 and
/// 7 % at 1e-2, so that of the ratio of two means is at most 5 %.
#[test]
fn our_reno_gets_what_noqs_newreno_gets() {
    for loss in [1e-3, 1e-2] {
        let mut sums = [0.0; 2];
        for seed in 0..4 {
            let ours = Arc::new(factory(reno::Config::default(), loss));
            sums[0] += goodput(&mut world(ours, link(seed, loss), u64::MAX), 40);
            sums[1] += theirs(NewRenoConfig::default(), link(seed, loss), 40);
        }
        let ratio = sums[0] / sums[1];
        assert!((0.85..1.18).contains(&ratio), "loss {loss}: {ratio}, {sums:?} in 4 x Mb/s");
    }
}

#[test]
fn tcp_atl_fills_a_lossy_link_that_cubic_does_not_and_every_mark_finds_its_packet() {
    let loss = 1e-2;
    let marks = Marks::default();
    let factory = Arc::new(factory(atl::Config::default(), loss).marks(marks.clone()));
    let mut world = world(factory.clone(), link(7, loss), u64::MAX);
    world.ends[CLIENT].marks = Some(marks);
    let mbps = goodput(&mut world, 20);
    let cubic = theirs(CubicConfig::default(), link(7, loss), 20);
    assert!(mbps > 8.0 * cubic, "TCP-ATL {mbps}, CUBIC {cubic} Mb/s");

    let observed = observed(&factory);
    let counts = observed.counts;
    let lost = world.networks[0].lost[0];
    assert!(lost > 200, "{lost}");
    assert_eq!((world.ends[CLIENT].unknown, counts.marked + counts.marked_late), (0, lost));
    // The link learns of a loss when it happens, which is long before noq does.
    assert_eq!(counts.marked_late, 0);
    let wireless = observed.adaptation.expect("adapts").split.wireless;
    assert!((0.005..0.02).contains(&wireless.loss.get()), "{wireless:?}");
}

/// Probes above 1300 bytes disappear on the way: noq never says what became of them.
#[test]
fn lost_mtu_probes_do_not_stay_in_flight() {
    let factory = Arc::new(factory(reno::Config::default(), 0.0));
    let narrow = Network { mtu: Some(1300), ..deep() };
    let mut world = world(factory.clone(), narrow, 4 << 20);
    world.run(Time::from_millis(60_000), &mut ());
    assert!(world.transfer.done.is_some() && world.transfer.intact);
    world.transfer.done = None;
    let end = world.now + Span::from_millis(500);
    world.run(end, &mut ());
    let observed = observed(&factory);
    assert!(observed.counts.settled >= 3, "{observed:?}");
    assert!((1200..=1300).contains(&observed.mtu), "{observed:?}");
    assert_eq!((observed.in_flight, observed.bytes_in_flight), (0, 0), "{observed:?}");
    assert_eq!(observed.counts.lost, 0, "a probe's loss is no congestion");
    assert!(observed.ssthresh.is_infinite());
}

#[test]
fn marks_of_congestion_reduce_the_window_without_a_loss() {
    let factory = Arc::new(factory(reno::Config::default(), 0.0));
    let marking = Network { mark_every: Some(500), ..deep() };
    let mut world = world(factory.clone(), marking, u64::MAX);
    goodput(&mut world, 10);
    let observed = observed(&factory);
    assert!(observed.counts.ecn >= 3, "{observed:?}");
    assert_eq!((observed.counts.lost, observed.counts.congestion_events), (0, observed.counts.ecn));
    assert!(observed.ssthresh.is_finite());
}

/// Notes the window each half second.
struct Trajectory<'a> {
    factory: &'a Factory,
    next: Time,
    lines: Vec<String>,
}

impl Driver for Trajectory<'_> {
    fn poll(&mut self, world: &mut World) -> Time {
        if world.now >= self.next {
            let Observed { window, in_flight, counts, .. } = observed(self.factory);
            let secs = self.next.secs();
            self.lines.push(format!(
                "{secs:4.1} s: window {window:6.1}, in flight {in_flight:3}, lost {}",
                counts.lost
            ));
            self.next += Span::from_millis(500);
        }
        self.next
    }
}

/// The windows of three controllers on one path.
#[test]
fn trajectories() {
    let configs: [(&str, ControllerConfig); 3] = [
        ("reno", reno::Config::default().into()),
        ("tcp-atl", atl::Config::default().into()),
        ("tcp-atl-robust", atl::robust::Config::default().into()),
    ];
    let mut all = String::new();
    for (name, config) in configs {
        let factory = Arc::new(factory(config, 2e-3));
        let mut world = world(factory.clone(), link(5, 2e-3), u64::MAX);
        let mut trajectory =
            Trajectory { factory: &factory, next: Time::from_millis(500), lines: Vec::new() };
        world.run(Time::from_millis(8000), &mut trajectory);
        all += &format!("{name}\n{}\n", trajectory.lines.join("\n"));
    }
    insta::assert_snapshot!(all);
}
