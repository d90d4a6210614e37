//! The rules, called by hand.

use std::time::{Duration, Instant};

use atl_lab::monitor::{Change, Event, Rule, Watching};
use proptest::prelude::*;

#[expect(clippy::disallowed_methods, reason = "some moment; nothing depends on which it is")]
fn start() -> Instant {
    Instant::now()
}

fn rules(watching: &Watching) -> Vec<Rule> {
    watching.findings().map(|finding| finding.rule).collect()
}

const MTU: u64 = 1200;

#[test]
fn a_window_that_halves_once_per_round_trip_breaks_no_rule() {
    let t = start();
    let at = |ms: u64| t + Duration::from_millis(ms);
    let mut w = Watching::new(t, 1200, 10 * MTU);
    let still = |window: u64| Change { before: window, after: window };
    w.acked(
        at(50),
        at(0),
        MTU,
        false,
        Duration::from_millis(50),
        Change { before: 10 * MTU, after: 11 * MTU },
    );
    let loss =
        |now: u64, sent: u64| Event { now: at(now), sent: at(sent), persistent: false, lost: MTU };
    w.congested(loss(60, 10), Change { before: 11 * MTU, after: 11 * MTU / 2 });
    w.congested(loss(70, 20), still(11 * MTU / 2));
    w.acked(at(80), at(30), MTU, false, Duration::from_millis(50), still(11 * MTU / 2));
    assert_eq!(rules(&w), []);
    // A third reduction for packets from before the first.
    for ms in 81..84 {
        w.congested(loss(ms, 30), Change { before: 8 * MTU, after: 4 * MTU });
    }
    assert_eq!(rules(&w), [Rule::RepeatedReduction]);
}

#[test]
fn eight_heavy_losses_without_a_smaller_window_are_no_reaction() {
    let t = start();
    let at = |ms: u64| t + Duration::from_millis(ms);
    for (after, expected) in [(40 * MTU, vec![Rule::NoReaction]), (39 * MTU, vec![])] {
        let mut w = Watching::new(t, 1200, 10 * MTU);
        for i in 1..=8 {
            let lost = 10 * MTU;
            let event = Event { now: at(100 * i), sent: at(100 * i - 10), persistent: false, lost };
            let after = if i == 8 { after } else { 40 * MTU };
            w.congested(event, Change { before: 40 * MTU, after });
        }
        assert_eq!(rules(&w), expected);
    }
}

#[test]
fn persistent_congestion_leaves_two_datagrams() {
    let t = start();
    for (after, expected) in [(2 * MTU, vec![]), (2 * MTU + 1, vec![Rule::PersistentCongestion])] {
        let mut w = Watching::new(t, 1200, 10 * MTU);
        let now = t + Duration::from_secs(1);
        let event = Event { now, sent: now, persistent: true, lost: MTU };
        w.congested(event, Change { before: 10 * MTU, after });
        assert_eq!(rules(&w), expected);
    }
}

proptest! {
    /// No sequence of calls makes the observation panic, and each rule is reported once.
    #[test]
    fn anything_can_be_watched(calls in prop::collection::vec((0_u8..7, 0_u64..5000, 0_u64..5000, any::<u64>(), any::<u64>()), 0..200)) {
        let t = start();
        let mut w = Watching::new(t, 1200, 12_000);
        for (call, now, sent, before, after) in calls {
            let (now, sent) = (t + Duration::from_millis(now), t + Duration::from_millis(sent));
            let window = Change { before, after };
            match call {
                0 => w.sent(now, before >> 40, window),
                1 => w.acked(now, sent, before >> 40, after % 2 == 0, Duration::from_millis(after >> 50), window),
                2 => w.lost(now, before >> 40, window),
                3 => w.congested(Event { now, sent, persistent: after % 3 == 0, lost: before >> 40 }, window),
                4 => w.undone(now, window),
                5 => w.resized(now, after as u16, before),
                _ => w.in_flight(before >> 40),
            }
        }
        let found = rules(&w);
        let mut once = found.clone();
        once.dedup();
        prop_assert_eq!(found, once);
    }
}
