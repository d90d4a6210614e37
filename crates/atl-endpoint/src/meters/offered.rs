//! How much an application has written: the offered load (AAL-T paper, sec. 5.2: "the total bits submitted" over the time).
//!
//! A file, or the end of a segment, that is written just when measurement begins counts in it; one that is written just
//! when it ends does not. So files at regular intervals count as often as intervals fit.

use atl_core::time::{Span, Time};

use crate::app::{App, Sizes};

/// What one flow's application offers: a copy of it, asked only when measurement begins and ends.
#[derive(Debug)]
pub struct Offered {
    app: App,
    sizes: Sizes,
    start: Time,
    /// Bytes written before measurement began.
    before: u64,
}

impl Offered {
    /// Of an application that does not always have more.
    pub fn new(app: App, sizes: Sizes, start: Time) -> Option<Box<Self>> {
        let bounded = !matches!(app, App::Greedy);
        bounded.then(|| Box::new(Offered { app, sizes, start, before: 0 }))
    }

    fn bytes_before(&mut self, time: Time) -> u64 {
        if time <= self.start {
            return 0;
        }
        self.sizes.bytes(self.app.written(time - Span::from_nanos(1)))
    }

    /// Measurement begins.
    pub fn begin_measurement(&mut self, now: Time) {
        self.before = self.bytes_before(now);
    }

    /// Bits per second written since measurement began `active_s` seconds before; `None` of no time.
    pub fn rate_bps(&mut self, end: Time, active_s: f64) -> Option<f64> {
        let bytes = self.bytes_before(end) - self.before;
        (active_s > 0.0).then(|| bytes as f64 * 8.0 / active_s)
    }
}

#[cfg(test)]
mod tests {
    use crate::app::Source;
    use atl_link::random::Stream;

    use super::*;

    fn offered(source: &Source, start: Time, from: u64, to: u64) -> Option<f64> {
        let app = App::new(source, 1000, start, Stream::new(1, "app"));
        let mut offered = Offered::new(app, Sizes::new(source, 1000), start)?;
        offered.begin_measurement(Time::from_millis(from));
        let from = Time::from_millis(from).max(start);
        let end = Time::from_millis(to);
        offered.rate_bps(end, end.since(from).secs())
    }

    #[test]
    fn files_count_as_often_as_their_intervals_fit() {
        let every = Span::from_secs(10);
        let source = Source::Files { bytes: 12_500, every, exponential: false };
        let (zero, three) = (Time::ZERO, Time::from_millis(3_000));
        assert_eq!(offered(&source, zero, 0, 100_000), Some(10_000.0));
        assert_eq!(offered(&source, zero, 30_000, 90_000), Some(10_000.0));
        assert_eq!(offered(&source, three, 0, 103_000), Some(10_000.0));
        // Files at 13, 23 and 33 s, in 25 s.
        assert_eq!(offered(&source, three, 10_000, 35_000), Some(12_000.0));
    }

    #[test]
    fn who_always_has_more_offers_no_rate() {
        assert_eq!(offered(&Source::Greedy, Time::ZERO, 0, 1000), None);
        let all = Source::Fixed { bytes: 1_500 };
        assert_eq!(offered(&all, Time::ZERO, 0, 1000), Some(12_000.0));
        assert_eq!(offered(&all, Time::ZERO, 500, 1000), Some(0.0), "written before");
        assert_eq!(offered(&all, Time::from_millis(2000), 0, 1000), None, "it never starts");
    }
}
