//! A trace in a few numbers.

use core::fmt;

use atl_core::time::Span;
use atl_link::trace::{OPPORTUNITY_BYTES, RateTrace};

use super::curve::Gaps;
use super::delays::LINE;
use super::span::seconds;

/// A trace in a few numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Its period in nanoseconds.
    pub nanos: u64,
    /// Numbers of its kind.
    pub of: Of,
    /// Time that nobody measured, and that is therefore not in it.
    pub gaps: Gaps,
    /// Rows without a value, during which the one before them held on.
    pub blanks: u64,
}

/// Numbers of a kind of trace.
#[derive(Clone, Debug, PartialEq)]
pub enum Of {
    /// Of opportunities to send.
    Rate {
        /// Their number.
        opportunities: usize,
        /// Mean rate in bits per second.
        mean_bps: f64,
        /// That of the slowest and of the fastest second.
        bounds_bps: [f64; 2],
        /// Longest time without one, in nanoseconds.
        pause: u64,
    },
    /// Of delays, in nanoseconds.
    Delay {
        /// Over time.
        mean: u64,
        /// The smallest and the largest.
        bounds: [u64; 2],
    },
}

impl Summary {
    pub(super) fn of_opportunities(trace: &RateTrace) -> Summary {
        let at = trace.timestamps();
        // The last one is the beginning of the next round.
        let pauses = at.iter().scan(0, |before, &at| Some(at - std::mem::replace(before, at)));
        let rates = || trace.windows(Span::from_secs(1)).map(atl_core::units::Rate::bps);
        Summary {
            nanos: trace.duration().nanos(),
            of: Of::Rate {
                opportunities: at.len(),
                mean_bps: trace.mean_rate().bps(),
                bounds_bps: [rates().fold(f64::INFINITY, f64::min), rates().fold(0.0, f64::max)],
                pause: u64::from(pauses.max().unwrap_or(0)) * 1_000_000,
            },
            gaps: Gaps::default(),
            blanks: 0,
        }
    }

    /// `delays` of 10 ms each, at least one.
    pub(super) fn of_delays(delays: &[u64]) -> Summary {
        let sum: u128 = delays.iter().map(|&delay| u128::from(delay)).sum();
        let bound = |of: Option<&u64>| of.copied().unwrap_or(0);
        Summary {
            nanos: LINE * delays.len() as u64,
            of: Of::Delay {
                mean: (sum / delays.len().max(1) as u128) as u64,
                bounds: [bound(delays.iter().min()), bound(delays.iter().max())],
            },
            gaps: Gaps::default(),
            blanks: 0,
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.of {
            Of::Rate { opportunities, mean_bps, bounds_bps: [least, most], pause } => write!(
                f,
                "{}, {opportunities} {} of {OPPORTUNITY_BYTES} bytes: {} on average, {} to {} in a \
                 second, longest gap {}",
                seconds(self.nanos),
                if *opportunities == 1 { "opportunity" } else { "opportunities" },
                rate(*mean_bps),
                rate(*least),
                rate(*most),
                seconds(*pause)
            ),
            Of::Delay { mean, bounds: [least, most] } => write!(
                f,
                "{}, a delay for each 10 ms: {} on average, {} to {}",
                seconds(self.nanos),
                millis(*mean),
                millis(*least),
                millis(*most)
            ),
        }?;
        if self.gaps.count > 0 {
            let Gaps { count, longest } = self.gaps;
            let s = if count == 1 { "" } else { "s" };
            let longest = seconds(longest);
            write!(f, "; {count} pause{s} of the measurement left out, the longest {longest}")?;
        }
        match self.blanks {
            0 => Ok(()),
            1 => f.write_str("; 1 row without a value, where the one before holds on"),
            rows => write!(f, "; {rows} rows without a value, where the one before holds on"),
        }
    }
}

fn rate(bps: f64) -> String {
    match bps {
        bps if bps >= 1e6 => format!("{:.2} Mb/s", bps / 1e6),
        bps => format!("{:.2} kb/s", bps / 1e3),
    }
}

fn millis(nanos: u64) -> String {
    let tenths = nanos.saturating_add(50_000) / 100_000;
    format!("{}.{} ms", tenths / 10, tenths % 10)
}
