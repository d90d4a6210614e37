//! A paced sender's paths. What it does with them is in `roaming::sending`.

use atl_core::path::PathId;
use atl_core::rate::{RateConfig, RateStart};
use atl_core::roaming::NewPath;
use atl_core::time::{Span, Time};
use atl_link::random::Stream;

use super::probing::Probing;
use crate::handoff::Guard;

/// A sender's knowledge of its paths.
#[derive(Debug)]
pub(in crate::paced) struct Sending {
    pub(in crate::paced) how: NewPath,
    /// Rebuilds the controller on a new path; `None` where the old one stays.
    pub(in crate::paced) fresh: Option<(RateConfig, RateStart)>,
    pub(in crate::paced) guard: Guard,
    /// The path that the host last said it is on.
    pub(in crate::paced) announced: PathId,
    /// Rate and RTT of that path when the sender moved on after a probe.
    pub(in crate::paced) left: Option<(f64, Option<Span>)>,
    pub(in crate::paced) probing: Option<Probing>,
    /// Probes begun, modulo 64, and when the last one sent its first dummy.
    pub(in crate::paced) probes: u8,
    pub(in crate::paced) last_probe: Option<Time>,
    /// Draws the numbers of challenges.
    pub(in crate::paced) challenges: Stream,
    /// Moves to another path, and cuts of the controllers before the present one.
    pub(in crate::paced) moves: u64,
    pub(in crate::paced) decreases: u64,
}

impl Sending {
    pub(in crate::paced) fn new(how: NewPath, fresh: Option<(RateConfig, RateStart)>) -> Self {
        let seed = fresh.as_ref().map_or(0, |(_, start)| start.seed);
        Sending {
            how,
            fresh,
            guard: Guard::new(None),
            announced: PathId::FIRST,
            left: None,
            probing: None,
            probes: 0,
            last_probe: None,
            challenges: Stream::new(seed, "challenges"),
            moves: 0,
            decreases: 0,
        }
    }

    /// The dummy to send now: its number, path and bytes.
    pub(in crate::paced) fn poll_dummy(&mut self, now: Time) -> Option<(u64, PathId, u32)> {
        let probing = self.probing.as_mut()?;
        let path = probing.path();
        let (dummy, bytes) = probing.poll(now, |bytes| self.guard.may_send(path, bytes))?;
        self.guard.sent(path, bytes);
        if !dummy.challenge && dummy.index == 0 {
            self.last_probe = Some(now);
        }
        Some((dummy.number(), path, bytes))
    }

    /// When the next dummy is due; [`Time::MAX`] if none is.
    pub(in crate::paced) fn next(&self) -> Time {
        let Some(probing) = &self.probing else { return Time::MAX };
        probing.next(|bytes| self.guard.may_send(probing.path(), bytes))
    }
}
