//! The runs of a case, and the measurements taken from them.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use atl_engine::protocol::Protocol;
use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_engine::{Engine as _, Stopped, Watch};
use atl_quic::{Crypto, QuicSim};
use atl_scenario::scenario::Scenario;

use crate::expectation::{Bound, Expectation};
use crate::judging::{Lane, judge};
use crate::library::{Job, Library};
use crate::logs;
use crate::monitor::{Finding, Observed, Rule, Trial};
use crate::place::{Place, Tested};
use crate::report::{Broken, Failure, Report};

/// The protocol that stands for the controller under test in a setup, which must name one.
pub(crate) const STAND_IN: &str = "noq-newreno";
/// Exceeds the capacity of any path in a scenario: a controller with a wider window, in bytes, has
/// stopped reacting.
const RUNAWAY: u64 = 256 << 20;

/// A case with its points, ready to run.
pub(crate) struct Plan<'a> {
    pub(crate) name: &'a str,
    pub(crate) scenario: &'a Scenario,
    pub(crate) library: &'a dyn Library,
    pub(crate) groups: &'a [String],
    pub(crate) expectations: &'a [Expectation],
    pub(crate) known: &'a [(String, String)],
    pub(crate) unmet_known: Option<&'a str>,
    pub(crate) trial: Option<Trial>,
    pub(crate) logs: Option<&'a Path>,
}

pub(crate) fn carry_out(plan: &Plan<'_>) -> Result<Report, Failure> {
    let places = places(plan)?;
    let bounds = bounds(plan, &places)?;
    let seeds = &plan.scenario.seeds;
    let first = plan.library.initial_window();
    let jobs: Vec<(usize, u64)> =
        (0..places.len()).flat_map(|place| seeds.iter().map(move |&seed| (place, seed))).collect();
    let runs = on_all_cores(&jobs, |&(place, seed)| tested(plan, &places[place], seed, &|_| None));

    let mut report = Report {
        case: plan.name.to_owned(),
        library: plan.library.name(),
        runs: runs.len(),
        measured: Vec::new(),
        broken: Vec::new(),
        logs: Vec::new(),
    };
    let known = |name: &str| {
        let found = plan.known.iter().find(|(known, _)| known == name);
        found.map(|(_, reason)| reason.clone())
    };
    let broken = |finding: Finding, place: &Place<'_>, seed: u64| {
        let known = known(finding.rule.name());
        Broken { finding, point: place.label.clone(), seed, known }
    };
    let mut seen: BTreeSet<Rule> = BTreeSet::new();
    for (&(place, seed), run) in jobs.iter().zip(&runs) {
        for finding in &run.findings {
            if seen.insert(finding.rule) {
                report.broken.push(broken(finding.clone(), &places[place], seed));
            }
        }
    }
    let later = plan.library.initial_window();
    if later != first {
        let detail = format!("{first} bytes before the runs, {later} after them");
        let (rule, at) = (Rule::SharedState, Duration::ZERO);
        let finding = Finding { rule, at, detail, count: 1 };
        report.broken.push(broken(finding, &places[0], seeds[0]));
    }
    for (i, place) in places.iter().enumerate() {
        let lane = Lane { place, seeds, runs: &runs[i * seeds.len()..(i + 1) * seeds.len()] };
        for (expectation, bound) in plan.expectations.iter().zip(&bounds) {
            if expectation.applies(place.point) {
                let mut measured = judge(expectation, bound, &lane, &references(plan, place))?;
                if !measured.met {
                    measured.known = plan.unmet_known.map(str::to_owned);
                }
                report.measured.push(measured);
            }
        }
    }
    if !report.passed() {
        report.logs = log_the_worst(plan, &places, &report)?;
    }
    Ok(report)
}

/// Gives these flows the protocol of this name; a mobile goes on to move as the file says.
fn give(setup: &mut Setup, flows: &[usize], protocol: &str) -> Result<(), Failure> {
    for &flow in flows {
        let named = atl_scenario::protocol::named(protocol)
            .ok_or_else(|| Failure::Wrong(format!("there is no protocol `{protocol}`")))?;
        let flow = &mut setup.flows[flow];
        flow.protocol = Protocol { new_path: flow.protocol.new_path, ..named };
    }
    Ok(())
}

/// The points that differ in more than the protocol of the flows under test.
fn places<'a>(plan: &Plan<'a>) -> Result<Vec<Place<'a>>, Failure> {
    let mut places: Vec<Place<'a>> = Vec::new();
    let mut seen = BTreeSet::new();
    for point in &plan.scenario.points {
        let mut setup = point.setup.clone();
        let tested = under_test(plan, &setup)?;
        give(&mut setup, &tested, STAND_IN)?;
        if let Some(gap) = QuicSim::new(Crypto::Null).gaps(&setup).first() {
            return Err(Failure::Wrong(format!(
                "{}: {}: {} cannot be had in QUIC: {}",
                plan.name, gap.place, gap.what, gap.why
            )));
        }
        if seen.insert(format!("{setup:?}")) {
            places.push(Place { point, label: String::new(), setup, tested });
        }
    }
    // Points that differ only in their protocol are one point here.
    let varied: Vec<&String> = plan
        .scenario
        .swept
        .iter()
        .filter(|name| {
            let texts: BTreeSet<_> =
                places.iter().filter_map(|p| Some(&p.point.vars.get(*name)?.text)).collect();
            texts.len() > 1
        })
        .collect();
    for place in &mut places {
        let of = |name: &&String| Some(format!("{name} = {}", place.point.vars.get(*name)?.text));
        place.label = varied.iter().filter_map(of).collect::<Vec<_>>().join(", ");
    }
    Ok(places)
}

fn under_test(plan: &Plan<'_>, setup: &Setup) -> Result<Vec<usize>, Failure> {
    for group in plan.groups {
        known_group(plan, setup, group)?;
    }
    let all = 0..setup.flows.len();
    Ok(all
        .filter(|&i| plan.groups.is_empty() || plan.groups.contains(&setup.flows[i].group))
        .collect())
}

fn known_group(plan: &Plan<'_>, setup: &Setup, group: &str) -> Result<(), Failure> {
    if setup.flows.iter().any(|flow| flow.group == group) {
        return Ok(());
    }
    let mut groups: Vec<&str> = setup.flows.iter().map(|flow| flow.group.as_str()).collect();
    groups.dedup();
    let all = groups.join(", ");
    Err(Failure::Wrong(format!("{}: it has no flow `{group}`; it has {all}", plan.name)))
}

fn bounds(plan: &Plan<'_>, places: &[Place<'_>]) -> Result<Vec<Bound>, Failure> {
    let mut bounds = Vec::new();
    for expectation in plan.expectations {
        let wrong = |problem| Failure::Wrong(format!("{}: {expectation}: {problem}", plan.name));
        let bound = expectation.read().map_err(wrong)?;
        for place in places {
            for group in expectation.of.iter().chain(&expectation.over) {
                known_group(plan, &place.setup, group)?;
            }
        }
        if !places.iter().any(|place| expectation.applies(place.point)) {
            let problem = "no point of the sweep has these values".to_owned();
            return Err(wrong(problem));
        }
        bounds.push(bound);
    }
    Ok(bounds)
}

/// Runs the same flows with a protocol of atl, with each seed.
fn references<'a>(
    plan: &'a Plan<'_>,
    place: &'a Place<'_>,
) -> impl Fn(&str) -> Result<Vec<RunResult>, Failure> + 'a {
    move |protocol| {
        let mut setup = place.setup.clone();
        give(&mut setup, &place.tested, protocol)?;
        let host = QuicSim::new(Crypto::Null);
        if let Some(gap) = host.gaps(&setup).first() {
            return Err(Failure::Wrong(format!(
                "{}: {protocol}: {} cannot be had in QUIC: {}",
                plan.name, gap.what, gap.why
            )));
        }
        let run = |seed: &u64| host.run(&setup, *seed, &Watch::unwatched()).map_err(stopped(plan));
        on_all_cores(&plan.scenario.seeds, run).into_iter().collect()
    }
}

fn stopped(plan: &Plan<'_>) -> impl Fn(Stopped) -> Failure {
    let name = plan.name.to_owned();
    move |stopped| match stopped {
        Stopped::Cancelled => Failure::Stopped(format!("{name}: a run was cancelled")),
        Stopped::Failed(why) => Failure::Stopped(format!("{name}: {why}")),
    }
}

/// One run with the controller under test, which may panic or send without end.
fn tested(plan: &Plan<'_>, place: &Place<'_>, seed: u64, logs: crate::library::Logs<'_>) -> Tested {
    let observed = Observed::default();
    let job = Job::new(&place.setup, seed, &place.tested, &observed, logs).tried(plan.trial);
    let runaway = || observed.widest() > RUNAWAY;
    let stop = || runaway() || observed.hopeless();
    let watch = Watch::new(&stop, &|_| {});
    let ended = catch_unwind(AssertUnwindSafe(|| plan.library.run(&job, &watch)));
    let mut findings = observed.findings();
    let result = match ended {
        Ok(Ok(result)) => Some(result),
        Ok(Err(Stopped::Cancelled)) => {
            if runaway() {
                let detail = format!("a window of {} bytes", observed.widest());
                let (rule, at) = (Rule::Runaway, observed.last());
                findings.push(Finding { rule, at, detail, count: 1 });
            }
            None
        }
        Ok(Err(Stopped::Failed(why))) => {
            let (rule, at) = (Rule::ConnectionLost, observed.last());
            findings.push(Finding { rule, at, detail: why.to_string(), count: 1 });
            None
        }
        Err(panic) => {
            let detail = format!("it said \"{}\"", said(&*panic).unwrap_or("nothing"));
            findings.push(Finding { rule: Rule::Panic, at: observed.last(), detail, count: 1 });
            None
        }
    };
    Tested { result, findings }
}

/// The words of a panic, if it had any.
pub(crate) fn said(panic: &(dyn std::any::Any + Send)) -> Option<&str> {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
}

/// Runs the worst seed again, with qlogs.
fn log_the_worst(
    plan: &Plan<'_>,
    places: &[Place<'_>],
    report: &Report,
) -> Result<Vec<std::path::PathBuf>, Failure> {
    let unmet = report.measured.iter().find(|m| !m.met && m.known.is_none());
    let broken = report.broken.iter().find(|b| b.known.is_none());
    let worst = unmet.map(|m| (&m.point, m.worst)).or(broken.map(|b| (&b.point, b.seed)));
    let Some((label, seed)) = worst else { return Ok(Vec::new()) };
    let Some(place) = places.iter().find(|place| &place.label == label) else {
        return Ok(Vec::new());
    };
    let folder = logs::folder(plan.logs, plan.name, label, seed);
    let failed = |error: std::io::Error| {
        Failure::Stopped(format!("cannot write qlogs into {}: {error}", folder.display()))
    };
    let files = logs::create(&folder, &place.setup, &place.tested).map_err(failed)?;
    tested(plan, place, seed, &|flow| files.of(flow));
    Ok(files.paths())
}

/// Applies `work` to each item on all cores. The results have the order of the items.
fn on_all_cores<I: Sync, T: Send>(items: &[I], work: impl Fn(&I) -> T + Sync) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::with_capacity(items.len()));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(i) else { return };
                    let result = work(item);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((i, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}
