//! `atl show`.

use atl_scenario::builtin;

use crate::args::{Changes, Show};
use crate::experiment;
use crate::failure::{Failure, Status};
use crate::output;

/// Prints a built-in scenario's file.
///
/// # Errors
/// If there is none of that name.
pub fn show(args: &Show) -> Result<Status, Failure> {
    if let Some(found) = builtin().iter().find(|b| b.name == args.name) {
        return output::text(found.text);
    }
    // Opening what is not there tells which names are near.
    let scenarios = experiment::open([args.name.as_str()], &Changes::default(), false)?;
    output::text(&scenarios.iter().map(|s| s.text.as_str()).collect::<String>())
}
