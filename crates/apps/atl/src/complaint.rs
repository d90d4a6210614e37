//! Reporting a command's failure.

use atl_scenario::Errors;
use serde_json::json;

use crate::document::Format;
use crate::failure::Failure;
use crate::output;
use crate::status::Status;

/// Reports a failure on standard error, and with `--json` also on standard output. Gives the exit
/// status.
pub(crate) fn report(failure: &Failure) -> Status {
    match failure {
        Failure::Scenarios { errors, json } => {
            for errors in errors {
                output::error(&errors.render(output::stderr_colour()));
            }
            if *json {
                let reports: Vec<_> = errors.iter().flat_map(Errors::reports).collect();
                // If this fails too, the status still shows the first failure.
                let _ = output::json(Format::Errors, &json!({ "errors": reports }));
            }
            Status::Usage
        }
        Failure::Gaps { gaps, json } => {
            output::error(&format!("error: {gaps}\n"));
            if *json {
                let _ = output::json(Format::Gaps, &json!({ "gaps": gaps.reports() }));
            }
            Status::Usage
        }
        Failure::Usage(message) => {
            output::error(&format!("error: {message}\n"));
            Status::Usage
        }
        Failure::Runtime(message) => {
            output::error(&format!("error: {message}\n"));
            Status::Failure
        }
    }
}
