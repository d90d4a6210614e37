//! A CUBIC sender (RFC 9438) to compete with. It is the tests' own, so that a change of the crate's
//! CUBIC shows in CUBIC's own trajectories only.

use atl_core::time::Time;
use atl_core::window::{Ack, Detection, Loss, Timeout, WindowController};

#[derive(Clone, Debug)]
pub(super) struct Rival {
    window: f64,
    ssthresh: f64,
    top: f64,
    since: Time,
    reno: f64,
}

impl Rival {
    pub(super) const fn new() -> Self {
        Rival { window: 10.0, ssthresh: 1e9, top: 0.0, since: Time::ZERO, reno: 0.0 }
    }

    fn cut(&mut self, now: Time) {
        (self.top, self.since) = (self.window, now);
        self.ssthresh = (0.7 * self.window).max(2.0);
        self.reno = self.ssthresh;
    }
}

impl WindowController for Rival {
    fn on_ack(&mut self, ack: &Ack) {
        if ack.in_recovery || !ack.window_limited {
            return;
        }
        let packets = f64::from(ack.delivered);
        if self.window < self.ssthresh {
            self.window += packets;
            return;
        }
        let t = ack.now.since(self.since).secs() - libm::cbrt(0.3 * self.top / 0.4);
        let target = (self.top + 0.4 * t * t * t).min(1.5 * self.window);
        self.reno += 0.53 * packets / self.window;
        let step = ((target - self.window) / self.window).max(0.0) * packets;
        self.window = (self.window + step).max(self.reno);
    }

    fn on_loss(&mut self, loss: &Loss) {
        if loss.new_episode && loss.detection == Detection::Acks {
            self.cut(loss.now);
            self.window = self.ssthresh;
        }
    }

    fn on_timeout(&mut self, timeout: &Timeout) {
        self.cut(timeout.now);
        self.window = 1.0;
    }

    fn window(&self) -> f64 {
        self.window
    }
}
