//! Every key that a scenario file may hold, declared once.
//!
//! A [`Key`] states its name, the [`Shape`] of its value (type and bounds), its default and a line of
//! documentation. From these declarations come the reader's checks and defaults, the suggestions for misspelt keys,
//! the tables of `docs/scenarios.md` and the JSON Schema. To add a key, declare it in its section and read it in
//! `read/`.

mod adaptation;
mod bounds;
mod declaration;
mod figure;
mod file;
mod flow;
mod loss;
mod mobility;
mod network;
mod new_path;
mod notices;
mod queue;
mod rule;
pub mod words;

pub use adaptation::{ADAPTATION, FAULTS, QUENCH};
pub use bounds::{Range, Words};
pub use declaration::{Default, Key, Others, Section, Shape};
pub use figure::{ABOVE, AT, FIGURE, QUOTE, RATIO, SELECTION, VALUE};
pub use file::{ALSO, LABELLED, LABELS, QUICK, QUICK_SWEEP, RECORD, SWEEP, TOP, VARS};
pub use flow::{FLOW, PACING, PROTOCOL, RECEIVER, SOURCE, TCP};
pub(crate) use flow::{MAX_FLOWS, MAX_PACKET};
pub(crate) use loss::MEAN_SNR;
pub use loss::{FADING, LOSS, LOSS_CHAIN};
pub use mobility::{CARD, CELL, HANDOFF, MOBILE, WAY_POINT};
pub(crate) use mobility::{MAX_CELLS, MAX_MOBILES};
pub use network::{AGENT, BLACKOUT, LINK, NETWORK, NETWORK_REVERSE, NETWORKS, REVERSE, ROAM};
pub use new_path::NEW_PATH;
pub use notices::{FORGED, NOTICES};
pub use queue::{QUEUE, QUEUE_LOW};
pub use rule::{Condition, Is, Rule};

/// The keys of the file in and below which variables are substituted, in the order in which the scenario's hash
/// takes them.
pub fn substituted() -> impl Iterator<Item = &'static str> {
    TOP.keys.iter().filter(|key| key.variables).map(|key| key.name)
}

/// Keys of the file that no variable is called like, so that `--set NAME=VALUE` means one thing. Lists of tables that came
/// into the format after files had variables of these names are set by longer paths only.
pub fn reserved() -> impl Iterator<Item = &'static str> {
    TOP.names().filter(|name| !["cell", "labels", "mobile"].contains(name))
}

/// Every section.
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
    &BLACKOUT,
    &QUEUE,
    &QUEUE_LOW,
    &AGENT,
    &ADAPTATION,
    &QUENCH,
    &FAULTS,
    &LOSS,
    &FADING,
    &LOSS_CHAIN,
    &CELL,
    &MOBILE,
    &WAY_POINT,
    &CARD,
    &HANDOFF,
    &FLOW,
    &PROTOCOL,
    &NEW_PATH,
    &NOTICES,
    &FORGED,
    &RECEIVER,
    &SOURCE,
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
