//! Bianchi's model of saturated stations.

use atl_core::time::Span;
use atl_core::units::Rate;

use super::phy::{AFTER_COLLISION, AIFS, SLOT, exchange, full, ppdu};
use super::{OTHERS, Wifi};

/// Results of Bianchi's chain of the backoff for n stations that always have something to send
/// ("Performance Analysis of the IEEE 802.11 Distributed Coordination Function", IEEE JSAC 18(3),
/// 2000).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bianchi {
    /// Probability that a station begins a transmission in a slot (tau, eq. 7).
    pub transmits: f64,
    /// Probability that a transmission meets another (p, eq. 9).
    pub collides: f64,
    /// Bits of packets that a station carries in a slot of the model, and how long one lasts.
    bits: f64,
    slot: Span,
}

/// The first window in slots, W, and how often it doubles, m: 15 and 1023 are the windows of best
/// effort (IEEE 802.11-2020, table 9-155).
pub(super) const WINDOW: u32 = 16;
pub(super) const DOUBLINGS: u32 = 6;

/// tau as a function of p (eq. 7).
fn transmits(p: f64, window: u32, doublings: u32) -> f64 {
    let (w, mut sum, mut term) = (f64::from(window), 0.0, 1.0);
    // (1 - (2p)^m) / (1 - 2p) is this sum, without the pole at p = 1/2.
    for _ in 0..doublings {
        sum += term;
        term *= 2.0 * p;
    }
    2.0 / (1.0 + w + p * w * sum)
}

/// tau and p of n stations: where eq. 7 and 9 meet, found by bisection, as tau falls with p in the
/// one and rises in the other.
pub(super) fn fixed_point(stations: u32, window: u32, doublings: u32) -> (f64, f64) {
    let others = f64::from(stations) - 1.0;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let p = f64::midpoint(low, high);
        let tau = transmits(p, window, doublings);
        match 1.0 - libm::pow(1.0 - tau, others) > p {
            true => low = p,
            false => high = p,
        }
    }
    (transmits(low, window, doublings), low)
}

impl Bianchi {
    pub(super) fn of(wifi: &Wifi) -> Bianchi {
        let (tau, p) = fixed_point(wifi.stations, WINDOW, DOUBLINGS);
        let (mpdus, octets) = full(wifi, OTHERS);
        let n = f64::from(wifi.stations);
        // Eq. 10 to 13: a slot is empty, carries one transmission, or several that collide.
        let some = 1.0 - libm::pow(1.0 - tau, n);
        let one = n * tau * libm::pow(1.0 - tau, n - 1.0);
        let on_air = ppdu(wifi, octets);
        let success = (exchange(on_air, mpdus as usize) + AIFS).secs();
        let collision = (on_air + AFTER_COLLISION + AIFS).secs();
        let slot = (1.0 - some) * SLOT.secs() + one * success + (some - one) * collision;
        let carried = f64::from(mpdus * OTHERS * 8) * (1.0 - wifi.errors.get());
        let slot = Span::from_secs_f64(slot);
        Bianchi { transmits: tau, collides: p, bits: one / n * carried, slot }
    }

    /// Goodput of each station: packets of 1500 bytes with their IP headers.
    pub fn goodput(&self) -> Rate {
        Rate::from_bps(self.bits / self.slot.secs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wifi::WifiStandard;

    fn near(found: f64, expected: f64) {
        // Times are whole nanoseconds.
        assert!((found / expected - 1.0).abs() < 1e-6, "{found} {expected}");
    }

    #[test]
    fn the_chain_has_the_values_of_its_equations() {
        // Without doubling tau is 2 / (W + 1) (eq. 8), and two stations collide with that.
        let (tau, p) = fixed_point(2, 31, 0);
        near(tau, 1.0 / 16.0);
        near(p, 1.0 / 16.0);
        // A station alone never collides.
        let (tau, p) = fixed_point(1, 32, 5);
        near(tau, 2.0 / 33.0);
        assert!(p < 1e-9, "{p}");
        // Eq. 7 at p = 1/2 with W = 32 and m = 5: 2 / (1 + 32 + 16 * 5).
        near(transmits(0.5, 32, 5), 2.0 / 113.0);
        // With that tau p is 1/2 for 1 + ln 2 / -ln(1 - 2/113) = 39.8 stations.
        assert!(fixed_point(39, 32, 5).1 < 0.5 && fixed_point(40, 32, 5).1 > 0.5);
        for n in [2, 5, 20, 100] {
            let (tau, p) = fixed_point(n, WINDOW, DOUBLINGS);
            near(1.0 - libm::pow(1.0 - tau, f64::from(n) - 1.0), p);
        }
    }

    /// A station alone: the mean of the first window, 7.5 slots, between exchanges.
    #[test]
    fn alone_its_goodput_is_that_of_the_cycle() {
        let n = Wifi::new(Rate::from_mbps(65.0), WifiStandard::N);
        // 28 subframes: 345 878 bits at 260 a symbol, 1331 symbols of 4 us, and the preamble.
        let on_air = 36.0 + 1331.0 * 4.0;
        let cycle = on_air + 16.0 + 32.0 + 43.0 + 7.5 * 9.0;
        near(n.mean_rate().mbps(), 28.0 * 12_000.0 / cycle);
    }
}
