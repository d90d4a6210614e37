//! Offered load: the amount of data that an application has written (AAL-T paper, sec. 5.2: "the
//! total bits submitted" over the time).
//!
//! Data written exactly at the start of the measurement counts; data written exactly at its end
//! does not. So files at regular intervals count as often as intervals fit.

use atl_core::time::{Span, Time};

use crate::app::App;

/// Offered load of the application of one flow: a copy of it, evaluated only at the start and the
/// end of the measurement.
#[derive(Debug)]
pub struct Offered {
    app: App,
    start: Time,
    /// Bytes written before the start of the measurement.
    before: u64,
}

impl Offered {
    /// A meter for this application; `None` if it always has data, or if what
    /// it has depends on another end.
    pub fn new(app: App, start: Time) -> Option<Box<Self>> {
        app.is_independent().then(|| Box::new(Offered { app, start, before: 0 }))
    }

    fn bytes_before(&mut self, time: Time) -> u64 {
        if time <= self.start {
            return 0;
        }
        self.app.written(time - Span::from_nanos(1))
    }

    /// Starts the measurement: earlier writes do not count.
    pub fn begin_measurement(&mut self, now: Time) {
        self.before = self.bytes_before(now);
    }

    /// Bits per second written since the start of the measurement `active_s` seconds before; `None`
    /// if `active_s` is zero.
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
        let mut offered = Offered::new(app, start)?;
        offered.begin_measurement(Time::from_millis(from));
        let from = Time::from_millis(from).max(start);
        let end = Time::from_millis(to);
        offered.rate_bps(end, end.since(from).secs())
    }

    #[test]
    fn files_count_as_often_as_intervals_fit() {
        let every = Span::from_secs(10);
        let source = Source::Files { bytes: 12_500, every, exponential: false };
        let (zero, three) = (Time::ZERO, Time::from_millis(3_000));
        assert_eq!(offered(&source, zero, 0, 100_000), Some(10_000.0));
        assert_eq!(offered(&source, zero, 30_000, 90_000), Some(10_000.0));
        assert_eq!(offered(&source, three, 0, 103_000), Some(10_000.0));
        // Files at 13, 23 and 33 s, within 25 s.
        assert_eq!(offered(&source, three, 10_000, 35_000), Some(12_000.0));
    }

    #[test]
    fn an_application_that_always_has_data_has_no_offered_load() {
        assert_eq!(offered(&Source::Greedy, Time::ZERO, 0, 1000), None);
        let all = Source::Fixed { bytes: 1_500 };
        assert_eq!(offered(&all, Time::ZERO, 0, 1000), Some(12_000.0));
        assert_eq!(
            offered(&all, Time::ZERO, 500, 1000),
            Some(0.0),
            "written before the measurement"
        );
        assert_eq!(offered(&all, Time::from_millis(2000), 0, 1000), None, "it never starts");
    }
}
