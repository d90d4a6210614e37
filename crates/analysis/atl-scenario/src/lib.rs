//! Scenario files: parsing, validation, and expansion of sweeps into runs; quotes; and the schema
//! of results.
//!
//! [`open`] takes a scenario as named on the command line (a file or a built-in one), [`load`] a
//! file, [`parse`] a text. All give a [`Scenario`](scenario::Scenario) with every run spelled out,
//! or [`Errors`] with all mistakes in the file, each with its place and what is allowed there. The
//! format is described in `docs/scenarios.md`.

mod ablated;
pub mod ablation;
pub mod application;
mod brackets;
mod builtin;
mod controller_options;
mod controls;
mod cost;
mod defaults;
mod effects;
mod errors;
mod files;
mod hash;
pub mod keys;
mod labels;
mod load;
mod markdown;
pub mod measure;
pub mod metric;
mod network_keys;
mod networks;
mod options;
mod outline;
mod overrides;
mod packed;
mod points;
pub mod protocol;
mod quantity;
pub mod queue;
pub mod quote;
mod read;
mod remarks;
pub mod repeat;
mod rewritten;
mod rules;
pub mod scenario;
mod schema;
mod size;
mod solved;
mod sweep;
mod table;
mod tree;
pub mod units;
pub mod value;
mod visible;

pub use atl_engine::RegisterError;
pub use builtin::{Builtin, builtin, named, trace as builtin_trace};
pub use cost::Cost;
pub use errors::{Errors, Report, Warnings, near};
pub use files::LONGEST_TRACE;
pub use load::{load, no_files, open, outline, parse, read_from};
pub use markdown::{keys_table, paced_table, quic_table, tcp_table};
pub use network_keys::{NetworkKey, NetworkValue};
pub use networks::{NamedNetwork, named_networks, network_named};
pub use outline::{Outline, Size, outlines};
pub use overrides::{KeyOption, Overrides};
pub use packed::Packed;
pub use schema::json_schema;
