//! An event, and the numbers of elements.

use std::fmt;

use atl_core::time::Time;

/// An id carries the kind of the element in the bits from this one on, and below them its index
/// among those of its kind.
pub(crate) const KIND_SHIFT: u32 = 28;
/// The bits of the index.
pub(crate) const INDEX: u32 = (1 << KIND_SHIFT) - 1;

/// An event: its time, and its element in the caller's numbering. One number holds both, so that
/// two events are compared in two instructions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event(u128);

impl Event {
    #[inline]
    pub(crate) const fn new(at: Time, id: u32) -> Self {
        Event((at.nanos() as u128) << 64 | id as u128)
    }

    /// When it happens.
    #[inline]
    pub fn at(self) -> Time {
        Time::from_nanos((self.0 >> 64) as u64)
    }

    /// The element.
    #[inline]
    pub fn id(self) -> u32 {
        self.0 as u32
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:?}", self.id(), self.at())
    }
}
