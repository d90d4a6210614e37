//! Short looks for the end of the queue: less is sent for a round, and it shows what goes with it.
//!
//! - A queue of the sender's own, or of its own kind, which dips at the same time, goes.
//! - A rise that stays is jitter's, or of others.
//! - Of losses that come while jitter hides the queue, a queue's go, and a link's stay.

use super::Residual;
use super::rounds::Round;
use super::state::Dip;
use crate::time::Time;

/// Mean falls within a round that a rise may be for jitter to explain it, if a dip has not changed
/// it. The faster a flow, the smaller its falls, and the nearer all of it to the latest packets.
const MOST_FALLS: f64 = 5.0;
/// Share of the window in a dip that is about losses.
const LESS: f64 = 0.75;

impl Residual {
    /// Begins and ends dips. True if that is all that this round changes.
    pub(super) fn on_round_dips(
        &mut self,
        now: Time,
        round: &Round,
        queue: f64,
        alpha: f64,
    ) -> bool {
        let base = self.base.secs().unwrap_or(0.1);
        let emptied = now.since(self.emptied_at).secs();
        let patience = self.patience(base);
        if let Some(dip) = self.alone.dip.take() {
            self.end_dip(now, round, queue, &dip);
            return true;
        }
        let empty = queue <= self.near(self.best_rate());
        if !empty && round.limited && emptied > 0.5 * patience {
            if emptied > patience && !self.searched {
                self.searched = true;
                self.begin_drain(now, queue);
                return true;
            }
            // All that share the queue have seen its end together, and look for it together.
            let without = base / (base + queue);
            let back = (self.cwnd * without + alpha).min(self.cwnd);
            // Where pacing is the limit, the window is more than what is in flight.
            let in_flight = self.cwnd.min(self.best_rate() * (base + queue) + 1.0);
            let dip = Dip { window: self.cwnd, queue, back, losses: false };
            self.begin_dip(dip, in_flight * without - 1.0f64.max(0.25 * alpha));
            return true;
        }
        let hides = self.haze() > 0.0 && self.links.unseen && !self.links.tells_losses();
        let ignores = self.links.inferred().is_some_and(|p| p > 0.0);
        if hides
            && (ignores || self.hidden.held)
            && round.limited
            && self.hidden.is_due(now, patience)
        {
            let dip = Dip { window: self.cwnd, queue, back: self.cwnd, losses: true };
            self.begin_dip(dip, LESS * self.cwnd);
            return true;
        }
        false
    }

    /// Ends a dip that has shown the end of the queue before its time: the rest of it would only
    /// leave the path idle.
    pub(super) fn end_dip_early(&mut self, now: Time) {
        if self.emptied_at == now
            && let Some(dip) = self.alone.dip.take_if(|dip| !dip.losses)
        {
            self.cwnd = dip.back;
            self.alone.wait = 1;
        }
    }

    fn begin_dip(&mut self, dip: Dip, window: f64) {
        self.alone.dip = Some(dip);
        self.cwnd = window.max(2.0);
        self.alone.wait = 1;
    }

    fn end_dip(&mut self, now: Time, round: &Round, queue: f64, dip: &Dip) {
        if dip.losses {
            self.cwnd = dip.back;
            self.alone.wait = 1;
            if self.hidden.on_dip(now, round, self.links.inferred().unwrap_or(0.0)) {
                self.links.retract();
                self.enter_beside(now, true);
            }
            return;
        }
        if round.low.is_finite() && self.was_jitter(dip, queue, self.best_rate()) {
            self.cwnd = dip.window;
            self.rebase(now, round.low);
            self.emptied_at = now;
            self.searched = false;
            self.alone.wait = 1;
            return;
        }
        self.cwnd = dip.back;
        let base = self.base.secs().unwrap_or(0.1);
        let late = now.since(self.emptied_at).secs() > 1.5 * self.patience(base);
        if queue > self.trace(base) && late && round.limited {
            self.enter_beside(now, false);
            return;
        }
        // The round after it still shows the queue that the dip has emptied.
        self.alone.wait = 1;
    }

    /// True if a dip at `rate` has left `queue` seconds of a queue that should have fallen by twice
    /// as much, and jitter explains those: then they are no queue, and nobody's to take away.
    fn was_jitter(&self, dip: &Dip, queue: f64, rate: f64) -> bool {
        let taken = (dip.window - self.cwnd).max(0.0) / rate.max(1.0);
        let most = MOST_FALLS * self.falls.secs();
        self.haze() > 0.0 && queue <= most && dip.queue - queue < 0.5 * taken
    }

    /// Seconds without the end of the queue in sight after which the sender looks for it: after
    /// half of them by a dip, after all by a drain, after half as many again by another dip, which
    /// decides if others hold the queue.
    pub(super) fn patience(&self, base: f64) -> f64 {
        self.config.drain_every.max(15.0 * base)
    }
}
