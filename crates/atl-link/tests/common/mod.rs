//! What the tests share: packets that are a number and a length.
#![allow(dead_code, reason = "not each test file uses all of it")]

use std::sync::Arc;

use atl_core::time::Time;
use atl_link::random::Stream;
use atl_link::{Config, Exit, Link, Packet};

/// A packet: its number, and its length in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbered(pub u64, pub u32);

impl Packet for Numbered {
    fn wire_bytes(&self) -> u32 {
        self.1
    }
}

pub fn ms(n: u64) -> Time {
    Time::from_millis(n)
}

pub fn us(n: u64) -> Time {
    Time::from_nanos(n * 1000)
}

pub fn link(config: Config) -> Link<Numbered> {
    Link::new(Arc::new(config), Stream::new(7, "test"))
}

/// Polls at each event until nothing is due any more; fails where an announced event does not come.
pub fn drain(link: &mut Link<Numbered>) -> Vec<(Time, Exit<Numbered>)> {
    drain_until(link, Time::MAX)
}

/// The same, up to `end`, excluded.
pub fn drain_until(link: &mut Link<Numbered>, end: Time) -> Vec<(Time, Exit<Numbered>)> {
    let mut exits = Vec::new();
    loop {
        let at = link.next_event();
        if at >= end || at == Time::MAX {
            return exits;
        }
        let early = Time::from_nanos(at.nanos().saturating_sub(1));
        if early < at {
            assert_eq!(
                link.poll(early),
                None,
                "something came out before its time {at:?}"
            );
        }
        exits.push((at, link.poll(at).expect("next_event announced it")));
    }
}

/// The delivered packets, by time and number.
pub fn arrivals(exits: &[(Time, Exit<Numbered>)]) -> Vec<(Time, u64)> {
    exits
        .iter()
        .filter_map(|(at, exit)| match exit {
            Exit::Delivered(packet) => Some((*at, packet.0)),
            _ => None,
        })
        .collect()
}
