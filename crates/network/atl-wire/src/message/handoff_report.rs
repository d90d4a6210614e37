//! A paced receiver's measurement of a new path.

use atl_core::path::PathId;
use atl_core::time::Span;

/// A Handoff Report: the arrivals among the dummies on a new path (Taleb et al., sec. III-D: "it
/// includes information on the reception quality measured during the reception of dummy packets").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HandoffReport {
    /// The path that was measured.
    pub path: PathId,
    /// The probe to which the dummies belonged, from 0 to 63: the sender numbers its probes modulo
    /// 64.
    pub probe: u8,
    /// Highest number of a dummy that arrived; they are numbered from 0.
    pub highest: u32,
    /// The number of dummies that arrived.
    pub received: u32,
    /// Bytes of these on the wire, headers included.
    pub bytes: u64,
    /// Time from the first arrival to the last.
    pub span: Span,
    /// Time from the first arrival to the end of the measurement; at least `span`.
    pub window: Span,
    /// Interarrival jitter (RFC 3550, sec. 6.4.1 and A.8).
    pub jitter: Span,
    /// Proof that the peer wrote it, where the session has a key; zero without one.
    pub tag: u64,
}

/// A time as a report carries it: in microseconds, rounded down; 2^32 - 1 stands for that and
/// anything longer.
pub fn micros(time: Span) -> u32 {
    u32::try_from(time.nanos() / 1000).unwrap_or(u32::MAX)
}

impl HandoffReport {
    /// The number of dummies that should have arrived for the highest one to be the last: one more
    /// than its number.
    pub fn expected(&self) -> u64 {
        if self.received == 0 { 0 } else { u64::from(self.highest) + 1 }
    }

    /// The measured rate in bytes per second: the bytes after the first dummy over the time that
    /// they took, and at most all bytes over the whole measurement, so that a few dummies close
    /// together do not pass for a fast path. `None` if nothing was measured.
    pub fn rate(&self) -> Option<f64> {
        let bytes = self.bytes as f64;
        if self.received == 0 || self.window.is_zero() {
            return None;
        }
        let over_all = bytes / self.window.secs();
        if self.received == 1 || self.span.is_zero() {
            return Some(over_all);
        }
        let later = bytes * (1.0 - 1.0 / f64::from(self.received));
        Some(over_all.min(later / self.span.secs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(received: u32, span_ms: u64, window_ms: u64) -> HandoffReport {
        HandoffReport {
            received,
            bytes: u64::from(received) * 500,
            highest: received.saturating_sub(1),
            span: Span::from_millis(span_ms),
            window: Span::from_millis(window_ms),
            ..HandoffReport::default()
        }
    }

    fn bits(report: &HandoffReport) -> Option<f64> {
        report.rate().map(|bytes| (bytes * 8.0 * 1000.0).round() / 1000.0)
    }

    #[test]
    fn a_steady_stream_is_measured_exactly_wherever_it_is_cut_off() {
        // 1 Mb/s carries a packet of 500 B in 4 ms: 126 of them from 0 to 500 ms, and the next one
        // just misses the end.
        assert_eq!(bits(&report(126, 500, 500)), Some(1e6));
        assert_eq!(bits(&report(125, 496, 499)), Some(1e6));
        // All of 10 Mb/s: 1250 packets, a gap of .4 ms between two.
        let all = HandoffReport { span: Span::from_micros(499_600), ..report(1250, 0, 500) };
        assert_eq!(bits(&all), Some(1e7));
    }

    #[test]
    fn a_few_dummies_close_together_are_no_fast_path() {
        // Two of them .4 ms apart on a path that was busy otherwise: 16 kb/s, and not 10 Mb/s.
        assert_eq!(bits(&report(2, 0, 500)), Some(16_000.0));
        let pair = HandoffReport { span: Span::from_micros(400), ..report(2, 0, 500) };
        assert_eq!(bits(&pair), Some(16_000.0));
        assert_eq!(bits(&report(1, 0, 500)), Some(8_000.0));
    }

    #[test]
    fn nothing_measured_is_no_rate() {
        assert_eq!(report(0, 0, 500).rate(), None);
        assert_eq!(report(3, 0, 0).rate(), None);
        assert_eq!((report(0, 0, 500).expected(), report(3, 10, 10).expected()), (0, 3));
    }
}
