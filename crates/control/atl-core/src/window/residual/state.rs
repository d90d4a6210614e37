//! State of the sender's modes.

use std::collections::VecDeque;

use super::climb::Climb;
use super::curve::Curve;
use super::longer::Looks;
use super::sample::Sample;
use crate::time::Time;

/// The search for the path's rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    pub(super) waited: u32,
    /// When the first of them came, and the packets that have arrived since.
    pub(super) since: Time,
    pub(super) arrived: f64,
    pub(super) full_rate: f64,
    pub(super) full_rounds: u32,
    /// Rounds in a row with heavy losses.
    pub(super) heavy_rounds: u32,
    /// The last round's least round-trip time in seconds (RFC 9406, lastRoundMinRTT); zero before.
    pub(super) low: f64,
    /// Delays say nothing before this round.
    pub(super) shaken: u64,
}

impl Search {
    pub(super) const fn new() -> Self {
        Search {
            waited: 0,
            since: Time::ZERO,
            arrived: 0.0,
            full_rate: 0.0,
            full_rounds: 0,
            heavy_rounds: 0,
            low: 0.0,
            shaken: 0,
        }
    }

    /// A search that losses and the rate end, but no delays.
    pub(super) const fn blind() -> Self {
        Search { shaken: u64::MAX, ..Search::new() }
    }

    pub(super) const fn is_blind(&self) -> bool {
        self.shaken == u64::MAX
    }
}

/// Rounds after a start that ended without a loss. What waited then should have left with the
/// window.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Proof {
    pub(super) rounds: u32,
    /// Those of them in which packets still waited, some longer than those behind them.
    pub(super) shaken: u32,
}

/// State while alone at the bottleneck.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alone {
    /// Share of alpha that a short queue holds.
    pub(super) scale: f64,
    /// Rounds in a row with an empty queue.
    pub(super) empty: u32,
    /// Rounds to wait until the last change shows.
    pub(super) wait: u32,
    /// Rounds since the window last grew by more than alpha.
    pub(super) calm: u32,
    /// No such growth before this round.
    pub(super) rest: u64,
    pub(super) failures: u32,
    /// Rounds in a row with a queue at a rate far below the calm one.
    pub(super) standing: u32,
    pub(super) dip: Option<Dip>,
    /// The mean rise above the least round-trip time that jitter makes, in seconds.
    pub(super) rise: f64,
    /// Rounds with losses behind a queue on a path that loses few itself, and when the last was.
    pub(super) hits: (u32, u64),
    /// Such rounds since the first of them that the links themselves explain.
    pub(super) chance: f64,
    /// Until it is clear that a queue, and no jitter, ended the start.
    pub(super) proof: Option<Proof>,
    pub(super) looks: Looks,
}

impl Alone {
    /// At a round, after which growth rests for some more.
    pub(super) const fn new(rest: u64) -> Self {
        Alone {
            scale: 1.0,
            empty: 0,
            wait: 2,
            calm: 0,
            rest,
            failures: 0,
            standing: 0,
            dip: None,
            rise: 0.0,
            hits: (0, 0),
            chance: 0.0,
            proof: None,
            looks: Looks::new(),
        }
    }
}

/// A short look for the end of the queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dip {
    /// The window and the queue in seconds before it.
    pub(super) window: f64,
    pub(super) queue: f64,
    /// The window to return to.
    pub(super) back: f64,
    /// It is about losses, not about the queue.
    pub(super) losses: bool,
}

/// State while beside others at the bottleneck.
#[derive(Clone, Debug)]
pub(super) struct Beside {
    pub(super) curve: Curve,
    pub(super) queues: VecDeque<f64>,
    /// Losses of transmissions before this one belong to the last cut.
    pub(super) cut_tx: u64,
    /// Rounds up to this one show losses of before that cut.
    pub(super) cut_round: u64,
    /// The longest queue since the last cut.
    pub(super) peak: f64,
    pub(super) stay: u32,
    /// It came without a loss, or has looked for the end of the queue, and takes up its share.
    pub(super) climb: Option<Climb>,
    /// The least round-trip time in seconds that the last test for being alone has found, if no
    /// round since had less.
    pub(super) floor: Option<f64>,
    /// When to test for being alone.
    pub(super) test_at: Time,
}

impl Beside {
    /// The longest queue of the last rounds, in seconds.
    pub(super) fn top(&self) -> f64 {
        self.queues.iter().copied().fold(0.0, f64::max)
    }
}

/// A drain under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drain {
    pub(super) window: f64,
    pub(super) since: Time,
    /// The queue before it, in seconds.
    pub(super) before: f64,
    /// First transmission that was sent with the smaller window in force, and when.
    pub(super) mark: Option<(u64, Time)>,
    /// Round-trip times since.
    pub(super) sample: Sample,
}
