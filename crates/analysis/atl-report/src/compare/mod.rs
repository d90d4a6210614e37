//! Comparison of two folders of results: changes in the scenario, changes in the results, and which
//! of these are more than chance.
//!
//! Runs are paired by engine, point of the sweep, flow group and seed. A difference is called real
//! if its paired 95 % interval does not cover 0. Where nothing differs, one comparison in twenty
//! still looks real: [`Comparison::by_chance`] gives the number to expect.

mod difference;
mod lines;
mod places;
mod read;
mod worth;

use std::path::Path;

use atl_scenario::scenario::Metric;
use serde::Serialize;

pub use lines::{Change, Line};
use read::Flows;
pub use read::Unreadable;
pub use worth::{Worth, worth};

use crate::stats::CONFIDENCE;
pub use difference::Difference;

/// Two folders of results, compared.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Metadata of both folders.
    pub sides: [Side; 2],
    /// Lines of the scenario file that only one side has, in order; empty if the files are the
    /// same.
    pub scenario: Vec<Line>,
    /// True if the scenario's hash is equal: file, traces and the command line's changes, thus all
    /// that decides the results.
    pub same_scenario_hash: bool,
    /// Flow groups and points in only one of the folders, in words.
    pub only: [Vec<String>; 2],
    /// Metrics of the flow groups and points in both.
    pub differences: Vec<Difference>,
}

/// One of the folders.
#[derive(Clone, Debug, Serialize)]
pub struct Side {
    /// The command that made it; absent in files of earlier versions.
    pub command: Option<String>,
    /// Version of the program that made it.
    pub version: String,
    /// The seeds that were run, ascending.
    pub seeds: Vec<i64>,
}

impl Comparison {
    /// Compares the data in two folders, as `atl run` writes them.
    ///
    /// # Errors
    /// If a folder has no data files or they cannot be read.
    pub fn of(first: &Path, second: &Path) -> Result<Comparison, Unreadable> {
        let [a, b] = [Flows::read(first)?, Flows::read(second)?];
        let text = |flows: &Flows| flows.scenario.clone().unwrap_or_default();
        Ok(Comparison {
            scenario: lines::changes(&text(&a), &text(&b)),
            same_scenario_hash: a.hash == b.hash,
            only: [a.values.only(&b.values), b.values.only(&a.values)],
            differences: a.values.differences(&b.values, &Metric::all().collect::<Vec<_>>()),
            sides: [a.side(), b.side()],
        })
    }

    /// Number of differences whose values are not the same in all runs.
    pub fn compared(&self) -> usize {
        self.differences.iter().filter(|difference| !difference.same).count()
    }

    /// Number of comparisons expected to look real where nothing differs.
    pub fn by_chance(&self) -> f64 {
        self.compared() as f64 * (1.0 - CONFIDENCE)
    }
}

impl Flows {
    fn side(&self) -> Side {
        Side {
            command: self.command.clone(),
            version: self.version.clone(),
            seeds: self.values.seeds(),
        }
    }
}
