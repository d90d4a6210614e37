//! Names that a receiver cannot hold, as it tells the sender.

/// Names that a receiver's file system cannot hold, besides those with `/` and NUL: a bit for each
/// kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits(u8);

impl Limits {
    /// Any octets but `/` and NUL, as most file systems of Unix take them.
    pub const NONE: Limits = Limits(0);
    /// Octets that are no UTF-8.
    pub const UTF8: Limits = Limits(1);
    /// Control characters.
    pub const CONTROLS: Limits = Limits(2);
    /// Backslashes.
    pub const BACKSLASH: Limits = Limits(4);
    /// `< > : " | ? *`.
    pub const PUNCTUATION: Limits = Limits(8);
    /// Full stops and spaces at the end.
    pub const ENDS: Limits = Limits(16);
    /// The names of Windows' devices.
    pub const DEVICES: Limits = Limits(32);
    /// Two names that differ in nothing but the case of letters.
    pub const CASELESS: Limits = Limits(64);
    /// All of these.
    pub const WINDOWS: Limits = Limits(127);

    /// Limits from a message. Bits of later versions are kept, and mean nothing.
    pub const fn from_bits(bits: u8) -> Self {
        Limits(bits)
    }

    /// The octet of a message that has these limits.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// True if all limits of `other` are among them.
    pub const fn has(self, other: Limits) -> bool {
        self.0 & other.0 == other.0
    }

    /// These limits and those of `other`.
    #[must_use]
    pub const fn and(self, other: Limits) -> Self {
        Limits(self.0 | other.0)
    }
}
