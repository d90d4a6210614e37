//! Parts of a sweep: each leaves a file, and all files together are the whole.

use std::env::temp_dir;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use atl_experiment::{Error, Merging, part, running as runs};
use atl_host::{Cancel, Options};
use atl_results::Room;
use atl_shard::Shard;
use pyo3::prelude::*;

use crate::opening::Request;
use crate::results::Result;
use crate::running::{Running, check, told};
use crate::{errors, hosts, waiting};

/// Carries out part `number` of `of` of a scenario's runs and writes its results into `folder`; gives the file.
#[pyfunction]
pub(crate) fn run_shard(
    py: Python<'_>,
    request: Request,
    running: Running,
    number: u32,
    of: u32,
    folder: PathBuf,
) -> PyResult<PathBuf> {
    if request.text.is_some() {
        let text = "a part needs a scenario that can be read again: a file or a name, not a text";
        return Err(errors::usage(py, text));
    }
    let Some(shard) = Shard::new(number, of) else {
        let text = format!(
            "shard=({number}, {of}): expected (k, n) with k from 1 to n, and n up to {}",
            Shard::MOST
        );
        return Err(errors::usage(py, text));
    };
    let hosts = hosts::choose(py, &running.on)?;
    let scenario = request.open(py)?;
    check(py, &hosts, &scenario)?;
    let header =
        part::header(&request.spec, &request.overrides(), &running.on, &scenario, &hosts, shard);
    let path = part::file(&folder, shard);
    let made = fs::create_dir_all(&folder);
    made.map_err(|e| errors::of(py, Error::file("create", &folder, &e)))?;
    let cancel = Cancel::default();
    let room = Arc::new(Room::default());
    let mut results = Vec::new();
    for &host in &hosts {
        let ended = waiting::wait(py, running.report.as_ref(), &cancel, |progress| {
            let options = Options { jobs: running.jobs, cancel: &cancel, progress };
            runs::part(host, &scenario, shard, &room, &folder, options)
        })?;
        results.push(told(py, ended)?);
    }
    let written = py.detach(|| part::write(&path, &header, &results));
    written.map_err(|error| errors::of(py, error))?;
    Ok(path)
}

/// Puts the parts in these files and folders together.
#[pyfunction]
pub(crate) fn merge(py: Python<'_>, named: Vec<PathBuf>) -> PyResult<Result> {
    let outcomes = py.detach(|| Merging::open(&named)?.outcomes(&temp_dir()));
    Ok(Result::of(py, outcomes.map_err(|error| errors::of(py, error))?))
}
