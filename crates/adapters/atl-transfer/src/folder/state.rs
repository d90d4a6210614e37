//! State files, which keep the path and size of unfinished files.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;

use data_encoding::HEXLOWER;
use nix::fcntl::{OFlag, openat, renameat};
use nix::sys::stat::Mode;

use crate::hash;
use crate::name::{self, System};
use crate::wire::{MAX_NAMES, MAX_TEXT};

/// The first line of a state.
const HEAD: &str = "atl-recv 1";

/// A file whose reception has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// Its path below the folder.
    pub path: Vec<String>,
    /// Its size in bytes, as it was offered last.
    pub size: u64,
    /// Bytes that are here.
    pub held: u64,
}

/// The name under which a file is kept until it is finished, without `.part` or `.state`.
pub(super) fn id(path: &[String]) -> String {
    // Names have no separator, so that different paths give different texts.
    HEXLOWER.encode(&hash::of(path.join("/").as_bytes())[..12])
}

/// Writes a file as a whole or not at all.
pub(super) fn write(folder: &OwnedFd, name: &str, bytes: &[u8]) -> io::Result<()> {
    let staged = format!("{name}.new");
    let flags =
        OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_TRUNC | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    let file = openat(folder, staged.as_str(), flags, Mode::S_IRUSR | Mode::S_IWUSR)?;
    File::from(file).write_all(bytes)?;
    renameat(folder, staged.as_str(), folder, name)?;
    Ok(())
}

/// Writes the state of an unfinished file.
pub(super) fn note(folder: &OwnedFd, path: &[String], size: u64) -> io::Result<()> {
    // No name has a line break.
    let text = format!("{HEAD}\n{size}\n{}\n", path.join("\n"));
    write(folder, &format!("{}.state", id(path)), text.as_bytes())
}

/// Reads the state of an unfinished file: its path and size.
pub(super) fn read(folder: &OwnedFd, id: &str) -> Option<(Vec<String>, u64)> {
    let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    let file = openat(folder, format!("{id}.state").as_str(), flags, Mode::empty()).ok()?;
    let most = (64 + MAX_NAMES * (MAX_TEXT + 1)) as u64;
    let mut text = String::new();
    File::from(file).take(most).read_to_string(&mut text).ok()?;
    let mut lines = text.strip_suffix('\n')?.split('\n');
    if lines.next()? != HEAD {
        return None;
    }
    let size = lines.next()?.parse().ok()?;
    let path: Vec<String> = lines.map(str::to_owned).collect();
    name::check(path.iter().map(String::as_str), System::HERE).ok()?;
    (self::id(&path) == id).then_some((path, size))
}
