//! Hashes of files and of their pieces.

use std::fs::File;
use std::io::{self, Read as _, Seek as _};

use ring::digest::{Context, SHA256, digest};

use crate::wire::{Hash, Pieces};

/// Bytes that are read at a time.
const READ: usize = 1 << 18;

/// A SHA-256 while bytes are added.
#[derive(Clone)]
pub(crate) struct Hashing(Context);

impl Hashing {
    pub(crate) fn new() -> Self {
        Hashing(Context::new(&SHA256))
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub(crate) fn finish(self) -> Hash {
        let mut hash = Hash::default();
        hash.copy_from_slice(self.0.finish().as_ref());
        hash
    }
}

/// SHA-256 of some bytes.
pub(crate) fn of(bytes: &[u8]) -> Hash {
    let mut hash = Hash::default();
    hash.copy_from_slice(digest(&SHA256, bytes).as_ref());
    hash
}

/// A file's first bytes as the hashes of their pieces, with a hash of all of them that can go on.
pub(crate) struct Prefix {
    pub(crate) pieces: Pieces,
    pub(crate) hashing: Hashing,
}

/// Hashes the first `length` bytes of a file, or all that there are if it is shorter, in pieces.
pub(crate) fn prefix(file: &mut File, length: u64) -> io::Result<Prefix> {
    let length = length.min(file.metadata()?.len());
    let bits = Pieces::bits_for(length);
    let mut hashing = Hashing::new();
    let mut hashes = Vec::new();
    let held = each_piece(file, length, bits, &mut hashing, |_, hash| {
        hashes.push(hash);
        true
    })?;
    let pieces = Pieces::new(held, bits, hashes).map_err(io::Error::other)?;
    Ok(Prefix { pieces, hashing })
}

/// The number of a file's first bytes that agree with a receiver's pieces, and a hash of these
/// bytes.
pub(crate) fn common(file: &mut File, held: &Pieces) -> io::Result<(u64, Hashing)> {
    let mut hashing = Hashing::new();
    let mut hashes = held.hashes().iter();
    let same = each_piece(file, held.length(), held.bits(), &mut hashing, |_, hash| {
        hashes.next() == Some(&hash)
    })?;
    Ok((same, hashing))
}

/// Reads pieces of a file from its start, up to `length` bytes, until `wanted` returns false for a
/// piece's number and hash. Returns the number of bytes in the pieces before, all of which
/// `hashing` has then taken in. A last piece that is cut short does not count.
fn each_piece(
    file: &mut File,
    length: u64,
    bits: u8,
    hashing: &mut Hashing,
    mut wanted: impl FnMut(u64, Hash) -> bool,
) -> io::Result<u64> {
    file.rewind()?;
    let mut buffer = vec![0; READ];
    let mut at = 0;
    let mut number = 0;
    while at < length {
        let end = length.min((at >> bits).saturating_add(1).saturating_mul(1 << bits));
        let (mut piece, mut all) = (Hashing::new(), hashing.clone());
        let mut left = end - at;
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(READ).min(READ);
            match file.read(&mut buffer[..most]) {
                Ok(0) => return Ok(at),
                Ok(read) => {
                    piece.add(&buffer[..read]);
                    all.add(&buffer[..read]);
                    left -= read as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        if !wanted(number, piece.finish()) {
            return Ok(at);
        }
        *hashing = all;
        number += 1;
        at = end;
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(bytes).expect("written");
        file
    }

    #[test]
    fn the_common_part_ends_at_the_first_piece_that_differs() {
        let bytes: Vec<u8> = (0..200_000_u32).map(|n| ((n * 7) >> 3) as u8).collect();
        let held = prefix(&mut file(&bytes[..150_000]), u64::MAX).expect("readable");
        assert_eq!((held.pieces.length(), held.pieces.hashes().len()), (150_000, 3));
        assert_eq!(held.hashing.finish(), of(&bytes[..150_000]));

        let (same, hashing) = common(&mut file(&bytes), &held.pieces).expect("readable");
        assert_eq!((same, hashing.finish()), (150_000, of(&bytes[..150_000])));

        // One bit of the second piece differs.
        let mut other = bytes.clone();
        other[70_000] ^= 1;
        let (same, hashing) = common(&mut file(&other), &held.pieces).expect("readable");
        assert_eq!((same, hashing.finish()), (65_536, of(&bytes[..65_536])));

        // The sender's file is shorter than the receiver's part: its last whole piece counts.
        let (same, _) = common(&mut file(&bytes[..140_000]), &held.pieces).expect("readable");
        assert_eq!(same, 131_072);
    }
}
