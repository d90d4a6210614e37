//! A folder that is open: all that a reception does to the file system is done in one.
//!
//! Nothing here follows a symbolic link, and names have no separators, so that no operation reaches
//! out of the folder. What the operations are is the system's: one file for each family of systems.

#[cfg(unix)]
#[path = "dir/unix.rs"]
mod system;
#[cfg(not(unix))]
#[path = "dir/elsewhere.rs"]
mod system;

pub(super) use system::{Dir, dress, is_linked_again, is_there, make_private, mode, words};

/// The way in which a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// To be read; it exists.
    Read,
    /// To be read and written, by this user alone; created if it does not exist.
    Keep,
    /// To be written anew, by this user alone.
    Replace,
    /// Created as other programs create files, to see with which permissions.
    Probe,
}

/// An entry of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) kind: Kind,
    /// In bytes.
    pub(super) size: u64,
    /// True of a file that has another name besides.
    pub(super) linked_again: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Folder,
    File,
    /// A symbolic link, a device, ...
    Other,
}
