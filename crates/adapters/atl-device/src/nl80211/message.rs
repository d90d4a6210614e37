//! Datagrams of netlink messages.

use super::error::NetlinkError;

/// Length of `struct nlmsghdr`.
pub(super) const HEADER: usize = 16;
/// Length of `struct genlmsghdr`.
pub(super) const GENERIC_HEADER: usize = 4;

pub(super) const NLMSG_NOOP: u16 = 1;
pub(super) const NLMSG_ERROR: u16 = 2;
pub(super) const NLMSG_DONE: u16 = 3;
pub(super) const NLMSG_OVERRUN: u16 = 4;

pub(super) const NLM_F_REQUEST: u16 = 1;
pub(super) const NLM_F_DUMP_INTR: u16 = 0x10;
pub(super) const NLM_F_DUMP: u16 = 0x300;

/// A message: `struct nlmsghdr` and what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Message<'a> {
    pub kind: u16,
    pub flags: u16,
    pub sequence: u32,
    pub payload: &'a [u8],
}

impl<'a> Message<'a> {
    /// The error in an `NLMSG_ERROR` or `NLMSG_DONE`: 0 for none. `NLMSG_DONE` of old kernels may
    /// be empty.
    pub(super) fn errno(&self) -> Result<i32, NetlinkError> {
        match self.payload.first_chunk() {
            // The kernel writes -errno; a positive value, which it never writes, is an error too.
            Some(bytes) => Ok(i32::from_ne_bytes(*bytes).saturating_abs()),
            None if self.kind == NLMSG_DONE && self.payload.is_empty() => Ok(0),
            None => Err(NetlinkError::Truncated { at: HEADER }),
        }
    }

    /// The command of `struct genlmsghdr`, and the attributes behind it.
    pub(super) fn generic(&self) -> Result<(u8, &'a [u8]), NetlinkError> {
        match self.payload.split_at_checked(GENERIC_HEADER) {
            Some((header, attributes)) => Ok((header[0], attributes)),
            None => Err(NetlinkError::Truncated { at: HEADER }),
        }
    }
}

/// The messages of a datagram.
#[derive(Clone, Debug)]
pub(super) struct Messages<'a> {
    datagram: &'a [u8],
    at: usize,
}

impl<'a> Messages<'a> {
    pub(super) fn new(datagram: &'a [u8]) -> Self {
        Messages { datagram, at: 0 }
    }

    fn parse(&mut self) -> Result<Message<'a>, NetlinkError> {
        let at = self.at;
        let truncated = NetlinkError::Truncated { at };
        let rest = &self.datagram[at..];
        let (header, _) = rest.split_first_chunk::<HEADER>().ok_or(truncated)?;
        let [a, b, c, d, e, f, g, h, i, j, k, l, ..] = *header;
        let length = u32::from_ne_bytes([a, b, c, d]) as usize;
        let payload = rest.get(HEADER..length).ok_or(truncated)?;
        // The last message may end without its padding.
        self.at = (at + length.next_multiple_of(4)).min(self.datagram.len());
        Ok(Message {
            kind: u16::from_ne_bytes([e, f]),
            flags: u16::from_ne_bytes([g, h]),
            sequence: u32::from_ne_bytes([i, j, k, l]),
            payload,
        })
    }
}

impl<'a> Iterator for Messages<'a> {
    type Item = Result<Message<'a>, NetlinkError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.datagram.len() {
            return None;
        }
        let message = self.parse();
        if message.is_err() {
            // Without a valid length the start of the next message is unknown.
            self.at = self.datagram.len();
        }
        Some(message)
    }
}
