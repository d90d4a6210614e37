//! Steps from folder to folder, none of which follows a symbolic link.

use std::os::fd::{AsFd, OwnedFd};

use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, openat};
use nix::sys::stat::{FileStat, Mode, fstatat, mkdirat};

use super::error::{Refusal, entering};
use crate::name::shown_name;
use crate::wire::Name;

/// Opens a folder in another one.
pub(super) fn enter(folder: impl AsFd, name: &[u8]) -> Result<OwnedFd, Errno> {
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    openat(folder, name, flags, Mode::empty())
}

/// The folder at a path below `root`; `None` if a part of it does not exist.
pub(super) fn find(root: &OwnedFd, path: &[Name]) -> Result<Option<OwnedFd>, Refusal> {
    let mut folder = enter(root, b".").map_err(|error| entering(b".", error))?;
    for name in path {
        folder = match enter(&folder, name) {
            Ok(folder) => folder,
            Err(Errno::ENOENT) => return Ok(None),
            Err(error) => return Err(entering(name, error)),
        };
    }
    Ok(Some(folder))
}

/// The folder at a path below `root`, created with those above it as needed.
pub(super) fn make(root: &OwnedFd, path: &[Name]) -> Result<OwnedFd, Refusal> {
    let mut folder = enter(root, b".").map_err(|error| entering(b".", error))?;
    for name in path {
        match mkdirat(&folder, name.as_slice(), Mode::S_IRWXU | Mode::S_IRWXG | Mode::S_IRWXO) {
            Ok(()) | Err(Errno::EEXIST) => {}
            Err(error) => {
                let what = format!("make the folder `{}`", shown_name(name));
                return Err(Refusal::storage(&what, error.desc()));
            }
        }
        folder = enter(&folder, name).map_err(|error| entering(name, error))?;
    }
    Ok(folder)
}

/// The entry with this name in a folder, not followed if it is a symbolic link; `None` if there is
/// none.
pub(super) fn look(folder: &OwnedFd, name: &[u8]) -> Result<Option<FileStat>, Refusal> {
    match fstatat(folder, name, AtFlags::AT_SYMLINK_NOFOLLOW) {
        Ok(data) => Ok(Some(data)),
        Err(Errno::ENOENT) => Ok(None),
        Err(error) => {
            Err(Refusal::storage(&format!("look at `{}`", shown_name(name)), error.desc()))
        }
    }
}
