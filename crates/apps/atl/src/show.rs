//! The command `atl show`.

use atl_scenario::named;

use crate::args::{Changes, Show};
use crate::experiment;
use crate::failure::Failure;
use crate::output;
use crate::status::Status;

/// Prints a built-in scenario's file without the line that names its schema.
///
/// # Errors
/// If no scenario has this name.
pub(crate) fn show(args: &Show) -> Result<Status, Failure> {
    if let [found] = named(&args.name)[..] {
        return output::text(found.copy());
    }
    // Opening reports similar names for an unknown one, and the candidates for an ambiguous one.
    let scenarios = experiment::open([args.name.as_str()], &Changes::default(), false)?;
    output::text(&scenarios.iter().map(|s| s.text.as_str()).collect::<String>())
}
