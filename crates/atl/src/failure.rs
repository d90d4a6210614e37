//! How a command ends: exit statuses, and what is said when it fails.

use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

use atl_scenario::Errors;

use crate::output;

/// Exit status of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It did what it was asked.
    Fine,
    /// It could not (a file that cannot be written), or `--strict` found a quote that is not met.
    Failed,
    /// It was asked something that makes no sense: an unknown option, a wrong scenario.
    Usage,
}

/// Exit status after Ctrl-C: 128 and the number of the signal, as shells have it.
pub const INTERRUPTED: i32 = 130;

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Fine => 0,
            Status::Failed => 1,
            Status::Usage => 2,
        })
    }
}

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub enum Failure {
    /// Scenarios are wrong; all that is wrong with each.
    Scenarios {
        /// What was found.
        errors: Vec<Errors>,
        /// Standard output gets them as JSON.
        json: bool,
    },
    /// The arguments do not fit together.
    Usage(String),
    /// Something went wrong on the way.
    Runtime(String),
}

impl Failure {
    /// A file or directory with which `what` could not be done.
    pub fn file(what: &str, path: &Path, error: &dyn Display) -> Failure {
        Failure::Runtime(format!("cannot {what} {}: {error}", path.display()))
    }

    /// Tells the user, and gives the exit status.
    pub fn tell(&self) -> Status {
        match self {
            Failure::Scenarios { errors, json } => {
                for errors in errors {
                    output::complain(&errors.render(output::stderr_colour()));
                }
                if *json {
                    let reports: Vec<_> = errors.iter().flat_map(Errors::reports).collect();
                    // The status already says that it went wrong.
                    let _ = output::json(&serde_json::json!({ "errors": reports }));
                }
                Status::Usage
            }
            Failure::Usage(message) => {
                output::complain(&format!("error: {message}\n"));
                Status::Usage
            }
            Failure::Runtime(message) => {
                output::complain(&format!("error: {message}\n"));
                Status::Failed
            }
        }
    }
}
