//! The aims of an adversary, and its means.

use std::str::FromStr;

use atl_link::random::Stream;

/// An aim of the adversary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The least use of a path of constant rate that loses nothing, by delays alone.
    Utilisation,
    /// The smallest window at which a queue of two bandwidth-delay products drops a packet.
    Drops,
    /// The least use of a path by all together, by bursts of a tenth of its rate at most.
    LowRate,
    /// The longest time in which nothing is delivered.
    Stall,
    /// The least that the sender leaves to a CUBIC flow beside it.
    Share,
    /// The longest queue that always stands.
    Queue,
    /// The least use of a plain path long after the harm has ended.
    Stuck,
}

/// All, in the order in which a search takes turns.
pub const OBJECTIVES: &[Objective] = &[Utilisation, Drops, LowRate, Stall, Share, Queue, Stuck];

use Objective::{Drops, LowRate, Queue, Share, Stall, Stuck, Utilisation};

impl FromStr for Objective {
    type Err = String;

    fn from_str(name: &str) -> Result<Objective, String> {
        OBJECTIVES.iter().copied().find(|objective| objective.name() == name).ok_or_else(|| {
            let names: Vec<_> = OBJECTIVES.iter().map(|objective| objective.name()).collect();
            format!("allowed are {}", names.join(", "))
        })
    }
}

impl Objective {
    /// Name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Utilisation => "utilisation",
            Drops => "drops",
            LowRate => "low-rate",
            Stall => "stall",
            Share => "share",
            Queue => "queue",
            Stuck => "stuck",
        }
    }

    /// Its means and its aim, for a reader.
    pub const fn about(self) -> &'static str {
        match self {
            Utilisation => "delays: the least use of a path that loses nothing",
            Drops => {
                "delays: the smallest window at a drop, with a queue of two bandwidth-delay products"
            }
            LowRate => "bursts, a tenth of the rate at most: the least use by all together",
            Stall => {
                "rates, delays, bursts, 2 % losses at most: the longest time without a delivery"
            }
            Share => "rates and delays: the least that a CUBIC flow beside it gets",
            Queue => "rates: the longest queue that always stands",
            Stuck => {
                "rates, delays, bursts, 2 % losses at most for 10 s: the least use from 10 to 20 s after them of a path that no longer changes"
            }
        }
    }

    pub(super) const fn rates(self) -> bool {
        matches!(self, Stall | Share | Queue | Stuck)
    }

    pub(super) const fn delays(self) -> bool {
        matches!(self, Utilisation | Drops | Stall | Share | Stuck)
    }

    /// Jitter is that of the whole run.
    pub(super) const fn jitters(self) -> bool {
        self.delays() && !matches!(self, Stuck)
    }

    /// Acknowledgments may be held back.
    pub(super) const fn holds(self) -> bool {
        self.delays()
    }

    pub(super) const fn losses(self) -> bool {
        matches!(self, Stall | Stuck)
    }

    pub(super) const fn bursts(self) -> bool {
        matches!(self, LowRate | Stall | Stuck)
    }

    /// Windows are compared with the bandwidth-delay product.
    pub(super) const fn windows(self) -> bool {
        matches!(self, Drops)
    }

    /// A neighbour shares the path.
    pub(super) const fn neighbour(self) -> bool {
        matches!(self, Share)
    }

    /// Milliseconds between two samples.
    pub(super) const fn sample(self) -> u64 {
        match self {
            Drops => 10,
            _ => 100,
        }
    }

    /// Milliseconds of a run.
    pub(super) const fn duration(self) -> u64 {
        match self {
            Utilisation | Drops | Queue => 10_000,
            LowRate | Stall | Share => 20_000,
            Stuck => 30_000,
        }
    }

    /// Milliseconds from the start in which the path may do harm; after them it is plain.
    pub(super) const fn hostile(self) -> u64 {
        match self {
            Stuck => 10_000,
            _ => self.duration(),
        }
    }

    /// Some time of the harm, in milliseconds.
    pub(super) fn instant(self, stream: &mut Stream) -> u64 {
        stream.below(self.hostile() / 10) * 10
    }

    /// Bound of the extra delay each way, in round trips of the path.
    pub(super) const fn farthest(self) -> u64 {
        match self {
            Stuck => 4,
            _ => 1,
        }
    }

    /// Bounds of the rate in kb/s. A long run on a fast path would cost too much.
    pub(super) const fn kbps(self) -> [f64; 2] {
        match self {
            Stuck => [1e3, 1.2e4],
            _ => [1e3, 5e4],
        }
    }

    /// Bounds of the queue in bandwidth-delay products.
    pub(super) const fn queues(self) -> [f64; 2] {
        match self {
            Utilisation => [100.0, 100.0],
            Drops => [2.0, 2.0],
            LowRate | Stall => [0.5, 2.0],
            Stuck => [1.0, 4.0],
            Share => [0.2, 4.0],
            Queue => [4.0, 4.0],
        }
    }

    /// A score in words.
    pub fn words(self, score: f64) -> String {
        let share = 100.0 * (1.0 - score);
        match self {
            Utilisation => format!("{share:.1} % of the path used, nothing lost"),
            Drops => {
                format!("a drop at a window of {share:.1} % of what path and queue hold")
            }
            LowRate => format!("{share:.1} % of the path used by all together"),
            Stall => format!("{score:.1} s without a delivery"),
            Share => format!("{share:.1} % of the goodput left to a CUBIC flow"),
            Queue => format!("a queue of {score:.2} round trips always stands"),
            Stuck => format!("{share:.1} % of the path used, 10 to 20 s after the last harm"),
        }
    }
}
