//! The constants of the messages' form.

/// The version that this crate writes and reads.
pub const VERSION: u8 = 3;
/// The protocol and its version, as TLS negotiates them.
pub const ALPN: &[u8] = b"atl-transfer/3";

/// Octets of a message's length.
pub const LENGTH_OCTETS: usize = 4;
/// Limit on a message, in octets without its length.
pub const MAX_MESSAGE: usize = 1 + 8 + 1 + 32 * MAX_PIECES;
/// Limit on a sender's first message, which comes before a ticket is checked.
pub const MAX_HELLO: usize = 1 + 16 + 16 + 4 + 8;
/// Limit on a message that opens a stream.
pub const MAX_OFFER: usize = 1 + 8 + 2 + 8 + 4 + 2 + MAX_NAMES * (2 + MAX_TEXT);
/// Limit on an answer that refuses.
pub const MAX_REFUSAL: usize = 1 + 1 + 2 + MAX_TEXT;

/// Limit on the hashes of a message.
pub const MAX_PIECES: usize = 4096;
/// Limit on the names of a path.
pub const MAX_NAMES: usize = 64;
/// Limit on a text, in octets.
pub const MAX_TEXT: usize = 255;

/// Feature of [`Hello`](super::Hello) and [`Welcome`](super::Welcome): link reports in QUIC
/// datagrams ([`report`](crate::report)). The sender asks for them, the receiver promises some.
/// Other bits are for later versions, and ignored.
pub const FEATURE_LINK_REPORTS: u32 = 1;

pub(super) const HELLO: u8 = 1;
pub(super) const WELCOME: u8 = 2;
pub(super) const REFUSED: u8 = 3;
pub(super) const OFFER: u8 = 4;
pub(super) const HAVE: u8 = 5;
pub(super) const FROM: u8 = 6;
pub(super) const DIGEST: u8 = 7;
pub(super) const DONE: u8 = 8;
pub(super) const LOAD: u8 = 9;
pub(super) const LOADED: u8 = 10;
pub(super) const PROGRESS: u8 = 11;
pub(super) const BYE: u8 = 12;
pub(super) const FOLDER: u8 = 13;
