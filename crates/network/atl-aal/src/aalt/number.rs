//! Numbers that wrap: sequence numbers of CP-ARQ PDUs, tags of CPCS-PDUs.

/// The sequence number of a CP-ARQ PDU, modulo 65 536.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SequenceNumber(pub u16);

impl SequenceNumber {
    /// The number `steps` further on, modulo 65 536.
    #[must_use]
    pub const fn plus(self, steps: usize) -> Self {
        // Truncation modulo 65 536 is intended.
        SequenceNumber(self.0.wrapping_add(steps as u16))
    }

    /// Steps from `earlier` to `self`, -32 768 to 32 767; negative if `self` comes before
    /// `earlier`.
    pub const fn after(self, earlier: Self) -> i32 {
        self.0.wrapping_sub(earlier.0) as i16 as i32
    }
}

/// The tag of a CPCS-PDU, modulo 256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Tag(pub u8);

impl Tag {
    /// The tag `steps` further on, modulo 256.
    #[must_use]
    pub const fn plus(self, steps: usize) -> Self {
        Tag(self.0.wrapping_add(steps as u8))
    }

    /// Steps from `earlier` to `self`, -128 to 127; negative if `self` comes before `earlier`.
    pub const fn after(self, earlier: Self) -> i32 {
        self.0.wrapping_sub(earlier.0) as i8 as i32
    }
}
