//! A file that is being received.

use std::fmt;
use std::fs::{File, Permissions};
use std::io::{self, Read as _, Seek as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;

use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, openat, renameat};
use nix::libc;
use nix::sys::stat::{FileStat, Mode, fstat};
use nix::unistd::{UnlinkatFlags, linkat, unlinkat};

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

/// Permissions of a file until it is complete.
const PART: u32 = 0o600;

/// A file that is being received: [`start`](Self::start) names its first missing byte,
/// [`write`](Self::write) adds what comes, [`finish`](Self::finish) moves it to its place. What is
/// dropped before that stays as a part, from which it can be resumed.
pub struct Target {
    root: OwnedFd,
    state: OwnedFd,
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
        let clone = |fd: &OwnedFd| fd.try_clone().map_err(|error| failed("open its folder", error));
        let (root, state) = (clone(&folder.root)?, clone(&folder.state)?);
        let began = path::look(&state, part_name(&offer.path).as_bytes())?
            .is_some_and(|data| data.st_size > 0 && !is_placed(&data));
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
                    let _ = step(|| part.set_permissions(Permissions::from_mode(PART)));
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
            step(|| renameat(&self.state, part.as_str(), &folder, name.as_slice()))
        } else {
            step(|| link(&self.state, &part, &folder, name))
        };
        match placed {
            Ok(()) => {
                self.discard();
                Ok(())
            }
            Err(Errno::EEXIST) => Err(exists(&self.path)),
            Err(error) => Err(Refusal::storage("put the file in its place", error.desc())),
        }
    }

    /// Removes the part and the state of an unfinished file.
    fn discard(&self) {
        let id = state::id(&self.path);
        for file in [format!("{id}.part"), format!("{id}.state")] {
            let _ = step(|| unlinkat(&self.state, file.as_str(), UnlinkatFlags::NoRemoveDir));
        }
    }
}

impl Drop for Target {
    /// Leaves no trace of a file of which no byte came.
    fn drop(&mut self) {
        let part = path::look(&self.state, part_name(&self.path).as_bytes());
        if part.is_ok_and(|part| part.is_some_and(|data| data.st_size == 0)) {
            self.discard();
        }
    }
}

/// Gives a part its final name, unless that is taken.
fn link(state: &OwnedFd, part: &str, folder: &OwnedFd, name: &[u8]) -> Result<(), Errno> {
    match linkat(state, part, folder, name, AtFlags::empty()) {
        Ok(()) => Ok(()),
        // Some file systems have no hard links.
        Err(Errno::EPERM | Errno::EOPNOTSUPP | Errno::ENOSYS | Errno::EMLINK) => {
            without_links(state, part, folder, name)
        }
        Err(error) => Err(error),
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn without_links(state: &OwnedFd, part: &str, folder: &OwnedFd, name: &[u8]) -> Result<(), Errno> {
    use nix::fcntl::{RenameFlags, renameat2};

    renameat2(state, part, folder, name, RenameFlags::RENAME_NOREPLACE)
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn without_links(_: &OwnedFd, _: &str, _: &OwnedFd, _: &[u8]) -> Result<(), Errno> {
    Err(Errno::EOPNOTSUPP)
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
fn existing(root: &OwnedFd, offer: &Offer, force: bool) -> Result<Option<File>, Refusal> {
    let Some((name, folders)) = offer.path.split_last() else {
        return Ok(None);
    };
    let Some(folder) = path::find(root, folders)? else { return Ok(None) };
    let Some(data) = path::look(&folder, name)? else { return Ok(None) };
    let kind = data.st_mode & libc::S_IFMT;
    if kind == libc::S_IFDIR {
        let text = format!("`{}` is a folder at the receiver", shown_name(name));
        return Err(Refusal::new(Reason::Exists, text));
    }
    if kind == libc::S_IFREG && u64::try_from(data.st_size) == Ok(offer.size) {
        let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        // A file that cannot be read is taken for another one.
        if let Ok(file) = openat(&folder, name.as_slice(), flags, Mode::empty()) {
            return Ok(Some(File::from(file)));
        }
    }
    if force { Ok(None) } else { Err(exists(&offer.path)) }
}

/// Opens the part of a file, and writes its state.
fn open_part(state: &OwnedFd, offer: &Offer) -> io::Result<File> {
    state::note(state, &offer.path, offer.size)?;
    part(state, &offer.path)
}

fn part(state: &OwnedFd, path: &[Name]) -> io::Result<File> {
    let flags = OFlag::O_RDWR | OFlag::O_CREAT | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    let name = part_name(path);
    let open = || step(|| openat(state, name.as_str(), flags, Mode::from_bits_truncate(PART)));
    let file = match open() {
        // A receiver was killed after it had taken the owner's right to write from the part.
        Err(Errno::EACCES) => {
            step(|| unlinkat(state, name.as_str(), UnlinkatFlags::NoRemoveDir))?;
            open()?
        }
        opened => opened?,
    };
    if !is_placed(&fstat(&file)?) {
        return Ok(File::from(file));
    }
    step(|| unlinkat(state, name.as_str(), UnlinkatFlags::NoRemoveDir))?;
    Ok(File::from(open()?))
}

/// True of a part that a receiver has put in its place and was killed before it removed the part's
/// own name: whoever writes to it writes to the finished file.
fn is_placed(data: &FileStat) -> bool {
    data.st_nlink > 1
}

/// Gives a finished part its permissions and its time. On a file system that has none it stays as
/// private as it was.
fn dress(part: &File, mode: u16, modified: Modified) {
    let _ = step(|| part.set_permissions(Permissions::from_mode(mode.into())));
    if let Some(time) = modified.time() {
        let _ = step(|| part.set_modified(time));
    }
}
