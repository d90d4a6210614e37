//! `atl attack`: searches for what hurts most.

mod path;

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use atl_core::time::Span;
use atl_engine::Progress;
use atl_experiment::attack::{Confirmed, SEEDS_TOLD, Search};
use atl_report::store;
use atl_scenario::protocol::{catalogue, named};
use atl_sim::Sim;

use crate::args::{AttackBy, AttackReceiver, Medium};
use crate::failure::Failure;
use crate::interrupt;
use crate::output;
use crate::progress::Bar;
use crate::status::Status;

/// Carries out a search.
///
/// # Errors
/// If a protocol does not exist or listen, a run fails, or a file cannot be written.
pub(crate) fn attack(by: &AttackBy) -> Result<Status, Failure> {
    match by {
        AttackBy::Receiver(args) => receiver(args),
        AttackBy::Path(args) => path::attack(args),
    }
}

fn receiver(args: &AttackReceiver) -> Result<Status, Failure> {
    let laws = laws(&args.protocols)?;
    let media: &[bool] = match args.medium {
        None => &[true, false],
        Some(Medium::Wire) => &[true],
        Some(Medium::Wireless) => &[false],
    };
    // Before the search, which takes its time.
    std::fs::create_dir_all(&args.search.out)
        .map_err(|e| Failure::file("create", &args.search.out, &e))?;
    let jobs = args.search.jobs.and_then(|jobs| NonZeroUsize::new(jobs.into()));
    let bar = Bar::new("attack ", false);
    let (found, tried, took) = interrupt::completed(|cancel| {
        let mut search = Search::new((&laws, media), args.search.seed, &Sim, jobs, cancel);
        let found = search_on(&mut search, args, &bar).and_then(|()| search.finish());
        (found, search.tried(), bar.finish())
    });
    let found = found.map_err(|failure| Failure::Runtime(failure.to_string()))?;
    let mut out = format!(
        "{tried} cases in {took:.0} s. The lie that paid most, with {SEEDS_TOLD} other seeds:\n\n"
    );
    let mut broken = false;
    for confirmed in &found {
        let path = write(confirmed, args)?;
        broken |= confirmed.gain.excess > 1.0;
        out += &line(confirmed, &path);
    }
    output::text(&out)?;
    Ok(if args.strict && broken { Status::Failure } else { Status::Success })
}

/// Tries as many cases as were asked for, as long as there is time.
fn search_on(
    search: &mut Search<'_>,
    args: &AttackReceiver,
    bar: &Bar,
) -> Result<(), atl_experiment::attack::Failure> {
    let begun = Instant::now();
    let runs = args.search.runs.unwrap_or(300) as usize;
    for tried in 0..runs {
        if args.search.time.is_some_and(|time| begun.elapsed().as_secs_f64() >= time.secs()) {
            break;
        }
        search.step()?;
        let (done, total) = (Span::from_secs(tried as u64 + 1), Span::from_secs(runs as u64));
        bar.show(Progress { done, total, runs_done: tried + 1, runs });
    }
    Ok(())
}

/// The protocols to lie to.
fn laws(names: &[String]) -> Result<Vec<String>, Failure> {
    if names.is_empty() {
        let listens = |name: &str| named(name).is_some_and(|protocol| protocol.listens());
        let all = catalogue().iter().map(|listed| listed.name);
        return Ok(all.filter(|name| listens(name)).map(str::to_owned).collect());
    }
    for name in names {
        let wrong =
            |what: &str| Err(Failure::Usage(format!("--protocols {name}: {what}; see `atl list`")));
        match named(name) {
            None => return wrong("there is no such protocol"),
            Some(protocol) if !protocol.listens() => {
                return wrong("it does not listen to its receiver");
            }
            Some(_) => {}
        }
    }
    Ok(names.to_vec())
}

fn write(found: &Confirmed, args: &AttackReceiver) -> Result<PathBuf, Failure> {
    let medium = if found.case.is_wired() { "wire" } else { "wireless" };
    let path = args.search.out.join(format!("{}-{medium}.toml", found.case.law));
    store::write_text(&path, &found.case.file(found.seeds))
        .map_err(|e| Failure::file("write", &path, &e))?;
    Ok(path)
}

/// The gain of a lie in a line, with the file that repeats it.
fn line(found: &Confirmed, path: &std::path::Path) -> String {
    let Confirmed { case, gain, .. } = found;
    let network = &case.network;
    let mut out = String::new();
    let verdict = if gain.excess > 1.0 {
        "beyond the bound"
    } else if case.is_wired() && gain.over_neighbours > case.bound() {
        "no more than the law takes by itself; the bound is"
    } else {
        "within the bound"
    };
    let what = if case.is_wired() {
        format!(
            "{:.2} times a SACK neighbour (honest {:.2})",
            gain.over_neighbours, gain.honest_over_neighbours
        )
    } else {
        format!("{:.2} times what it gets honestly", gain.over_honest)
    };
    let _ = writeln!(
        out,
        "{:<15} {what}, {verdict} {}\n{:15} {} kb/s, {:.1} ms, a queue of {}, {} beside it: {}",
        case.law,
        case.bound(),
        "",
        network.kbps,
        network.rtt.secs() * 1e3,
        network.queue,
        network.neighbours,
        path.display()
    );
    out
}
