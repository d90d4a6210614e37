//! Operations relative to a descriptor.

use std::fs::{File, Permissions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use nix::dir::Dir as Entries;
use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, openat, renameat};
use nix::libc;
use nix::sys::stat::{FileStat, Mode, fstatat, mkdirat};
use nix::sys::statvfs::fstatvfs;
use nix::unistd::{UnlinkatFlags, linkat, unlinkat};

use super::{How, Kind, Seen};
use crate::wire::Name;

/// A folder that stays the same wherever it is moved: its descriptor.
#[derive(Debug)]
pub(in super::super) struct Dir(OwnedFd);

impl Dir {
    /// Opens the folder at a path, which is followed.
    pub(in super::super) fn open(path: &Path) -> io::Result<Dir> {
        let folder = File::open(path)?;
        match folder.metadata()?.is_dir() {
            true => Ok(Dir(folder.into())),
            false => Err(Errno::ENOTDIR.into()),
        }
    }

    pub(in super::super) fn try_clone(&self) -> io::Result<Dir> {
        self.0.try_clone().map(Dir)
    }

    /// Opens a folder in this one; a symbolic link is refused ([`io::ErrorKind::NotADirectory`]).
    pub(in super::super) fn enter(&self, name: &[u8]) -> io::Result<Dir> {
        let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        match openat(&self.0, name, flags, Mode::empty()) {
            Err(Errno::ELOOP) => Err(Errno::ENOTDIR.into()),
            opened => Ok(Dir(opened?)),
        }
    }

    /// Creates a folder in this one, for this user alone if it is `private`.
    pub(in super::super) fn make(&self, name: &[u8], private: bool) -> io::Result<()> {
        let others = if private { Mode::empty() } else { Mode::S_IRWXG | Mode::S_IRWXO };
        Ok(mkdirat(&self.0, name, Mode::S_IRWXU | others)?)
    }

    pub(in super::super) fn file(&self, name: &[u8], how: How) -> io::Result<File> {
        let flags = match how {
            How::Read => OFlag::O_RDONLY,
            How::Keep | How::Probe => OFlag::O_RDWR | OFlag::O_CREAT,
            How::Replace => OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_TRUNC,
        };
        let mode = match how {
            How::Probe => Mode::S_IRWXU | Mode::S_IRWXG | Mode::S_IRWXO,
            _ => Mode::S_IRUSR | Mode::S_IWUSR,
        };
        let flags = flags | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        Ok(File::from(openat(&self.0, name, flags, mode)?))
    }

    /// The entry with this name, a symbolic link itself and not its target; `None` without one.
    pub(in super::super) fn look(&self, name: &[u8]) -> io::Result<Option<Seen>> {
        match fstatat(&self.0, name, AtFlags::AT_SYMLINK_NOFOLLOW) {
            Ok(data) => Ok(Some(seen(&data))),
            Err(Errno::ENOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    pub(in super::super) fn remove(&self, name: &[u8]) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, UnlinkatFlags::NoRemoveDir)?)
    }

    /// Removes an empty folder.
    pub(in super::super) fn remove_folder(&self, name: &[u8]) -> io::Result<()> {
        Ok(unlinkat(&self.0, name, UnlinkatFlags::RemoveDir)?)
    }

    /// Gives a file another place, in the stead of what is there.
    pub(in super::super) fn rename(&self, name: &[u8], to: &Dir, place: &[u8]) -> io::Result<()> {
        Ok(renameat(&self.0, name, &to.0, place)?)
    }

    /// Gives a file another place unless that is taken ([`io::ErrorKind::AlreadyExists`]). It may
    /// keep its first name besides.
    pub(in super::super) fn place(&self, name: &[u8], to: &Dir, place: &[u8]) -> io::Result<()> {
        match linkat(&self.0, name, &to.0, place, AtFlags::empty()) {
            Ok(()) => Ok(()),
            // Some file systems have no hard links.
            Err(Errno::EPERM | Errno::EOPNOTSUPP | Errno::ENOSYS | Errno::EMLINK) => {
                Ok(without_links(&self.0, name, &to.0, place)?)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The names in it.
    pub(in super::super) fn names(&self) -> io::Result<Vec<Name>> {
        let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
        let mut entries = Entries::openat(&self.0, ".", flags, Mode::empty())?;
        let names = entries.iter().flatten().map(|entry| entry.file_name().to_bytes().to_vec());
        Ok(names.filter(|name| !matches!(name.as_slice(), b"." | b"..")).collect())
    }

    /// Bytes that this user may still write to its file system; `None` if the system does not say.
    #[allow(clippy::useless_conversion, reason = "the types differ from system to system")]
    pub(in super::super) fn free(&self) -> Option<u64> {
        let data = fstatvfs(&self.0).ok()?;
        let (blocks, size) = (data.blocks_available(), data.fragment_size());
        Some(u64::from(blocks).saturating_mul(u64::from(size)))
    }
}

#[allow(clippy::unnecessary_cast, reason = "the types differ from system to system")]
fn seen(data: &FileStat) -> Seen {
    let kind = match data.st_mode & libc::S_IFMT {
        libc::S_IFDIR => Kind::Folder,
        libc::S_IFREG => Kind::File,
        _ => Kind::Other,
    };
    let size = u64::try_from(data.st_size).unwrap_or(0);
    Seen { kind, size, linked_again: data.st_nlink > 1 }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn without_links(from: &OwnedFd, name: &[u8], to: &OwnedFd, place: &[u8]) -> nix::Result<()> {
    use nix::fcntl::{RenameFlags, renameat2};

    renameat2(from, name, to, place, RenameFlags::RENAME_NOREPLACE)
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn without_links(_: &OwnedFd, _: &[u8], _: &OwnedFd, _: &[u8]) -> nix::Result<()> {
    Err(Errno::EOPNOTSUPP)
}

/// True of an open file that still has a name.
pub(in super::super) fn is_there(file: &File) -> bool {
    file.metadata().is_ok_and(|data| data.nlink() > 0)
}

/// True of an open file that has two names.
pub(in super::super) fn is_linked_again(file: &File) -> io::Result<bool> {
    Ok(file.metadata()?.nlink() > 1)
}

/// A file's permissions: those of its owner, its group and others.
pub(in super::super) fn mode(file: &File) -> io::Result<u16> {
    Ok((file.metadata()?.mode() & 0o777) as u16)
}

/// Gives a file permissions: those of its owner, its group and others.
pub(in super::super) fn dress(file: &File, mode: u16) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(mode.into()))
}

/// Lets this user alone read and write a file.
pub(in super::super) fn make_private(file: &File) -> io::Result<()> {
    dress(file, 0o600)
}

/// The system's words for an error, without its number.
pub(in super::super) fn words(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(number) => Errno::from_raw(number).desc().to_owned(),
        None => error.to_string(),
    }
}
