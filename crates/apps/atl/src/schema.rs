//! The command `atl schema`.

use atl_scenario::json_schema;

use crate::failure::Failure;
use crate::output;
use crate::status::Status;

/// Prints the JSON Schema of scenario files.
///
/// # Errors
/// If standard output cannot be written to.
pub(crate) fn schema() -> Result<Status, Failure> {
    output::text(&json_schema())
}
