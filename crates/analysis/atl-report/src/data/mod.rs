//! Data files for analysis tools: a row for each run, for each flow and link of a run, and for each
//! sample.
//!
//! Values are in base units, which the names of the columns state (`_bps`, `_s`, `_bytes`); shares
//! range from 0 to 1. A missing value is null (empty in CSV). Files contain no time of day, no run
//! time and no machine's name, so that the same results give the same bytes.

mod column;
mod columns;
mod csv;
mod names;
mod own;
mod parquet;
mod rows;
mod tables;

use std::io;
use std::path::{Path, PathBuf};

use self::columns::{flow_columns, link_columns, run_columns, sample_columns};
use self::rows::{flow_rows, link_rows, run_rows, sample_rows};
use crate::outcome::Outcome;
use crate::store;
pub use names::{COLUMNS, COMMAND, SCENARIO_TEXT, WITHOUT};
pub(crate) use names::{FINISHED, IN_RUN, RECOVERED};
pub use own::{command, is_own};

pub use self::tables::{Kind, Table, Values, tables};

/// A format of data files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Apache Parquet, compressed with Snappy.
    Parquet,
    /// Comma-separated values (RFC 4180, but with plain line feeds).
    Csv,
}

/// Names of all data files, without their extensions.
pub const FILES: [&str; 4] = ["runs", "flows", "links", "samples"];

/// Writes `runs`, `flows`, `links` and, if there are samples, `samples` into `dir`, each file
/// atomically, and returns their paths. Existing files are replaced.
///
/// The outcomes are of one scenario, on one engine or several; their rows follow each other, and
/// the column `engine` tells them apart. Without outcomes nothing is written. Each Parquet file's
/// metadata hold the scenario's text ([`SCENARIO_TEXT`]), the command that repeats the runs
/// ([`COMMAND`]) and the columns' descriptions ([`COLUMNS`]).
///
/// # Errors
/// Those of the file system.
pub fn write(dir: &Path, outcomes: &[Outcome], format: Format) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    each(outcomes, format, &mut |name, fill| {
        let path = dir.join(name);
        store::write_with(&path, |file| fill(file))?;
        paths.push(path);
        Ok(())
    })?;
    Ok(paths)
}

/// The files of [`write()`] in memory, by name.
///
/// # Errors
/// Those of the Parquet encoder, which does not fail on outcomes of runs.
pub fn bytes(outcomes: &[Outcome], format: Format) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    each(outcomes, format, &mut |name, fill| {
        let mut bytes = Vec::new();
        fill(&mut bytes)?;
        files.push((name, bytes));
        Ok(())
    })?;
    Ok(files)
}

/// Writes the content of a file.
type Fill<'a> = Box<dyn FnOnce(&mut (dyn io::Write + Send)) -> io::Result<()> + 'a>;

/// Hands the name and the content of each file to `put`.
fn each(
    outcomes: &[Outcome],
    format: Format,
    put: &mut dyn FnMut(String, Fill<'_>) -> io::Result<()>,
) -> io::Result<()> {
    if outcomes.is_empty() {
        return Ok(());
    }
    let [runs, flows, links, samples] = FILES;
    let ending = match format {
        Format::Parquet => "parquet",
        Format::Csv => "csv",
    };
    let name = |name: &str| format!("{name}.{ending}");
    let about = about(outcomes);
    let columns = run_columns(outcomes);
    put(name(runs), content(format, "run", &about, &columns, run_rows(outcomes)))?;
    let columns = flow_columns(outcomes);
    put(name(flows), content(format, "flow", &about, &columns, flow_rows(outcomes)))?;
    let columns = link_columns(outcomes);
    put(name(links), content(format, "link", &about, &columns, link_rows(outcomes)))?;
    if outcomes.iter().any(|outcome| outcome.results.present().samples) {
        let columns = sample_columns(outcomes);
        put(name(samples), content(format, "sample", &about, &columns, sample_rows(outcomes)))?;
    }
    Ok(())
}

/// Metadata of the files. All outcomes share scenario and, up to the engine, command.
fn about(outcomes: &[Outcome]) -> Vec<(&'static str, &str)> {
    let first = outcomes.first();
    first.map_or_else(Vec::new, |outcome| {
        vec![(SCENARIO_TEXT, &*outcome.scenario.text), (COMMAND, &*outcome.command)]
    })
}

fn content<'a, R>(
    format: Format,
    record: &'a str,
    about: &'a [(&'a str, &'a str)],
    columns: &'a [column::Column<R>],
    rows: impl Iterator<Item = R> + 'a,
) -> Fill<'a> {
    Box::new(move |file| match format {
        Format::Parquet => parquet::write(file, record, about, columns, rows),
        Format::Csv => csv::write(file, columns, rows),
    })
}
