//! The packets that a rate under AIMD sends from one loss to the next: the process whose mean eq.
//! 10 should be.
//!
//! Source: ATL paper, appendix, eq. 21 to 26. The rate is `beta S + k alpha` in the k-th round-trip
//! time of a cycle; a packet is lost; one more round-trip time passes; the rate is throttled.
//!
//! Left open by the source: the place within a round-trip time at which the packet is lost.
//! [`Reading`] has the possible meanings.
//!
//! There is no randomness here: the caller draws the number of packets until a loss.

use super::{Aimd, is_beta, positive};
use crate::time::Span;
use crate::units::Probability;

/// A reading of the appendix's loss cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Literal: eq. 24 and 26 of the ATL paper hold in each cycle, whatever n is, so that N is no
    /// whole number. The rate of this sender grows all the time, alpha per round-trip time, and is
    /// `beta S + k alpha` on average over the k-th one. The forms of eq. 10 are measured against
    /// this reading.
    Appendix,
    /// In whole rounds: the round of the lost packet runs to its end, and another one follows.
    WholeRounds,
    /// Like a real sender: the packet is lost anywhere in a round, and the rate falls one
    /// round-trip time later.
    Anywhere,
}

impl Reading {
    /// All readings, the literal one first.
    pub const ALL: [Reading; 3] = [Reading::Appendix, Reading::WholeRounds, Reading::Anywhere];
}

/// The packets and the time from one loss to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossCycle {
    /// Packets sent in it (the paper's X).
    pub packets: f64,
    /// Its duration in seconds (the paper's D).
    pub seconds: f64,
}

/// A sender that goes from loss cycle to loss cycle.
#[derive(Clone, Debug)]
pub struct LossCycles {
    reading: Reading,
    beta: f64,
    /// R, the round-trip time, in seconds.
    rtt: f64,
    /// alpha as packets in a round-trip time: alpha R.
    step: f64,
    /// S / alpha, ahead of the throttle that begins the next cycle.
    rate: f64,
}

/// Packets over alpha R that `rounds` round-trip times carry, the first one at `base` alpha
/// (ATL paper, eq. 24).
fn carried(base: f64, rounds: f64) -> f64 {
    rounds * (base + 0.5 * (rounds - 1.0))
}

/// Round-trip times that carry `packets` packets over alpha R: the inverse of [`carried`].
fn rounds_for(base: f64, packets: f64) -> f64 {
    let twice_first = 2.0 * base - 1.0;
    let root = (twice_first * twice_first + 8.0 * packets).sqrt();
    if twice_first > 0.0 {
        // The same without cancellation.
        4.0 * packets / (root + twice_first)
    } else {
        0.5 * (root - twice_first)
    }
}

/// Whole rounds before the one that sends the last of `packets` packets over alpha R.
fn whole_rounds_before(base: f64, packets: f64) -> f64 {
    let mut rounds = rounds_for(base, packets).floor();
    // Rounding may be off by one, at either side.
    if rounds > 0.0 && carried(base, rounds) >= packets {
        rounds -= 1.0;
    } else if carried(base, rounds + 1.0) < packets {
        rounds += 1.0;
    }
    rounds
}

impl LossCycles {
    /// A sender with these parameters, alpha in packets per second per round-trip time, that starts
    /// near the rate it would have with a loss in each round.
    ///
    /// `None` for parameters out of range and R = 0, and of [`Reading::Appendix`] for beta of 1/3
    /// or less, where the ATL paper's eq. 24 may begin with a negative rate.
    pub fn new(reading: Reading, aimd: Aimd, rtt: Span) -> Option<Self> {
        let Aimd { alpha, beta } = aimd;
        let step = positive(positive(alpha)? * rtt.secs())?;
        let least = if reading == Reading::Appendix { 1.0 / 3.0 } else { 0.0 };
        let fine = is_beta(beta) && beta > least;
        fine.then(|| LossCycles { reading, beta, rtt: rtt.secs(), step, rate: 1.0 / (1.0 - beta) })
    }

    /// The next cycle, in which the `packets`-th packet is the one that is lost (the paper's n,
    /// positive).
    pub fn next(&mut self, packets: f64) -> LossCycle {
        let n = packets / self.step;
        let base = self.beta * self.rate;
        let (sent, rounds, rate) = match self.reading {
            Reading::Appendix => {
                // N - 1 rounds until the loss, and the last one (ATL paper, eq. 26).
                let before = rounds_for(base, n);
                (n + base + before, before + 1.0, base + before + 1.0)
            }
            Reading::WholeRounds => {
                let rounds = whole_rounds_before(base, n) + 2.0;
                (carried(base, rounds), rounds, base + rounds)
            }
            Reading::Anywhere => {
                let before = whole_rounds_before(base, n);
                let here = base + before;
                let sent = carried(base, before);
                let part = ((n - sent) / here).clamp(0.0, 1.0);
                (sent + here + part * (here + 1.0), before + 1.0 + part, here + 1.0)
            }
        };
        self.rate = rate;
        LossCycle { packets: sent * self.step, seconds: rounds * self.rtt }
    }

    /// Throughput in packets per second over `cycles` loss cycles at loss `p`, with as many before
    /// that do not count, up to 1000. `uniform` gives numbers from 0 up to, not including, 1,
    /// evenly distributed and independent.
    ///
    /// The number of packets until a loss has the geometric distribution of the ATL paper's eq. 27.
    /// `None` at p = 0, at one so small that its packets are beyond an `f64`, and without a cycle.
    pub fn throughput(
        mut self,
        p: Probability,
        cycles: u32,
        mut uniform: impl FnMut() -> f64,
    ) -> Option<f64> {
        let passes = libm::log1p(-p.get());
        let mut draw = || (libm::log1p(-uniform()) / passes).ceil().max(1.0);
        positive(p.get())?;
        for _ in 0..cycles.min(1000) {
            self.next(draw());
        }
        let (mut packets, mut seconds) = (0.0, 0.0);
        for _ in 0..cycles {
            let cycle = self.next(draw());
            packets += cycle.packets;
            seconds += cycle.seconds;
        }
        positive(packets / seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RTT: Span = Span::from_millis(100);

    fn cycles(reading: Reading, beta: f64) -> LossCycles {
        // alpha R = 2 packets.
        LossCycles::new(reading, Aimd { alpha: 20.0, beta }, RTT).expect("in range")
    }

    #[track_caller]
    fn is(cycle: LossCycle, packets: f64, rounds: f64) {
        assert!((cycle.packets - packets).abs() < 1e-9, "{cycle:?}");
        assert!((cycle.seconds - rounds * 0.1).abs() < 1e-9, "{cycle:?}");
    }

    /// S = 2 alpha, so the cycle begins at alpha: rounds of 2, 4, 6, 8 packets.
    #[test]
    fn where_a_round_ends_with_the_loss_the_readings_agree_on_what_was_sent() {
        // The 12th packet ends the third round; the fourth has 8.
        is(cycles(Reading::Appendix, 0.5).next(12.0), 20.0, 4.0);
        is(cycles(Reading::WholeRounds, 0.5).next(12.0), 20.0, 4.0);
        is(cycles(Reading::Anywhere, 0.5).next(12.0), 20.0, 4.0);
    }

    #[test]
    fn a_loss_within_a_round_is_answered_as_each_reading_has_it() {
        // The 9th packet is the middle of the third round.
        is(cycles(Reading::WholeRounds, 0.5).next(9.0), 20.0, 4.0);
        is(cycles(Reading::Anywhere, 0.5).next(9.0), 6.0 + 6.0 + 4.0, 3.5);
        // m (m + 1) = 9 with m = 2.541381: 9 packets, then 2 (1 + m).
        is(
            cycles(Reading::Appendix, 0.5).next(9.0),
            9.0 + 2.0 * 3.541_381_265_149_11,
            3.541_381_265_149_11,
        );
    }

    #[test]
    fn the_next_cycle_begins_at_beta_times_the_rate_that_was_next() {
        for reading in [Reading::Appendix, Reading::WholeRounds] {
            let mut cycles = cycles(reading, 0.5);
            cycles.next(12.0);
            // S' = 5 alpha after four rounds: the cycle begins at 2.5 alpha, whose first round has
            // 5 packets.
            is(cycles.next(5.0), 12.0, 2.0);
        }
        // Throttled within the fourth round, whose rate is 4 alpha: it begins at 2 alpha, with a
        // round of 4.
        let mut cycles = cycles(Reading::Anywhere, 0.5);
        cycles.next(9.0);
        is(cycles.next(4.0), 10.0, 2.0);
    }

    /// In every round a loss: each cycle is two rounds where rounds are whole, and one where the
    /// first packet is the lost one.
    #[test]
    fn the_readings_have_their_limits_where_every_packet_is_lost() {
        let all = Probability::ONE;
        let at = |reading, beta: f64| {
            // With alpha R = 10^9 a single packet does not matter.
            let fast = Aimd { alpha: 1e10, beta };
            let cycles = LossCycles::new(reading, fast, RTT).expect("in range");
            cycles.throughput(all, 100, || 0.5).expect("a rate") / 1e10
        };
        for beta in [0.5, 0.75, 0.85] {
            let rest = 1.0 - beta;
            // S = alpha / (1 - beta), of which a share beta is the rate of the only round.
            assert!((at(Reading::Appendix, beta) - beta / rest).abs() < 1e-6);
            assert!((at(Reading::Anywhere, beta) - beta / rest).abs() < 1e-6);
            assert!((at(Reading::WholeRounds, beta) - (2.0 * beta / rest + 0.5)).abs() < 1e-6);
        }
    }

    #[test]
    fn what_is_out_of_range_has_no_cycles() {
        let new = |reading, alpha, beta, rtt| {
            LossCycles::new(reading, Aimd { alpha, beta }, rtt).is_some()
        };
        assert!(!new(Reading::Appendix, 1.0, 1.0 / 3.0, RTT));
        assert!(!new(Reading::Appendix, 1.0, 0.3, RTT) && new(Reading::Anywhere, 1.0, 0.3, RTT));
        for reading in Reading::ALL {
            assert!(!new(reading, 0.0, 0.5, RTT) && !new(reading, f64::NAN, 0.5, RTT));
            assert!(!new(reading, 1.0, 1.0, RTT) && !new(reading, 1.0, 0.5, Span::ZERO));
            let cycles = cycles(reading, 0.5);
            assert_eq!(cycles.clone().throughput(Probability::ZERO, 10, || 0.5), None);
            assert_eq!(cycles.throughput(Probability::ONE, 0, || 0.5), None);
        }
    }

    /// A draw of 0 is a loss at once. As many cycles as count come before those that do.
    #[test]
    fn a_cycle_has_a_packet_at_least_and_the_first_cycles_do_not_count() {
        for reading in Reading::ALL {
            let mut by_hand = cycles(reading, 0.5);
            (0..2).for_each(|_| _ = by_hand.next(1.0));
            let counted = [by_hand.next(1.0), by_hand.next(1.0)];
            let packets = counted[0].packets + counted[1].packets;
            let expected = packets / (counted[0].seconds + counted[1].seconds);
            let found = cycles(reading, 0.5).throughput(Probability::clamped(0.1), 2, || 0.0);
            let found = found.expect("a rate");
            assert!((found / expected - 1.0).abs() < 1e-12, "{reading:?}: {found}, not {expected}");
        }
    }

    /// One packet at a rate of 10^9 in a round trip takes 10^-9 of it.
    #[test]
    fn a_packet_of_many_is_a_part_of_a_round() {
        let rounds = rounds_for(1e9, 1.0);
        assert!((rounds / 1e-9 - 1.0).abs() < 1e-8, "{rounds}");
        assert!((rounds_for(0.25, 1.0) - 0.5 * (0.5 + 8.25f64.sqrt())).abs() < 1e-12);
    }

    #[test]
    fn the_far_ends_stay_finite() {
        for reading in Reading::ALL {
            for (alpha, p) in [(1e-9, 1e-250), (1e9, 1e-250), (1e-9, 1.0), (1e12, 1.0)] {
                let cycles =
                    LossCycles::new(reading, Aimd { alpha, beta: 0.5 }, RTT).expect("fine");
                let p = Probability::new(p).expect("one");
                for uniform in [0.0, 0.5, 1.0 - f64::EPSILON] {
                    let t = cycles.clone().throughput(p, 5, || uniform);
                    assert!(
                        t.is_some_and(|t| t > 0.0 && t.is_finite()),
                        "{reading:?} {alpha} {p:?}"
                    );
                }
            }
        }
    }
}
