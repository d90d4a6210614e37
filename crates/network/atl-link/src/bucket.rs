//! A token bucket: what a policer drops by, and what a shaper delays by.

use atl_core::time::{Span, Time};
use atl_core::units::Rate;

/// Parts of a byte: so many come in a nanosecond as the rate has bits per second, which makes all
/// times exact.
const BYTE: i128 = 8_000_000_000;

/// Tokens, each for a byte, that come at a rate and of which a burst is kept.
#[derive(Clone, Debug)]
pub(crate) struct TokenBucket {
    /// Bits per second.
    rate: i128,
    /// In parts of a byte, as `tokens`; those are below zero after a packet longer than the burst.
    burst: i128,
    tokens: i128,
    /// The time as of which there are `tokens`.
    at: Time,
}

impl TokenBucket {
    /// A full bucket. The rate counts in whole bits per second, at least 1.
    pub(crate) fn new(rate: Rate, burst: u64) -> Self {
        let (rate, burst) = ((rate.bps() + 0.5) as i128, i128::from(burst) * BYTE);
        TokenBucket { rate: rate.max(1), burst, tokens: burst, at: Time::ZERO }
    }

    fn fill(&mut self, now: Time) {
        let elapsed = i128::from(now.since(self.at).nanos());
        self.tokens = self.burst.min(self.tokens.saturating_add(elapsed.saturating_mul(self.rate)));
        self.at = self.at.max(now);
    }

    /// Takes tokens for a packet of this many bytes, if there are enough.
    pub(crate) fn take(&mut self, now: Time, bytes: u32) -> bool {
        self.fill(now);
        let bytes = i128::from(bytes) * BYTE;
        let enough = self.tokens >= bytes;
        if enough {
            self.tokens -= bytes;
        }
        enough
    }

    /// Takes tokens for a packet of this many bytes as soon as there are enough, `from` on, and
    /// returns that time. A packet longer than the burst takes a full bucket, and the rest later.
    pub(crate) fn wait(&mut self, from: Time, bytes: u32) -> Time {
        self.fill(from);
        let bytes = i128::from(bytes) * BYTE;
        let lacking = (bytes.min(self.burst) - self.tokens).max(0);
        // Rounded up, so that the tokens are there.
        let wait = (lacking + self.rate - 1) / self.rate;
        let begins =
            self.at.saturating_add(Span::from_nanos(u64::try_from(wait).unwrap_or(u64::MAX)));
        self.fill(begins);
        self.tokens -= bytes;
        begins
    }
}
