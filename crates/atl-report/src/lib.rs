//! What comes after the runs: statistics over seeds, verdicts on a document's quotes, tables, data files
//! and one HTML page.
//!
//! The crate measures nothing and runs nothing. It takes an [`Outcome`] (a scenario and its results) and
//! says what it means:
//!
//! - [`stats`] means with 95 % intervals, paired differences and ratios, Jain's index;
//! - [`metric`] the value of a [`Metric`](atl_scenario::scenario::Metric) for each seed, over a run or a part of it;
//! - [`rate`] how fast a flow may send, and how often that changes, whether it paces or keeps a window;
//! - [`recovery`] how long a flow needs after a blackout or a change of network;
//! - [`verdict`] whether a quote is met;
//! - [`table`] results for a terminal, as CSV and in HTML; [`summary`] the same as JSON;
//! - [`data`] Parquet and CSV files, a row for each run, flow, link and sample;
//! - [`html`] the page;
//! - [`results_page`] claims, measurements and verdicts as a page of Markdown for `docs/`.

pub mod data;
mod describe;
mod history;
pub mod html;
pub mod metric;
mod outcome;
pub mod quantity;
pub mod rate;
pub mod recovery;
pub mod results_page;
pub mod stats;
pub mod store;
pub mod summary;
pub mod table;
pub mod verdict;

pub use outcome::{Group, Outcome};
pub use verdict::{Judged, Verdict, judge};
