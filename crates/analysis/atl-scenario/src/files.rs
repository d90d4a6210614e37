//! Reading files of limited size.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

/// Maximum size of a trace in bytes: some ten million opportunities, a day at 1 Mb/s.
pub(crate) const LONGEST_TRACE: u64 = 64 << 20;

/// The text of a regular file. A device or a pipe may never end, or never begin.
///
/// # Errors
/// If it is not a regular file, has more than `longest` bytes, is not UTF-8, or cannot be read.
pub(crate) fn read(path: &Path, longest: u64) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let mut text = String::new();
    // A file may grow while it is read.
    File::open(path)?.take(longest + 1).read_to_string(&mut text)?;
    if text.len() as u64 > longest {
        let message = format!("it is longer than {longest} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(text)
}
