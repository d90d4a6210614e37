//! A file that is being received.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _, Seek as _};

use super::dir::{self, Dir, How, Kind, words};
use super::error::Refusal;
use super::step::{step, write_all};
use super::{Folder, path, state};
use crate::hash::{self, Hashing};
use crate::name::shown_name;
use crate::wire::{Hash, Modified, Name, Offer, Pieces, Reason};

/// The receiver's bytes of a file when it is offered.
#[derive(Debug)]
enum Held {
    /// Its part, which may be empty.
    Part(File),
    /// A file of its name and size, possibly with the same contents.
    Finished(File),
}

/// The progress of a file.
enum Stage {
    /// Waits for the number of the first byte.
    Waiting,
    /// The same file exists already.
    There,
    /// Receives bytes, which are written and hashed.
    Writing(File, Box<Hashing>),
}

/// A file that is being received: [`start`](Self::start) names its first missing byte,
/// [`write`](Self::write) adds what comes, [`finish`](Self::finish) moves it to its place. What is
/// dropped before that stays as a part, from which it can be resumed.
pub struct Target {
    root: Dir,
    state: Dir,
    force: bool,
    path: Vec<Name>,
    size: u64,
    /// Permissions and time of the finished file.
    mode: u16,
    modified: Modified,
    held: Held,
    pieces: Pieces,
    stage: Stage,
    written: u64,
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path: Vec<String> = self.path.iter().map(|name| shown_name(name)).collect();
        f.debug_struct("Target")
            .field("path", &path.join("/"))
            .field("size", &self.size)
            .field("written", &self.written)
            .finish_non_exhaustive()
    }
}

impl Target {
    pub(super) fn begin(folder: &Folder, offer: &Offer) -> Result<Self, Refusal> {
        let failed = |what: &str, error: io::Error| Refusal::storage(what, error);
        let clone = |dir: &Dir| dir.try_clone().map_err(|error| failed("open its folder", error));
        let (root, state) = (clone(&folder.root)?, clone(&folder.state)?);
        let began = path::look(&state, part_name(&offer.path).as_bytes())?
            .is_some_and(|seen| seen.size > 0 && !seen.linked_again);
        let mut held = match existing(&root, offer, folder.force)? {
            // With --force a part may be further than another file of the same size.
            Some(file) if !(folder.force && began) => Held::Finished(file),
            _ => Held::Part(open_part(&state, offer).map_err(|error| failed("write", error))?),
        };
        let (Held::Part(file) | Held::Finished(file)) = &mut held;
        let pieces = hash::prefix(file, offer.size).map_err(|error| failed("read", error))?.pieces;
        Ok(Target {
            root,
            state,
            force: folder.force,
            path: offer.path.clone(),
            size: offer.size,
            mode: offer.mode & folder.allowed,
            modified: offer.modified,
            held,
            pieces,
            stage: Stage::Waiting,
            written: 0,
        })
    }

    /// The pieces that are held of the file.
    pub fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    /// Bytes still to come, once [`start`](Self::start) has given the first one's number.
    pub fn left(&self) -> u64 {
        self.size.saturating_sub(self.written)
    }

    /// Starts with the byte `from`, which the sender sends next.
    ///
    /// # Errors
    /// If another file has the name, the number is not that of a missing byte, or the part cannot
    /// be written.
    pub fn start(&mut self, from: u64) -> Result<(), Refusal> {
        if from > self.pieces.length() || !matches!(self.stage, Stage::Waiting) {
            return Err(Refusal::new(Reason::Protocol, "the sender leaves bytes out"));
        }
        let failed = |error: io::Error| Refusal::storage("write", error);
        self.written = from;
        let mut part = match &mut self.held {
            Held::Part(part) => part.try_clone().map_err(failed)?,
            Held::Finished(_) if from == self.size => {
                self.stage = Stage::There;
                return Ok(());
            }
            Held::Finished(_) if !self.force => return Err(exists(&self.path)),
            Held::Finished(file) => {
                state::note(&self.state, &self.path, self.size).map_err(failed)?;
                let part = part(&self.state, &self.path);
                let mut part = part.map_err(failed)?;
                step(|| part.set_len(0)).map_err(failed)?;
                file.rewind().map_err(failed)?;
                step(|| io::copy(&mut file.take(from), &mut part)).map_err(failed)?;
                part
            }
        };
        step(|| part.set_len(from)).map_err(failed)?;
        // The file's position is then at its end.
        let hashing = hash::prefix(&mut part, from).map_err(failed)?.hashing;
        self.stage = Stage::Writing(part, Box::new(hashing));
        Ok(())
    }

    /// Writes the next bytes.
    ///
    /// # Errors
    /// If there is no room for them.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let Stage::Writing(part, hashing) = &mut self.stage else {
            return Err(Refusal::new(Reason::Protocol, "bytes before their number"));
        };
        if bytes.len() as u64 > self.size.saturating_sub(self.written) {
            return Err(Refusal::new(Reason::Protocol, "more bytes than were offered"));
        }
        write_all(part, bytes).map_err(|error| Refusal::storage("write the file", error))?;
        hashing.add(bytes);
        self.written += bytes.len() as u64;
        Ok(())
    }

    /// Completes the file if `digest` is its hash, and moves it to its place.
    ///
    /// # Errors
    /// If the hash differs, in which case the part is removed; if another file has taken the name
    /// meanwhile; or if its folders cannot be created.
    pub fn finish(mut self, digest: &Hash) -> Result<(), Refusal> {
        let failed = |error: io::Error| Refusal::storage("write the file", error);
        match std::mem::replace(&mut self.stage, Stage::Waiting) {
            Stage::Waiting => Err(Refusal::new(Reason::Protocol, "a hash before the bytes")),
            Stage::There => {
                let (Held::Part(file) | Held::Finished(file)) = &mut self.held;
                let found = hash::prefix(file, self.size).map_err(failed)?.hashing.finish();
                if found == *digest { Ok(()) } else { Err(corrupt()) }
            }
            Stage::Writing(part, hashing) => {
                if self.written != self.size || hashing.finish() != *digest {
                    self.discard();
                    return Err(corrupt());
                }
                dress(&part, self.mode, self.modified);
                // A file reported as done must survive a crash of the machine.
                step(|| part.sync_data()).map_err(failed)?;
                self.place().inspect_err(|_| {
                    // It stays a part, which its owner must be able to write.
                    let _ = step(|| dir::make_private(&part));
                })
            }
        }
    }

    fn place(&self) -> Result<(), Refusal> {
        let Some((name, folders)) = self.path.split_last() else {
            return Err(Refusal::new(Reason::Name, "no name"));
        };
        let folder = path::make(&self.root, folders)?;
        let part = part_name(&self.path);
        let placed = if self.force {
            step(|| self.state.rename(part.as_bytes(), &folder, name))
        } else {
            step(|| self.state.place(part.as_bytes(), &folder, name))
        };
        match placed {
            Ok(()) => {
                self.discard();
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(exists(&self.path)),
            Err(error) => Err(Refusal::storage("put the file in its place", words(&error))),
        }
    }

    /// Removes the part and the state of an unfinished file.
    fn discard(&self) {
        let id = state::id(&self.path);
        for file in [format!("{id}.part"), format!("{id}.state")] {
            let _ = step(|| self.state.remove(file.as_bytes()));
        }
    }
}

impl Drop for Target {
    /// Leaves no trace of a file of which no byte came.
    fn drop(&mut self) {
        let part = path::look(&self.state, part_name(&self.path).as_bytes());
        if part.is_ok_and(|part| part.is_some_and(|seen| seen.size == 0)) {
            self.discard();
        }
    }
}

fn part_name(path: &[Name]) -> String {
    format!("{}.part", state::id(path))
}

fn corrupt() -> Refusal {
    Refusal::new(
        Reason::Corrupt,
        "what arrived is not what was sent: the file has changed meanwhile",
    )
}

fn exists(path: &[Name]) -> Refusal {
    let name = path.last().map(|name| shown_name(name)).unwrap_or_default();
    Refusal::new(
        Reason::Exists,
        format!("another `{name}` is there, and the receiver runs without --force"),
    )
}

/// The file at the path on offer, if it may be the same.
fn existing(root: &Dir, offer: &Offer, force: bool) -> Result<Option<File>, Refusal> {
    let Some((name, folders)) = offer.path.split_last() else {
        return Ok(None);
    };
    let Some(folder) = path::find(root, folders)? else { return Ok(None) };
    let Some(seen) = path::look(&folder, name)? else { return Ok(None) };
    if seen.kind == Kind::Folder {
        let text = format!("`{}` is a folder at the receiver", shown_name(name));
        return Err(Refusal::new(Reason::Exists, text));
    }
    // A file that cannot be read is taken for another one.
    if seen.kind == Kind::File
        && seen.size == offer.size
        && let Ok(file) = folder.file(name, How::Read)
    {
        return Ok(Some(file));
    }
    if force { Ok(None) } else { Err(exists(&offer.path)) }
}

/// Opens the part of a file, and writes its state.
fn open_part(state: &Dir, offer: &Offer) -> io::Result<File> {
    state::note(state, &offer.path, offer.size)?;
    part(state, &offer.path)
}

fn part(state: &Dir, path: &[Name]) -> io::Result<File> {
    let name = part_name(path);
    let open = || step(|| state.file(name.as_bytes(), How::Keep));
    let file = match open() {
        // A receiver was killed after it had taken the owner's right to write from the part.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            step(|| state.remove(name.as_bytes()))?;
            open()?
        }
        opened => opened?,
    };
    // A receiver has put the part in its place and was killed before it removed the part's own
    // name: whoever writes to it writes to the finished file.
    if !dir::is_linked_again(&file)? {
        return Ok(file);
    }
    step(|| state.remove(name.as_bytes()))?;
    open()
}

/// Gives a finished part its permissions and its time. On a file system that has none it stays as
/// private as it was.
fn dress(part: &File, mode: u16, modified: Modified) {
    let _ = step(|| dir::dress(part, mode));
    if let Some(time) = modified.time() {
        let _ = step(|| part.set_modified(time));
    }
}
