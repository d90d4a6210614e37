//! The file format of a part's results.
//!
//! ```text
//! "atl-shard 5\n"                          kind of file and version of the format
//! length of the header, 4 bytes LE | header
//! records of the first engine's results, in the order of the part's runs; then of the next
//! engine's
//! SHA-256 of everything before it
//! ```
//!
//! The header is in the encoding of `postcard` 1; a record is its length in 8 bytes LE and a result
//! in the same encoding.

use std::fmt;

/// First bytes of a file of this version.
pub(crate) const MAGIC: &[u8] = b"atl-shard 5\n";
/// First bytes of a file of any version.
const KIND: &[u8] = b"atl-shard ";
/// Size of the checksum in bytes (SHA-256).
pub(crate) const SUM: usize = 32;
/// Limit on the header in bytes; above that on a scenario file, whose name and changes it holds.
pub const HEADER_LIMIT: usize = 16 << 20;

/// The reason why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It does not begin like the file of a part.
    Foreign,
    /// Another version of the format, here with the version's number.
    Version(String),
    /// The checksum does not match: the file was cut off, or bytes have changed.
    Damaged,
    /// The checksum matches, but no program of ours writes such content.
    Inconsistent,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Foreign => f.write_str("it is not a file of `atl run --shard`"),
            Unreadable::Version(version) => write!(
                f,
                "it has the form {version:?} of another version of atl: this one reads {:?}",
                String::from_utf8_lossy(MAGIC).trim_end()
            ),
            Unreadable::Damaged => {
                f.write_str("it was cut off or has changed (wrong checksum): run this part again")
            }
            Unreadable::Inconsistent => {
                f.write_str("its content does not fit together: run this part again")
            }
        }
    }
}

impl std::error::Error for Unreadable {}

/// Tells another version of the format from a file of another kind.
pub(crate) fn foreign(bytes: &[u8]) -> Unreadable {
    if !bytes.starts_with(KIND) {
        return Unreadable::Foreign;
    }
    let line = bytes.iter().take(40).take_while(|byte| **byte != b'\n').copied();
    Unreadable::Version(String::from_utf8_lossy(&line.collect::<Vec<u8>>()).into_owned())
}
