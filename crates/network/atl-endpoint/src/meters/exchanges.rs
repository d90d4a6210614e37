//! Exchanges of an application: how many are complete, and how long they took.

use atl_core::time::Span;

use super::rtts::Rtts;

const NANOS: f64 = 1e9;

/// Times from an application's request to its complete answer, or of whatever it calls an exchange.
#[derive(Debug)]
pub struct Exchanges {
    times: Rtts,
    count: u64,
    nanos: u128,
}

/// Exchanges of an application while it was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExchangeResult {
    /// Number of exchanges that were completed, whenever they began.
    pub count: u64,
    /// Mean time from their beginning to their completion, in seconds; `None` without one.
    pub mean_s: Option<f64>,
    /// 95th percentile of these times in seconds, exact to 0.1 %.
    pub p95_s: Option<f64>,
}

impl Default for Exchanges {
    fn default() -> Self {
        Exchanges { times: Rtts::new(true), count: 0, nanos: 0 }
    }
}

impl Exchanges {
    /// One was completed, after this time.
    pub fn note(&mut self, took: Span) {
        self.times.note(took);
        self.count += 1;
        self.nanos += u128::from(took.nanos());
    }

    /// Starts the measurement: those before do not count.
    pub fn reset(&mut self) {
        self.times.reset();
        (self.count, self.nanos) = (0, 0);
    }

    /// Number, mean and 95th percentile of the exchanges measured; no times without an exchange.
    pub fn result(&self) -> ExchangeResult {
        let mean_s = (self.count > 0).then(|| self.nanos as f64 / NANOS / self.count as f64);
        ExchangeResult { count: self.count, mean_s, p95_s: self.times.quantile(0.95) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_and_the_95th_percentile_are_those_of_the_exchanges_since_the_reset() {
        let mut exchanges = Exchanges::default();
        assert_eq!(exchanges.result(), ExchangeResult::default());
        exchanges.note(Span::from_secs(50));
        exchanges.reset();
        for ms in 1..=100 {
            exchanges.note(Span::from_millis(ms));
        }
        let ExchangeResult { count, mean_s, p95_s } = exchanges.result();
        assert_eq!(count, 100);
        assert!(mean_s.is_some_and(|s| (s - 0.0505).abs() < 1e-12), "{mean_s:?}");
        assert!(p95_s.is_some_and(|s| (s - 0.095).abs() < 1e-4), "{p95_s:?}");
    }
}
