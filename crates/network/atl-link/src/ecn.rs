//! Explicit Congestion Notification in the IP header (RFC 3168, section 5).

/// The ECN field of an IP packet; the values are its two bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Ecn {
    /// The endpoints do not use ECN: congestion can only drop the packet.
    #[default]
    NotEct = 0b00,
    /// ECN-capable, ECT(1). L4S senders set it (RFC 9331).
    Ect1 = 0b01,
    /// ECN-capable, ECT(0).
    Ect0 = 0b10,
    /// Congestion experienced.
    Ce = 0b11,
}

/// Treatment of the ECN field of packets that enter a link, before its queue sees them. Some
/// networks break the field like this (RFC 9000, sec. 13.4.2 names both ways).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EcnRule {
    /// It passes the field on.
    #[default]
    Keep,
    /// It clears the field: marks from before are lost, and its own queue can only drop.
    Bleach,
    /// It marks every packet that is ECN-capable.
    MarkAll,
}

impl Ecn {
    /// The field in the two low bits of a type of service (IPv4) or a traffic class (IPv6); the
    /// others do not matter.
    #[inline]
    pub const fn of_class(class: u8) -> Ecn {
        match class & 0b11 {
            0b00 => Ecn::NotEct,
            0b01 => Ecn::Ect1,
            0b10 => Ecn::Ect0,
            _ => Ecn::Ce,
        }
    }

    /// True if a queue may mark the packet instead of dropping it, or one has marked it already.
    pub const fn is_capable(self) -> bool {
        !matches!(self, Ecn::NotEct)
    }
}
