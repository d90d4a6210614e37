//! The form of the file that holds the results of a part.
//!
//! ```text
//! "atl-shard 3\n"                          what it is, and the version of the form
//! length of the header, 4 bytes LE | header
//! records of the first host's results, in the order of the part's runs; then those of the next host
//! SHA-256 of everything before it
//! ```
//!
//! The header is written in the form of `postcard` 1; a record is its length in 8 bytes LE and a result in that form.

use std::fmt;

/// How a file begins.
pub(crate) const MAGIC: &[u8] = b"atl-shard 3\n";
/// How a file of any version begins.
const KIND: &[u8] = b"atl-shard ";
/// Bytes of the checksum.
pub(crate) const SUM: usize = 32;
/// The most bytes of a header: more than a scenario file may have.
pub const HEADER_LIMIT: usize = 16 << 20;

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is something else.
    Foreign,
    /// It was written by a version of the program whose form is another.
    Version(String),
    /// It was cut off, or bytes have changed.
    Damaged,
    /// Its checksum is right, but its content is not what a part leaves behind.
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

/// Why bytes that do not begin as they should cannot be read.
pub(crate) fn foreign(bytes: &[u8]) -> Unreadable {
    if !bytes.starts_with(KIND) {
        return Unreadable::Foreign;
    }
    let line = bytes.iter().take(40).take_while(|byte| **byte != b'\n').copied();
    Unreadable::Version(String::from_utf8_lossy(&line.collect::<Vec<u8>>()).into_owned())
}
