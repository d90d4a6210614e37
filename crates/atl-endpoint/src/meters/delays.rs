//! How long a flow's segments take from the application at one end to the one at the other.
//!
//! "The time an application data packet is sent to the source TCP layer to the time it is received by the TCP layer at the
//! destination" (AAL-T paper, sec. 5.2): from when the application has written a segment until TCP hands it over, in
//! order. That counts waiting in the sender for the window, transmission, repair, and waiting behind a hole. All of a
//! file is written at once.
//!
//! When a segment was written is computed again when it is handed over ([`Writes`]): nothing is kept of those that are
//! under way. They do not count before they are handed over, so that a run that ends while much is under way tells less
//! than the whole.

use atl_core::time::Time;

use crate::app::Writes;

const NANOS: f64 = 1e9;

/// Delays of one flow's segments.
#[derive(Debug)]
pub struct Delays {
    writes: Writes,
    handed_over: u64,
    /// Sum and number of the delays since measurement began.
    nanos: u128,
    count: u64,
}

impl Delays {
    /// No delay yet, of an application that writes segments at these times.
    pub fn new(writes: Writes) -> Self {
        Delays { writes, handed_over: 0, nanos: 0, count: 0 }
    }

    /// All segments below `next` have been handed over by now.
    #[inline]
    pub fn on_handed_over(&mut self, now: Time, next: u64) {
        while self.handed_over < next {
            self.handed_over += 1;
            self.nanos += u128::from(now.since(self.writes.next_time()).nanos());
            self.count += 1;
        }
    }

    /// Measurement begins: what was handed over before does not count.
    pub fn reset(&mut self) {
        (self.nanos, self.count) = (0, 0);
    }

    /// Mean over the segments since measurement began, in seconds; `None` without any.
    pub fn mean_s(&self) -> Option<f64> {
        (self.count > 0).then(|| self.nanos as f64 / NANOS / self.count as f64)
    }
}

#[cfg(test)]
mod tests {
    use crate::app::Source;
    use atl_core::time::Span;
    use atl_link::random::Stream;

    use super::*;

    #[test]
    fn a_segment_that_waits_behind_a_hole_is_late_with_it() {
        let source = Source::Files { bytes: 2_000, every: Span::from_secs(1), exponential: false };
        let writes = Writes::new(&source, 1000, Time::ZERO, Stream::new(1, "app"));
        let mut delays = Delays::new(writes.expect("it writes"));
        let ms = Time::from_millis;
        assert_eq!(delays.mean_s(), None);
        // Two at 0 s and two at 1 s; the second comes with those behind it.
        delays.on_handed_over(ms(100), 1);
        delays.on_handed_over(ms(200), 1);
        delays.on_handed_over(ms(1_300), 4);
        // 0.1, 1.3, 0.3 and 0.3 s.
        assert!(delays.mean_s().is_some_and(|s| (s - 0.5).abs() < 1e-12), "{delays:?}");
        delays.reset();
        assert_eq!(delays.mean_s(), None);
        delays.on_handed_over(ms(2_250), 5);
        assert!(delays.mean_s().is_some_and(|s| (s - 0.25).abs() < 1e-12), "{delays:?}");
    }
}
