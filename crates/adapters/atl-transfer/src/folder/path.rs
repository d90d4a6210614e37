//! Steps from folder to folder, none of which follows a symbolic link.

use std::io;

use super::dir::{Dir, Seen, words};
use super::error::{Refusal, entering};
use crate::name::shown_name;
use crate::wire::Name;

/// The folder at a path below `root`; `None` if a part of it does not exist.
pub(super) fn find(root: &Dir, path: &[Name]) -> Result<Option<Dir>, Refusal> {
    let mut folder = root.enter(b".").map_err(|error| entering(b".", &error))?;
    for name in path {
        folder = match folder.enter(name) {
            Ok(folder) => folder,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(entering(name, &error)),
        };
    }
    Ok(Some(folder))
}

/// The folder at a path below `root`, created with those above it as needed.
pub(super) fn make(root: &Dir, path: &[Name]) -> Result<Dir, Refusal> {
    let mut folder = root.enter(b".").map_err(|error| entering(b".", &error))?;
    for name in path {
        match folder.make(name, false) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                let what = format!("make the folder `{}`", shown_name(name));
                return Err(Refusal::storage(&what, words(&error)));
            }
        }
        folder = folder.enter(name).map_err(|error| entering(name, &error))?;
    }
    Ok(folder)
}

/// The entry with this name in a folder, a symbolic link itself and not its target; `None` without
/// one.
pub(super) fn look(folder: &Dir, name: &[u8]) -> Result<Option<Seen>, Refusal> {
    let failed =
        |error| Refusal::storage(&format!("look at `{}`", shown_name(name)), words(&error));
    folder.look(name).map_err(failed)
}
