//! The envelope of a datagram between an end of a flow and the network. It protects from strangers,
//! from repetition and from silent loss.
//!
//! | octets | field |
//! | --- | --- |
//! | 8 | token of this direction of this socket, drawn for the run |
//! | 4 | number of the datagram, from 0 |
//!
//! Loopback keeps the order of a socket's datagrams. So a number that was seen before is a
//! repetition, and a number left out is a datagram that the system threw away because a buffer was
//! full.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

/// Octets of an envelope.
pub const LEN: usize = 12;

/// Seals and opens the datagrams of one direction of a socket.
#[derive(Debug)]
pub(crate) struct Direction {
    pub seal: Seal,
    pub opening: Opening,
}

impl Direction {
    /// With a token that nobody else knows. It decides nothing but what is refused, so it need not
    /// come from the seed.
    pub(crate) fn new() -> Self {
        let token = RandomState::new().build_hasher().finish().to_be_bytes();
        Direction {
            seal: Seal { token, next: 0 },
            opening: Opening { token, next: 0, missing: 0, refused: 0 },
        }
    }
}

/// Writes envelopes.
#[derive(Debug)]
pub struct Seal {
    token: [u8; 8],
    next: u32,
}

impl Seal {
    /// Writes the next envelope over the first octets of a datagram.
    ///
    /// # Panics
    /// Panics if the datagram has no room for it.
    pub fn seal(&mut self, datagram: &mut [u8]) {
        datagram[..8].copy_from_slice(&self.token);
        datagram[8..LEN].copy_from_slice(&self.next.to_be_bytes());
        self.next += 1;
    }
}

/// Reads envelopes.
#[derive(Debug)]
pub struct Opening {
    token: [u8; 8],
    next: u32,
    /// Datagrams that the system threw away.
    missing: u64,
    /// Datagrams that were not meant for this socket, or came again.
    refused: u64,
}

impl Opening {
    /// The content of a datagram; `None` if its envelope is not the right one.
    pub fn open<'a>(&mut self, datagram: &'a [u8]) -> Option<&'a [u8]> {
        let content = self.check(datagram);
        self.refused += u64::from(content.is_none());
        content
    }

    fn check<'a>(&mut self, datagram: &'a [u8]) -> Option<&'a [u8]> {
        let (token, rest) = datagram.split_first_chunk::<8>()?;
        let (number, content) = rest.split_first_chunk::<4>()?;
        let number = u32::from_be_bytes(*number);
        if *token != self.token {
            return None;
        }
        let skipped = number.checked_sub(self.next)?;
        self.missing += u64::from(skipped);
        self.next = number.wrapping_add(1);
        Some(content)
    }

    /// Counts a datagram whose content makes no sense.
    pub fn refuse(&mut self) {
        self.refused += 1;
    }

    /// Datagrams that the system threw away.
    pub fn missing(&self) -> u64 {
        self.missing
    }

    /// Datagrams refused.
    pub fn refused(&self) -> u64 {
        self.refused
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(seal: &mut Seal, content: u8) -> Vec<u8> {
        let mut datagram = vec![content; LEN + 1];
        seal.seal(&mut datagram);
        datagram
    }

    #[test]
    fn strangers_and_repetitions_are_refused_and_gaps_counted() {
        let Direction { mut seal, mut opening } = Direction::new();
        let all: Vec<Vec<u8>> = (0..5).map(|n| sealed(&mut seal, n)).collect();
        assert_eq!(opening.open(&all[0]), Some(&[0][..]));
        assert_eq!(opening.open(&all[3]), Some(&[3][..]));
        assert_eq!((opening.missing(), opening.refused()), (2, 0));
        assert_eq!(opening.open(&all[3]), None, "again");
        assert_eq!(opening.open(&all[1]), None, "late, which loopback never is");
        assert_eq!(opening.open(&all[4][..LEN - 1]), None, "cut off");
        assert_eq!(opening.open(&sealed(&mut Direction::new().seal, 9)), None, "another token");
        assert_eq!(opening.open(&[]), None);
        assert_eq!((opening.missing(), opening.refused()), (2, 5));
        assert_eq!(opening.open(&all[4]), Some(&[4][..]));
    }
}
