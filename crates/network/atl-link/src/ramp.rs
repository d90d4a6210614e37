//! A rate that rises or falls evenly, and then stays.

use atl_core::time::{Span, Time};
use atl_core::units::Rate;

/// A rate that changes evenly from when its conditions begin, and then stays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ramp {
    /// The rate at the beginning, above 0.
    pub from: Rate,
    /// The rate at the end and from then on, above 0.
    pub to: Rate,
    /// Time that the change takes.
    pub over: Span,
}

impl Ramp {
    /// The rate half-way, which stands for all where one number is asked for.
    pub fn mean(&self) -> Rate {
        Rate::from_bps((self.from.bps() + self.to.bps()) / 2.0)
    }

    /// The higher rate of both ends.
    pub fn highest(&self) -> Rate {
        if self.from.bps() > self.to.bps() { self.from } else { self.to }
    }

    /// The lower rate of both ends.
    pub fn lowest(&self) -> Rate {
        if self.from.bps() > self.to.bps() { self.to } else { self.from }
    }
}

/// A ramp at work: bytes carried as a function of time.
#[derive(Clone, Debug)]
pub(crate) struct Slope {
    pub(crate) ramp: Ramp,
    begins: Time,
    /// Rates in bytes a second.
    from: f64,
    to: f64,
    /// Time of the change in seconds.
    over: f64,
}

impl Slope {
    /// A ramp that begins at `begins`.
    pub(crate) fn new(ramp: Ramp, begins: Time) -> Slope {
        let [from, to] = [ramp.from, ramp.to].map(|rate| rate.bps() / 8.0);
        Slope { ramp, begins, from, to, over: ramp.over.secs() }
    }

    /// Bytes carried in the first `seconds`.
    fn carried(&self, seconds: f64) -> f64 {
        if seconds >= self.over {
            return (self.from + self.to) / 2.0 * self.over + self.to * (seconds - self.over);
        }
        self.from * seconds + (self.to - self.from) * seconds * seconds / (2.0 * self.over)
    }

    /// Seconds from the beginning until `bytes` have been carried.
    fn until(&self, bytes: f64) -> f64 {
        let all = (self.from + self.to) / 2.0 * self.over;
        if bytes >= all {
            return self.over + (bytes - all) / self.to;
        }
        // The root of a x^2 + b x = bytes in the form that does not cancel; on a ramp that is not
        // over the radicand is the square of the rate at x.
        let a = (self.to - self.from) / (2.0 * self.over);
        let root = (self.from * self.from + 4.0 * a * bytes).max(0.0).sqrt();
        2.0 * bytes / (self.from + root)
    }

    /// The end of a transmission of `bytes` that begins at `from`.
    pub(crate) fn end(&self, from: Time, bytes: f64) -> Time {
        let begun = from.since(self.begins).secs();
        // From the end of the ramp on as at a constant rate, without large numbers.
        let takes = match begun >= self.over {
            true => bytes / self.to,
            false => self.until(self.carried(begun) + bytes) - begun,
        };
        from.saturating_add(Span::from_secs_f64(takes.max(0.0)))
    }

    /// Bytes carried between two times.
    pub(crate) fn between(&self, from: Time, to: Time) -> f64 {
        self.carried(to.since(self.begins).secs()) - self.carried(from.since(self.begins).secs())
    }

    /// Transmission time of a byte in nanoseconds at the rate half-way.
    pub(crate) fn ns_per_byte(&self) -> f64 {
        2e9 / (self.from + self.to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From 8 to 16 Mb/s in 2 s: 1 to 2 MB a second.
    fn slope(begins: Time) -> Slope {
        let (from, to) = (Rate::from_mbps(8.0), Rate::from_mbps(16.0));
        Slope::new(Ramp { from, to, over: Span::from_secs(2) }, begins)
    }

    #[test]
    fn bytes_and_times_are_those_of_the_integral() {
        let up = slope(Time::from_millis(500));
        let at = |ms: u64| Time::from_millis(500 + ms);
        // x + x^2 / 4 MB after x seconds: 1.25 MB after 1 s, 3 MB at the end, 2 MB/s from then on.
        for (bytes, ms) in [(1_250_000.0, 1000), (3_000_000.0, 2000), (5_000_000.0, 3000)] {
            assert!(up.end(at(0), bytes).nanos().abs_diff(at(ms).nanos()) <= 1, "{bytes}");
            assert!((up.between(at(0), at(ms)) - bytes).abs() < 1e-3, "{ms}");
        }
        assert_eq!(up.end(at(4000), 2_000_000.0), at(5000));
        assert!((up.between(at(1000), at(2000)) - 1_750_000.0).abs() < 1e-3);
    }

    #[test]
    fn many_packets_take_as_long_as_all_their_bytes() {
        for (from, to) in [(8.0, 16.0), (16.0, 0.5), (5.0, 5.0)] {
            let (from, to) = (Rate::from_mbps(from), Rate::from_mbps(to));
            let slope = Slope::new(Ramp { from, to, over: Span::from_secs(2) }, Time::ZERO);
            let one_by_one = (0..4000).fold(Time::ZERO, |end, _| slope.end(end, 1500.0));
            let together = slope.end(Time::ZERO, 4000.0 * 1500.0);
            // Each is rounded to a nanosecond.
            assert!(
                one_by_one.nanos().abs_diff(together.nanos()) < 5000,
                "{one_by_one:?} {together:?}"
            );
        }
    }

    #[test]
    fn one_number_for_a_ramp_is_half_way() {
        let Slope { ramp, .. } = slope(Time::ZERO);
        assert_eq!((ramp.mean(), ramp.highest()), (Rate::from_mbps(12.0), Rate::from_mbps(16.0)));
        assert_eq!(ramp.lowest(), Rate::from_mbps(8.0));
        assert!((slope(Time::ZERO).ns_per_byte() - 8e3 / 12.0).abs() < 1e-9);
    }
}
