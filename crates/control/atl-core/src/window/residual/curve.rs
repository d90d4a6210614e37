//! The window beside others: CUBIC's (RFC 9438), so that they get from it what a CUBIC leaves.

use crate::time::Time;

/// A window that grows with the cube of the time since its last reduction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    pub(super) window: f64,
    top: f64,
    /// K: seconds from the reduction to the old window.
    k: f64,
    since: Time,
    /// The window of Reno's friendly region.
    reno: f64,
}

impl Curve {
    /// Begins at `window` on the way to `top`, with C of `c` packets per second cubed.
    pub(super) fn new(now: Time, window: f64, top: f64, c: f64) -> Self {
        let window = window.max(2.0);
        let k = libm::cbrt((top - window).max(0.0) / c);
        Curve { window, top: top.max(window), k, since: now, reno: window }
    }

    /// Begins anew at `window`, which is no reduction.
    pub(super) fn begin(&mut self, now: Time, window: f64, c: f64) {
        *self = Curve::new(now, window, self.top.max(window), c);
    }

    /// `delivered` packets arrived at `now`; the round-trip time is `rtt` seconds.
    pub(super) fn grow(&mut self, now: Time, delivered: f64, rtt: f64, c: f64, beta: f64) {
        let t = now.since(self.since).secs() + rtt;
        let target = self.top + c * libm::pow(t - self.k, 3.0);
        let target = target.clamp(self.window, 1.5 * self.window);
        // RFC 9438, eq. 4.
        self.reno += 3.0 * (1.0 - beta) / (1.0 + beta) * delivered / self.window;
        let step = ((target - self.window) / self.window * delivered).min(delivered);
        self.window = (self.window + step).max(self.reno.min(self.window + delivered));
    }

    /// Congestion: `beta` of the window is left (RFC 9438, sec. 4.6 and 4.7, fast convergence).
    pub(super) fn cut(&mut self, now: Time, beta: f64, c: f64) {
        let w = self.window;
        let top = if w < self.top { w * (1.0 + beta) / 2.0 } else { w };
        *self = Curve { top, ..Curve::new(now, beta * w, top, c) };
    }
}
