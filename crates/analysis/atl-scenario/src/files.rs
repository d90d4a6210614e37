//! Reading files of limited size.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

/// Limit on a trace's size in bytes: some ten million delivery opportunities, or a day at 1 Mb/s.
pub const LONGEST_TRACE: u64 = 64 << 20;

/// Reads a regular file. Devices and pipes are refused, since they may block or never end.
///
/// # Errors
/// If it is not a regular file, has more than `longest` bytes, is not UTF-8, or cannot be read.
pub(crate) fn read(path: &Path, longest: u64) -> io::Result<String> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let mut text = String::new();
    // The limit applies while reading, since the file may grow meanwhile.
    File::open(path)?.take(longest + 1).read_to_string(&mut text)?;
    if text.len() as u64 > longest {
        let message = format!("it is longer than {longest} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(text)
}
