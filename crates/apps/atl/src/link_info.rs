//! The command `atl link-info`.

use std::fs;
use std::io;
use std::path::Path;

use atl_device::adapters::Adapter;
use atl_device::text;

use crate::args::LinkInfo;
use crate::failure::Failure;
use crate::output;
use crate::status::Status;

/// Turns what a tool prints into link information, until the tool ends.
///
/// # Errors
/// If the output is not that tool's, or the information cannot be written.
pub(crate) fn link_info(args: &LinkInfo) -> Result<Status, Failure> {
    let adapter = Adapter::named(&args.tool).ok_or_else(|| {
        Failure::Usage(format!("there is no tool `{}`: {}", args.tool, Adapter::NAMES.join(", ")))
    })?;
    let done = adapter.run(io::stdin().lock(), &mut |info| {
        let line = text::line(info);
        match &args.into {
            Some(path) => exchange(path, &line),
            None => output::text(&line)
                .map(drop)
                .map_err(|_| io::Error::other("cannot write to standard output")),
        }
    });
    let failed = |error| Failure::Runtime(format!("link information of {}: {error}", args.tool));
    done.map(|()| Status::Success).map_err(failed)
}

/// Writes a new file in the place of the old one, so that no reader sees half of it.
fn exchange(path: &Path, line: &str) -> io::Result<()> {
    let mut staged = path.as_os_str().to_owned();
    staged.push(".new");
    fs::write(&staged, line)?;
    fs::rename(&staged, path)
}
