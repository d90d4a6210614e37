//! The description of a path with its networks.

use atl_core::time::{Span, Time};
use atl_core::units::Rate;

use crate::path::direction::Direction;
use crate::path::network::Network;
use crate::path::queue::Queue;

/// Sampling interval of a run. Changes of network must be at its multiples, so that the samples
/// separate the networks.
pub const SAMPLE: Span = Span::from_millis(500);
/// Limit on the duration: one day.
const LONGEST: Span = Span::from_secs(86_400);

/// A number to nine decimals, beyond which only the floating point's rounding shows.
fn rounded(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}

/// A network that the phone uses from some time on.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Time of the handoff; zero for the first.
    pub from: Time,
    /// Its rates, RTT, loss and effects.
    pub network: Network,
}

/// A path between a phone and a server over one or more networks in turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Direction of the data.
    pub send: Direction,
    /// The networks by increasing time; the first is at time zero.
    pub stages: Vec<Stage>,
    /// Capacity of the wireless link's queue, in each direction; `None`: the first network's
    /// bandwidth-delay product.
    pub queue: Option<Queue>,
    /// CUBIC flows in the same queue, beside which each transport runs again; 0 for none.
    pub neighbours: u32,
    /// Time over which data is sent.
    pub duration: Span,
    /// Number of seeds: runs of each protocol.
    pub seeds: u32,
    /// Names of protocols to compare; empty for the default ones.
    pub protocols: Vec<String>,
}

impl Path {
    /// Checks the times of the networks. Protocols and ranges of numbers are left to the scenario's
    /// reader.
    ///
    /// # Errors
    /// A message with the wrong time and what is allowed.
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
        for Stage { network, .. } in &self.stages {
            network.effects.check(&network.name)?;
            let (one_way, below) = (network.rtt / 2, network.effects.below());
            if below > one_way {
                return Err(format!(
                    "`{}` varies its delay by {} ms, more than the {} ms one way: give it a longer round-trip time, or say `no jitter`",
                    network.name,
                    rounded(below.secs() * 1e3),
                    rounded(one_way.secs() * 1e3)
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

    /// One line that says all numbers of the path, to check what became of its words.
    pub fn told(&self) -> String {
        let one = |stage: &Stage| {
            let Network { name, down, up, rtt, loss, effects } = &stage.network;
            // Nobody stated what follows from an effect.
            let loss = if effects.has("loss") {
                format!("{:.2}", loss.get() * 1e2)
            } else {
                rounded(loss.get() * 1e2).to_string()
            };
            let rate = |way, rate: &Rate| match effects.get("wifi", way) {
                Some(_) => format!("{:.1}", rate.mbps()),
                None => rounded(rate.mbps()).to_string(),
            };
            let rates = [rate(Direction::Down, down), rate(Direction::Up, up)];
            let effects: String =
                effects.words().iter().map(|effect| format!(", {effect}")).collect();
            format!(
                "{name} at {} s ({} Mb/s down, {} Mb/s up, RTT {} ms, {loss} % loss each way{effects})",
                stage.from.secs(),
                rates[0],
                rates[1],
                rounded(rtt.secs() * 1e3)
            )
        };
        let stages: Vec<String> = self.stages.iter().map(one).collect();
        let send = match self.send {
            Direction::Down => "down",
            Direction::Up => "up",
        };
        let queue = self.queue.map(|queue| format!(", queue of {queue}"));
        let beside = match self.neighbours {
            1 => String::new(),
            0 => ", without neighbours".to_owned(),
            several => format!(", beside {several} CUBIC flows"),
        };
        let with = match &self.protocols[..] {
            [] => String::new(),
            named => format!(", with {}", named.join(", ")),
        };
        format!(
            "{}; data goes {send} for {} s{}{beside}{with}",
            stages.join(", then "),
            self.duration.secs(),
            queue.unwrap_or_default()
        )
    }

    /// The networks, each with the time at which the phone leaves it or the run ends.
    pub fn stays(&self) -> impl Iterator<Item = (&Stage, Time)> {
        let ends = self.stages.iter().skip(1).map(|stage| stage.from);
        self.stages.iter().zip(ends.chain([Time::ZERO + self.duration]))
    }

    /// Capacity of the wireless link's queue: as given, or the first network's bandwidth-delay
    /// product, but at least 50 packets.
    pub(crate) fn queue(&self) -> Queue {
        const PACKET_BITS: f64 = 8.0 * 1500.0;
        let first = &self.stages[0].network;
        let bits = self.rate(first).bps() * first.rtt.secs();
        // Fits: at most a day at 1000 Tb/s. The scenario's reader applies its own limit to the
        // result.
        self.queue.unwrap_or(Queue::Packets(((bits / PACKET_BITS) as u32).max(50)))
    }

    /// The network's rate in the direction of the data.
    pub(crate) fn rate(&self, network: &Network) -> Rate {
        network.rate(self.send)
    }

    /// The mean of what its link carries in that direction.
    pub(crate) fn mean_rate(&self, network: &Network) -> Rate {
        network.effects.mean(self.send, self.rate(network))
    }
}
