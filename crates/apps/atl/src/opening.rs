//! Where a scenario comes from.

use std::io;

use atl_scenario::scenario::Scenario;
use atl_scenario::{Errors, Overrides};

/// Stands for standard input, as with most programs.
pub(crate) const STDIN: &str = "-";
/// What messages, and the folder of results, call a scenario from there.
const STDIN_NAME: &str = "stdin";

/// Reads a scenario: a file, a built-in one by its name, or standard input (`-`).
///
/// # Errors
/// All that is wrong with it.
pub(crate) fn open(spec: &str, overrides: &Overrides) -> Result<Scenario, Errors> {
    if spec == STDIN {
        return atl_scenario::read_from(&mut io::stdin().lock(), STDIN_NAME, overrides);
    }
    atl_scenario::open(spec, overrides)
}
