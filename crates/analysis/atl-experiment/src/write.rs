//! Writing data files and the report.

use std::path::Path;

use atl_report::data::{self, Format};
use atl_report::{Judged, Outcome, html, store};

use crate::error::Error;
use crate::folder::REPORT;

/// Writes the Parquet files of one scenario's outcomes into `dir`, and with `csv` also CSV files.
///
/// # Errors
/// If a file cannot be written.
pub fn data(dir: &Path, outcomes: &[Outcome], csv: bool) -> Result<(), Error> {
    let formats = [Format::Parquet].into_iter().chain(csv.then_some(Format::Csv));
    for format in formats {
        data::write(dir, outcomes, format).map_err(|e| Error::file("write data into", dir, &e))?;
    }
    Ok(())
}

/// Writes the HTML report of all outcomes, each with the verdicts on its quotes, into `dir`.
///
/// # Errors
/// If the file cannot be written.
pub fn page(dir: &Path, outcomes: &[Outcome], judged: &[Vec<Judged>]) -> Result<(), Error> {
    let path = dir.join(REPORT);
    store::write_text(&path, &html::page(outcomes, judged))
        .map_err(|e| Error::file("write", &path, &e))
}
