//! A path that changes from network to network.

use atl_core::time::{Span, Time};

use crate::path::network::Network;

/// Time between two samples of a run: changes of network happen at multiples of it, so that what each network carried can
/// be told apart.
pub const SAMPLE: Span = Span::from_millis(500);
/// The longest run: a day.
const LONGEST: Span = Span::from_secs(86_400);

/// Which way data goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the server to the phone.
    Down,
    /// From the phone to the server.
    Up,
}

/// A network from some time on.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// When the phone enters it.
    pub from: Time,
    /// The network.
    pub network: Network,
}

/// A path between a phone and a server.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Which way data goes.
    pub send: Direction,
    /// The networks, in order of time; the first from time zero on.
    pub stages: Vec<Stage>,
    /// Packets that the wireless link's queue holds each way; `None`: the first network's bandwidth-delay product.
    pub queue: Option<u32>,
    /// How long data is sent.
    pub duration: Span,
    /// Number of seeds.
    pub seeds: u32,
    /// Names of the protocols to compare; empty for the usual ones.
    pub protocols: Vec<String>,
}

impl Path {
    /// Makes sure that a scenario can be made of it. Protocols and ranges of numbers are checked by the reader of
    /// scenarios.
    ///
    /// # Errors
    /// What is wrong with the times of the networks.
    pub fn check(&self) -> Result<(), String> {
        if self.stages.first().is_none_or(|first| first.from != Time::ZERO) {
            return Err("the first network begins at 0s".to_owned());
        }
        if self.duration > LONGEST {
            return Err(format!("a run lasts at most {} s", LONGEST.secs()));
        }
        for pair in self.stages.windows(2) {
            let [before, after] = pair else { continue };
            let at = after.from.secs();
            if after.from <= before.from {
                return Err(format!(
                    "`{}` begins at {at} s, not after `{}`, which begins at {} s",
                    after.network.name,
                    before.network.name,
                    before.from.secs()
                ));
            }
        }
        let grid = |time: Time| time.nanos().is_multiple_of(SAMPLE.nanos());
        if let Some(stage) = self.stages.iter().find(|stage| !grid(stage.from)) {
            return Err(format!(
                "`{}` begins at {} s: use a multiple of {} s, between which results are told apart",
                stage.network.name,
                stage.from.secs(),
                SAMPLE.secs()
            ));
        }
        let last = self.stages.last().map_or(Time::ZERO, |stage| stage.from);
        if Time::ZERO + self.duration <= last {
            return Err(format!(
                "the run ends after {} s, before its last network begins at {} s",
                self.duration.secs(),
                last.secs()
            ));
        }
        Ok(())
    }

    /// The networks, each with the time at which the phone leaves it.
    pub fn stays(&self) -> impl Iterator<Item = (&Stage, Time)> {
        let ends = self.stages.iter().skip(1).map(|stage| stage.from);
        self.stages.iter().zip(ends.chain([Time::ZERO + self.duration]))
    }

    /// Packets that the wireless link's queue holds: as asked, or the first network's bandwidth-delay product, at
    /// least 50.
    pub(crate) fn queue_packets(&self) -> u32 {
        const PACKET_BITS: f64 = 8.0 * 1500.0;
        let first = &self.stages[0].network;
        let bits = self.rate(first).bps() * first.rtt.secs();
        // At most a day's worth at 1000 Tb/s: the reader of scenarios knows its own limits.
        self.queue.unwrap_or(((bits / PACKET_BITS) as u32).max(50))
    }

    /// The rate at which data goes in a network.
    pub(crate) fn rate(&self, network: &Network) -> atl_core::units::Rate {
        match self.send {
            Direction::Down => network.down,
            Direction::Up => network.up,
        }
    }
}
