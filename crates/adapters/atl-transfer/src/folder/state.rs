//! State files, which keep the path and size of unfinished files.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;

use data_encoding::HEXLOWER;
use nix::fcntl::{OFlag, openat, renameat};
use nix::sys::stat::Mode;

use super::step::{step, write_all};
use crate::hash;
use crate::name::{self, Limits};
use crate::wire::{MAX_NAMES, MAX_TEXT, Name};

/// The first line of a state.
const HEAD: &str = "atl-recv 2";

/// A file whose reception has begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// Its path below the folder.
    pub path: Vec<Name>,
    /// Its size in bytes, as it was offered last.
    pub size: u64,
    /// Bytes that are here.
    pub held: u64,
}

/// The name under which a file is kept until it is finished, without `.part` or `.state`.
pub(super) fn id(path: &[Name]) -> String {
    // Names have no separator, so that different paths give different texts.
    HEXLOWER.encode(&hash::of(&path.join(&b'/'))[..12])
}

/// Writes a file as a whole or not at all.
pub(super) fn write(folder: &OwnedFd, name: &str, bytes: &[u8]) -> io::Result<()> {
    let staged = format!("{name}.new");
    let flags =
        OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_TRUNC | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    let open = || openat(folder, staged.as_str(), flags, Mode::S_IRUSR | Mode::S_IWUSR);
    write_all(&mut File::from(step(open)?), bytes)?;
    step(|| renameat(folder, staged.as_str(), folder, name))?;
    Ok(())
}

/// Writes the state of an unfinished file.
pub(super) fn note(folder: &OwnedFd, path: &[Name], size: u64) -> io::Result<()> {
    let mut text = format!("{HEAD}\n{size}\n").into_bytes();
    text.extend(path.join(&b'/'));
    write(folder, &format!("{}.state", id(path)), &text)
}

/// Reads the state of an unfinished file: its path and size.
pub(super) fn read(folder: &OwnedFd, id: &str) -> Option<(Vec<Name>, u64)> {
    let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    let file = openat(folder, format!("{id}.state").as_str(), flags, Mode::empty()).ok()?;
    let most = (64 + MAX_NAMES * (MAX_TEXT + 1)) as u64;
    let mut text = Vec::new();
    File::from(file).take(most).read_to_end(&mut text).ok()?;
    let mut lines = text.splitn(3, |octet| *octet == b'\n');
    if lines.next()? != HEAD.as_bytes() {
        return None;
    }
    let size = std::str::from_utf8(lines.next()?).ok()?.parse().ok()?;
    let path: Vec<Name> = lines.next()?.split(|octet| *octet == b'/').map(<[u8]>::to_vec).collect();
    name::check(&path, Limits::NONE).ok()?;
    (self::id(&path) == id).then_some((path, size))
}
