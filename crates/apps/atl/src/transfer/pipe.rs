//! Standard input as a file to send, and a received file to standard output.
//!
//! Either is kept whole in a temporary file first: what is sent can go on after a broken
//! connection, and nothing comes out whose hash is not right.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use atl_transfer::name;
use atl_transfer::receiver::Summary;
use atl_transfer::sender::{Entry, Kind};
use atl_transfer::wire::Modified;
use tempfile::NamedTempFile;

use crate::failure::Failure;

/// The path that stands for standard input or output.
pub(super) const PIPE: &str = "-";

/// True of the path that stands for standard input or output.
pub(super) fn is_pipe(path: &Path) -> bool {
    path.as_os_str() == PIPE
}

/// Standard input as a file of this name. The receiver's mask decides on its permissions.
///
/// # Errors
/// If it cannot be read, or there is no room for it.
pub(super) fn input(name: &str) -> Result<(NamedTempFile, Entry), Failure> {
    let failed =
        |error: io::Error| Failure::Runtime(format!("cannot keep standard input: {error}"));
    let mut file = NamedTempFile::new().map_err(failed)?;
    let size = io::copy(&mut io::stdin().lock(), &mut file).map_err(failed)?;
    let data = file.as_file().metadata().map_err(failed)?;
    let modified = data.modified().map(Modified::of).unwrap_or_default();
    let kind = Kind::File { source: file.path().to_owned(), size, mode: 0o666, modified };
    Ok((file, Entry { path: vec![name.as_bytes().to_vec()], kind }))
}

/// Writes the one file that has come into `folder` to standard output.
///
/// # Errors
/// If it is not one file, or it cannot be written.
pub(super) fn output(folder: &Path, summary: &Summary) -> Result<(), Failure> {
    let [received] = &summary.files[..] else {
        return Err(Failure::Runtime(format!(
            "standard output takes one file, and {} came: nothing was written",
            summary.count
        )));
    };
    let path: PathBuf = received.path.iter().map(|name| name::to_system(name)).collect();
    let written = File::open(folder.join(path))
        .and_then(|mut file| io::copy(&mut file, &mut io::stdout().lock()));
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Runtime(format!("cannot write to standard output: {error}")))
        }
        // A reader that has closed it has enough.
        _ => Ok(()),
    }
}
