//! When the receiving host sends a source quench for cells that met congestion.

use atl_core::time::{Span, Time};
use atl_engine::adaptation::Quench as Config;
use atl_link::random::Stream;

/// The quenches of one flow.
#[derive(Debug)]
pub(crate) struct Quencher {
    config: Config,
    stream: Stream,
    /// When the quench that was decided upon leaves; [`Time::MAX`]: none is pending.
    due: Time,
    /// No further quench is decided upon before this time.
    quiet_until: Time,
    /// Sent so far.
    sent: u64,
}

impl Quencher {
    pub(crate) fn new(config: Config, stream: Stream) -> Self {
        Quencher { config, stream, due: Time::MAX, quiet_until: Time::ZERO, sent: 0 }
    }

    /// A PDU met congestion.
    pub(crate) fn on_congestion(&mut self, now: Time) {
        if self.due != Time::MAX || now < self.quiet_until {
            return;
        }
        let most = self.config.scatter.nanos();
        let delay = Span::from_nanos(self.stream.below(most.saturating_add(1)));
        self.due = now.saturating_add(delay);
    }

    /// When the next one leaves.
    pub(crate) fn due(&self) -> Time {
        self.due
    }

    /// True if a quench leaves now.
    pub(crate) fn poll(&mut self, now: Time) -> bool {
        if now < self.due {
            return false;
        }
        self.due = Time::MAX;
        self.quiet_until = now.saturating_add(self.config.every);
        self.sent += 1;
        true
    }

    /// Quenches sent.
    pub(crate) fn sent(&self) -> u64 {
        self.sent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quenches_are_scattered_and_kept_apart() {
        let config = Config { every: Span::from_millis(100), scatter: Span::from_millis(50) };
        let mut quencher = Quencher::new(config, Stream::new(1, "quench"));
        let mut times: Vec<Time> = Vec::new();
        // Congestion all the time.
        for ms in 0..10_000 {
            let now = Time::from_millis(ms);
            quencher.on_congestion(now);
            if quencher.poll(now) {
                times.push(now);
            }
        }
        let gaps: Vec<f64> = times.windows(2).map(|w| w[1].since(w[0]).secs()).collect();
        assert!(gaps.iter().all(|gap| (0.1..=0.152).contains(gap)), "{gaps:?}");
        // Uniform over 50 ms: 75 gaps have a mean of 125.5 +- 1.7 ms, half a millisecond of it from
        // the steps.
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        assert!((mean - 0.1255).abs() < 4.0 * 0.0017, "{mean}");
        assert_eq!(quencher.sent(), times.len() as u64);
    }
}
