//! Names that a file system can hold and permissions that it gives, found by trying.

use std::io;

use super::dir::{self, Dir, How};
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

/// A file with the permissions that new files get.
const PROBE: &[u8] = b"probe";

/// Tries names within a folder, and leaves nothing of them.
pub(super) fn of(folder: &Dir) -> Limits {
    // Windows would take some of them for something else.
    let trials = if cfg!(windows) { &[][..] } else { &TRIALS };
    let mut limits = if cfg!(windows) { Limits::WINDOWS } else { Limits::NONE };
    for (name, limit) in trials {
        if !holds(folder, name) {
            limits = limits.and(*limit);
        }
        let _ = folder.remove(name);
    }
    let (name, capitals) = CASES;
    if make(folder, name).is_ok() && folder.look(capitals).is_ok_and(|seen| seen.is_some()) {
        limits = limits.and(Limits::CASELESS);
    }
    let _ = folder.remove(name);
    limits
}

/// Permissions that the user's mask leaves to new files, found with one. (To read the mask is to
/// change it, for all threads.)
pub(super) fn allowed(folder: &Dir) -> io::Result<u16> {
    // One that a killed receiver left may have another mask.
    let _ = folder.remove(PROBE);
    let mode = dir::mode(&folder.file(PROBE, How::Probe)?)?;
    folder.remove(PROBE)?;
    Ok(mode)
}

fn make(folder: &Dir, name: &[u8]) -> io::Result<()> {
    folder.file(name, How::Keep).map(drop)
}

/// True if a file of this name can be made, and is listed under it: some systems change a name.
fn holds(folder: &Dir, name: &[u8]) -> bool {
    make(folder, name).is_ok()
        && folder.names().is_ok_and(|names| names.iter().any(|other| other == name))
}
