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

#[cfg(test)]
mod tests {
    use super::*;

    /// A round of 100 packets, judged by a p_w of `p`.
    fn look(judge: &mut Judge, lost: f64, p: f64) -> bool {
        let round = Round { delivered: 100.0 - lost, lost, ..Round::NONE };
        judge.on_round(&round, (p, 1.0), false, false, (0.02, 3.0))
    }

    /// By hand: of 100 packets at 1 % the error is sqrt(0.01 * 0.99 / 100) = 0.995 %, so that 6
    /// lost show no more than 5 - 2.985 = 2.015 %. The look before that needs more than 1 %
    /// of residual loss.
    #[test]
    fn losses_show_at_the_second_look_with_more_than_a_percent() {
        for (before, warned) in [(0.0, false), (1.0, false), (2.0, true)] {
            let mut judge = Judge::new();
            assert!(!look(&mut judge, before, 0.0));
            assert_eq!(look(&mut judge, 6.0, 0.01), warned, "{before}");
        }
        let mut judge = Judge::new();
        look(&mut judge, 2.0, 0.0);
        assert!(!look(&mut judge, 5.9, 0.01), "no more than the limit");
        // A path without losses of its own needs one look, and three losses.
        assert!(look(&mut Judge::new(), 3.0, 0.0) && look(&mut Judge::new(), 4.0, CLEAN));
        assert!(!look(&mut Judge::new(), 2.9, 0.0));
    }

    #[test]
    fn few_packets_wait_for_more() {
        let mut judge = Judge::new();
        let round = Round { delivered: 4.0, lost: 5.0, ..Round::NONE };
        let limits = (0.02, 3.0);
        assert!(!judge.on_round(&round, (0.0, 1.0), false, false, limits));
        assert!(!judge.on_round(&round, (0.0, 1.0), false, false, limits));
        let last = Round { delivered: 2.0, ..Round::NONE };
        assert!(judge.on_round(&last, (0.0, 1.0), false, false, limits), "20 of them");
        assert!(!judge.on_round(&round, (0.0, 1.0), false, false, limits), "judged once");
    }

    #[test]
    fn without_a_queue_half_of_eight_looks_have_to_show_it() {
        let mut judge = Judge::new();
        let round = Round { delivered: 90.0, lost: 10.0, ..Round::NONE };
        let quiet = |judge: &mut Judge, round: &Round| {
            judge.on_round(round, (0.0, 1.0), false, true, (0.02, 3.0))
        };
        let shows = |judge: &mut Judge| quiet(judge, &round);
        let clean = Round { delivered: 100.0, ..Round::NONE };
        assert!(!shows(&mut judge) && !shows(&mut judge) && !shows(&mut judge));
        for _ in 0..5 {
            assert!(!quiet(&mut judge, &clean));
        }
        // The first of the eight is forgotten.
        assert!(!shows(&mut judge) && !shows(&mut judge) && !shows(&mut judge));
        assert!(shows(&mut judge));
    }

    #[test]
    fn a_path_of_which_nothing_is_known_is_given_more() {
        for (lost, shows) in [(12.0, false), (13.0, true)] {
            let round = Round { delivered: 100.0 - lost, lost, ..Round::NONE };
            let found = Judge::new().on_round(&round, (0.0, 1.0), true, false, (0.02, 3.0));
            assert_eq!(found, shows, "{lost}");
        }
    }
}
