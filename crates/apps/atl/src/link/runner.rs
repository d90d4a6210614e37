//! The forms of the command.

use atl_engine::Cancel;

use super::network::Network;
use crate::args::Link;
use crate::failure::Failure;
use crate::status::Status;

/// Carries out one of them.
pub(super) type Runner = fn(&Network, &Link, &Cancel) -> Result<Status, Failure>;
