//! The JSON documents of `--json`. The first field of each names its format and the format's
//! version. docs/json.md describes them, and tests compare it with the output.

use atl_report::summary::Summary;
use serde::Serialize;

/// Format of a document. Its version changes when a field is removed or changes its meaning, not
/// when one is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// `atl run`, for one scenario on one engine.
    Run,
    /// `atl run` on several engines, `atl reproduce`, `atl merge`: several outcomes.
    Runs,
    /// `atl run --shard`: the summary of a part.
    Shard,
    /// `atl path`: the answer.
    Path,
    /// `atl artefact`: verdicts in each form.
    Artefact,
    /// `atl compare`: differences between folders.
    Compare,
    /// `atl list`: scenarios, protocols, engines.
    List,
    /// `atl model`: results of equations.
    Model,
    /// `atl equivalence`: verdicts on the cases.
    Equivalence,
    /// `atl equivalence --list`: cases.
    Cases,
    /// `atl trace import`: the trace in a few numbers.
    Trace,
    /// `atl send`: the transfer's summary.
    Sent,
    /// Mistakes in scenario files.
    Errors,
    /// Features that engines lack.
    Gaps,
}

impl Format {
    /// Name and version, such as `atl-run/2`.
    pub(crate) const fn id(self) -> &'static str {
        match self {
            Format::Run => Summary::FORMAT,
            Format::Runs => "atl-runs/2",
            Format::Shard => "atl-shard/1",
            Format::Path => "atl-path/2",
            Format::Artefact => "atl-artefact/1",
            Format::Compare => "atl-compare/2",
            Format::List => "atl-list/1",
            Format::Model => "atl-model/1",
            Format::Equivalence => "atl-equivalence/1",
            Format::Cases => "atl-cases/1",
            Format::Trace => "atl-trace/1",
            Format::Sent => "atl-sent/1",
            Format::Errors => "atl-errors/1",
            Format::Gaps => "atl-gaps/1",
        }
    }
}

/// A document, preceded by the name of its format.
#[derive(Serialize)]
pub(crate) struct Named<'a, T> {
    format: &'static str,
    #[serde(flatten)]
    content: &'a T,
}

impl<'a, T> Named<'a, T> {
    pub(crate) fn new(format: Format, content: &'a T) -> Named<'a, T> {
        Named { format: format.id(), content }
    }
}
