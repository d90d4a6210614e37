//! The aims of an adversary, and its means.

/// An aim of the adversary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The least use of a path of constant rate that loses nothing, by delays alone.
    Utilisation,
    /// The smallest window at which a queue of two bandwidth-delay products drops a packet first.
    Drops,
    /// The least use of a path by all together, by bursts of a tenth of its rate at most.
    LowRate,
    /// The longest time in which nothing is delivered.
    Stall,
    /// The least that the sender leaves to a CUBIC flow beside it.
    Share,
    /// The longest queue that always stands.
    Queue,
}

/// All, in the order in which a search takes turns.
pub const OBJECTIVES: &[Objective] = &[Utilisation, Drops, LowRate, Stall, Share, Queue];

use Objective::{Drops, LowRate, Queue, Share, Stall, Utilisation};

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
        }
    }

    /// Its means and its aim, for a reader.
    pub const fn about(self) -> &'static str {
        match self {
            Utilisation => "delays: the least use of a path that loses nothing",
            Drops => {
                "delays: the smallest window at the first drop, with a queue of two bandwidth-delay products"
            }
            LowRate => "bursts, a tenth of the rate at most: the least use by all together",
            Stall => {
                "rates, delays, bursts, 2 % losses at most: the longest time without a delivery"
            }
            Share => "rates and delays: the least that a CUBIC flow beside it gets",
            Queue => "rates: the longest queue that always stands",
        }
    }

    pub(super) const fn rates(self) -> bool {
        matches!(self, Stall | Share | Queue)
    }

    pub(super) const fn delays(self) -> bool {
        matches!(self, Utilisation | Drops | Stall | Share)
    }

    pub(super) const fn jitters(self) -> bool {
        self.delays()
    }

    pub(super) const fn losses(self) -> bool {
        matches!(self, Stall)
    }

    pub(super) const fn bursts(self) -> bool {
        matches!(self, LowRate | Stall)
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
        }
    }

    /// Bounds of the queue in bandwidth-delay products.
    pub(super) const fn queues(self) -> [f64; 2] {
        match self {
            Utilisation => [100.0, 100.0],
            Drops => [2.0, 2.0],
            LowRate => [0.5, 2.0],
            Stall => [0.5, 2.0],
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
                format!("the first drop at a window of {share:.1} % of what path and queue hold")
            }
            LowRate => format!("{share:.1} % of the path used by all together"),
            Stall => format!("{score:.1} s without a delivery"),
            Share => format!("{share:.1} % of the goodput left to a CUBIC flow"),
            Queue => format!("a queue of {score:.2} round trips always stands"),
        }
    }
}
