//! The constants of the packets' forms.

/// The version of HN and HR that this crate writes and reads.
pub const VERSION: u8 = 1;

/// Packet type of a Handoff Notification.
pub const HANDOFF_NOTIFICATION: u8 = 222;
/// Packet type of a Handoff Report.
pub const HANDOFF_REPORT: u8 = 223;
/// Packet type of BYE (RFC 3550, sec. 6.6).
pub const BYE: u8 = 203;

/// Length of the longest packet that this crate writes, in octets.
pub const MAX_LEN: usize = 52;

/// RTP's version (RFC 3550, sec. 5.1), in the upper two bits.
pub(super) const RTP_VERSION: u8 = 2;
/// The padding bit of the first octet.
pub(super) const PADDING: u8 = 0x20;
/// The five bits for a version or a count of sources.
pub(super) const COUNT: u8 = 0x1f;

/// Lengths in the header: words of 32 bits, less one.
pub(super) const NOTICE_LENGTH: u16 = 5;
pub(super) const REPORT_LENGTH: u16 = 12;
pub(super) const BYE_LENGTH: u16 = 1;

/// The largest number of a probe.
pub(super) const MOST_PROBE: u8 = 63;
/// The largest number of a dummy.
pub(super) const MOST_DUMMY: u32 = (1 << 24) - 1;

/// Codes of the signals.
pub(super) const IMMINENT: u8 = 0;
pub(super) const DONE: u8 = 1;
pub(super) const GONE: u8 = 2;
