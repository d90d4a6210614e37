//! Description of a metric.

use super::unit::{Scale, Unit};
use atl_engine::result::{FlowResult, Sample};
use atl_engine::setup::FlowSetup;

/// Declaration of a metric. The names that the reader knows, the labels and scales of the report,
/// the columns of data files, the keys of the JSON summary and the table in `docs/scenarios.md`
/// come from it.
#[derive(Clone, Copy, Debug)]
pub struct Descriptor {
    /// Name in scenario files, such as `rtt-median`.
    pub name: &'static str,
    /// Display name, such as `median RTT`.
    pub label: &'static str,
    /// Shorter display name for the heading of a results table; empty for `label`.
    pub heading: &'static str,
    /// Name of its column in data files and of its field in the JSON summary; includes the base
    /// unit (`rtt_median_s`).
    pub key: &'static str,
    /// Base unit of its values.
    pub unit: Unit,
    /// Display unit; `None` for the usual one of its base unit.
    pub scale: Option<Scale>,
    /// Documentation in one line of Markdown.
    pub doc: &'static str,
    /// Features that a scenario needs for it.
    pub needs: &'static [Need],
    /// Computation over a whole run.
    pub value: Value,
    /// Computation over a part of a run.
    pub part: PartValue,
    /// True if a ratio may exceed 1.
    pub exceeds_one: bool,
    /// True if several flows have a value only if each of them that ends by itself has one.
    /// Otherwise flows without a value are left out of the mean.
    pub all_flows: bool,
    /// For a time to an event that a run may end before: the event in words, such as `finished`. No
    /// mean leaves such flows out.
    pub awaits: Option<&'static str>,
    /// The reason why a run may have no value, as the rest of a sentence such as `no RTT was
    /// sampled`; empty if every run of an engine that knows the metric has one.
    pub missing: &'static str,
    /// True if the data file of the flows has a column for it.
    pub in_flows: bool,
    /// True if the JSON summary includes it.
    pub in_summary: bool,
}

/// Computation of a flow's value over a whole run. Variants that need samples are computed in
/// `atl-report`, where the compiler demands an arm for each.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// From the flow's measurements; `None` where they do not give it.
    Flow(fn(&FlowSetup, &FlowResult) -> Option<f64>),
    /// Mean over the samples since measurement began.
    MeanOfSamples(fn(&Sample) -> Option<f64>),
    /// Changes per second of the flow's sending rate.
    RateChanges,
    /// Time until the goodput has recovered from the last disturbance.
    Recovery,
    /// Jain's index of the flows' goodputs; 1 for a single flow.
    Fairness,
}

/// Computation of a flow's value over a part of a run.
#[derive(Clone, Copy, Debug)]
pub enum PartValue {
    /// Not available over a part of a run.
    Unknown,
    /// Rate in bits per second from a counter of bytes since the start; `None` if the engine does
    /// not have it.
    Counted(fn(&Sample) -> Option<u64>),
    /// Mean over the samples in the part.
    MeanOfSamples(fn(&Sample) -> Option<f64>),
    /// Changes per second of the sending rate within the part.
    RateChanges,
    /// Jain's index of the goodputs in the part.
    Fairness,
}

/// A feature that a metric needs of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Samples over time (`record.every`).
    Samples,
    /// A flow that ends by itself.
    EndingFlow,
    /// A flow of a live encoder.
    LiveMedia,
    /// A flow of a live encoder, or of an application that plays a video.
    Viewer,
    /// A flow of an application that plays a video.
    Player,
    /// A flow of an application that talks in both directions.
    Application,
    /// A link with a blackout or a change of network.
    Disturbance,
    /// A flow whose AIMD parameters are fixed.
    FixedAimd,
}

impl Need {
    /// The change to a scenario that satisfies it, in Markdown.
    pub const fn doc(self) -> &'static str {
        match self {
            Need::Samples => "`[record]`",
            Need::EndingFlow => "a flow that ends: `source = { bytes = ... }`",
            Need::LiveMedia => "live media: `source = { frames = ... }`",
            Need::Viewer => "live media, or a video: `source = { application = \"dash\" }`",
            Need::Player => "a video: `source = { application = \"dash\" }`",
            Need::Application => "an application: `source = { application = ... }`",
            Need::Disturbance => "a `blackout` or a `roam`",
            Need::FixedAimd => "a flow with fixed AIMD parameters: `aimd-rate`",
        }
    }
}

/// Values of the optional fields for most metrics.
pub(super) const USUAL: Descriptor = Descriptor {
    name: "",
    label: "",
    heading: "",
    key: "",
    unit: Unit::Ratio,
    scale: None,
    doc: "",
    needs: &[],
    value: Value::Fairness,
    part: PartValue::Unknown,
    exceeds_one: false,
    all_flows: false,
    awaits: None,
    missing: "",
    in_flows: false,
    in_summary: false,
};
