//! Errors of an emulation, with the step at which they happened.

use std::io;

use atl_engine::Stopped;

/// An error of the system, with the operation that failed.
pub(crate) fn while_doing(what: &str, error: io::Error) -> Stopped {
    Stopped::Failed(format!("cannot {what}: {error}").into())
}
