//! The constants of the messages' forms.

use atl_core::time::Span;

/// The version that this crate writes and reads.
pub const VERSION: u8 = 1;
/// Length of the longest name of a link, in octets.
pub const MAX_NAME: usize = 64;
/// Length of the longest request, in octets.
pub const MAX_REQUEST: usize = 13 + MAX_NAME;
/// Limit on the tags in an answer.
pub const MAX_TAGS: usize = 64;
/// Length of the longest answer, one with tags, in octets.
pub const MAX_ANSWER: usize = 17 + MAX_TAGS * TAG;
/// The shortest time between two reports of a subscription.
pub const SHORTEST_INTERVAL: Span = Span::from_millis(10);
/// The longest time between two reports of a subscription.
pub const LONGEST_INTERVAL: Span = Span::from_secs(60);

pub(super) const ASK: u8 = 1;
pub(super) const SUBSCRIBE: u8 = 2;
pub(super) const UNSUBSCRIBE: u8 = 3;
pub(super) const LOST: u8 = 4;
pub(super) const REPORT_KIND: u8 = 8;
pub(super) const REFUSAL_KIND: u8 = 9;
pub(super) const LOST_KIND: u8 = 10;

pub(super) const NO_SUCH_LINK: u8 = 1;
pub(super) const NOT_YET: u8 = 2;

/// Length of a message with a link report and nothing else.
pub(super) const REPORT: usize = 13;
/// Octets of a tag.
pub(super) const TAG: usize = 16;
/// The code for a link that takes no time to transmit.
pub(super) const UNLIMITED: u64 = u64::MAX;

/// The first octet of a message.
pub(super) fn first(kind: u8) -> [u8; 1] {
    [VERSION << 4 | kind]
}
