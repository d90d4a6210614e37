//! Files and folders to send.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use glob::Pattern;

use crate::error::Error;
use crate::name::{self, Limits, NameError};
use crate::wire::{Modified, Name};

/// A file or an empty folder to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path below the receiver's folder.
    pub path: Vec<Name>,
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
    /// In folders: what is left out, with the reason.
    pub left_out: Vec<(PathBuf, Why)>,
}

/// The reason why something in a folder is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is a symbolic link.
    Link,
    /// It is a device, a socket or a pipe.
    Special,
    /// It is a file or a folder whose name the protocol does not allow.
    Name(NameError),
}

impl Why {
    /// True of files and folders: not everything that was meant is sent.
    pub fn is_a_loss(&self) -> bool {
        matches!(self, Why::Name(_))
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Link => f.write_str("a symbolic link"),
            Why::Special => f.write_str("neither a file nor a folder"),
            Why::Name(error) => error.fmt(f),
        }
    }
}

impl Listing {
    /// Lists files and folders with all their contents. A path given here is followed if it is a
    /// symbolic link; links in folders, devices, sockets, and names that cannot be sent are left
    /// out. So is, without a word, all in folders that matches a pattern of `exclude`: by its own
    /// name, or by its path below the folder that was given.
    ///
    /// # Errors
    /// If a file cannot be read, a path given here has a name that cannot be sent, or two would
    /// have the same path at the receiver.
    pub fn of(paths: &[PathBuf], exclude: &[Pattern]) -> Result<Self, Error> {
        let mut listing = Listing::default();
        for path in paths {
            let data = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
            if !data.is_file() && !data.is_dir() {
                let path = path.display();
                return Err(Error::Source(format!("{path} is neither a file nor a folder")));
            }
            let own = vec![own_name(path)?];
            check(&own).map_err(|error| {
                Error::Source(format!("{} cannot be sent: {error}", path.display()))
            })?;
            listing.add(path, own, &data, exclude)?;
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

    fn add(
        &mut self,
        source: &Path,
        path: Vec<Name>,
        data: &Metadata,
        exclude: &[Pattern],
    ) -> Result<(), Error> {
        if data.is_file() {
            let modified = data.modified().map(Modified::of).unwrap_or_default();
            let (source, size) = (source.to_owned(), data.len());
            let kind = Kind::File { source, size, mode: mode(data), modified };
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
            let (source, name) = (entry.path(), entry.file_name());
            let data = entry.metadata().map_err(|error| unreadable(&source, &error))?;
            let mut path = path.clone();
            path.push(name::of(&name));
            if excluded(&path, exclude) {
                continue;
            }
            let why = if data.is_symlink() {
                Some(Why::Link)
            } else if !data.is_file() && !data.is_dir() {
                Some(Why::Special)
            } else {
                check(&path).err().map(Why::Name)
            };
            match why {
                Some(why) => self.left_out.push((source, why)),
                None => self.add(&source, path, &data, exclude)?,
            }
        }
        Ok(())
    }
}

/// Permissions of a file's owner, its group and others.
#[cfg(unix)]
fn mode(data: &Metadata) -> u16 {
    use std::os::unix::fs::MetadataExt as _;
    (data.mode() & 0o777) as u16
}

/// Permissions of a file's owner, its group and others, for a system that does not have them: the
/// receiver's mask decides, and a file that nobody may change stays one.
#[cfg(not(unix))]
fn mode(data: &Metadata) -> u16 {
    if data.permissions().readonly() { 0o444 } else { 0o666 }
}

/// True if a path below a folder that was given, or its last name, matches one of the patterns.
fn excluded(path: &[Name], patterns: &[Pattern]) -> bool {
    let [_, below @ ..] = path else { return false };
    let names: Vec<_> = below.iter().map(|name| String::from_utf8_lossy(name)).collect();
    let whole = names.join("/");
    let last = names.last().map_or("", |name| name);
    patterns.iter().any(|pattern| pattern.matches(last) || pattern.matches(&whole))
}

/// The limits of the receiver's file system are known only once it is reached.
fn check(path: &[Name]) -> Result<(), NameError> {
    name::check(path, Limits::NONE)
}

/// The last name of a path, under which it arrives. For `.` and `..` that is the folder's real
/// name.
fn own_name(path: &Path) -> Result<Name, Error> {
    if let Some(name) = path.file_name() {
        return Ok(name::of(name));
    }
    let full = path.canonicalize().map_err(|error| unreadable(path, &error))?;
    full.file_name().map(name::of).ok_or_else(|| {
        Error::Source(format!("{} has no name under which it could arrive", full.display()))
    })
}

fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    Error::Source(format!("cannot read {}: {error}", path.display()))
}
