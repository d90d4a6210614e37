//! What there is to know about a metric.

use super::unit::{Scale, Unit};
use atl_engine::result::{FlowResult, Sample};
use atl_engine::setup::FlowSetup;

/// All facts about a metric. The reader's names, the labels and scales of the report, the columns of data files, the
/// keys of the JSON summary and the table in `docs/scenarios.md` come from it.
#[derive(Clone, Copy, Debug)]
pub struct Descriptor {
    /// Name in scenario files (`rtt-median`).
    pub name: &'static str,
    /// Name for people (`median RTT`).
    pub label: &'static str,
    /// Shorter label for the heading of a results table; empty: the label.
    pub heading: &'static str,
    /// Name of its column in data files and of its field in the JSON summary; the base unit is part of it
    /// (`rtt_median_s`).
    pub key: &'static str,
    /// Base unit.
    pub unit: Unit,
    /// Unit that it is shown in; `None`: the usual one for its base unit.
    pub scale: Option<Scale>,
    /// What it is, in one line of Markdown.
    pub doc: &'static str,
    /// What a scenario must have for it.
    pub needs: &'static [Need],
    /// Its value over a whole run.
    pub value: Value,
    /// Its value over a part of a run.
    pub part: PartValue,
    /// Whether a ratio may exceed 1.
    pub exceeds_one: bool,
    /// Whether several flows have a value only if each of them has one. Otherwise flows without a value are left out
    /// of the mean.
    pub all_flows: bool,
    /// Whether it has a column in the data file of the flows.
    pub in_flows: bool,
    /// Whether the JSON summary has it.
    pub in_summary: bool,
}

/// How a flow's value over a whole run comes about. Where samples are needed, `atl-report` computes it, and the compiler
/// asks there for each new variant.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// From what was measured of the flow; `None` where nothing tells it.
    Flow(fn(&FlowSetup, &FlowResult) -> Option<f64>),
    /// The mean over the samples since measurement began.
    MeanOfSamples(fn(&Sample) -> Option<f64>),
    /// How often the rate at which the flow may send changes, per second.
    RateChanges,
    /// The time until the goodput is back after the last disturbance.
    Recovery,
    /// Jain's index of the flows' goodputs; 1 for a single flow.
    Fairness,
}

/// How samples give a flow's value over a part of a run.
#[derive(Clone, Copy, Debug)]
pub enum PartValue {
    /// They do not.
    Unknown,
    /// A rate in bits per second, from bytes that are counted since the start.
    Counted(fn(&Sample) -> u64),
    /// The mean over the samples of the part.
    MeanOfSamples(fn(&Sample) -> Option<f64>),
    /// Changes of the rate in the part, per second.
    RateChanges,
    /// Jain's index of the goodputs in the part.
    Fairness,
}

/// What a scenario must have for a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Samples.
    Samples,
    /// A flow that ends by itself.
    EndingFlow,
    /// A flow of a live encoder.
    LiveMedia,
    /// A link with a blackout or a change of network.
    Disturbance,
    /// A flow whose AIMD parameters are fixed.
    FixedAimd,
}

impl Need {
    /// What to put into the scenario, in Markdown.
    pub const fn doc(self) -> &'static str {
        match self {
            Need::Samples => "`[record]`",
            Need::EndingFlow => "a flow that ends: `source = { bytes = ... }`",
            Need::LiveMedia => "live media: `source = { frames = ... }`",
            Need::Disturbance => "a `blackout` or a `roam`",
            Need::FixedAimd => "a flow with fixed AIMD parameters: `aimd-rate`",
        }
    }
}

/// The optional facts, as most metrics have them.
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
    in_flows: false,
    in_summary: false,
};
