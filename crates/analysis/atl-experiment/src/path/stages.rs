//! The description of a path with its networks.

use atl_core::time::{Span, Time};
use atl_core::units::Rate;

use crate::path::contest::{self, START_JITTER};
use crate::path::direction::Direction;
use crate::path::network::Network;
use crate::path::queue::{self, Queue};
use crate::path::written;

/// Sampling interval of a run. Changes of network must be at its multiples, so that the samples
/// separate the networks.
pub const SAMPLE: Span = Span::from_millis(500);
/// Limit on the duration: one day.
const LONGEST: Span = Span::from_secs(86_400);

/// Bits of a packet of a full-sized segment.
const PACKET_BITS: f64 = 8.0 * 1500.0;

/// A multiple of a bandwidth-delay product, to two or three digits.
fn products(value: f64) -> String {
    let places = match value {
        ten if ten >= 10.0 => 0,
        one if one >= 1.0 => 1,
        tenth if tenth >= 0.1 => 2,
        _ => 3,
    };
    let text = format!("{value:.places$}");
    match text.parse::<f64>() {
        Ok(small) if small < 5e-4 => "below 0.001".to_owned(),
        Ok(short) => short.to_string(),
        Err(_) => text,
    }
}

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
    /// Capacity of the wireless link's queue, in each direction, in every network; `None`: in each
    /// its own bandwidth-delay product.
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
    /// Checks the times of the networks, the queue's default and the protocols' names. Other ranges
    /// of numbers are left to the scenario's reader.
    ///
    /// # Errors
    /// A message with what is wrong and what is allowed.
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
        if self.duration < SAMPLE {
            return Err(format!(
                "`--duration {}` is too short: use {} or more, as results are sampled so often, and \
                 a flow begins within the first {}",
                written::time(self.duration),
                written::time(SAMPLE),
                written::time(START_JITTER)
            ));
        }
        if self.stages.len() > 1 && !grid(Time::ZERO + self.duration) {
            return Err(format!(
                "the run ends after {} s: use a multiple of {} s, between which results of several \
                 networks are told apart",
                self.duration.secs(),
                SAMPLE.secs()
            ));
        }
        self.check_queue()?;
        contest::check(&self.protocols)
    }

    /// A default that no queue can have comes from a rate or an RTT.
    fn check_queue(&self) -> Result<(), String> {
        let most = *queue::DEFAULT.end();
        let packets = |network: &Network| self.product_bits(network) / PACKET_BITS;
        let of = |stage: &Stage| packets(&stage.network) > f64::from(most);
        let Some(at) = self.stages.iter().position(of).filter(|_| self.queue.is_none()) else {
            return Ok(());
        };
        let network = &self.stages[at].network;
        let longest = f64::from(most) * PACKET_BITS / self.rate(network).bps();
        let rtt = written::time(network.rtt);
        // The first may have it from an option.
        let whose = match at {
            0 => format!("`--rtt {rtt}`"),
            _ => format!("`{}` with an RTT of {rtt}", network.name),
        };
        Err(format!(
            "{whose} at {} Mb/s has a bandwidth-delay product of {:.0} packets, and a queue \
             holds at most {most}: use an RTT of at most {}, a lower rate, or --queue",
            rounded(self.rate(network).mbps()),
            packets(network),
            // Fits: below an RTT that is a time.
            written::time(Span::from_micros((longest * 1e6) as u64))
        ))
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
            "{}; data goes {send} for {} s, queue of {}{beside}{with}",
            stages.join(", then "),
            self.duration.secs(),
            self.told_queue()
        )
    }

    /// The queue beside each network's bandwidth-delay product. One that is the same in every
    /// network may be far from what a network would have alone.
    fn told_queue(&self) -> String {
        let of = |network: &Network, queue: Queue| {
            let bits = match queue {
                Queue::Packets(packets) => f64::from(packets) * PACKET_BITS,
                // A time stays as many bytes as it is in the first.
                Queue::Time(time) => self.rate(&self.stages[0].network).bps() * time.secs(),
                // Fits: at most 10 GB.
                Queue::Bytes(bytes) => 8.0 * bytes as f64,
            };
            products(bits / self.product_bits(network))
        };
        let mut all: Vec<(Queue, String, &str)> = Vec::new();
        for Stage { network, .. } in &self.stages {
            let queue = self.queue(network);
            let one = (queue, of(network, queue), &*network.name);
            if !all.contains(&one) {
                all.push(one);
            }
        }
        let (first, products, _) = &all[0];
        if self.stages.len() == 1 {
            return format!("{first} ({products} BDP)");
        }
        let parts: Vec<String>;
        if all.iter().all(|(queue, ..)| queue == first) {
            let share = |(i, (_, products, name)): (usize, &(Queue, String, &str))| match i {
                0 => format!("{products} BDP of {name}"),
                _ => format!("{products} of {name}"),
            };
            parts = all.iter().enumerate().map(share).collect();
            return format!("{first} in every network ({})", parts.join(", "));
        }
        let own = |(queue, products, name): &(Queue, String, &str)| {
            format!("{queue} in {name} ({products} BDP)")
        };
        parts = all.iter().map(own).collect();
        parts.join(", ")
    }

    /// The networks, each with the time at which the phone leaves it or the run ends.
    pub fn stays(&self) -> impl Iterator<Item = (&Stage, Time)> {
        let ends = self.stages.iter().skip(1).map(|stage| stage.from);
        self.stages.iter().zip(ends.chain([Time::ZERO + self.duration]))
    }

    /// Capacity of the wireless link's queue in a network: as given, or the network's
    /// bandwidth-delay product, but at least 50 packets.
    pub(crate) fn queue(&self, network: &Network) -> Queue {
        // Fits: `check` refuses more than the scenario's reader allows.
        let packets = (self.product_bits(network) / PACKET_BITS) as u32;
        self.queue.unwrap_or(Queue::Packets(packets.max(*queue::DEFAULT.start())))
    }

    fn product_bits(&self, network: &Network) -> f64 {
        self.rate(network).bps() * network.rtt.secs()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_in_products_has_few_digits() {
        let told = [2500.4, 12.34, 0.998, 2.04, 0.4166, 0.0416, 0.0001].map(products);
        assert_eq!(told, ["2500", "12", "1", "2", "0.42", "0.042", "below 0.001"]);
    }
}
