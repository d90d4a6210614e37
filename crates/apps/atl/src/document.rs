//! The JSON documents that `--json` prints: each names its format and the format's version, before all else. docs/json.md
//! describes them, and tests hold it against what is printed.

use atl_report::summary::Summary;
use serde::Serialize;

/// A kind of document. Its version changes when a field is removed or means something else, not when one is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// `atl run`, of one scenario on one host.
    Run,
    /// `atl run` on several hosts, `atl reproduce`, `atl merge`: several outcomes.
    Runs,
    /// `atl run --shard`.
    Shard,
    /// `atl path`.
    Path,
    /// `atl compare`.
    Compare,
    /// `atl list`.
    List,
    /// `atl model`.
    Model,
    /// `atl equivalence`.
    Equivalence,
    /// `atl equivalence --list`.
    Cases,
    /// `atl send`.
    Sent,
    /// What is wrong with scenario files.
    Errors,
    /// What hosts cannot do.
    Gaps,
}

impl Format {
    /// Name and version.
    pub(crate) const fn id(self) -> &'static str {
        match self {
            Format::Run => Summary::FORMAT,
            Format::Runs => "atl-runs/1",
            Format::Shard => "atl-shard/1",
            Format::Path => "atl-path/1",
            Format::Compare => "atl-compare/1",
            Format::List => "atl-list/1",
            Format::Model => "atl-model/1",
            Format::Equivalence => "atl-equivalence/1",
            Format::Cases => "atl-cases/1",
            Format::Sent => "atl-sent/1",
            Format::Errors => "atl-errors/1",
            Format::Gaps => "atl-gaps/1",
        }
    }
}

/// A document with the name of its format.
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
