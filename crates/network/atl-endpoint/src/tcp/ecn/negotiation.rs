//! Negotiation of the feedback on marks: three flags of the SYN and of its answer (RFC 3168, sec.
//! 6.1.1; RFC 9768, sec. 3.1).

use atl_link::Ecn;

use super::EcnMode;

/// AE, CWR and ECE, as in the header.
const AE: u8 = 0b100;
const CWR: u8 = 0b010;
const ECE: u8 = 0b001;

impl EcnMode {
    /// The mode of a connection whose ends support these: the lesser of both (RFC 9768, sec.
    /// 3.1.2).
    #[must_use]
    pub const fn agreed(self, peer: EcnMode) -> EcnMode {
        match (self, peer) {
            (EcnMode::Off, _) | (_, EcnMode::Off) => EcnMode::Off,
            (EcnMode::Accurate, EcnMode::Accurate) => EcnMode::Accurate,
            _ => EcnMode::Classic,
        }
    }

    /// The flags of the SYN of a client that supports this (RFC 9768, sec. 3.1.1; RFC 3168, sec.
    /// 6.1.1).
    pub(in crate::tcp) const fn syn(self) -> u8 {
        match self {
            EcnMode::Off => 0,
            EcnMode::Classic => CWR | ECE,
            EcnMode::Accurate => AE | CWR | ECE,
        }
    }

    /// The mode, and the flags of its answer, of a server that supports this: it got a SYN with
    /// these flags and this ECN field (RFC 9768, table 2). Flags that mean nothing yet ask for
    /// accurate feedback (sec. 3.1.3).
    pub(in crate::tcp) const fn answer(self, syn: u8, ecn: Ecn) -> (EcnMode, u8) {
        const CLASSIC: u8 = EcnMode::Classic.syn();
        const ACCURATE: u8 = EcnMode::Accurate.syn();
        match (self, syn) {
            (EcnMode::Off, _) | (_, 0) => (EcnMode::Off, 0),
            // A server of RFC 3168 does not know the third flag.
            (_, CLASSIC) | (EcnMode::Classic, ACCURATE) => (EcnMode::Classic, ECE),
            (EcnMode::Accurate, _) => (EcnMode::Accurate, seen(ecn)),
            (EcnMode::Classic, _) => (EcnMode::Off, 0),
        }
    }

    /// The mode of a client that supports this, once the answer to its SYN has these flags (RFC
    /// 9768, table 2). An answer that repeats the SYN's flags comes from a server that copies what
    /// it does not know: no ECN. AE with ECE means nothing yet: accurate (sec. 3.1.3).
    pub(in crate::tcp) const fn concluded(self, answer: u8) -> EcnMode {
        match (self, answer) {
            (EcnMode::Accurate, 0b010..=0b110) => EcnMode::Accurate,
            (EcnMode::Accurate, 0b001) | (EcnMode::Classic, 0b001 | 0b101) => EcnMode::Classic,
            _ => EcnMode::Off,
        }
    }
}

/// The ECN field of the SYN, as its answer tells it (RFC 9768, table 2 and 3).
const fn seen(ecn: Ecn) -> u8 {
    match ecn {
        Ecn::NotEct => 0b010,
        Ecn::Ect1 => 0b011,
        Ecn::Ect0 => 0b100,
        Ecn::Ce => 0b110,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFF: EcnMode = EcnMode::Off;
    const CLASSIC: EcnMode = EcnMode::Classic;
    const ACCURATE: EcnMode = EcnMode::Accurate;

    /// rfc9768 3.1.1: The client asks with AE, CWR and ECE in its SYN, and the server answers with
    /// the ECN field that it saw there.
    /// rfc9768 3.1.2: Where one end knows RFC 3168 alone, or nothing of ECN, both use that.
    #[test]
    fn both_ends_come_to_the_lesser_mode() {
        for client in EcnMode::ALL {
            for server in EcnMode::ALL {
                for ecn in [Ecn::NotEct, Ecn::Ect1, Ecn::Ect0, Ecn::Ce] {
                    let (theirs, answer) = server.answer(client.syn(), ecn);
                    let agreed = client.agreed(server);
                    assert_eq!((theirs, client.concluded(answer)), (agreed, agreed));
                }
            }
        }
        assert_eq!(ACCURATE.answer(ACCURATE.syn(), Ecn::NotEct), (ACCURATE, 0b010));
        assert_eq!(ACCURATE.answer(ACCURATE.syn(), Ecn::Ce), (ACCURATE, 0b110));
        assert_eq!(ACCURATE.answer(CLASSIC.syn(), Ecn::NotEct), (CLASSIC, ECE));
        assert_eq!(CLASSIC.answer(ACCURATE.syn(), Ecn::NotEct), (CLASSIC, ECE));
    }

    /// rfc9768 3.1.2: An answer that merely repeats the SYN's flags, or has none, is no ECN; one
    /// with ECE alone is RFC 3168.
    /// rfc9768 3.1.3: Both ends take combinations of the flags that mean nothing yet for accurate
    /// feedback.
    #[test]
    fn any_combination_has_a_meaning() {
        let of =
            |client: EcnMode| (0..8).map(|answer| client.concluded(answer)).collect::<Vec<_>>();
        assert_eq!(
            of(ACCURATE),
            [OFF, CLASSIC, ACCURATE, ACCURATE, ACCURATE, ACCURATE, ACCURATE, OFF]
        );
        assert_eq!(of(CLASSIC), [OFF, CLASSIC, OFF, OFF, OFF, CLASSIC, OFF, OFF]);
        assert_eq!(of(OFF), [OFF; 8]);
        for syn in [0b001, 0b010, 0b100, 0b101, 0b110] {
            assert_eq!(ACCURATE.answer(syn, Ecn::NotEct), (ACCURATE, 0b010));
            assert_eq!(CLASSIC.answer(syn, Ecn::NotEct), (OFF, 0));
        }
    }
}
