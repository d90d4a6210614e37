//! Writing files that must not be there yet.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use crate::failure::Failure;

/// Writes a file, which must not exist yet. `option` is the option that names it, for messages.
///
/// # Errors
/// If there is a file of this name, or it cannot be written, and then is not left in part.
pub(crate) fn write(option: &str, path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error| Failure::file("write", path, &error);
    let mut file = match fs::File::create_new(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            return Err(Failure::Usage(format!(
                "{option} {}: the file exists; remove it first, or choose another name",
                path.display()
            )));
        }
        Err(error) => return Err(failed(error)),
    };
    file.write_all(text.as_bytes()).map_err(|error| {
        let _ = fs::remove_file(path);
        failed(error)
    })
}
