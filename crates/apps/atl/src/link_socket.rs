//! The link socket of the `atl link` that this program runs behind.

use std::env;
use std::fs;
use std::os::unix::fs::FileTypeExt as _;
use std::path::PathBuf;

/// Variable that tells COMMAND of `atl link --link-socket PATH -- COMMAND` the socket's path.
pub(crate) const LINK_SOCKET: &str = "ATL_LINK_SOCKET";

/// Path of the socket, if there is one.
pub(crate) fn find() -> Option<PathBuf> {
    let path = PathBuf::from(env::var_os(LINK_SOCKET)?);
    let there = fs::metadata(&path).is_ok_and(|file| file.file_type().is_socket());
    there.then_some(path)
}
