//! The constants of the message's form.

/// The version that this crate writes and reads.
pub const VERSION: u8 = 1;

/// Length of the longest message, in octets.
pub const MAX_LEN: usize = 1 + LINK_LEN + RATE_LEN;

/// Octets of the report on a link.
pub(super) const LINK_LEN: usize = 12;
/// Octets of a rate.
pub(super) const RATE_LEN: usize = 8;

/// The message reports a wireless link.
pub(super) const LINK: u8 = 1;
/// The message asks for a rate.
pub(super) const RATE: u8 = 2;
/// The message reports the window.
pub(super) const WINDOW: u8 = 4;
/// The reported window is open.
pub(super) const OPEN: u8 = 8;

/// The code of p_w = 1.
pub(super) const CERTAIN: f64 = u32::MAX as f64;
