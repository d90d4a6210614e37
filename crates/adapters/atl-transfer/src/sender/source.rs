//! Files and folders to send.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::name::{self, System};
use crate::wire::Modified;

/// A file or an empty folder to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path below the receiver's folder.
    pub path: Vec<String>,
    /// A file with its properties, or a folder.
    pub kind: Kind,
}

/// A file with its properties, or a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file, or a symbolic link to one that was named.
    File {
        /// Its path at the sender.
        source: PathBuf,
        /// Its size in bytes.
        size: u64,
        /// Permissions of its owner, its group and others: 0 to 0o777.
        mode: u16,
        /// The time at which it was modified last.
        modified: Modified,
    },
    /// A folder without contents.
    Folder,
}

impl Entry {
    /// Its size in bytes; 0 for a folder.
    pub fn size(&self) -> u64 {
        match self.kind {
            Kind::File { size, .. } => size,
            Kind::Folder => 0,
        }
    }
}

/// The entries to send, and those left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// In the order of sending.
    pub entries: Vec<Entry>,
    /// Paths that are neither files nor folders, with their kind.
    pub left_out: Vec<(PathBuf, &'static str)>,
}

impl Listing {
    /// Lists files and folders with all their contents. A path given here is followed if it is a
    /// symbolic link; links in folders, devices and sockets are left out.
    ///
    /// # Errors
    /// If a file cannot be read, has a name that cannot be sent, or two would have the same path at
    /// the receiver.
    pub fn of(paths: &[PathBuf]) -> Result<Self, Error> {
        let mut listing = Listing::default();
        for path in paths {
            let data = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
            if !data.is_file() && !data.is_dir() {
                let path = path.display();
                return Err(Error::Source(format!("{path} is neither a file nor a folder")));
            }
            listing.add(path, vec![own_name(path)?], &data)?;
        }
        let mut seen = BTreeSet::new();
        for entry in &listing.entries {
            if !seen.insert(&entry.path) {
                let twice = name::shown(&entry.path);
                return Err(Error::Source(format!(
                    "two files would be called {twice} at the receiver"
                )));
            }
        }
        Ok(listing)
    }

    /// Sum of the sizes of all files, in bytes.
    pub fn bytes(&self) -> u64 {
        self.entries.iter().map(Entry::size).fold(0, u64::saturating_add)
    }

    fn add(&mut self, source: &Path, path: Vec<String>, data: &Metadata) -> Result<(), Error> {
        name::check(path.iter().map(String::as_str), System::HERE).map_err(|error| {
            Error::Source(format!("{} cannot be sent: {error}", source.display()))
        })?;
        if data.is_file() {
            let mode = (data.mode() & 0o777) as u16;
            // The system keeps the nanoseconds below 10^9.
            let nanos = u32::try_from(data.mtime_nsec()).unwrap_or(0);
            let modified = Modified { seconds: data.mtime(), nanos };
            let kind = Kind::File { source: source.to_owned(), size: data.len(), mode, modified };
            self.entries.push(Entry { path, kind });
            return Ok(());
        }
        let mut below: Vec<_> = fs::read_dir(source)
            .and_then(Iterator::collect)
            .map_err(|error| unreadable(source, &error))?;
        below.sort_by_key(fs::DirEntry::file_name);
        if below.is_empty() {
            self.entries.push(Entry { path, kind: Kind::Folder });
            return Ok(());
        }
        for entry in below {
            let source = entry.path();
            let data = entry.metadata().map_err(|error| unreadable(&source, &error))?;
            if data.is_symlink() {
                self.left_out.push((source, "a symbolic link"));
            } else if data.is_file() || data.is_dir() {
                let mut path = path.clone();
                path.push(text(&source, entry.file_name().to_str())?);
                self.add(&source, path, &data)?;
            } else {
                self.left_out.push((source, "neither a file nor a folder"));
            }
        }
        Ok(())
    }
}

/// The last name of a path, under which it arrives. For `.` and `..` that is the folder's real
/// name.
fn own_name(path: &Path) -> Result<String, Error> {
    if let Some(name) = path.file_name() {
        return text(path, name.to_str());
    }
    let full = path.canonicalize().map_err(|error| unreadable(path, &error))?;
    let name = full.file_name().ok_or_else(|| {
        Error::Source(format!("{} has no name under which it could arrive", full.display()))
    })?;
    text(path, name.to_str())
}

fn text(path: &Path, name: Option<&str>) -> Result<String, Error> {
    let name = name.map(str::to_owned);
    name.ok_or_else(|| Error::Source(format!("the name of {} is not UTF-8", path.display())))
}

fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    Error::Source(format!("cannot read {}: {error}", path.display()))
}
