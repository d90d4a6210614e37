//! Reading and writing of messages of bounded length.

/// An encoded message of at most `MOST` octets: read it as a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Octets<const MOST: usize> {
    octets: [u8; MOST],
    len: usize,
}

impl<const MOST: usize> AsRef<[u8]> for Octets<MOST> {
    fn as_ref(&self) -> &[u8] {
        &self.octets[..self.len]
    }
}

impl<const MOST: usize> Octets<MOST> {
    pub(super) fn new() -> Self {
        Octets { octets: [0; MOST], len: 0 }
    }

    /// Appends octets that fit, as the forms' lengths are constants.
    pub(super) fn push(&mut self, octets: &[u8]) {
        let end = self.len + octets.len();
        self.octets[self.len..end].copy_from_slice(octets);
        self.len = end;
    }
}

/// The octets of a message that are not read yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest<'a>(pub &'a [u8]);

impl<'a> Rest<'a> {
    /// The next `N` octets; `None` if fewer are left.
    pub(super) fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (octets, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*octets)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_be_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_be_bytes)
    }

    /// The octets up to `end`, and those after it; `None` if there are fewer.
    pub(super) fn split(self, end: usize) -> Option<(Rest<'a>, Rest<'a>)> {
        let (first, rest) = self.0.split_at_checked(end)?;
        Some((Rest(first), Rest(rest)))
    }
}
