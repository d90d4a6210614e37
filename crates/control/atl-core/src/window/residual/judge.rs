//! Is the loss more than the links own up to? Residual loss is what remains of the measured loss
//! without p_w, and it must exceed the error of what was measured.

use super::rounds::Round;

/// Packets from which losses are judged.
const LEAST_PACKETS: f64 = 20.0;
/// Losses from which they are.
const LEAST_LOSSES: f64 = 3.0;
/// A p_w up to which a path counts as one without losses of its own: one look is enough.
pub(super) const CLEAN: f64 = 0.002;
/// The residual that is tolerated while nothing is known of the links and no queue stands.
const BLANK: f64 = 0.12;
/// Looks of the last eight that must show residual loss while there is no queue.
const QUIET_LOOKS: u32 = 4;
/// A residual that prepares for the next one.
const WARNING: f64 = 0.01;

/// The losses under judgement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judge {
    lost: f64,
    all: f64,
    warned: bool,
    /// The last looks, the newest in the lowest bit: residual loss showed.
    looks: u8,
}

impl Judge {
    pub(super) const fn new() -> Self {
        Judge { lost: 0.0, all: 0.0, warned: false, looks: 0 }
    }

    /// Takes in a round, judged by a p_w of `p` whose losses come in bursts of about `burst`. True
    /// if residual loss shows, in two looks at the path where it may lose packets itself; without a
    /// queue (`quiet`), in half of eight. `blank`: nothing is known of the links, and there is no
    /// queue.
    pub(super) fn on_round(
        &mut self,
        round: &Round,
        (p, burst): (f64, f64),
        blank: bool,
        quiet: bool,
        (threshold, sigmas): (f64, f64),
    ) -> bool {
        self.lost += round.lost;
        self.all += round.judged();
        if self.all < LEAST_PACKETS {
            return false;
        }
        let (lost, all) = (core::mem::take(&mut self.lost), core::mem::take(&mut self.all));
        let error = (burst * p * (1.0 - p) / all).max(0.0).sqrt();
        let residual = lost / all - p;
        let limit = if blank { BLANK } else { threshold };
        let shows = lost >= LEAST_LOSSES && residual - sigmas * error > limit;
        let warned = core::mem::replace(&mut self.warned, residual - error > WARNING);
        self.looks = self.looks << 1 | u8::from(shows);
        let enough =
            if quiet { self.looks.count_ones() >= QUIET_LOOKS } else { warned || p <= CLEAN };
        shows && enough
    }
}
