//! Data files for analysis tools: a row for each run, for each flow and link of a run, and for each sample.
//!
//! Values are in base units, which the names of the columns state (`_bps`, `_s`, `_bytes`); shares range from 0 to 1. A
//! missing value is null (empty in CSV). Files contain no time of day, no run time and no host name, so that the same
//! results give the same bytes.

mod columns;
mod csv;
mod parquet;
mod rows;

use std::io;
use std::path::{Path, PathBuf};

use self::columns::{flow_columns, link_columns, run_columns, sample_columns};
use self::rows::{flow_rows, link_rows, run_rows, sample_rows};
use crate::outcome::Outcome;

/// A format of data files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Apache Parquet, Snappy.
    Parquet,
    /// Comma-separated values (RFC 4180, but with plain line feeds).
    Csv,
}

/// Key of the scenario's text in a Parquet file's metadata.
pub const SCENARIO_TEXT: &str = "atl.scenario";
/// Key of the command that repeats the runs, in a Parquet file's metadata.
pub const COMMAND: &str = "atl.command";

/// Name of the column that says what a run was carried out without; only where some were.
pub const WITHOUT: &str = "without";

/// Names of all data files, without their endings.
pub const FILES: [&str; 4] = ["runs", "flows", "links", "samples"];

/// Writes `runs`, `flows`, `links` and, if there are samples, `samples` into `dir`, each file atomically, and returns
/// their paths. Existing files are replaced.
///
/// The outcomes are those of one scenario on one host or several, whose rows follow each other; the column `host` tells
/// them apart. Without outcomes nothing is written. The metadata of each Parquet file hold the scenario's text
/// ([`SCENARIO_TEXT`]) and the command that repeats the runs ([`COMMAND`]).
///
/// # Errors
/// Those of the file system.
pub fn write(dir: &Path, outcomes: &[Outcome], format: Format) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    if outcomes.is_empty() {
        return Ok(paths);
    }
    let [runs, flows, links, samples] = FILES;
    let mut path = |name: &str| {
        let ending = match format {
            Format::Parquet => "parquet",
            Format::Csv => "csv",
        };
        paths.push(dir.join(format!("{name}.{ending}")));
        paths[paths.len() - 1].clone()
    };
    let about = about(outcomes);
    write_one(&path(runs), format, "run", &about, &run_columns(outcomes), run_rows(outcomes))?;
    write_one(&path(flows), format, "flow", &about, &flow_columns(outcomes), flow_rows(outcomes))?;
    write_one(&path(links), format, "link", &about, &link_columns(outcomes), link_rows(outcomes))?;
    let mut all_runs = outcomes.iter().flat_map(|outcome| &outcome.results).flatten();
    if all_runs.any(|run| !run.samples.is_empty()) {
        let columns = sample_columns(outcomes);
        write_one(&path(samples), format, "sample", &about, &columns, sample_rows(outcomes))?;
    }
    Ok(paths)
}

/// What the metadata say: the outcomes are of one scenario, and of one command but for its host.
fn about(outcomes: &[Outcome]) -> Vec<(&'static str, &str)> {
    let first = outcomes.first();
    first.map_or_else(Vec::new, |outcome| {
        vec![(SCENARIO_TEXT, &*outcome.scenario.text), (COMMAND, &*outcome.command)]
    })
}

fn write_one<R>(
    path: &Path,
    format: Format,
    record: &str,
    about: &[(&str, &str)],
    columns: &[columns::Column<R>],
    chunks: impl Iterator<Item = Vec<R>>,
) -> io::Result<()> {
    match format {
        Format::Parquet => parquet::write(path, record, about, columns, chunks),
        Format::Csv => csv::write(path, columns, chunks),
    }
}
