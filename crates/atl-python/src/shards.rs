//! Parts of a sweep: each leaves a file, and all files together are the whole.

use std::env::temp_dir;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use atl_host::{Cancel, Options, run_some};
use atl_report::{Outcome, store};
use atl_results::{Collector, Room};
use atl_scenario::repeat;
use atl_scenario::{Overrides, scenario::Scenario};
use atl_shard::{Changes, Header, Part, PartError, Shard, Whole};
use pyo3::prelude::*;

use crate::opening::Request;
use crate::results::Result;
use crate::running::{Running, VERSION, check, kept, told};
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
    let overrides = request.overrides();
    let header = Header {
        version: VERSION.to_owned(),
        spec: request.spec.clone(),
        command: repeat::command("run", &request.spec, &overrides, &running.on, &[]),
        changes: Changes {
            set: overrides.set,
            seeds: overrides.seeds,
            duration: overrides.duration,
            quick: overrides.quick,
        },
        scenario: scenario.name.clone(),
        hash: scenario.hash.clone(),
        runs: scenario.runs() as u64,
        hosts: hosts.iter().map(|host| host.id().into()).collect(),
        shard,
    };
    let path = folder.join(format!("shard-{number}-of-{of}.atl"));
    let unwritten = |e| errors::failed(py, format!("cannot write {}: {e}", path.display()));
    fs::create_dir_all(&folder).map_err(unwritten)?;
    let cancel = Cancel::default();
    let room = Arc::new(Room::default());
    let mut results = Vec::new();
    for &host in &hosts {
        let runs = shard.runs(scenario.runs());
        let collector = Collector::new(runs.len(), 1, Arc::clone(&room), &folder);
        let ended = waiting::wait(py, running.report.as_ref(), &cancel, |progress| {
            let options = Options { jobs: running.jobs, cancel: &cancel, progress };
            run_some(host, &scenario, runs, options, &|index, result| collector.put(index, result))
        })?;
        told(py, ended)?;
        results.push(kept(py, collector)?);
    }
    let written =
        py.detach(|| store::write_with(&path, |out| atl_shard::write(out, &header, &results)));
    written.map_err(unwritten)?;
    Ok(path)
}

fn again(py: Python<'_>, header: &Header) -> PyResult<Scenario> {
    if header.version != VERSION {
        return Err(errors::usage(
            py,
            format!(
                "these parts were run by atl {}, and this is {VERSION}, whose results may differ: merge them with that version",
                header.version
            ),
        ));
    }
    let overrides = Overrides::from(header.changes.clone());
    let scenario = py.detach(|| atl_scenario::open(&header.spec, &overrides));
    let scenario = scenario.map_err(|e| errors::scenario(py, &e))?;
    if scenario.hash != header.hash {
        return Err(errors::usage(
            py,
            format!(
                "`{}` is no longer the scenario that these parts were run with (its hash is {}, not {}): restore it, or run the parts again",
                header.spec, scenario.hash, header.hash
            ),
        ));
    }
    Ok(scenario)
}

/// Puts the parts in these files together.
#[pyfunction]
pub(crate) fn merge(py: Python<'_>, files: Vec<PathBuf>) -> PyResult<Result> {
    let unreadable = |path: &PathBuf, error| {
        errors::usage(py, format!("cannot read {}: {error}", path.display()))
    };
    let mut parts = Vec::new();
    for path in &files {
        parts.push(Part::open(path.clone()).map_err(|error: PartError| unreadable(path, error))?);
    }
    let whole = Whole::of(parts).map_err(|error| errors::usage(py, error))?;
    let header = whole.header().clone();
    let scenario = Arc::new(again(py, &header)?);
    let room = Arc::new(Room::default());
    let results = whole.results(scenario.seeds.len(), &room, &temp_dir());
    let results =
        results.map_err(|(index, error)| match index.and_then(|index| files.get(index)) {
            Some(path) => unreadable(path, error),
            None => errors::failed(py, format!("cannot keep the results of the runs: {error}")),
        })?;
    let outcomes = header.hosts.into_iter().zip(results).map(|(host, results)| Outcome {
        results,
        scenario: Arc::clone(&scenario),
        host: host.into(),
        version: header.version.clone(),
        command: header.command.clone(),
        wall: None,
    });
    Ok(Result::of(py, outcomes.collect()))
}
