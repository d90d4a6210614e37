//! A handoff with overlap loses nothing, repeats nothing and hands nothing over out of order,
//! wherever the cells are and however fast the mobile is.

use atl_core::roaming::{Meanwhile, NewPath, Probe};
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_engine::setup::{
    Cell, FlowMobile, Handoff, MobileSetup, MobileStep, Path, Point, Rules, Setup, Track,
};
use atl_link::{Config, QueueConfig};
use atl_mobility::geometry::WayPoint;
use atl_mobility::journey::compile;
use atl_mobility::prediction::Heading;
use atl_sim::Simulation;
use proptest::prelude::*;

use crate::support::{flow, link};

/// Two cells that overlap, and a mobile that crosses both in a straight line.
#[derive(Clone, Copy, Debug)]
struct Map {
    radius_m: f64,
    speed_mps: f64,
    /// Half of the time that both cells cover the mobile.
    half: f64,
    /// Distance from the line between the access points, as a share of the overlap's half height.
    aside: f64,
}

impl Map {
    /// The time before it enters the overlap, and after it has left.
    const LEAD: f64 = 2.0;

    /// The mobile, and how long its way takes in seconds. Paths 0 and 1 are the old cell and the
    /// new one.
    fn mobile(&self) -> (MobileSetup, f64) {
        let Map { radius_m: r, speed_mps: v, half, aside } = *self;
        // Half of the overlap's width where it crosses, w, and its distance y from the axis:
        // (d / 2 + w)^2 + y^2 = r^2.
        let w = half * v;
        let y = aside * (r - w) / 2.0;
        let d = 2.0 * ((r * r - y * y).sqrt() - w);
        let cell = |x: f64| Cell::new(Point::new(x, 0.0), r).expect("a cell");
        let at = |x: f64| WayPoint::new(Point::new(x, y), v);
        let lead = w + Self::LEAD * v;
        let track = Track::new(Time::ZERO, &[at(d / 2.0 - lead), at(d / 2.0 + lead)]);
        let seconds = 2.0 * (half + Self::LEAD);
        let end = Time::ZERO + Span::from_secs_f64(seconds);
        let rules = Rules::default();
        let track = track.expect("a track");
        let journey = compile(&[cell(0.0), cell(d)], &track, &rules, &Heading, end);
        let journey = journey.expect("a journey");
        assert_eq!((journey.cells, journey.steps.len()), (vec![0, 1], 3), "{self:?}");
        let step =
            |step: &atl_mobility::journey::Step| MobileStep { at: step.at, signal: step.signal };
        let steps = journey.steps.iter().map(step).collect();
        let cells = vec!["old".into(), "new".into()];
        (
            MobileSetup {
                name: "car".into(),
                cells,
                steps,
                handoff: Handoff::default(),
                card: None,
            },
            seconds,
        )
    }
}

fn maps() -> impl Strategy<Value = Map> {
    (150.0..500.0_f64, 2.0..35.0_f64, 1.2..3.0_f64, -0.9..0.9_f64)
        .prop_map(|(radius_m, speed_mps, half, aside)| Map { radius_m, speed_mps, half, aside })
}

/// A server behind a gateway, and the two cells; their queues hold the whole window, so that
/// nothing is dropped but by the handoff's fault.
fn setup(
    map: &Map,
    protocol: &str,
    how: NewPath,
    sends: bool,
    bands: bool,
    air: [(f64, u64); 2],
) -> Setup {
    let wired = Config::constant(Rate::from_mbps(155.0), Span::from_millis(10), 1000);
    let mut links = vec![link("wire", 0, 1, wired.clone()), link("wire.back", 1, 0, wired)];
    for (node, (mbps, delay)) in [(2, air[0]), (3, air[1])] {
        let mut config = Config::constant(Rate::from_mbps(mbps), Span::from_millis(delay), 300);
        if bands {
            config.queue = QueueConfig::Priority { packets: 300 };
        }
        for (name, from, to) in [("down", 1, node), ("up", node, 1)] {
            let mut air = link(&format!("{name}-{node}"), from, to, config.clone());
            air.wireless = true;
            links.push(air);
        }
    }
    let mut flow = flow("flow", protocol, &[0], &[1]);
    let (down, up) = ([vec![0, 2], vec![0, 4]], [vec![3, 1], vec![5, 1]]);
    let (there, home) = if sends { (up, down) } else { (down, up) };
    flow.paths =
        there.into_iter().zip(home).map(|(forward, back)| Path { forward, back }).collect();
    flow.mobile = Some(FlowMobile { mobile: 0, sends, card: None });
    flow.protocol.new_path = how;
    flow.tcp.receive_window = 100;
    flow.tcp.min_rto = Span::from_secs(1);
    flow.pacing.target = Some(Rate::from_mbps(2.5));
    let (mobile, seconds) = map.mobile();
    Setup {
        map: None,
        nodes: ["server", "gateway", "old", "new"].map(str::to_owned).to_vec(),
        links,
        flows: vec![flow],
        mobiles: vec![mobile],
        duration: Span::from_secs_f64(seconds),
        warmup: Span::ZERO,
        sample_every: None,
    }
}

fn probe(meanwhile: Meanwhile) -> NewPath {
    NewPath::Probe(Probe { meanwhile, ..Probe::default() })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_handoff_with_overlap_loses_repeats_and_reorders_nothing(
        map in maps(),
        protocol in prop::sample::select(vec!["newreno", "sack", "reno/rack", "tcp-atl", "lda-plus", "arc"]),
        how in prop::sample::select(vec![
            NewPath::Reset, probe(Meanwhile::New), probe(Meanwhile::Old), probe(Meanwhile::Both),
        ]),
        sends: bool,
        bands: bool,
        rates in [3.0..12.0_f64, 3.0..12.0],
        delays in [1..60_u64, 1..60],
    ) {
        let air = [(rates[0], delays[0]), (rates[1], delays[1])];
        let setup = setup(&map, protocol, how, sends, bands, air);
        let result = Simulation::new(&setup, 1).run();
        let flow = &result.flows[0];
        prop_assert_eq!(flow.handoffs, Some(1));
        prop_assert_eq!((flow.lost, flow.dropped), (Some(0), Some(0)), "{:?}", flow);
        prop_assert_eq!((flow.retransmissions, flow.timeouts), (Some(0), Some(0)), "{:?}", flow);
        prop_assert_eq!(flow.duplicates.unwrap_or(0), 0);
        // All that was sent has arrived or is under way, and the application has it in order: on
        // one path nothing waits.
        prop_assert_eq!(Some(flow.sent), flow.arrived.zip(flow.under_way_after).map(|(a, u)| a + u));
        prop_assert_eq!(flow.arrived, flow.delivered);
        prop_assert!(flow.delivered > Some(20), "{:?}", flow);
    }
}
