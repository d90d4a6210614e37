//! The operations of the file system that an exchange consists of, so that tests can let each fail.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

/// Operations of an exchange on files. One that fails may have been carried out, or a part of it.
pub(super) trait Disk {
    /// Writes a file. It is on the disk afterwards, whatever happens to the machine.
    ///
    /// # Errors
    /// Those of the file system.
    fn write(&self, path: &Path, text: &str) -> io::Result<()>;

    /// Creates a directory and those above it, unless they are there.
    ///
    /// # Errors
    /// Those of the file system.
    fn make(&self, dir: &Path) -> io::Result<()>;

    /// Moves a file within the file system, at once.
    ///
    /// # Errors
    /// Those of the file system.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// Those of the file system.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Ensures that names that have come to or left a directory survive the machine.
    ///
    /// # Errors
    /// Those of the file system.
    fn settle(&self, dir: &Path) -> io::Result<()>;
}

/// The disk of this machine.
#[derive(Debug)]
pub(super) struct Real;

impl Disk for Real {
    fn write(&self, path: &Path, text: &str) -> io::Result<()> {
        let mut file = File::create(path)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    }

    fn make(&self, dir: &Path) -> io::Result<()> {
        fs::create_dir_all(dir)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    #[cfg(unix)]
    fn settle(&self, dir: &Path) -> io::Result<()> {
        match File::open(dir)?.sync_all() {
            // Some file systems of networks cannot do it for directories.
            Err(e)
                if matches!(e.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) =>
            {
                Ok(())
            }
            done => done,
        }
    }

    /// Other systems do not open directories as files.
    #[cfg(not(unix))]
    fn settle(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}
