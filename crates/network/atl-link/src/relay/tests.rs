use std::sync::Arc;

use crate::random::Stream;
use crate::{Config, Link, Loss};
use atl_core::units::{Probability, Rate};
use proptest::prelude::*;

use atl_core::time::{Span, Time};

use crate::relay::state::WITHOUT_RATE;
use crate::relay::{Event, Frame, Relay, RouteId};

fn link(name: &str, rate: Rate, delay: Span, queue: u32, loss: Loss) -> Link<Frame> {
    let mut config = Config::constant(rate, delay, queue);
    config.initial.loss = loss;
    Link::new(Arc::new(config), Stream::new(7, &format!("link/{name}")))
}

fn links(loss: f64) -> Vec<Link<Frame>> {
    vec![
        link("air", Rate::from_mbps(8.0), Span::from_millis(10), 5, Loss::None),
        link(
            "wire",
            Rate::from_mbps(4.0),
            Span::from_millis(30),
            3,
            Loss::Bernoulli(Probability::new(loss).unwrap()),
        ),
    ]
}

/// The fate of a frame: its number, the event's name, the time.
type Fate = (u8, &'static str, Time);

/// Offers frames at these times (in microseconds), and calls the relay at their times and at those
/// of `polls` only.
fn fates(loss: f64, offers: &[u64], polls: &[u64]) -> Vec<Fate> {
    let mut relay = Relay::new(links(loss), vec![vec![0, 1]]);
    let mut calls: Vec<(u64, Option<u8>)> = polls.iter().map(|at| (*at, None)).collect();
    calls.extend(offers.iter().enumerate().map(|(i, at)| (*at, Some(i as u8))));
    calls.sort();
    let mut fates = Vec::new();
    let end = Time::from_millis(3_600_000);
    let calls = calls.into_iter().map(|(at, frame)| (Time::from_nanos(1000 * at), frame));
    for (now, offered) in calls.chain([(end, None)]) {
        if let Some(number) = offered {
            relay.offer(now, Frame::new(vec![number; 972], RouteId(0), now, 28));
        }
        while let Some(event) = relay.poll(now) {
            fates.push(match event {
                Event::Arrived { frame, due, .. } => (frame.bytes[0], "arrived", due),
                Event::Lost { frame, due, .. } => (frame.bytes[0], "lost", due),
                Event::Dropped { frame, due, .. } => (frame.bytes[0], "dropped", due),
                Event::Changed { .. } | Event::Copied { .. } => {
                    unreachable!("links without a schedule and without copies")
                }
            });
        }
    }
    fates
}

#[test]
fn two_links_take_the_sum_of_their_times() {
    // 1000 bytes: 1 ms and 10 ms, then 2 ms and 30 ms. The second frame waits for the first on the
    // slower link.
    let fates = fates(0.0, &[0, 0], &[]);
    assert_eq!(
        fates,
        [(0, "arrived", Time::from_millis(43)), (1, "arrived", Time::from_millis(45))]
    );
}

#[test]
fn the_packet_time_is_that_of_the_last_link() {
    let mut relay = Relay::new(links(0.0), vec![vec![0, 1], vec![]]);
    relay.offer(Time::ZERO, Frame::new(vec![0; 972], RouteId(0), Time::ZERO, 28));
    let due = Time::from_millis(43);
    assert!(relay.poll(Time::from_nanos(42_999_999)).is_none());
    match relay.poll(due) {
        // The time of 1500 bytes, since the frame is shorter.
        Some(Event::Arrived { packet_time, .. }) => assert_eq!(packet_time, Span::from_millis(3)),
        other => panic!("{other:?}"),
    }
    // A route without links delivers at once, and its lateness is compared with a millisecond.
    relay.offer(due, Frame::new(vec![0; 972], RouteId(1), due, 28));
    assert_eq!(relay.next_event(), Time::ZERO);
    match relay.poll(due) {
        Some(Event::Arrived { packet_time, due: at, .. }) => {
            assert_eq!((packet_time, at), (WITHOUT_RATE, due));
        }
        other => panic!("{other:?}"),
    }
}

proptest! {
    #[test]
    fn a_late_caller_changes_no_fate_and_no_time(
        offers in prop::collection::vec(0..40_000_u64, 1..60),
        polls in prop::collection::vec(0..200_000_u64, 0..300),
        loss in 0.0..0.5,
    ) {
        let exact: Vec<u64> = (0..200_000).step_by(50).collect();
        let mut lazy = fates(loss, &offers, &polls);
        let mut prompt = fates(loss, &offers, &exact);
        prop_assert_eq!(lazy.len(), offers.len());
        // The order of events of the same instant depends on when the relay is polled.
        lazy.sort_by_key(|(number, _, at)| (*at, *number));
        prompt.sort_by_key(|(number, _, at)| (*at, *number));
        prop_assert_eq!(lazy, prompt);
    }
}
