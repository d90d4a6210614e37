//! The constants of the packets' forms.

/// The version that this crate writes and reads.
pub const VERSION: u8 = 1;

/// Length of the longest packet without payload and padding, in octets.
pub const MAX_LEN: usize = 4 + 7 * 8 + 5 * 8 + LINK_LEN;

/// Octets of a link report.
pub(super) const LINK_LEN: usize = 13;

/// Codes of the kinds of packets.
pub(super) const DATA: u8 = 1;
pub(super) const PROBE: u8 = 2;
pub(super) const ACK: u8 = 3;
pub(super) const PROBE_ACK: u8 = 4;
pub(super) const REPORT: u8 = 5;

/// A link report follows.
pub(super) const LINK: u8 = 1;
/// The ACK tells of marks.
pub(super) const MARKS: u8 = 2;
/// The packet that the ACK answers arrived with a clear ECN field.
pub(super) const CLEAR: u8 = 4;
/// The report has a receive rate.
pub(super) const RECEIVE_RATE: u8 = 2;
/// The report has a loss event rate.
pub(super) const LOSS_EVENTS: u8 = 4;
/// The report has a rate by packet pairs.
pub(super) const PAIR_RATE: u8 = 8;
/// The report counts marked packets.
pub(super) const MARKED: u8 = 16;
/// The report counts packets with a clear ECN field.
pub(super) const CLEARED: u8 = 32;
