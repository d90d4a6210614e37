//! `atl attack path`: searches for the path that hurts most.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use atl_core::time::Span;
use atl_engine::{Clock, Engine, Progress};
use atl_experiment::attack::SEEDS_TOLD;
use atl_experiment::attack::path::{OBJECTIVES, Objective, PathFound, PathSearch};
use atl_experiment::engines;
use atl_report::store;
use atl_scenario::protocol::{catalogue, named};

use crate::args::{Adversary, Searching};
use crate::failure::Failure;
use crate::interrupt;
use crate::output;
use crate::progress::Bar;
use crate::status::Status;

/// Carries out a search.
///
/// # Errors
/// If a protocol does not exist, the engine cannot run it, a run fails, or a file cannot be
/// written.
pub(crate) fn attack(args: &Adversary) -> Result<Status, Failure> {
    let [engine] = engines::choose(std::slice::from_ref(&args.on))?[..] else {
        return Err(Failure::Usage(format!("--on {}: one engine", args.on)));
    };
    if engine.clock() == Clock::Real {
        let what = "a search takes thousands of runs; allowed are engines in virtual time";
        return Err(Failure::Usage(format!("--on {}: {what}", args.on)));
    }
    let objectives = if args.objectives.is_empty() { OBJECTIVES } else { &args.objectives };
    check(&args.protocols, objectives, engine)?;
    let Searching { seed, out, jobs, .. } = &args.search;
    // Before the search, which takes its time.
    std::fs::create_dir_all(out).map_err(|e| Failure::file("create", out, &e))?;
    let jobs = jobs.and_then(|jobs| NonZeroUsize::new(jobs.into()));
    let bar = Bar::new("attack ", false);
    let (found, tried, searched) = interrupt::completed(|cancel| {
        let of = (&args.protocols[..], objectives);
        let mut search = PathSearch::new(of, *seed, engine, jobs, cancel);
        let begun = Instant::now();
        let done = search_on(&mut search, &args.search, &bar);
        let searched = begun.elapsed().as_secs_f64();
        let found = done.and_then(|()| search.finish());
        let _ = bar.finish();
        (found, search.tried(), searched)
    });
    let found = found.map_err(|failure| Failure::Runtime(failure.to_string()))?;
    let an_hour = tried as f64 / searched.max(1e-3) * 3600.0;
    let mut text = format!(
        "{tried} paths in {searched:.0} s, {an_hour:.0} an hour. The worst, mean of {SEEDS_TOLD} other seeds:\n\n"
    );
    for worst in &found {
        let path = write(worst, engine, out)?;
        let PathFound { case, score, .. } = worst;
        let _ = writeln!(
            text,
            "{:<15} {:<12} {}\n{:28} {} kb/s, {:.1} ms, a queue of {}: {}",
            case.law,
            case.objective.name(),
            case.objective.words(*score),
            "",
            case.kbps,
            case.rtt.secs() * 1e3,
            case.queue_packets(),
            path.display()
        );
    }
    output::text(&text)
}

/// Tries as many cases as were asked for, as long as there is time.
fn search_on(
    search: &mut PathSearch<'_>,
    args: &Searching,
    bar: &Bar,
) -> Result<(), atl_experiment::attack::Failure> {
    let begun = Instant::now();
    let runs = args.runs.unwrap_or(5000);
    while search.tried() < u64::from(runs) {
        if args.time.is_some_and(|time| begun.elapsed().as_secs_f64() >= time.secs()) {
            break;
        }
        search.step()?;
        let tried = search.tried().min(runs.into());
        let (done, total) = (Span::from_secs(tried), Span::from_secs(runs.into()));
        bar.show(Progress { done, total, runs_done: tried as usize, runs: runs as usize });
    }
    Ok(())
}

/// Checks that the engine runs each protocol on a path of each objective.
fn check(laws: &[String], objectives: &[Objective], engine: &dyn Engine) -> Result<(), Failure> {
    for law in laws {
        if named(law).is_none() {
            let known = catalogue().iter().any(|listed| listed.name == law);
            let what =
                if known { "it has options that it needs" } else { "there is no such protocol" };
            return Err(Failure::Usage(format!("--protocols {law}: {what}; see `atl list`")));
        }
        for objective in objectives {
            let scenario = atl_experiment::attack::path::example(law, *objective)
                .map_err(|error| Failure::Usage(format!("--protocols {law}: {error}")))?;
            atl_engine::check(&[engine], &[&scenario])
                .map_err(|gaps| Failure::Gaps { gaps, json: false })?;
        }
    }
    Ok(())
}

fn write(found: &PathFound, engine: &dyn Engine, out: &Path) -> Result<PathBuf, Failure> {
    let name = format!("{}-{}.toml", found.case.law, found.case.objective.name());
    let path = out.join(name);
    store::write_text(&path, &found.case.file(found.seeds, engine.name()))
        .map_err(|e| Failure::file("write", &path, &e))?;
    Ok(path)
}
