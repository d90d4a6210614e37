//! The command that repeats a run.

use atl_scenario::ablation::Ablation;
use atl_scenario::repeat;

use crate::args::Changes;

/// `atl COMMAND SPEC` with all options that affect results.
pub(crate) fn command(
    command: &str,
    spec: &str,
    changes: &Changes,
    on: &[String],
    ablate: &[Ablation],
) -> String {
    repeat::command(command, spec, &changes.overrides(), on, ablate)
}
