//! The round-trip times that a flow measured.

use atl_core::time::Span;
use hdrhistogram::Histogram;

/// Significant decimal digits: values are within 0.1 %.
const DIGITS: u8 = 3;
/// Largest RTT that is told apart, in microseconds: an hour.
const MOST: u64 = 3_600_000_000;

/// A histogram of RTT samples, if they are to be kept.
#[derive(Debug)]
pub struct Rtts {
    histogram: Option<Histogram<u32>>,
    min: Span,
}

impl Rtts {
    /// No sample yet; with `kept` false there never is one.
    pub fn new(kept: bool) -> Self {
        let histogram = kept.then(|| {
            // It grows to the largest value that it meets.
            Histogram::new(DIGITS).expect("one to five digits are allowed")
        });
        Rtts { histogram, min: Span::MAX }
    }

    /// A sample.
    #[inline]
    pub fn note(&mut self, rtt: Span) {
        if let Some(histogram) = &mut self.histogram {
            let micros = (rtt.nanos() / 1000).min(MOST);
            histogram.record(micros).expect("it grows as far as the largest RTT");
            self.min = self.min.min(rtt);
        }
    }

    /// Forgets all samples.
    pub fn reset(&mut self) {
        if let Some(histogram) = &mut self.histogram {
            histogram.reset();
            self.min = Span::MAX;
        }
    }

    /// A quantile in seconds; `None` without a sample.
    pub fn quantile(&self, q: f64) -> Option<f64> {
        let histogram = self.histogram.as_ref().filter(|h| !h.is_empty())?;
        Some(histogram.value_at_quantile(q) as f64 / 1e6)
    }

    /// The least, in seconds; `None` without a sample.
    pub fn min(&self) -> Option<f64> {
        (self.min < Span::MAX).then(|| self.min.secs())
    }
}
