//! Spaces the packets of a path while data takes two.
//!
//! ACKs of one path then open the receive window for both, by as much as the other has held up.
//! Without pacing the burst that follows overflows queues (RFC 9002, sec. 7.7: 1.25 times the
//! window in a round trip, and a burst of ten; twice the window in slow start, as in common
//! stacks).

use atl_core::measure::RttEstimator;
use atl_core::time::{Span, Time};
use atl_core::window::{Controller, WindowController};

const GAIN: f64 = 1.25;
const GAIN_IN_SLOW_START: f64 = 2.0;
/// Packets that may leave at once.
const BURST: u64 = 10;

/// When a path's next packet may leave.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    next: Time,
}

impl Pace {
    /// When the next packet may leave, if not now.
    pub(super) fn until(&self, now: Time) -> Option<Time> {
        (self.next > now).then_some(self.next)
    }

    /// A packet leaves.
    pub(super) fn on_sent(&mut self, now: Time, controller: &Controller, rtt: &RttEstimator) {
        let window = controller.window();
        let gain = if window < controller.ssthresh() { GAIN_IN_SLOW_START } else { GAIN };
        let srtt = rtt.srtt().unwrap_or_default().secs();
        let gap = Span::from_secs_f64(srtt / (gain * window.max(1.0)));
        let saved = (gap * BURST).min(now.since(Time::ZERO));
        self.next = self.next.max(now - saved).saturating_add(gap);
    }
}

#[cfg(test)]
mod tests {
    use atl_core::measure::RttConfig;
    use atl_core::window::{ControllerConfig, Start, reno};

    use super::*;

    #[test]
    fn a_burst_of_ten_and_then_a_quarter_faster_than_the_window() {
        let start = Start::default().initial_window(40.0).ssthresh(39.0);
        let controller = ControllerConfig::from(reno::Config::default()).build(&start);
        let mut rtt = RttEstimator::new(RttConfig::default());
        rtt.on_sample(Span::from_millis(100));
        // 100 ms / (1.25 * 40) = 2 ms.
        let (mut pace, mut now, mut sent) = (Pace::default(), Time::from_millis(1000), Vec::new());
        while sent.len() < 14 {
            now = pace.until(now).unwrap_or(now);
            pace.on_sent(now, &controller, &rtt);
            sent.push(now.since(Time::from_millis(1000)).nanos() / 1_000_000);
        }
        assert_eq!(sent, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 4, 6]);
    }
}
