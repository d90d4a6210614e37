//! Operations in a folder on systems without descriptors, such as Windows: cap-std walks paths
//! below an open folder, and follows nothing that leads out of it.

use std::fs::File;
use std::io;
use std::path::Path;
use std::str;

use cap_std::ambient_authority;
use cap_std::fs::{Dir as Capability, OpenOptions};

use super::{How, Kind, Seen};
use crate::wire::Name;

/// A folder that cap-std keeps within its bounds.
#[derive(Debug)]
pub(in super::super) struct Dir(Capability);

impl Dir {
    /// Opens the folder at a path, which is followed.
    pub(in super::super) fn open(path: &Path) -> io::Result<Dir> {
        Capability::open_ambient_dir(path, ambient_authority()).map(Dir)
    }

    pub(in super::super) fn try_clone(&self) -> io::Result<Dir> {
        self.0.try_clone().map(Dir)
    }

    /// Opens a folder in this one; a symbolic link is refused ([`io::ErrorKind::NotADirectory`]).
    pub(in super::super) fn enter(&self, name: &[u8]) -> io::Result<Dir> {
        if name == b"." {
            return self.try_clone();
        }
        match self.look(name)? {
            None => Err(io::ErrorKind::NotFound.into()),
            Some(seen) if seen.kind == Kind::Folder => self.0.open_dir(text(name)?).map(Dir),
            Some(_) => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// Creates a folder in this one. Who may enter it, it inherits from above.
    pub(in super::super) fn make(&self, name: &[u8], _private: bool) -> io::Result<()> {
        self.0.create_dir(text(name)?)
    }

    pub(in super::super) fn file(&self, name: &[u8], how: How) -> io::Result<File> {
        if self.look(name)?.is_some_and(|seen| seen.kind != Kind::File) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
        }
        let mut options = OpenOptions::new();
        match how {
            How::Read => options.read(true),
            How::Keep | How::Probe => options.read(true).write(true).create(true),
            How::Replace => options.write(true).create(true).truncate(true),
        };
        Ok(self.0.open_with(text(name)?, &options)?.into_std())
    }

    /// The entry with this name, a symbolic link itself and not its target; `None` without one.
    pub(in super::super) fn look(&self, name: &[u8]) -> io::Result<Option<Seen>> {
        let data = match self.0.symlink_metadata(text(name)?) {
            Ok(data) => data,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let kind = match data {
            ref data if data.is_dir() => Kind::Folder,
            ref data if data.is_file() => Kind::File,
            _ => Kind::Other,
        };
        Ok(Some(Seen { kind, size: data.len(), linked_again: false }))
    }

    pub(in super::super) fn remove(&self, name: &[u8]) -> io::Result<()> {
        self.0.remove_file(text(name)?)
    }

    /// Removes an empty folder.
    pub(in super::super) fn remove_folder(&self, name: &[u8]) -> io::Result<()> {
        self.0.remove_dir(text(name)?)
    }

    /// Gives a file another place, in the stead of what is there.
    pub(in super::super) fn rename(&self, name: &[u8], to: &Dir, place: &[u8]) -> io::Result<()> {
        self.0.rename(text(name)?, &to.0, text(place)?)
    }

    /// Gives a file another place unless that is taken ([`io::ErrorKind::AlreadyExists`]). A file
    /// that another program puts there in the same instant is replaced: a hard link would tell, but
    /// a receiver killed between it and the removal of the first name could not be told from one
    /// that has not placed its file.
    pub(in super::super) fn place(&self, name: &[u8], to: &Dir, place: &[u8]) -> io::Result<()> {
        match to.look(place)? {
            Some(_) => Err(io::ErrorKind::AlreadyExists.into()),
            None => self.rename(name, to, place),
        }
    }

    /// The names in it.
    pub(in super::super) fn names(&self) -> io::Result<Vec<Name>> {
        let entries = self.0.entries()?.flatten();
        Ok(entries.map(|entry| entry.file_name().as_encoded_bytes().to_vec()).collect())
    }

    /// Bytes that this user may still write to its file system; `None` if the system does not say.
    pub(in super::super) fn free(&self) -> Option<u64> {
        None
    }
}

/// A name as this system has them: text.
fn text(name: &[u8]) -> io::Result<&str> {
    str::from_utf8(name).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
}

/// An open file has its name until it is closed.
pub(in super::super) fn is_there(_: &File) -> bool {
    true
}

/// No file gets a second name here.
pub(in super::super) fn is_linked_again(_: &File) -> io::Result<bool> {
    Ok(false)
}

/// All permissions of Unix: they say nothing here.
pub(in super::super) fn mode(_: &File) -> io::Result<u16> {
    Ok(0o777)
}

/// Permissions of Unix say nothing here: a file has those of its folder.
pub(in super::super) fn dress(_: &File, _: u16) -> io::Result<()> {
    Ok(())
}

/// A file has the permissions of its folder.
pub(in super::super) fn make_private(_: &File) -> io::Result<()> {
    Ok(())
}

/// The system's words for an error.
pub(in super::super) fn words(error: &io::Error) -> String {
    error.to_string()
}
