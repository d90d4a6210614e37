//! The two parameters of additive increase and multiplicative decrease.

/// AIMD parameters of a sender.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aimd {
    /// alpha: the gain in a round-trip time without loss, in packets for a window, in packets per
    /// second for a rate.
    pub alpha: f64,
    /// beta: share of the window or rate that is kept after a loss.
    pub beta: f64,
}

impl Aimd {
    /// TCP's own parameters (RFC 5681): one more packet per RTT, half the window after a loss.
    pub const TCP: Aimd = Aimd { alpha: 1.0, beta: 0.5 };

    /// True for parameters that a sender can follow: alpha is finite and not negative, beta is
    /// between 0 and 1.
    pub(crate) fn is_usable(self) -> bool {
        self.alpha.is_finite() && self.alpha >= 0.0 && self.beta > 0.0 && self.beta < 1.0
    }
}
