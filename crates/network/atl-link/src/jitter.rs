//! Delays that vary from packet to packet, and the order in which packets then arrive.

use core::ops::RangeInclusive;

use atl_core::time::Span;
use atl_core::units::Probability;

use crate::random::Stream;

/// A random part of the delay, drawn for each packet. A delay never gets below zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jitter {
    /// Size of the variation, as `shape` defines it.
    pub spread: Span,
    /// Distribution of the variation.
    pub shape: JitterShape,
    /// Packets arrive in the order in which they were sent, as over any single radio link or
    /// queue: one with a short delay waits for those ahead of it. Without, each packet comes when
    /// its own delay is over, as in Linux's netem without a rate (`sch_netem.c`), and overtakes.
    pub in_order: bool,
}

/// The distribution of a jitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum JitterShape {
    /// Even from `spread` below the delay to `spread` above it, netem's default.
    #[default]
    Uniform,
    /// Normal about the delay, with a standard deviation of `spread`.
    Normal,
    /// Exponential on top of the delay, with a mean of `spread`: a lower bound, and a tail.
    Exponential,
    /// A busy Wi-Fi channel, on top of the delay: picoquic's empirical model
    /// (`picoquictest_sim_link_wifi_jitter`, `picoquic/sim_link.c`, MIT). Each packet waits for N1
    /// slots of 1 ms, N1 Poisson with mean 1. With a probability of (`spread` - 1 ms) / 84 ms it
    /// waits for N2 more of 7.5 ms, N2 Poisson with mean 12. The last slot of either kind is cut
    /// at random. The mean is .68 ms, and where `spread` is above 1 ms 1.03 (`spread` - 1 ms) more.
    Wifi,
    /// Retransmissions below IP on a cellular link, on top of the delay: one block in ten is sent
    /// again `spread` later (the usual target of HARQ; its round trip is 8 ms in LTE), up to three
    /// times; a block that is still lost waits for RLC, five times `spread`. In order, those behind
    /// it wait too, as RLC in acknowledged mode has it (3GPP TS 36.321, 36.322).
    Harq,
}

/// Spreads of [`JitterShape::Wifi`]: from a calm channel to one on which every packet meets a bad
/// moment. One outside would be that of the nearer end.
pub const WIFI_SPREADS: RangeInclusive<Span> = Span::from_millis(1)..=Span::from_millis(85);

/// Deliberate reordering: some packets come late, and those behind overtake them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reorder {
    /// Share of packets that come late, drawn for each.
    pub share: Probability,
    /// Time by which they come late. At a rate of r packets a second, r times this overtake.
    pub by: Span,
}

impl Jitter {
    /// Mean of what it adds to a delay that is long against it; in order, packets that wait for
    /// others have more.
    pub fn mean(&self) -> Span {
        let [short, long] = SLOTS;
        match self.shape {
            JitterShape::Uniform | JitterShape::Normal => Span::ZERO,
            JitterShape::Exponential => self.spread,
            JitterShape::Harq => {
                let times = BLOCK_ERRORS.iter().sum::<f64>() + RLC * BLOCK_ERRORS[3];
                Span::from_secs_f64(self.spread.secs() * (times - BLOCK_ERRORS[3]))
            }
            // The last slot of each kind is cut in half on average, if there is one: 1 - e^-1 of
            // all packets have a short one, and nearly all bad moments more than one long.
            JitterShape::Wifi => {
                let bad = ((self.spread.secs() - short) / BAD_SPREAD).clamp(0.0, 1.0);
                let contention = short * (1.0 - 0.5 * (1.0 - libm::exp(-1.0)));
                Span::from_secs_f64(contention + bad * long * 11.5)
            }
        }
    }

    /// The delay of one packet, with two draws, and three more for Wi-Fi, whatever the spread.
    pub(crate) fn draw(&self, delay: Span, stream: &mut Stream) -> Span {
        let (one, two) = (stream.uniform(), stream.uniform());
        let spread = self.spread.secs();
        let more = match self.shape {
            JitterShape::Uniform => spread * (2.0 * one - 1.0),
            // Box and Muller (1958).
            JitterShape::Normal => {
                let radius = libm::sqrt(-2.0 * libm::log(1.0 - one));
                spread * radius * libm::cos(core::f64::consts::TAU * two)
            }
            JitterShape::Exponential => -spread * libm::log(1.0 - one),
            JitterShape::Wifi => wifi(spread, [one, two], stream),
            JitterShape::Harq => spread * harq(one),
        };
        Span::from_secs_f64((delay.secs() + more).max(0.0))
    }
}

/// Probabilities that a block is wrong after one transmission, two, three and four.
const BLOCK_ERRORS: [f64; 4] = [0.1, 0.01, 0.001, 0.000_1];
/// The time of RLC's repair, in round trips of HARQ: 40 ms in LTE, a usual timer of status reports.
const RLC: f64 = 5.0;

/// The wait for retransmissions, in round trips of HARQ.
fn harq(uniform: f64) -> f64 {
    let [once, twice, thrice, four_times] = BLOCK_ERRORS;
    match uniform {
        u if u >= once => 0.0,
        u if u >= twice => 1.0,
        u if u >= thrice => 2.0,
        u if u >= four_times => 3.0,
        _ => 3.0 + RLC,
    }
}

/// Slots of a Wi-Fi channel in seconds: a short contention, and a bad moment of the channel.
const SLOTS: [f64; 2] = [0.001, 0.007_5];

/// The spread in seconds beyond the first slot at which all packets meet bad moments.
const BAD_SPREAD: f64 = 0.084;

/// A Wi-Fi channel's delay in seconds.
fn wifi(spread: f64, [one, two]: [f64; 2], stream: &mut Stream) -> f64 {
    let [short, long] = SLOTS;
    let (bad, slots, cut) = (stream.uniform(), stream.uniform(), stream.uniform());
    let contention = match poisson(1.0, one) {
        0 => 0.0,
        n => short * (f64::from(n) - two),
    };
    if bad >= (spread - short) / BAD_SPREAD {
        return contention;
    }
    // As in the model: a single long slot is not cut.
    contention
        + match poisson(12.0, slots) {
            n @ 0..=1 => long * f64::from(n),
            n => long * (f64::from(n) - cut),
        }
}

/// A Poisson number with this mean, by inversion of a number uniform in [0, 1).
fn poisson(mean: f64, uniform: f64) -> u32 {
    let (mut n, mut term) = (0_u32, libm::exp(-mean));
    let mut sum = term;
    // By rounding the sum may end below the number, where terms no longer change it.
    while uniform >= sum && term > 1e-17 {
        n += 1;
        term *= mean / f64::from(n);
        sum += term;
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poisson_numbers_invert_the_distribution() {
        // e^-1 = .3679, 2 e^-1 = .7358, 2.5 e^-1 = .9197.
        let at = [0.0, 0.367, 0.368, 0.735, 0.736, 0.919, 0.920].map(|u| poisson(1.0, u));
        assert_eq!(at, [0, 0, 1, 1, 2, 2, 3]);
        assert!(poisson(12.0, 1.0 - f64::EPSILON / 2.0) < 60);
        let mean = (0..10_000).map(|i| f64::from(poisson(12.0, f64::from(i) / 1e4))).sum::<f64>();
        assert!((mean / 1e4 - 12.0).abs() < 0.01, "{mean}");
    }
}
