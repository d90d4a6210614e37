//! The error in what a program measured over the links of a run.
//!
//! - Delay: packets left late by so much on average, of the time that they were to take. The rate
//!   of a window over the links is wrong by as much, since it is inverse to the round trip.
//! - Loss: packets that were lost outside the links, of those that the links lost, or of one packet
//!   in a hundred if that is more.

use atl_net::lateness::TRUSTED_SHARE;
use atl_net::snapshot::Snapshot;

/// A judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Programs measured the links.
    Fine,
    /// They did within the bound, but not in everything.
    Note,
    /// The error is above the bound.
    Distrust,
}

impl Level {
    /// The word for JSON.
    pub(super) fn word(self) -> &'static str {
        match self {
            Level::Fine => "fine",
            Level::Note => "note",
            Level::Distrust => "distrust",
        }
    }
}

/// An error above this share of the bound is worth a note.
const NOTED: f64 = 0.2;
/// Losses are held against those of the links, or this share of all packets.
const FEWEST_LOST: f64 = 0.01;

/// The errors of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Trust {
    pub(super) level: Level,
    /// Relative errors: 0.01 is one percent.
    pub(super) delay: f64,
    pub(super) loss: f64,
    /// Packets that left later than a packet time, as a share: their spacing is wrong.
    pub(super) late_share: f64,
}

impl Trust {
    /// Judges the state at a time. `outside` packets were lost outside the links, and errors up to
    /// `bound` are accepted.
    pub(super) fn of(now: &Snapshot, outside: u64, bound: f64) -> Trust {
        let lateness = &now.lateness;
        let gone: u64 = now.links.iter().map(|l| l.counters.lost + l.counters.dropped).sum();
        let all = (lateness.frames() + outside) as f64;
        Trust::judged(
            lateness.delay_error(),
            outside as f64 / (gone as f64).max(FEWEST_LOST * all).max(1.0),
            lateness.late_share(),
            bound,
        )
    }

    fn judged(delay: f64, loss: f64, late_share: f64, bound: f64) -> Trust {
        let error = delay.max(loss);
        let level = match () {
            () if error > bound => Level::Distrust,
            () if error > NOTED * bound || late_share > TRUSTED_SHARE => Level::Note,
            () => Level::Fine,
        };
        Trust { level, delay, loss, late_share }
    }

    /// The errors in words.
    pub(super) fn words(&self) -> String {
        let percent = |share: f64| match 100.0 * share {
            tiny if tiny < 0.01 => "less than .01 %".to_owned(),
            some => format!("{some:.2} %"),
        };
        let mut out = format!("delays were wrong by {}", percent(self.delay));
        if self.loss > 0.0 {
            out += &format!(", losses by {}", percent(self.loss));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_decides_and_not_how_late_packets_were() {
        let level = |delay, loss, late_share| Trust::judged(delay, loss, late_share, 0.05).level;
        assert_eq!(level(0.0, 0.0, 0.0), Level::Fine);
        assert_eq!(level(0.009, 0.009, 0.01), Level::Fine);
        // Eight pings at 500 Mb/s and 300 ms, all of them late by .15 ms of 600.
        assert_eq!(level(0.00025, 0.0, 1.0), Level::Note);
        assert_eq!(level(0.02, 0.0, 0.0), Level::Note);
        assert_eq!(level(0.06, 0.0, 0.0), Level::Distrust);
        assert_eq!(level(0.0, 0.06, 0.0), Level::Distrust);
        let words = Trust::judged(0.00001, 0.0123, 0.0, 0.05).words();
        assert_eq!(words, "delays were wrong by less than .01 %, losses by 1.23 %");
    }
}
