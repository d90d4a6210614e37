//! The link socket of the `atl link` that this program runs behind.

use std::env;
use std::path::{Path, PathBuf};

/// Variable that tells COMMAND of `atl link --link-socket PATH -- COMMAND` the socket's path.
pub(crate) const LINK_SOCKET: &str = "ATL_LINK_SOCKET";

/// Path of the socket, if there is one.
pub(crate) fn find() -> Option<PathBuf> {
    let path = PathBuf::from(env::var_os(LINK_SOCKET)?);
    is_socket(&path).then_some(path)
}

#[cfg(unix)]
fn is_socket(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    path.metadata().is_ok_and(|file| file.file_type().is_socket())
}

/// Link sockets need Linux.
#[cfg(not(unix))]
fn is_socket(_: &Path) -> bool {
    false
}
