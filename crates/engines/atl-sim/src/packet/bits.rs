//! The one-bit fields of a packet in one byte, since packets are copied at every hop.

use atl_link::Ecn;

/// The ECN field of a packet, three flags of TCP, and whether it has left its source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bits(u8);

const FIRST_HOP: u8 = 1;
const ECN: u8 = 0b110;
const ECN_SHIFT: u32 = 1;
const FLAGS_SHIFT: u32 = 3;
const FLAGS: u8 = 0b111;
/// CWR, in data.
const CWR: u8 = 1;

impl Bits {
    /// Not ECN-capable, no flags, beyond its first hop.
    pub const NONE: Bits = Bits(0);

    /// Those of a packet that leaves its source. `data`: it
    /// [carries data](super::PacketKind::is_data). `flags`: of data CWR, the sender has reacted to
    /// ECE; of a connection request AE, CWR and ECE.
    #[inline]
    pub const fn sent(data: bool, ecn: Ecn, flags: u8) -> Bits {
        let first_hop = if data { FIRST_HOP } else { 0 };
        Bits(first_hop | ((ecn as u8) << ECN_SHIFT) | ((flags & FLAGS) << FLAGS_SHIFT))
    }

    /// Those of an ACK with these flags of TCP: ECE, or the ACE field.
    #[inline]
    pub const fn ack(flags: u8) -> Bits {
        Bits((flags & FLAGS) << FLAGS_SHIFT)
    }

    /// True of a packet that carries data and has not left its source's own interface yet.
    #[inline]
    pub const fn first_hop(self) -> bool {
        self.0 & FIRST_HOP != 0
    }

    /// The same, once it has left.
    #[inline]
    #[must_use]
    pub const fn past_first_hop(self) -> Bits {
        Bits(self.0 & !FIRST_HOP)
    }

    /// True if it says anything of ECN.
    #[inline]
    pub const fn has_ecn(self) -> bool {
        self.0 & !FIRST_HOP != 0
    }

    /// The ECN field of the IP header.
    #[inline]
    pub const fn ecn(self) -> Ecn {
        Ecn::of_class((self.0 & ECN) >> ECN_SHIFT)
    }

    /// The same with another ECN field.
    #[must_use]
    pub const fn with_ecn(self, ecn: Ecn) -> Bits {
        Bits((self.0 & !ECN) | ((ecn as u8) << ECN_SHIFT))
    }

    /// The CWR flag of data.
    pub const fn cwr(self) -> bool {
        self.flags() & CWR != 0
    }

    /// The flags of an ACK: ECE, or the ACE field.
    #[inline]
    pub const fn flags(self) -> u8 {
        (self.0 >> FLAGS_SHIFT) & FLAGS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_comes_back_and_changes_no_other() {
        for (ecn, cwr, data) in [
            (Ecn::NotEct, false, true),
            (Ecn::Ect0, true, true),
            (Ecn::Ect1, false, false),
            (Ecn::Ce, true, false),
        ] {
            let bits = Bits::sent(data, ecn, u8::from(cwr));
            assert_eq!((bits.ecn(), bits.cwr(), bits.first_hop()), (ecn, cwr, data));
            let marked = bits.with_ecn(Ecn::Ce).past_first_hop();
            assert_eq!((marked.ecn(), marked.cwr(), marked.first_hop()), (Ecn::Ce, cwr, false));
        }
        for flags in 0..8 {
            let bits = Bits::ack(flags);
            assert_eq!((bits.flags(), bits.ecn(), bits.first_hop()), (flags, Ecn::NotEct, false));
        }
        assert!(!Bits::sent(true, Ecn::NotEct, 0).has_ecn());
    }
}
