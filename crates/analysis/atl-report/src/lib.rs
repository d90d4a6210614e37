//! Evaluation of results: statistics over seeds, verdicts on quotes, tables, data files, and the
//! report as a single HTML page.
//!
//! The crate runs and measures nothing. It evaluates an [`Outcome`], which is a scenario with its
//! results:
//!
//! - [`stats`]: means with 95 % confidence intervals, paired differences and ratios, Jain's index;
//! - [`metric`]: the value of a [`Metric`](atl_scenario::scenario::Metric) for each seed, over a
//!   run or part of it;
//! - [`delays`]: delays of flows that visit several networks, in each of them;
//! - [`rate`]: the number of changes of a flow's sending rate, with or without a window;
//! - [`recovery`]: the time that a flow takes to recover from a blackout or a handoff;
//! - [`ranking`]: the contenders of a sweep from best to worst, as a table and in words;
//! - [`verdict`]: whether quotes hold;
//! - [`table`]: results for a terminal and as CSV; [`summary`]: the same as JSON;
//! - [`compare`]: differences between two folders of results, and which of them are more than
//!   chance;
//! - [`engines`]: one scenario on several engines, and the timing accuracy of those in real time;
//! - [`data`]: Parquet and CSV files with a row for each run, flow, link and sample;
//! - [`figure`]: charts as data, and as SVG, PGF, CSV and LaTeX;
//! - [`html`]: the report;
//! - [`results_page`]: claims, measurements and verdicts as a page of Markdown for `docs/`.

pub mod compare;
pub mod data;
pub mod delays;
mod describe;
pub mod engines;
pub mod figure;
mod history;
pub mod html;
pub mod metric;
mod outcome;
pub mod quantity;
pub mod ranking;
pub mod rate;
pub mod recovery;
pub mod results_page;
pub mod stats;
mod stays;
pub mod store;
pub mod summary;
pub mod table;
pub mod verdict;
mod visits;

pub use outcome::{Group, Outcome, Runs};
pub use verdict::{Judged, Verdict, judge};
