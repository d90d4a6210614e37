//! The times at which probes are sent.

use atl_core::time::{Span, Time};
use atl_link::random::Stream;

/// Time of the first probe. Until then threads start and sockets settle.
pub const BEGIN: Time = Time::from_millis(200);

/// A pattern of probes over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pattern {
    /// One probe at a time, at even intervals.
    Constant {
        /// Probes per second, greater than 0.
        per_second: f64,
    },
    /// Several at once, at even intervals.
    Bursts {
        /// Probes of a burst.
        packets: u32,
        /// Bursts per second, greater than 0.
        per_second: f64,
    },
    /// At random intervals, exponentially distributed: a Poisson process, drawn once and the same
    /// in every run, so that runs with different seeds differ in nothing but what the link draws.
    Poisson {
        /// Mean number of probes per second.
        per_second: f64,
    },
}

impl Pattern {
    /// The times of the probes of a run, from [`BEGIN`] on and for `lasts`, in order.
    pub fn times(&self, lasts: Span) -> Vec<Time> {
        let end = BEGIN.saturating_add(lasts);
        let at = |seconds: f64| BEGIN.saturating_add(Span::from_secs_f64(seconds));
        let mut times = Vec::new();
        match *self {
            Pattern::Constant { per_second } => {
                let even = (0_u32..).map(|i| at(f64::from(i) / per_second));
                times.extend(even.take_while(|time| *time < end));
            }
            Pattern::Bursts { packets, per_second } => {
                let bursts = (0_u32..).map(|i| at(f64::from(i) / per_second));
                for time in bursts.take_while(|time| *time < end) {
                    times.extend((0..packets).map(|_| time));
                }
            }
            Pattern::Poisson { per_second } => {
                let mut stream = Stream::new(0, "equivalence/arrivals");
                let mut seconds = stream.exponential(1.0 / per_second);
                while at(seconds) < end {
                    times.push(at(seconds));
                    seconds += stream.exponential(1.0 / per_second);
                }
            }
        }
        times
    }
}

impl std::fmt::Display for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Pattern::Constant { per_second } => write!(f, "{per_second}/s"),
            Pattern::Bursts { packets, per_second } => {
                write!(f, "bursts of {packets}, {per_second}/s")
            }
            Pattern::Poisson { per_second } => write!(f, "Poisson, {per_second}/s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_pattern() {
        let second = Span::from_secs(1);
        let even = Pattern::Constant { per_second: 4.0 }.times(second);
        assert_eq!(even, [200, 450, 700, 950].map(Time::from_millis));
        let bursts = Pattern::Bursts { packets: 2, per_second: 2.0 }.times(second);
        assert_eq!(bursts, [200, 200, 700, 700].map(Time::from_millis));
        let poisson = Pattern::Poisson { per_second: 1000.0 };
        let times = poisson.times(Span::from_secs(10));
        assert!(times.is_sorted() && times[0] > BEGIN);
        // 10 000 on average, with a standard deviation of 100.
        assert!(times.len().abs_diff(10_000) < 400, "{}", times.len());
        assert_eq!(times, poisson.times(Span::from_secs(10)));
    }
}
