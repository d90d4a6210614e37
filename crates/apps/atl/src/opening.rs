//! Opening the scenario that a command names.

use std::io;

use atl_scenario::scenario::Scenario;
use atl_scenario::{Errors, Overrides};

/// Stands for standard input, as in most programs.
pub(crate) const STDIN: &str = "-";
/// Name of a scenario from standard input, in messages and for the folder of results.
const STDIN_NAME: &str = "stdin";

/// Reads a scenario: a file, a built-in one by its name, or standard input (`-`).
///
/// # Errors
/// All mistakes in it.
pub(crate) fn open(spec: &str, overrides: &Overrides) -> Result<Scenario, Errors> {
    if spec == STDIN {
        return atl_scenario::read_from(&mut io::stdin().lock(), STDIN_NAME, overrides);
    }
    atl_scenario::open(spec, overrides)
}
