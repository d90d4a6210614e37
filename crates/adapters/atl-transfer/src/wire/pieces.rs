//! The pieces of a file that a receiver holds.

use std::ops::RangeInclusive;

use super::error::WireError;
use super::form::MAX_PIECES;

/// The octets of a SHA-256.
pub type Hash = [u8; 32];

/// log2 of the lengths that a piece may have, in bytes: 64 KiB to 2^52 bytes, of which 4096 make
/// any file.
pub const PIECE_BITS: RangeInclusive<u8> = 16..=52;

/// The first bytes of a file, cut into pieces of one length but for the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces {
    length: u64,
    bits: u8,
    hashes: Vec<Hash>,
}

impl Pieces {
    /// No pieces, of a file that is not there.
    pub fn none() -> Self {
        Pieces { length: 0, bits: *PIECE_BITS.start(), hashes: Vec::new() }
    }

    /// `length` bytes in pieces of 2^`bits` with these hashes.
    ///
    /// # Errors
    /// If `bits` is out of [`PIECE_BITS`], the number of hashes is not that of the pieces, or there
    /// are more than [`MAX_PIECES`].
    pub fn new(length: u64, bits: u8, hashes: Vec<Hash>) -> Result<Self, WireError> {
        if !PIECE_BITS.contains(&bits) {
            return Err(WireError::PieceLength { bits });
        }
        let pieces = length.div_ceil(1 << bits);
        if pieces != hashes.len() as u64 || hashes.len() > MAX_PIECES {
            return Err(WireError::Pieces { hashes: hashes.len(), length });
        }
        Ok(Pieces { length, bits, hashes })
    }

    /// The shortest pieces, as log2 of their length, of which `length` bytes have at most
    /// [`MAX_PIECES`].
    pub fn bits_for(length: u64) -> u8 {
        let fits = |bits: &u8| length.div_ceil(1 << bits) <= MAX_PIECES as u64;
        PIECE_BITS.into_iter().find(fits).unwrap_or(*PIECE_BITS.end())
    }

    /// Bytes that are held.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// log2 of a piece's length in bytes.
    pub fn bits(&self) -> u8 {
        self.bits
    }

    /// Hashes of the pieces, in order.
    pub fn hashes(&self) -> &[Hash] {
        &self.hashes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_grow_with_the_file() {
        assert_eq!(Pieces::bits_for(0), 16);
        // 4096 pieces of 64 KiB are 256 MiB.
        assert_eq!(Pieces::bits_for(1 << 28), 16);
        assert_eq!(Pieces::bits_for((1 << 28) + 1), 17);
        assert_eq!(Pieces::bits_for(u64::MAX), 52);
        assert!(u64::MAX.div_ceil(1 << 52) <= MAX_PIECES as u64);
    }

    #[test]
    fn the_last_piece_is_shorter() {
        assert!(Pieces::new(65_537, 16, vec![[0; 32]; 2]).is_ok());
        for (length, bits, hashes) in
            [(65_537, 16, 1), (65_536, 16, 2), (0, 16, 1), (1, 15, 1), (1, 53, 1)]
        {
            assert!(Pieces::new(length, bits, vec![[0; 32]; hashes]).is_err(), "{length} {bits}");
        }
    }
}
