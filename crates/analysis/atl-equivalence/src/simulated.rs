//! Probes over the simulator's link, in virtual time.

use atl_core::time::{Span, Time};
use atl_engine::setup::LinkSetup;
use atl_link::relay::{Event, Frame, Relay, RouteId};

use crate::battery::Case;
use crate::observation::{Fate, Observation, Probe};

/// Longer than any packet stays in a link.
const DRAIN: Span = Span::from_secs(1000);

/// Sends a case's probes at their times over a link, with the random draws of a seed.
pub fn run(case: &Case, link: &LinkSetup, seed: u64, lasts: Span) -> Observation {
    let times = case.pattern.times(lasts);
    let probe = |(number, at): (usize, Time)| Probe {
        sent: at,
        entered: at,
        low: case.low(number as u32),
        fate: Fate::Missing,
    };
    let probes = times.into_iter().enumerate().map(probe).collect();
    replay(link, seed, &Observation { bytes: case.bytes, probes })
}

/// The fates that the link gives to probes that enter it at these times, in this order. The fates
/// in `entries` are not used.
///
/// Probes that have never entered stay missing.
pub fn replay(link: &LinkSetup, seed: u64, entries: &Observation) -> Observation {
    replay_until(link, seed, entries, Time::MAX)
}

/// The same up to a time: probes that enter or leave at or after it stay missing.
pub(crate) fn replay_until(
    link: &LinkSetup,
    seed: u64,
    entries: &Observation,
    until: Time,
) -> Observation {
    let mut relay = atl_engine::setup::relay(std::slice::from_ref(link), vec![vec![0]], seed);
    let mut probes = entries.probes.clone();
    let mut order: Vec<usize> = (0..probes.len()).collect();
    // Probes of the same instant keep the order in which they were sent.
    order.sort_by_key(|number| probes[*number].entered);
    for probe in &mut probes {
        probe.fate = Fate::Missing;
    }
    let settle = |relay: &mut Relay, now: Time, probes: &mut Vec<Probe>| {
        while let Some(event) = relay.poll(now) {
            let (frame, fate) = match event {
                Event::Arrived { frame, due, .. } => (frame, Fate::Arrived(due)),
                Event::Lost { frame, .. } => (frame, Fate::Lost),
                Event::Dropped { frame, .. } => (frame, Fate::Dropped),
                Event::Changed { .. } | Event::Copied { .. } => continue,
            };
            probes[frame.peer as usize].fate = fate;
        }
    };
    let mut last = Time::ZERO;
    for number in order {
        let Probe { entered, low, .. } = probes[number];
        if entered == NEVER || entered >= until {
            continue;
        }
        last = entered;
        let frame =
            Frame::new(Vec::new(), RouteId(0), entered, entries.bytes).of_peer(number as u64);
        relay.offer(entered, if low { frame.with_low_priority() } else { frame });
        settle(&mut relay, entered, &mut probes);
    }
    let end = last.saturating_add(DRAIN).min(Time::from_nanos(until.nanos() - 1));
    settle(&mut relay, end, &mut probes);
    Observation { bytes: entries.bytes, probes }
}

/// Time of entry of a probe that never entered.
pub(crate) const NEVER: Time = Time::MAX;
