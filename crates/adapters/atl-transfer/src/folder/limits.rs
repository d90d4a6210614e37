//! Names that a file system can hold, found by trying.

use std::os::fd::OwnedFd;

use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{OFlag, openat};
use nix::sys::stat::Mode;
use nix::unistd::{UnlinkatFlags, unlinkat};

use super::path;
use crate::name::Limits;

/// Names, and the limit that a file system has that cannot hold them.
const TRIALS: [(&[u8], Limits); 5] = [
    (b"try-\xff", Limits::UTF8),
    (b"try-\n", Limits::CONTROLS),
    (b"try-\\", Limits::BACKSLASH),
    (b"try-<>:\"|?*", Limits::PUNCTUATION),
    (b"try-.", Limits::ENDS),
];
/// A name, and the same one in capitals.
const CASES: (&[u8], &[u8]) = (b"try-case", b"TRY-CASE");

/// Tries names within a folder, and leaves nothing of them.
pub(super) fn of(folder: &OwnedFd) -> Limits {
    let mut limits = if cfg!(windows) { Limits::WINDOWS } else { Limits::NONE };
    for (name, limit) in TRIALS {
        if !holds(folder, name) {
            limits = limits.and(limit);
        }
        let _ = unlinkat(folder, name, UnlinkatFlags::NoRemoveDir);
    }
    let (name, capitals) = CASES;
    if make(folder, name).is_ok() && path::look(folder, capitals).is_ok_and(|data| data.is_some()) {
        limits = limits.and(Limits::CASELESS);
    }
    let _ = unlinkat(folder, name, UnlinkatFlags::NoRemoveDir);
    limits
}

fn make(folder: &OwnedFd, name: &[u8]) -> Result<(), Errno> {
    let flags = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    openat(folder, name, flags, Mode::S_IRUSR | Mode::S_IWUSR).map(drop)
}

/// True if a file of this name can be made, and is listed under it: some systems change a name.
fn holds(folder: &OwnedFd, name: &[u8]) -> bool {
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
    make(folder, name).is_ok()
        && Dir::openat(folder, ".", flags, Mode::empty()).is_ok_and(|mut dir| {
            dir.iter().flatten().any(|entry| entry.file_name().to_bytes() == name)
        })
}
