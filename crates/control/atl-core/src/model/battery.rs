//! Charge that a probe takes out of a mobile host's battery.
//!
//! Source: Taleb et al., sec. IV-D, eq. 3 to 6. A card draws one current while it receives and
//! another while it transmits, and a probe costs the time of its packets in the air.
//!
//! As published, 100 dummies of TCP cost 0.67 mA min and half a second of RTP at 10 Mb/s 150 mA
//! min. The first comes from taking the currents the wrong way round: it is 0.42 mA min. The second
//! has the wrong unit: it is below 2.5 mA min (docs/errata.md).

use crate::time::Span;

const MILLIAMPERES: f64 = 1e3;
const SECONDS_PER_MINUTE: f64 = 60.0;

/// The currents that a network card draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Card {
    /// Current while it receives, in amperes (I_r).
    pub receiving_amperes: f64,
    /// Current while it transmits, in amperes (I_t).
    pub transmitting_amperes: f64,
}

impl Card {
    /// The paper's card, Cisco's CardBus adapter under 802.11b, at its highest currents.
    pub const PAPER: Card = Card { receiving_amperes: 0.327, transmitting_amperes: 0.539 };

    /// The same card with its currents the wrong way round, as the handoff paper's eq. 5 has them.
    pub const PAPER_SWAPPED: Card = Card { receiving_amperes: 0.539, transmitting_amperes: 0.327 };

    /// Charge of `dummies` dummies, each received and each answered, in ampere seconds (handoff
    /// paper, eq. 4). `answering` is zero where dummies are not answered, as with RTP (eq. 6).
    ///
    /// `None` if a current is negative or not finite.
    pub fn charge(self, dummies: u64, receiving: Span, answering: Span) -> Option<f64> {
        let is_current = |amperes: f64| amperes.is_finite() && amperes >= 0.0;
        let Card { receiving_amperes, transmitting_amperes } = self;
        (is_current(receiving_amperes) && is_current(transmitting_amperes)).then(|| {
            let each =
                receiving_amperes * receiving.secs() + transmitting_amperes * answering.secs();
            dummies as f64 * each
        })
    }
}

/// Ampere seconds in the paper's unit, milliampere minutes.
pub fn milliampere_minutes(ampere_seconds: f64) -> f64 {
    ampere_seconds * MILLIAMPERES / SECONDS_PER_MINUTE
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1000 bytes and an ACK of 32 bytes at 11 Mb/s: the paper's 727 and 23 us.
    const DUMMY: Span = Span::from_micros(727);
    const ACK: Span = Span::from_micros(23);

    fn cost(card: Card, dummies: u64, receiving: Span, answering: Span) -> f64 {
        milliampere_minutes(card.charge(dummies, receiving, answering).unwrap())
    }

    #[test]
    fn a_dummy_of_tcp_costs_what_the_equation_says() {
        // 327 mA * 727 us + 539 mA * 23 us = 250.126 mA ms, over 60 s.
        assert!((cost(Card::PAPER, 1, DUMMY, ACK) - 0.004_168_77).abs() < 1e-8);
        assert!((cost(Card::PAPER, 100, DUMMY, ACK) - 0.416_877).abs() < 1e-6);
    }

    #[test]
    fn the_published_figure_takes_the_currents_the_wrong_way_round() {
        // 539 mA * 727 us + 327 mA * 23 us = 399.374 mA ms: the paper's "< 0.0067".
        let published = cost(Card::PAPER_SWAPPED, 1, DUMMY, ACK);
        assert!((published - 0.006_656_23).abs() < 1e-8);
        assert!(published < 0.0067);
        assert!(cost(Card::PAPER, 1, DUMMY, ACK) < 0.63 * published);
    }

    #[test]
    fn half_a_second_of_dummies_of_rtp_costs_less_than_three_milliampere_minutes() {
        // 1250 packets of 500 bytes at 11 Mb/s, 363.636 us each: 454.5 ms at 327 mA.
        let air = Span::from_nanos(363_636);
        let corrected = cost(Card::PAPER, 1250, air, Span::ZERO);
        assert!((corrected - 2.477).abs() < 1e-3, "{corrected}");
        // The paper's 150 are milliampere seconds.
        assert!((corrected * 60.0 - 148.6).abs() < 0.1);
    }

    #[test]
    fn nothing_costs_nothing_and_a_card_has_currents() {
        assert!(cost(Card::PAPER, 0, DUMMY, ACK).abs() < 1e-300);
        let broken = Card { receiving_amperes: f64::NAN, ..Card::PAPER };
        assert_eq!(broken.charge(1, DUMMY, ACK), None);
        let broken = Card { transmitting_amperes: -1.0, ..Card::PAPER };
        assert_eq!(broken.charge(1, DUMMY, ACK), None);
    }
}
