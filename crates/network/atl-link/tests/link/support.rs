//! Helpers: packets that consist of a number and a length, and links that carry them.

use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_link::random::Stream;
use atl_link::{Cause, Conditions, Config, Delay, Exit, Link, Loss, Packet, Service};

/// A packet: number, and length in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbered(pub(crate) u64, pub(crate) u32);

impl Packet for Numbered {
    fn wire_bytes(&self) -> u32 {
        self.1
    }

    fn low_priority(&self) -> bool {
        self.0 >= LOW
    }
}

/// Packets with at least this number have low priority.
pub(crate) const LOW: u64 = 1_000_000;

pub(crate) fn ms(n: u64) -> Time {
    Time::from_millis(n)
}

pub(crate) fn us(n: u64) -> Time {
    Time::from_nanos(n * 1000)
}

pub(crate) fn link(config: Config) -> Link<Numbered> {
    Link::new(Arc::new(config), Stream::new(7, "test"))
}

/// Polls at each event until none is left. Panics if an announced event does not occur.
pub(crate) fn drain(link: &mut Link<Numbered>) -> Vec<(Time, Exit<Numbered>)> {
    drain_until(link, Time::MAX)
}

/// The same for events before `end`.
pub(crate) fn drain_until(link: &mut Link<Numbered>, end: Time) -> Vec<(Time, Exit<Numbered>)> {
    let mut exits = Vec::new();
    loop {
        let at = link.next_event();
        if at >= end || at == Time::MAX {
            return exits;
        }
        let early = Time::from_nanos(at.nanos().saturating_sub(1));
        if early < at {
            assert_eq!(link.poll(early), None, "something came out before its time {at:?}");
        }
        exits.push((at, link.poll(at).expect("next_event announced it")));
    }
}

/// Time and number of each packet delivered.
pub(crate) fn arrivals(exits: &[(Time, Exit<Numbered>)]) -> Vec<(Time, u64)> {
    exits
        .iter()
        .filter_map(|(at, exit)| match exit {
            Exit::Delivered(packet) | Exit::DeliveredTwice(packet) => Some((*at, packet.0)),
            _ => None,
        })
        .collect()
}

/// 8 Mb/s: 1000 bytes take 1 ms.
pub(crate) const EIGHT: Rate = Rate::from_mbps(8.0);

/// Conditions with constant rate and delay and no loss.
pub(crate) fn network(rate: Rate, delay_ms: u64) -> Conditions {
    Conditions {
        name: Arc::from("network"),
        queue: None,
        service: Service::Constant(rate),
        delay: Delay::Constant(Span::from_millis(delay_ms)),
        jitter: None,
        reorder: None,
        reconfiguration: None,
        grants: None,
        duplicate: Probability::ZERO,
        ingress: Loss::None,
        loss: Loss::None,
    }
}

/// A link that stays in one network.
pub(crate) fn config(initial: Conditions) -> Config {
    Config { initial, ..Config::constant(EIGHT, Span::ZERO, 1000) }
}

/// Offers packets 1 to `count` of 1000 bytes at time zero.
pub(crate) fn offer_at_start(link: &mut Link<Numbered>, count: u64) {
    for n in 1..=count {
        assert_eq!(link.offer(Time::ZERO, Numbered(n, 1000)), Ok(()));
    }
}

/// Time, number and cause of each packet lost.
pub(crate) fn losses(exits: &[(Time, Exit<Numbered>)]) -> Vec<(Time, u64, Cause)> {
    exits
        .iter()
        .filter_map(|(at, exit)| match exit {
            Exit::Lost(packet, cause) => Some((*at, packet.0, *cause)),
            _ => None,
        })
        .collect()
}
