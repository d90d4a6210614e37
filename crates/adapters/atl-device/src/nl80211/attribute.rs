//! Netlink attributes: `struct nlattr`, a length and a number, then a value padded to four bytes.

use super::error::NetlinkError;

/// Length of `struct nlattr`.
const HEADER: usize = 4;
/// The upper two bits of the number are flags (`NLA_F_NESTED`, `NLA_F_NET_BYTEORDER`).
const TYPE_MASK: u16 = 0x3fff;

/// An attribute's number and value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attribute<'a> {
    pub number: u16,
    pub value: &'a [u8],
}

impl<'a> Attribute<'a> {
    fn fixed<const N: usize>(&self) -> Result<[u8; N], NetlinkError> {
        self.value.try_into().map_err(|_| NetlinkError::Length {
            attribute: self.number,
            found: self.value.len(),
            expected: N,
        })
    }

    pub(super) fn bytes<const N: usize>(&self) -> Result<[u8; N], NetlinkError> {
        self.fixed()
    }

    pub(super) fn u16(&self) -> Result<u16, NetlinkError> {
        self.fixed().map(u16::from_ne_bytes)
    }

    pub(super) fn u32(&self) -> Result<u32, NetlinkError> {
        self.fixed().map(u32::from_ne_bytes)
    }

    pub(super) fn u64(&self) -> Result<u64, NetlinkError> {
        self.fixed().map(u64::from_ne_bytes)
    }

    /// The attributes inside its value.
    pub(super) fn nested(&self) -> Attributes<'a> {
        Attributes::new(self.value)
    }
}

/// Attributes one after the other.
#[derive(Clone, Debug)]
pub(super) struct Attributes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Attributes<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Attributes { bytes, at: 0 }
    }

    fn parse(&mut self) -> Result<Attribute<'a>, NetlinkError> {
        let at = self.at;
        let truncated = NetlinkError::Truncated { at };
        let rest = &self.bytes[at..];
        let (header, _) = rest.split_first_chunk::<HEADER>().ok_or(truncated)?;
        let [a, b, c, d] = *header;
        let length = usize::from(u16::from_ne_bytes([a, b]));
        let value = rest.get(HEADER..length).ok_or(truncated)?;
        self.at = (at + length.next_multiple_of(4)).min(self.bytes.len());
        Ok(Attribute { number: u16::from_ne_bytes([c, d]) & TYPE_MASK, value })
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = Result<Attribute<'a>, NetlinkError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.bytes.len() {
            return None;
        }
        let attribute = self.parse();
        if attribute.is_err() {
            self.at = self.bytes.len();
        }
        Some(attribute)
    }
}
