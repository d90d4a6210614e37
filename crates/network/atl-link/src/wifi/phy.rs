//! Times on the air: slots, spaces between frames, preambles, frames.

use atl_core::time::Span;

use super::{MICRO, Wifi, WifiStandard};

/// A slot of the OFDM PHYs at 5 GHz (IEEE 802.11-2020, table 17-21).
pub(super) const SLOT: Span = Span::from_micros(9);
/// Space before an acknowledgment (the same).
pub(super) const SIFS: Span = Span::from_micros(16);
/// Space before contention for best effort: SIFS and three slots (table 9-155).
pub(super) const AIFS: Span = Span::from_micros(43);
/// Time that a collision adds: a station that could not read a frame waits as long as for an
/// acknowledgment at 6 Mb/s (EIFS, 10.3.2.3.7), and one that sent it for about as long.
pub(super) const AFTER_COLLISION: Span = Span::from_micros(60);
/// Longest PPDU (aPPDUMaxTime).
pub(super) const LONGEST: Span = Span::from_micros(5_484);
/// An acknowledgment, and one of a block, at 24 Mb/s: 20 us of preamble and 12 us for 16 + 8 * 32 +
/// 6 bits, 8 us for 16 + 8 * 14 + 6, at 96 bits in 4 us.
pub(super) const ACK: Span = Span::from_micros(28);
pub(super) const BLOCK_ACK: Span = Span::from_micros(32);

/// Octets around an IP packet: LLC and SNAP (8), the header of a QoS data frame (26), the check
/// sequence (4).
const AROUND: u32 = 38;
/// Octets ahead of an MPDU in an aggregate, which begins at a multiple of four.
const DELIMITER: u32 = 4;
/// Bits of SERVICE and tail.
const BITS_AROUND: f64 = 22.0;

/// Octets that a packet takes in an aggregate.
pub(super) fn subframe(packet_bytes: u32) -> u32 {
    DELIMITER + (packet_bytes + AROUND).next_multiple_of(4)
}

/// Preamble in microseconds: legacy (20), signal and training fields of the standard.
const fn preamble(standard: WifiStandard) -> u64 {
    match standard {
        WifiStandard::N => 36,
        WifiStandard::Ac => 40,
        WifiStandard::Ax => 44,
    }
}

/// A symbol with its guard interval, in seconds.
const fn symbol(standard: WifiStandard) -> f64 {
    match standard {
        WifiStandard::N | WifiStandard::Ac => 4e-6,
        WifiStandard::Ax => 13.6e-6,
    }
}

/// Time on the air of an aggregate of this many octets.
pub(super) fn ppdu(wifi: &Wifi, octets: u32) -> Span {
    let (symbol, bits) = (symbol(wifi.standard), 8.0 * f64::from(octets) + BITS_AROUND);
    // Rates are often rounded: a thousandth of a symbol more does not begin another.
    let symbols = libm::ceil(bits / (wifi.rate.bps() * symbol) - 1e-3);
    MICRO * preamble(wifi.standard) + Span::from_secs_f64(symbols * symbol)
}

/// Time for an aggregate and its acknowledgment.
pub(super) fn exchange(ppdu: Span, mpdus: usize) -> Span {
    ppdu + SIFS + if mpdus == 1 { ACK } else { BLOCK_ACK }
}

/// MPDUs and octets of a full aggregate of packets of this length in bytes.
pub(super) fn full(wifi: &Wifi, packet_bytes: u32) -> (u32, u32) {
    let each = subframe(packet_bytes);
    let mut mpdus = 1;
    while mpdus < wifi.aggregate && fits(wifi, each * (mpdus + 1)) {
        mpdus += 1;
    }
    (mpdus, each * mpdus)
}

/// True if an aggregate of this many octets is neither too long nor takes too long.
pub(super) fn fits(wifi: &Wifi, octets: u32) -> bool {
    octets <= wifi.octets && ppdu(wifi, octets) <= LONGEST
}

#[cfg(test)]
mod tests {
    use super::*;
    use atl_core::units::Rate;

    #[test]
    fn frames_take_what_the_standard_says() {
        // 1500 bytes: 1538 with LLC, header and check sequence, 1540 at a multiple of four.
        assert_eq!(subframe(1500), 1544);
        // 802.11n, MCS 7, 20 MHz: 260 bits a symbol. 12 374 bits are 47.6 symbols: 48 of 4 us.
        let n = Wifi::new(Rate::from_mbps(65.0), WifiStandard::N);
        assert_eq!(ppdu(&n, 1544), Span::from_micros(36 + 192));
        // 5.448 ms are 1362 symbols, 354 120 bits: 28 subframes of 12 352 and no more.
        assert_eq!(full(&n, 1500), (28, 28 * 1544));
        // At 600.5 Mb/s the octets are the limit: 65 535 / 1544 = 42.4.
        let ax = Wifi::new(Rate::from_mbps(600.5), WifiStandard::Ax);
        assert_eq!(full(&ax, 1500), (42, 42 * 1544));
        // 518 806 bits at 8166.8 a symbol: 63.5, so 64 symbols of 13.6 us.
        assert_eq!(ppdu(&ax, 42 * 1544), Span::from_nanos(44_000 + 64 * 13_600));
        // A frame that the limits exclude goes alone.
        let slow = Wifi { octets: 1000, ..n };
        assert_eq!(full(&slow, 1500).0, 1);
    }
}
