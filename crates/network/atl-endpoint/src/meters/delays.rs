//! Delay of the segments of a flow from application to application.
//!
//! "The time an application data packet is sent to the source TCP layer to the time it is received
//! by the TCP layer at the destination" (AAL-T paper, sec. 5.2): from when the application has
//! written a segment until TCP delivers it in order. This includes waiting in the sender for the
//! window, transmission, repair, and waiting behind a hole. A file is written all at once.
//!
//! The time of a write is recomputed when the segment is delivered ([`Writes`]), so that no state
//! is kept for segments in flight. What counts are the application's segments, wherever the
//! transport has cut the bytes. They count only once they are delivered: a run that ends
//! with much data in flight underestimates the delay.

use atl_core::time::Time;

use crate::app::{Sizes, Writes};

const NANOS: f64 = 1e9;

/// Delays of the segments of one flow.
#[derive(Debug)]
pub struct Delays {
    writes: Writes,
    sizes: Sizes,
    /// Segments delivered, and the byte that ends the next one.
    delivered: u64,
    end: u64,
    /// Sum and number of the delays since the start of the measurement.
    nanos: u128,
    count: u64,
}

impl Delays {
    /// A meter without samples, for an application that writes segments of these sizes at these
    /// times.
    pub fn new(writes: Writes, sizes: Sizes) -> Self {
        // A transfer of no bytes has no segment that could be delivered.
        let end = Some(sizes.bytes(1)).filter(|end| *end > 0).unwrap_or(u64::MAX);
        Delays { writes, sizes, delivered: 0, end, nanos: 0, count: 0 }
    }

    /// This many bytes have been delivered by now, in order.
    #[inline]
    pub fn on_delivered(&mut self, now: Time, bytes: u64) {
        while self.end <= bytes {
            self.delivered += 1;
            self.end = self.sizes.bytes(self.delivered + 1);
            self.nanos += u128::from(now.since(self.writes.next_time()).nanos());
            self.count += 1;
        }
    }

    /// Starts the measurement: earlier deliveries do not count.
    pub fn reset(&mut self) {
        (self.nanos, self.count) = (0, 0);
    }

    /// Mean over the segments since the start of the measurement, in seconds; `None` without any.
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
    fn a_segment_behind_a_hole_is_delayed_with_it() {
        let source = Source::Files { bytes: 2_000, every: Span::from_secs(1), exponential: false };
        let writes = Writes::new(&source, 1000, Time::ZERO, Stream::new(1, "app"));
        let sizes = Sizes::new(&source, 1000);
        let mut delays = Delays::new(writes.expect("a source with writes"), sizes);
        let ms = Time::from_millis;
        assert_eq!(delays.mean_s(), None);
        // Two segments at 0 s and two at 1 s. The second one is delivered with those behind it.
        delays.on_delivered(ms(100), 1000);
        delays.on_delivered(ms(200), 1999);
        delays.on_delivered(ms(1_300), 4000);
        // 0.1, 1.3, 0.3 and 0.3 s.
        assert!(delays.mean_s().is_some_and(|s| (s - 0.5).abs() < 1e-12), "{delays:?}");
        delays.reset();
        assert_eq!(delays.mean_s(), None);
        delays.on_delivered(ms(2_250), 5000);
        assert!(delays.mean_s().is_some_and(|s| (s - 0.25).abs() < 1e-12), "{delays:?}");
    }
}
