//! The folder that a receiver writes into.
//!
//! Every operation is relative to an open folder, and follows no symbolic link: a peer's path
//! reaches nothing outside, whatever is in the folder and whoever changes it meanwhile. Unfinished
//! files are in [`STATE_FOLDER`] within it, each with a `.state` beside it that holds its path and
//! size. A file moves to its place in one step, once its hash is right.

mod dir;
mod error;
#[cfg(test)]
mod faults;
mod limits;
mod path;
mod state;
mod step;
mod target;

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

pub use error::{FolderError, Refusal};
pub use state::Unfinished;
pub use target::Target;

use dir::{Dir, How};

use crate::identity::Identity;
use crate::name::{self, Limits, STATE_FOLDER};
use crate::wire::{Name, Offer};

const LOCK: &str = "lock";
const IDENTITY: &str = "identity";

/// A folder that is received into, locked against other receivers.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    root: Dir,
    state: Dir,
    /// Held as long as this value exists.
    lock: File,
    force: bool,
    /// Permissions that the user's mask leaves to new files.
    allowed: u16,
    limits: Limits,
}

/// The receiver that used a folder before and was killed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predecessor {
    /// Its identity, with which its tickets stay valid.
    pub identity: Identity,
    /// The UDP port on which it listened.
    pub port: u16,
}

impl Folder {
    /// Opens a folder, and creates it if it does not exist. With `force`, received files replace
    /// files of the same path.
    ///
    /// # Errors
    /// If it cannot be opened, or another receiver uses it.
    pub fn open(path: &Path, force: bool) -> Result<Self, FolderError> {
        let failed = |what: &str, error: io::Error| FolderError::Io {
            what: format!("{what} {}", path.display()),
            error,
        };
        fs::create_dir_all(path).map_err(|error| failed("create", error))?;
        let root = Dir::open(path).map_err(|error| failed("open", error))?;
        // A receiver that ends removes the state folder. The lock may then be on a file that has
        // just been deleted.
        for _ in 0..8 {
            match root.make(STATE_FOLDER.as_bytes(), true) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed("write to", error)),
            }
            let opened = root.enter(STATE_FOLDER.as_bytes()).and_then(|state| {
                let lock = state.file(LOCK.as_bytes(), How::Keep)?;
                Ok((state, lock))
            });
            let (state, lock) = match opened {
                Ok(opened) => opened,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(failed("write to", error)),
            };
            match lock.try_lock() {
                Ok(()) => {}
                Err(fs::TryLockError::WouldBlock) => {
                    return Err(FolderError::Taken { path: path.to_owned() });
                }
                Err(fs::TryLockError::Error(error)) => return Err(failed("lock", error)),
            }
            if dir::is_there(&lock) {
                let allowed = limits::allowed(&state).map_err(|error| failed("write to", error))?;
                let (path, limits) = (path.to_owned(), limits::of(&state));
                return Ok(Folder { path, root, state, lock, force, allowed, limits });
            }
        }
        Err(FolderError::Taken { path: path.to_owned() })
    }

    /// Its path as it was given to [`open`](Self::open).
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Names that its file system cannot hold.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The same folder, which takes names within these limits only.
    #[must_use]
    pub(crate) fn within(mut self, limits: Limits) -> Self {
        self.limits = self.limits.and(limits);
        self
    }

    /// Bytes that this user may still write to its file system; `None` if the system does not say.
    pub fn free(&self) -> Option<u64> {
        self.root.free()
    }

    /// The receiver that used this folder before, unless it ended in an orderly way.
    pub fn predecessor(&self) -> Option<Predecessor> {
        let mut text = String::new();
        self.read(IDENTITY)?.take(1 << 16).read_to_string(&mut text).ok()?;
        let (port, identity) = text.split_once('\n')?;
        Some(Predecessor {
            identity: Identity::from_text(identity).ok()?,
            port: port.parse().ok()?,
        })
    }

    /// Stores an identity until the end, for the receiver that follows a crash.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&self, identity: &Identity, port: u16) -> Result<(), FolderError> {
        let text = format!("{port}\n{}", identity.to_text());
        state::write(&self.state, IDENTITY, text.as_bytes()).map_err(|error| FolderError::Io {
            what: format!("write to {}", self.path.join(STATE_FOLDER).display()),
            error,
        })
    }

    /// Files whose reception has begun, in the order of their paths. Parts without a readable state
    /// are removed.
    pub fn unfinished(&self) -> Vec<Unfinished> {
        let mut found = Vec::new();
        for file in self.names() {
            let Some(id) = file.strip_suffix(".part") else { continue };
            let known = state::read(&self.state, id);
            let held = self.read(&file).and_then(|part| part.metadata().ok());
            match (known, held) {
                (Some((path, size)), Some(data)) => {
                    found.push(Unfinished { path, size, held: data.len().min(size) });
                }
                _ => self.forget(id),
            }
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        found
    }

    /// Begins to receive a file, or resumes it.
    ///
    /// # Errors
    /// If it must not or cannot be received.
    pub fn begin(&self, offer: &Offer) -> Result<Target, Refusal> {
        name::check(&offer.path, self.limits)?;
        Target::begin(self, offer)
    }

    /// Creates a folder, and the folders above it.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn make(&self, path: &[Name]) -> Result<(), Refusal> {
        name::check(path, self.limits)?;
        path::make(&self.root, path).map(drop)
    }

    /// Ends the use of the folder. Without unfinished files, the state folder is removed.
    pub fn close(self) {
        if self.unfinished().is_empty() {
            let (names, Folder { root, state, lock, .. }) = (self.names(), self);
            // Windows keeps what is open, until it is closed.
            let lock = Some(lock).filter(|_| !cfg!(windows));
            for file in names {
                let _ = state.remove(file.as_bytes());
            }
            drop(state);
            let _ = root.remove_folder(STATE_FOLDER.as_bytes());
            drop(lock);
        }
    }

    fn forget(&self, id: &str) {
        for file in [format!("{id}.part"), format!("{id}.state")] {
            let _ = self.state.remove(file.as_bytes());
        }
    }

    fn read(&self, file: &str) -> Option<File> {
        self.state.file(file.as_bytes(), How::Read).ok()
    }

    fn names(&self) -> Vec<String> {
        let names = self.state.names().unwrap_or_default().into_iter();
        names.filter_map(|name| String::from_utf8(name).ok()).collect()
    }
}
