//! The folder that a receiver writes into.
//!
//! Everything happens relative to open folders, and no symbolic link within them is followed: a
//! peer's path reaches nothing outside, whatever is in the folder and whoever changes it meanwhile.
//! Unfinished files are in [`STATE_FOLDER`] within it, each with a `.state` beside it that says
//! what it is to become; they take their place when their hash is right, in one step.

mod error;
mod path;
mod state;
mod target;

use std::fs::{self, File};
use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{OFlag, openat};
use nix::sys::stat::{Mode, fstat, mkdirat};
use nix::unistd::{UnlinkatFlags, unlinkat};

pub use error::{FolderError, Refusal};
pub use state::Unfinished;
pub(crate) use target::Target;

use crate::identity::Identity;
use crate::name::{self, STATE_FOLDER, System};
use crate::wire::Offer;

const LOCK: &str = "lock";
const IDENTITY: &str = "identity";

/// A folder that files are received into, by nobody else at the time.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    root: OwnedFd,
    state: OwnedFd,
    /// Held as long as this exists.
    _lock: File,
    force: bool,
}

/// Who received into a folder before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predecessor {
    /// Its identity.
    pub identity: Identity,
    /// The UDP port it listened on.
    pub port: u16,
}

impl Folder {
    /// Opens a folder, and creates it if it is not there. With `force`, files take the place of
    /// others of their name.
    ///
    /// # Errors
    /// If it cannot be had, or another receiver has it.
    pub fn open(path: &Path, force: bool) -> Result<Self, FolderError> {
        let failed = |what: &str, error: std::io::Error| FolderError::Io {
            what: format!("{what} {}", path.display()),
            error,
        };
        fs::create_dir_all(path).map_err(|error| failed("create", error))?;
        let root = File::open(path).map_err(|error| failed("open", error))?;
        if !root.metadata().is_ok_and(|data| data.is_dir()) {
            return Err(failed("open", Errno::ENOTDIR.into()));
        }
        let root = OwnedFd::from(root);
        // A receiver that ends removes the state folder: then the lock is on a file that is no
        // longer there.
        for _ in 0..8 {
            match mkdirat(&root, STATE_FOLDER, Mode::S_IRWXU) {
                Ok(()) | Err(Errno::EEXIST) => {}
                Err(error) => return Err(failed("write to", error.into())),
            }
            let opened = path::enter(&root, STATE_FOLDER).and_then(|state| {
                let flags = OFlag::O_RDWR | OFlag::O_CREAT | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
                let lock = openat(&state, LOCK, flags, Mode::S_IRUSR | Mode::S_IWUSR)?;
                Ok((state, File::from(lock)))
            });
            let (state, lock) = match opened {
                Ok(opened) => opened,
                Err(Errno::ENOENT) => continue,
                Err(error) => return Err(failed("write to", error.into())),
            };
            match lock.try_lock() {
                Ok(()) => {}
                Err(fs::TryLockError::WouldBlock) => {
                    return Err(FolderError::Taken { path: path.to_owned() });
                }
                Err(fs::TryLockError::Error(error)) => return Err(failed("lock", error)),
            }
            if fstat(&lock).is_ok_and(|data| data.st_nlink > 0) {
                return Ok(Folder { path: path.to_owned(), root, state, _lock: lock, force });
            }
        }
        Err(FolderError::Taken { path: path.to_owned() })
    }

    /// Its path as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Who received into this folder and did not end in an orderly manner.
    pub fn predecessor(&self) -> Option<Predecessor> {
        let mut text = String::new();
        self.read(IDENTITY)?.take(1 << 16).read_to_string(&mut text).ok()?;
        let (port, identity) = text.split_once('\n')?;
        Some(Predecessor {
            identity: Identity::from_text(identity).ok()?,
            port: port.parse().ok()?,
        })
    }

    /// Keeps an identity until the end, for whoever comes after a crash.
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

    /// Files whose reception has begun, in the order of their paths. Those that cannot be told are
    /// removed.
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

    /// Begins to receive a file, or goes on with it.
    ///
    /// # Errors
    /// If it may not or cannot be received.
    pub(crate) fn begin(&self, offer: &Offer) -> Result<Target, Refusal> {
        name::check(offer.path.iter().map(String::as_str), System::HERE)?;
        Target::begin(self, offer)
    }

    /// Makes a folder.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(crate) fn make(&self, path: &[String]) -> Result<(), Refusal> {
        name::check(path.iter().map(String::as_str), System::HERE)?;
        path::make(&self.root, path).map(drop)
    }

    /// Ends: without unfinished files, nothing but what was received stays.
    pub fn close(self) {
        if self.unfinished().is_empty() {
            for file in self.names() {
                let _ = unlinkat(&self.state, file.as_str(), UnlinkatFlags::NoRemoveDir);
            }
            let _ = unlinkat(&self.root, STATE_FOLDER, UnlinkatFlags::RemoveDir);
        }
    }

    fn forget(&self, id: &str) {
        for file in [format!("{id}.part"), format!("{id}.state")] {
            let _ = unlinkat(&self.state, file.as_str(), UnlinkatFlags::NoRemoveDir);
        }
    }

    fn read(&self, file: &str) -> Option<File> {
        let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        openat(&self.state, file, flags, Mode::empty()).ok().map(File::from)
    }

    fn names(&self) -> Vec<String> {
        let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
        let Ok(mut dir) = Dir::openat(&self.state, ".", flags, Mode::empty()) else {
            return Vec::new();
        };
        let names =
            dir.iter().filter_map(|entry| Some(entry.ok()?.file_name().to_str().ok()?.to_owned()));
        names.filter(|name| !matches!(name.as_str(), "." | "..")).collect()
    }
}
