//! All keys of a scenario file, each declared once.
//!
//! A [`Key`] states its name, the [`Shape`] of its value (type and bounds), its default and a line
//! of documentation. These declarations give the reader its checks and defaults, the suggestions
//! for misspelt keys, the tables of `docs/scenarios.md` and the JSON Schema. To add a key, declare
//! it in its section and read it in `read/`.

mod adaptation;
mod bounds;
mod declaration;
mod figure;
mod file;
mod flow;
mod jitter;
mod loss;
mod mobility;
mod network;
mod new_path;
mod notices;
mod queue;
mod radio;
mod rule;
mod ways;
pub mod words;

pub use adaptation::{ADAPTATION, FAULTS, QUENCH};
pub use bounds::{Range, Words};
pub use declaration::{Default, Key, Others, Section, Shape};
pub use figure::{ABOVE, AT, FIGURE, QUOTE, RATIO, SELECTION, VALUE};
pub use file::{ALSO, LABELLED, LABELS, QUICK, QUICK_SWEEP, RECORD, SWEEP, TOP, VARS};
pub use flow::{APPLICATION, FLOW, PACING, PEP, PROTOCOL, RECEIVER, SOURCE, TCP};
pub(crate) use flow::{MAX_FLOWS, MAX_PACKET};
pub use jitter::{JITTER, RECONFIGURATION, REORDER};
pub(crate) use loss::MEAN_SNR;
pub use loss::{FADING, LOSS, LOSS_CHAIN};
pub use mobility::{CARD, CELL, HANDOFF, MOBILE, WAY_POINT};
pub(crate) use mobility::{MAX_CELLS, MAX_MOBILES};
pub use network::{
    AGENT, BLACKOUT, LINK, NETWORK, NETWORK_REVERSE, NETWORKS, RAMP, REPORT_ERROR, REVERSE, ROAM,
    TOUR,
};
pub use new_path::NEW_PATH;
pub use notices::{FORGED, NOTICES};
pub(crate) use queue::NO_LENGTH;
pub use queue::{DISCIPLINE, QUEUE, QUEUE_LOW, SHAPER};
pub use radio::{BLOCKAGE, WIFI};
pub use rule::{Condition, Is, Rule};

/// The top-level keys in and below which variables are substituted, in the order in which the
/// scenario's hash covers them.
pub fn substituted() -> impl Iterator<Item = &'static str> {
    TOP.keys.iter().filter(|key| key.variables).map(|key| key.name)
}

/// Top-level keys whose names are forbidden for variables, so that `--set NAME=VALUE` is
/// unambiguous. Tables that were added after files already had variables of their names are
/// missing: they can only be set by longer paths.
pub fn reserved() -> impl Iterator<Item = &'static str> {
    TOP.names().filter(|name| !["cell", "labels", "mobile"].contains(name))
}

/// All sections, beginning with the top level.
pub static ALL: &[&Section] = &[
    &TOP,
    &QUICK,
    &QUICK_SWEEP,
    &VARS,
    &LABELLED,
    &LABELS,
    &SWEEP,
    &ALSO,
    &NETWORKS,
    &NETWORK,
    &NETWORK_REVERSE,
    &LINK,
    &REVERSE,
    &ROAM,
    &TOUR,
    &BLACKOUT,
    &QUEUE,
    &DISCIPLINE,
    &QUEUE_LOW,
    &SHAPER,
    &AGENT,
    &REPORT_ERROR,
    &ADAPTATION,
    &QUENCH,
    &FAULTS,
    &RAMP,
    &WIFI,
    &BLOCKAGE,
    &JITTER,
    &REORDER,
    &RECONFIGURATION,
    &LOSS,
    &FADING,
    &LOSS_CHAIN,
    &CELL,
    &MOBILE,
    &WAY_POINT,
    &CARD,
    &HANDOFF,
    &FLOW,
    &PEP,
    &PROTOCOL,
    &NEW_PATH,
    &NOTICES,
    &FORGED,
    &RECEIVER,
    &SOURCE,
    &APPLICATION,
    &TCP,
    &PACING,
    &RECORD,
    &FIGURE,
    &AT,
    &QUOTE,
    &VALUE,
    &RATIO,
    &ABOVE,
    &SELECTION,
];
