//! Words that keys take, and their meanings.

use atl_core::model::fading::Modulation;
use atl_core::roaming::{FromReport, Meanwhile, NewPath};
use atl_link::{AtChange, EcnRule, JitterShape, WifiStandard};

use crate::metric::{METRICS, TRACES};
use crate::protocol::{RECOVERIES, catalogue};
use atl_engine::adaptation::Fault;
use atl_engine::setup::{EcnMode, PacedEcn, ReceiverAwareness};

/// A list of words with their meanings.
pub(crate) type Meanings<T> = &'static [(&'static str, T)];

/// The words without their meanings.
pub(crate) fn of<T>(meanings: &[(&'static str, T)]) -> Vec<&'static str> {
    meanings.iter().map(|(word, _)| *word).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LayerName {
    Aal5,
    AalT,
}

/// Simulation model of a fading channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FadingModel {
    Rayleigh,
    TwoState,
}

/// Rule for the length of a PDU's payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PayloadRule {
    Optimum,
    Table1,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FigureName {
    Sweep,
    Time,
    Scatter,
    Networks,
    Distribution,
}

/// Distribution of the sizes of flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SizesName {
    Pareto,
    Lognormal,
    File,
}

/// Trigger of a mobile's handoff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TriggerName {
    Middle,
    Entry,
    Exit,
    Strongest,
}

/// Predictor of a mobile's next cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PredictorName {
    Nearest,
    Heading,
    History,
}

/// Content of an attacker's notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForgeryName {
    Imminent,
    Moved,
    Gone,
    Replay,
}

/// Quantities over time that are computed from several flows' samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shared {
    Ratio,
    Jain,
}

pub(crate) const LAYERS: Meanings<LayerName> =
    &[("aal5", LayerName::Aal5), ("aal-t", LayerName::AalT)];
pub(crate) const PAYLOADS: Meanings<PayloadRule> =
    &[("eq2", PayloadRule::Optimum), ("table1", PayloadRule::Table1)];
pub(crate) const MEASURED: Meanings<()> = &[("measured", ())];
pub(crate) const ANY_FAULT: Meanings<Fault> = &[("any", Fault::Any)];
pub(crate) const AGENTS: Meanings<()> = &[("snoop", ())];
pub(crate) const AT_CHANGES: Meanings<AtChange> =
    &[("deliver", AtChange::Deliver), ("lose", AtChange::Lose)];
pub(crate) const JITTER_SHAPES: Meanings<JitterShape> = &[
    ("uniform", JitterShape::Uniform),
    ("normal", JitterShape::Normal),
    ("exponential", JitterShape::Exponential),
    ("wifi", JitterShape::Wifi),
    ("harq", JitterShape::Harq),
];
pub(crate) const WIFI_STANDARDS: Meanings<WifiStandard> =
    &[("n", WifiStandard::N), ("ac", WifiStandard::Ac), ("ax", WifiStandard::Ax)];
/// Orders of packets under jitter; true for that of sending.
pub(crate) const ORDERS: Meanings<bool> = &[("kept", true), ("lost", false)];
pub(crate) const FADING_MODELS: Meanings<FadingModel> =
    &[("rayleigh", FadingModel::Rayleigh), ("two-state", FadingModel::TwoState)];
pub(crate) const RECEIVERS: Meanings<ReceiverAwareness> =
    &[("aware", ReceiverAwareness::Aware), ("unaware", ReceiverAwareness::Unaware)];
pub(crate) const ECN_MODES: Meanings<EcnMode> = &[
    (EcnMode::Off.name(), EcnMode::Off),
    (EcnMode::Classic.name(), EcnMode::Classic),
    (EcnMode::Accurate.name(), EcnMode::Accurate),
];
pub(crate) const PACED_ECN: Meanings<PacedEcn> =
    &[("ect0", PacedEcn::Ect0), ("ect1", PacedEcn::Ect1)];
pub(crate) const ECN_RULES: Meanings<EcnRule> =
    &[("keep", EcnRule::Keep), ("bleach", EcnRule::Bleach), ("mark", EcnRule::MarkAll)];
/// Values of the key `sizes`.
pub(crate) const SIZES: Meanings<SizesName> = &[
    ("pareto", SizesName::Pareto),
    ("lognormal", SizesName::Lognormal),
    ("file", SizesName::File),
];
/// Distributions of times; true for exponential.
pub(crate) const DISTRIBUTIONS: Meanings<bool> = &[("constant", false), ("exponential", true)];
pub(crate) const FIGURES: Meanings<FigureName> = &[
    ("sweep", FigureName::Sweep),
    ("time", FigureName::Time),
    ("scatter", FigureName::Scatter),
    ("networks", FigureName::Networks),
    ("distribution", FigureName::Distribution),
];
pub(crate) const TRIGGERS: Meanings<TriggerName> = &[
    ("middle", TriggerName::Middle),
    ("entry", TriggerName::Entry),
    ("exit", TriggerName::Exit),
    ("strongest", TriggerName::Strongest),
];
pub(crate) const NEW_PATHS: Meanings<NewPath> = &[
    ("keep", NewPath::Keep),
    ("reset", NewPath::Reset),
    ("probe", NewPath::PROBE),
    ("resume", NewPath::RESUME),
    ("pad", NewPath::PAD),
];
pub(crate) const MEANWHILES: Meanings<Meanwhile> =
    &[("new", Meanwhile::New), ("old", Meanwhile::Old), ("both", Meanwhile::Both)];
pub(crate) const FROM_REPORTS: Meanings<FromReport> =
    &[("arrived", FromReport::Arrived), ("lda-plus", FromReport::LdaPlus)];
pub(crate) const PREDICTORS: Meanings<PredictorName> = &[
    ("nearest", PredictorName::Nearest),
    ("heading", PredictorName::Heading),
    ("history", PredictorName::History),
];
pub(crate) const FORGERIES: Meanings<ForgeryName> = &[
    ("imminent", ForgeryName::Imminent),
    ("moved", ForgeryName::Moved),
    ("gone", ForgeryName::Gone),
    ("replay", ForgeryName::Replay),
];
pub(crate) const SHARES: Meanings<Shared> = &[("ratio", Shared::Ratio), ("jain", Shared::Jain)];

/// Modulations by name, as a fading channel takes them.
pub(crate) fn modulations() -> Vec<(&'static str, Modulation)> {
    Modulation::ALL.iter().map(|modulation| (modulation.name(), *modulation)).collect()
}

pub(super) fn protocols() -> Vec<&'static str> {
    catalogue().iter().map(|listed| listed.name).collect()
}

pub(super) fn recoveries() -> Vec<&'static str> {
    of(RECOVERIES)
}

pub(super) fn metrics() -> Vec<&'static str> {
    of(METRICS)
}

/// Words for the y axis of a figure.
pub(super) fn drawn() -> Vec<&'static str> {
    let mut names = metrics();
    let over_time = TRACES.iter().map(|(name, _)| *name).chain(of(SHARES));
    for name in over_time {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
