//! `atl merge`: merging the parts of a sweep.

use std::path::PathBuf;

use atl_experiment::shard::Builds;
use atl_experiment::{Merging, write};

use crate::args::Merge;
use crate::experiment::Experiment;
use crate::failure::Failure;
use crate::status::Status;
use crate::written::Written;
use crate::{folder, output, run};

/// Merges parts and writes the report and the data files of the whole.
///
/// # Errors
/// If parts are missing, damaged or of different sweeps, if the scenario has changed since the
/// runs, or if results cannot be written.
pub(crate) fn merge(args: &Merge) -> Result<Status, Failure> {
    let builds = if args.other_builds { Builds::Any } else { Builds::Same };
    let merging =
        Merging::open(&args.parts, builds).map_err(|error| Failure::of(error, args.json))?;
    let dir = args.out.clone().unwrap_or_else(|| merging.folder());
    let folder = folder::prepare(&dir, &[PathBuf::new()])?;
    let experiment = Experiment::merged(merging.outcomes(folder.staging())?);
    let command = experiment.outcomes.first().map(|outcome| outcome.command.as_str());
    let of_another = command.and_then(|command| folder::of_another(&folder, command));
    if args.out.is_none() {
        folder::warn_of_another(&dir, of_another.as_deref());
    }
    write::data(folder.staging(), &experiment.outcomes, args.csv)?;
    experiment.write_page(folder.staging())?;
    let replaced = folder.earlier().is_some();
    let written = Written { files: folder.commit()?, replaced, of_another, packets: Vec::new() };
    match (args.json, args.quiet) {
        (true, _) => run::json(&experiment, Vec::new(), written),
        (_, true) => Ok(Status::Success),
        _ => output::text(&run::shown(&experiment, &[], &dir, &written)),
    }
}
