//! Adaptive video and pages over several connections, on paths where what they do can be worked
//! out by hand.

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_endpoint::app::{Dash, RateChoice, WebPage};
use atl_engine::result::PlaybackResult;
use atl_engine::setup::{Setup, Source};
use atl_link::Config;
use atl_sim::Simulation;

use crate::support::{flow, lossy, single};

/// A video over links of this rate and 20 ms each way, for 120 s.
fn watch(mbps: f64, loss: f64, video: &Dash) -> Setup {
    let link = Config::constant(Rate::from_mbps(mbps), Span::from_millis(20), 100);
    let mut setup = single("cubic", lossy(link.clone(), loss), 120.0);
    setup.links[1].config = lossy(link, loss).into();
    setup.flows.push(flow("flow.back", "cubic", &[1], &[0]));
    for flow in &mut setup.flows {
        flow.source = Source::Application(video.clone().into());
    }
    setup.flows[0].answers = Some(1);
    setup
}

fn playback(setup: &Setup) -> PlaybackResult {
    let flows = Simulation::new(setup, 1).run().flows;
    assert_eq!(flows[1].playback, None, "the server plays nothing");
    flows[0].playback.expect("a player")
}

#[test]
fn every_choice_fills_a_steady_link_without_a_stall() {
    for choice in [RateChoice::Throughput, RateChoice::Buffer, RateChoice::Bola] {
        let video = Dash { choice, ..Dash::default() };
        // 4.3 Mb/s of 10, then 1.2 to 1.85 of 2.
        let fast = playback(&watch(10.0, 0.0, &video));
        assert_eq!((fast.stalls, fast.stalled_share()), (0, Some(0.0)), "{choice:?}");
        assert!(fast.mean_bps.is_some_and(|bps| bps > 2.4e6), "{choice:?}: {fast:?}");
        // 150 kB take .12 s, and a round trip or three.
        assert!(fast.start_up_s.is_some_and(|s| (0.16..0.4).contains(&s)), "{choice:?}: {fast:?}");
        let played = 120.0 - fast.start_up_s.unwrap_or_default();
        assert!((fast.played_s - played).abs() < 1e-9, "{choice:?}: {fast:?}");
        let slow = playback(&watch(2.0, 0.0, &video));
        assert_eq!(slow.stalls, 0, "{choice:?}");
        assert!(
            slow.mean_bps.is_some_and(|bps| (1e6..1.9e6).contains(&bps)),
            "{choice:?}: {slow:?}"
        );
    }
}

#[test]
fn a_link_below_the_lowest_rate_stalls_for_the_rest_of_the_time() {
    // 300 kb/s of video over 200 kb/s, less headers: it plays for 1000 / 1040 * 2 / 3 of the time.
    let video = Dash::default();
    let slow = playback(&watch(0.2, 0.0, &video));
    let share = slow.stalled_share().expect("it plays");
    assert!((share - (1.0 - 0.64)).abs() < 0.06, "{slow:?}");
    assert!(slow.stalls > 10 && slow.mean_bps == Some(3e5) && slow.switches == 0, "{slow:?}");
}

#[test]
fn a_video_ends_and_the_same_seed_gives_the_same() {
    let video = Dash { segments: Some(10), choice: RateChoice::Bola, ..Dash::default() };
    let setup = watch(5.0, 0.01, &video);
    let seen = playback(&setup);
    assert_eq!(seen.segments, 10);
    assert!((seen.played_s - 40.0).abs() < 1e-9, "{seen:?}");
    assert_eq!(seen, playback(&setup));
}

/// A page of a document and 60 equal objects of one segment over this many connections.
fn page(connections: usize, loss: f64) -> (f64, u64) {
    let link = Config::constant(Rate::from_mbps(10.0), Span::from_millis(50), 1000);
    let mut setup = single("sack", lossy(link.clone(), loss), 60.0);
    setup.links[1].config = lossy(link, loss).into();
    let page = WebPage {
        document: 1000,
        objects: 60,
        median: 1000,
        sigma: 0.0,
        levels: 1,
        connections: connections as u32,
        think: Span::ZERO,
        pages: Some(1),
        ..WebPage::default()
    };
    setup.flows = (0..connections)
        .flat_map(|n| {
            let there = flow(&format!("page.{n}"), "sack", &[0], &[1]);
            [there, flow(&format!("page.{n}.back"), "sack", &[1], &[0])]
        })
        .collect();
    for (index, flow) in setup.flows.iter_mut().enumerate() {
        flow.source = Source::Application(page.clone().into());
        flow.answers = (index % 2 == 0).then_some(index + 1);
    }
    setup.flows[0].connections = (1..connections).map(|n| 2 * n).collect();
    let flows = Simulation::new(&setup, 1).run().flows;
    let bytes = |flow: &atl_engine::result::FlowResult| flow.goodput_bps * flow.active_s / 8.0;
    let bytes = flows.iter().skip(1).step_by(2).map(bytes).sum::<f64>().round();
    let exchanges = flows[0].exchanges.expect("it talks");
    assert_eq!(exchanges.count, 1);
    (exchanges.mean_s.expect("a page"), bytes as u64)
}

#[test]
fn pages_over_six_connections_take_a_round_trip_for_each_object_and_over_one_for_each_level() {
    let (six, bytes) = page(6, 0.0);
    assert_eq!(bytes, 61_000);
    // The document, then ten objects in a row over each connection: eleven round trips of 0.1 s,
    // and a millisecond or two each for the packets.
    assert!((1.1..1.17).contains(&six), "{six}");
    // One level: two round trips, and up to three more while the window opens for 60 segments.
    let (one, bytes) = page(1, 0.0);
    assert_eq!(bytes, 61_000);
    assert!((0.2..0.65).contains(&one), "{one}");
    // With losses, every object still comes once.
    assert_eq!([page(6, 0.05).1, page(1, 0.05).1], [61_000; 2]);
}
