//! Everything after the runs: statistics over seeds, verdicts on quotes, tables, data files and the report, one HTML
//! page.
//!
//! The crate runs nothing and measures nothing. It takes an [`Outcome`], a scenario with its results, and evaluates it:
//!
//! - [`stats`]: means with 95 % confidence intervals, paired differences and ratios, Jain's index;
//! - [`metric`]: the value of a [`Metric`](atl_scenario::scenario::Metric) for each seed, over a run or a part of it;
//! - [`rate`]: how often the sending rate of a flow changes, whether it is paced or has a window;
//! - [`recovery`]: how long a flow takes to recover from a blackout or a handoff;
//! - [`ranking`]: what the sweep compares, from best to worst, in a table and in words;
//! - [`verdict`]: whether a quote is met;
//! - [`table`]: results for a terminal and as CSV; [`summary`]: the same as JSON;
//! - [`compare`]: two folders of results, and which of their differences are real;
//! - [`hosts`]: one scenario on several hosts, and whether those in real time kept time;
//! - [`data`]: Parquet and CSV files with a row for each run, flow, link and sample;
//! - [`figure`]: charts as data, and as SVG, PGF, CSV and LaTeX;
//! - [`html`]: the report;
//! - [`results_page`]: claims, measurements and verdicts as a page of Markdown for `docs/`.

pub mod compare;
pub mod data;
mod describe;
pub mod figure;
mod history;
pub mod hosts;
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
