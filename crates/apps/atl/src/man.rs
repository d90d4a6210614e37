//! The command `atl man`.

use std::fs;

use clap::CommandFactory as _;

use crate::args::{Cli, Man};
use crate::failure::Failure;
use crate::output;
use crate::status::Status;

/// Writes the manual: one page on standard output, or all pages into a folder.
///
/// # Errors
/// If output cannot be written.
pub(crate) fn man(args: &Man) -> Result<Status, Failure> {
    let Some(dir) = &args.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command())
            .render(&mut page)
            .map_err(|error| Failure::Runtime(format!("cannot make the manual: {error}")))?;
        return output::bytes(&page);
    };
    fs::create_dir_all(dir).map_err(|error| Failure::file("create", dir, &error))?;
    clap_mangen::generate_to(Cli::command(), dir)
        .map_err(|error| Failure::file("write manual pages into", dir, &error))?;
    output::text(&format!("Manual  {}\n", dir.display()))
}
