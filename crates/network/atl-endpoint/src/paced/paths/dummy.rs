//! The numbers of dummies: which probe of which path a low-priority packet belongs to.

/// A number that belongs to a handoff. A controller's own probes are numbered below.
const HANDOFF: u64 = 1 << 31;
/// The receiver answers this one at once.
const CHALLENGE: u64 = 1 << 30;
/// Place and size of the probe's number.
const PROBE: (u32, u64) = (24, 63);
/// Bits of the number within the probe.
const INDEX: u64 = (1 << 24) - 1;

/// A dummy of a handoff. Its number fits into 32 bits beside those of a controller's probes, so
/// that both travel as the same kind of packet: bit 31 marks it, bit 30 asks for an answer, six
/// bits name the probe and 24 the dummy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::paced) struct Dummy {
    /// The probe, from 0 to 63.
    pub probe: u8,
    /// It validates the path and is not counted.
    pub challenge: bool,
    /// Its number in the probe, or of a challenge the number that is to come back; less than
    /// [`Dummy::MOST`].
    pub index: u32,
}

impl Dummy {
    /// One more than the largest number.
    pub(in crate::paced) const MOST: u32 = INDEX as u32 + 1;
    /// Probes are numbered modulo this.
    pub(in crate::paced) const PROBES: u8 = PROBE.1 as u8 + 1;

    /// The number that it travels with.
    pub(in crate::paced) fn number(self) -> u64 {
        let challenge = if self.challenge { CHALLENGE } else { 0 };
        let probe = u64::from(self.probe) & PROBE.1;
        HANDOFF | challenge | probe << PROBE.0 | u64::from(self.index) & INDEX
    }

    /// The dummy with this number; `None` for a probe of a controller, and for a number that no
    /// packet can carry.
    pub(in crate::paced) fn of(number: u64) -> Option<Self> {
        (number >> 31 == 1).then_some(Dummy {
            probe: (number >> PROBE.0 & PROBE.1) as u8,
            challenge: number & CHALLENGE != 0,
            index: (number & INDEX) as u32,
        })
    }

    /// True if a packet with this number asks for an answer.
    pub(in crate::paced) fn is_challenge(number: u64) -> bool {
        Self::of(number).is_some_and(|dummy| dummy.challenge)
    }

    /// True if `self` belongs to a later probe than the one numbered `probe`, counting modulo 64.
    pub(in crate::paced) fn is_later_than(self, probe: u8) -> bool {
        let ahead = self.probe.wrapping_sub(probe) % Self::PROBES;
        ahead != 0 && ahead < Self::PROBES / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_hold_probe_and_index_beside_a_controllers_own() {
        let dummy = Dummy { probe: 5, challenge: false, index: 0x01_0203 };
        assert_eq!(dummy.number(), 0x8501_0203);
        let challenge = Dummy { challenge: true, ..dummy };
        assert_eq!(challenge.number(), 0xc501_0203);
        for dummy in
            [dummy, challenge, Dummy { probe: 63, challenge: true, index: Dummy::MOST - 1 }]
        {
            assert_eq!(Dummy::of(dummy.number()), Some(dummy));
        }
        assert_eq!(
            (Dummy::of(0x7fff_ffff), Dummy::of(1 << 32), Dummy::of(u64::MAX)),
            (None, None, None)
        );
    }

    #[test]
    fn later_probes_are_known_beyond_the_end_of_the_count() {
        let of = |probe| Dummy { probe, challenge: false, index: 0 };
        assert!(of(3).is_later_than(2) && of(1).is_later_than(60));
        assert!(!of(2).is_later_than(2) && !of(1).is_later_than(3) && !of(40).is_later_than(2));
    }
}
