//! Systems without network namespaces and TUN devices, which a COMMAND behind links needs.

use std::ffi::OsString;

use super::runner::Runner;
use crate::failure::Failure;

/// Nothing is supervised here.
pub(crate) fn supervise(_arguments: &[OsString]) -> Option<u8> {
    None
}

/// Carries out no COMMAND.
///
/// # Errors
/// Always.
pub(super) fn runner() -> Result<Runner, Failure> {
    Err(Failure::Usage(
        "a COMMAND behind links needs Linux: its namespaces and TUN devices. The UDP proxy does \
         not: --listen 127.0.0.1:5000 --to 127.0.0.1:6000"
            .to_owned(),
    ))
}
