//! State files, which keep the path and size of unfinished files.

use std::io::{self, Read as _};

use data_encoding::HEXLOWER;

use super::dir::{Dir, How};
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
pub(super) fn write(folder: &Dir, name: &str, bytes: &[u8]) -> io::Result<()> {
    let staged = format!("{name}.new");
    write_all(&mut step(|| folder.file(staged.as_bytes(), How::Replace))?, bytes)?;
    step(|| folder.rename(staged.as_bytes(), folder, name.as_bytes()))
}

/// Writes the state of an unfinished file.
pub(super) fn note(folder: &Dir, path: &[Name], size: u64) -> io::Result<()> {
    let mut text = format!("{HEAD}\n{size}\n").into_bytes();
    text.extend(path.join(&b'/'));
    write(folder, &format!("{}.state", id(path)), &text)
}

/// Reads the state of an unfinished file: its path and size.
pub(super) fn read(folder: &Dir, id: &str) -> Option<(Vec<Name>, u64)> {
    let file = folder.file(format!("{id}.state").as_bytes(), How::Read).ok()?;
    let most = (64 + MAX_NAMES * (MAX_TEXT + 1)) as u64;
    let mut text = Vec::new();
    file.take(most).read_to_end(&mut text).ok()?;
    let mut lines = text.splitn(3, |octet| *octet == b'\n');
    if lines.next()? != HEAD.as_bytes() {
        return None;
    }
    let size = std::str::from_utf8(lines.next()?).ok()?.parse().ok()?;
    let path: Vec<Name> = lines.next()?.split(|octet| *octet == b'/').map(<[u8]>::to_vec).collect();
    name::check(&path, Limits::NONE).ok()?;
    (self::id(&path) == id).then_some((path, size))
}
