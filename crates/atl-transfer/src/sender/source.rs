//! What is to be sent.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::name::{self, System};

/// A file or an empty folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path below the receiver's folder.
    pub path: Vec<String>,
    /// What it is.
    pub kind: Kind,
}

/// What is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File {
        /// Where it is.
        source: PathBuf,
        /// Its size in bytes.
        size: u64,
        /// It may be executed.
        executable: bool,
    },
    /// A folder with nothing in it.
    Folder,
}

impl Entry {
    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        match self.kind {
            Kind::File { size, .. } => size,
            Kind::Folder => 0,
        }
    }
}

/// Everything that is to be sent, and what is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// In the order of sending.
    pub entries: Vec<Entry>,
    /// What is neither a file nor a folder, with what it is.
    pub left_out: Vec<(PathBuf, &'static str)>,
}

impl Listing {
    /// Lists files and folders with all that is in them. What is named is followed if it is a
    /// symbolic link; links in folders, devices and sockets are left out.
    ///
    /// # Errors
    /// If something cannot be read, has a name that cannot be sent, or two would have the same path
    /// at the receiver.
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

    /// Bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.entries.iter().map(Entry::size).fold(0, u64::saturating_add)
    }

    fn add(&mut self, source: &Path, path: Vec<String>, data: &Metadata) -> Result<(), Error> {
        name::check(path.iter().map(String::as_str), System::HERE).map_err(|error| {
            Error::Source(format!("{} cannot be sent: {error}", source.display()))
        })?;
        if data.is_file() {
            let executable = data.permissions().mode() & 0o100 != 0;
            let kind = Kind::File { source: source.to_owned(), size: data.len(), executable };
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

/// The name under which something arrives: `.` and `..` have others.
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
