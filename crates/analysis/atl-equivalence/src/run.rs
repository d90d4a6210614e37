//! Runs of a battery from start to end.

use std::sync::Mutex;

use atl_core::time::Span;
use atl_engine::{Cancel, Progress, Stopped, Watch};

use crate::battery::{Case, TcpCase};
use crate::emulated::{self, Emulated, Options};
use crate::judge::{Verdict, judge, overall};
use crate::margin::{LEVEL, Margins};
use crate::measure::{Measure, Twins, differing, measures};
use crate::pattern::BEGIN;
use crate::pool::Pool;
use crate::report::{CaseReport, Environment, Fates, Judged, Report, TcpReport};
use crate::simulated;
use crate::tcp::{self, NoKernel};
use crate::whole;

/// Time that a run takes to start and to drain, in seconds, beside that of sending.
const AROUND: f64 = 0.3;
/// Time to simulate a case with all seeds, in seconds; an estimate for the progress bar.
const SIMULATING: f64 = 0.5;

/// A selection of cases, with the settings of their runs.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Cases of UDP probes.
    pub cases: Vec<&'static Case>,
    /// Cases of kernel TCP.
    pub tcp: Vec<&'static TcpCase>,
    /// Makes runs shorter and fewer.
    pub quick: bool,
    /// Seed of the emulated runs; those of the simulator follow it.
    pub seed: u64,
    /// Limit on the runs of a case when earlier ones were late.
    pub attempts: u32,
    /// Settings of the emulator's timekeeping.
    pub options: Options,
}

/// Callbacks while a plan is carried out.
#[derive(Clone, Copy)]
pub struct Watched<'a> {
    /// Ends the run when another thread sets it.
    pub cancel: &'a Cancel,
    /// Called with the time and the runs done so far.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

impl std::fmt::Debug for Watched<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watched").field("cancel", self.cancel).finish_non_exhaustive()
    }
}

/// Progress of a battery.
struct Meter<'a> {
    watched: Watched<'a>,
    state: Mutex<Progress>,
}

impl Meter<'_> {
    /// Adds time that has passed in the part under way.
    fn within(&self, time: Span) {
        let mut progress = *self.lock();
        progress.done = Span::from_nanos(progress.done.nanos() + time.nanos()).min(progress.total);
        (self.watched.progress)(progress);
    }

    /// Adds a part that takes `length` to what is done.
    fn done(&self, length: Span, runs: usize) {
        let mut state = self.lock();
        state.done = Span::from_nanos(state.done.nanos() + length.nanos()).min(state.total);
        state.runs_done += runs;
        (self.watched.progress)(*state);
    }

    /// Adds a run that the plan did not foresee.
    fn more(&self, length: Span) {
        let mut state = self.lock();
        state.total = Span::from_nanos(state.total.nanos() + length.nanos());
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Progress> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// A case whose measures are not judged yet.
struct Measured {
    case: &'static Case,
    run: Emulated,
    attempts: u32,
    margins: Margins,
    fates: Fates,
    measures: Vec<Measure>,
}

impl Plan {
    /// Runs of the simulator that make a case's yardstick.
    pub fn runs(&self) -> u64 {
        if self.quick { 20 } else { 40 }
    }

    /// Runs of the kernel's TCP over each path with each congestion control.
    pub fn kernel_runs(&self) -> u64 {
        if self.quick { 3 } else { 5 }
    }

    /// Seeds of the simulator; the emulator's is not among them.
    fn pool_seeds(&self) -> impl Iterator<Item = u64> + use<> {
        let seed = self.seed;
        (1..=self.runs()).map(move |i| seed.wrapping_add(i))
    }

    fn length_of(&self, case: &Case) -> Span {
        let lasts = case.lasts(self.quick).secs() + BEGIN.secs() + AROUND + SIMULATING;
        Span::from_secs_f64(lasts)
    }

    fn tcp_length(case: &TcpCase) -> Span {
        Span::from_secs_f64(case.seconds + AROUND)
    }

    /// Estimate of the real time that the plan takes.
    pub fn length(&self) -> Span {
        let probes: f64 = self.cases.iter().map(|case| self.length_of(case).secs()).sum();
        let tcp: f64 = self.tcp.iter().map(|case| Plan::tcp_length(case).secs()).sum();
        Span::from_secs_f64(probes + tcp * self.kernel_runs() as f64 * 2.0)
    }

    /// Carries the plan out, case by case: two cases at once would disturb each other's timing.
    ///
    /// # Errors
    /// If a socket cannot be had, or it is cancelled.
    pub fn run(&self, watched: Watched<'_>) -> Result<Report, Stopped> {
        let runs = self.cases.len() + self.tcp.len() * 2 * self.kernel_runs() as usize;
        let state = Progress { done: Span::ZERO, total: self.length(), runs_done: 0, runs };
        let meter = Meter { watched, state: Mutex::new(state) };
        let stop = || watched.cancel.is_cancelled();
        let quiet = Watch::new(&stop, &|_| {});
        let mut whole = Vec::new();
        let mut measured = Vec::new();
        for case in &self.cases {
            measured.push(self.measure(case, &meter)?);
            whole.extend(whole::check(case, self.seed, &quiet)?);
            meter.done(self.length_of(case), 1);
        }
        let tcp = self.kernel(&meter)?;
        let statements = measured.iter().map(|case| case.measures.len()).sum::<usize>();
        let alpha = LEVEL / statements.max(1) as f64;
        let environment = Environment::here(measured.first().map(|case| case.run.timekeeping.fifo));
        Ok(Report {
            quick: self.quick,
            seed: self.seed,
            simulator_runs: self.runs(),
            level: LEVEL,
            statements,
            alpha,
            environment,
            cases: measured.into_iter().map(|case| case.judged(alpha)).collect(),
            whole,
            tcp,
        })
    }

    /// Runs a case in real time, again if it was late, and compares it.
    fn measure(&self, case: &'static Case, meter: &Meter<'_>) -> Result<Measured, Stopped> {
        let link = case.link()?;
        let lasts = case.lasts(self.quick);
        let stop = || meter.watched.cancel.is_cancelled();
        let within = |time: Span| meter.within(time);
        let watch = Watch::new(&stop, &within);
        let mut attempts = 1;
        let mut run = emulated::run(case, &link, self.seed, lasts, self.options, &watch)?;
        while run.timekeeping.fault.is_some() && attempts < self.attempts {
            attempts += 1;
            let length = self.length_of(case);
            meter.more(length);
            meter.done(length, 0);
            run = emulated::run(case, &link, self.seed, lasts, self.options, &watch)?;
        }
        let go_on = || !stop();
        let pool =
            Pool::new(case, &link, self.pool_seeds(), lasts, &go_on).ok_or(Stopped::Cancelled)?;
        let twins = Twins {
            planned: simulated::run(case, &link, self.seed, lasts),
            replayed: simulated::replay(&link, self.seed, &run.observation),
        };
        let fates = Fates::of(&run.observation, &twins);
        let measures = measures(&link.config, &pool, &run.observation, Some(&twins));
        let margins = Margins::of(&link.config, case.bytes);
        Ok(Measured { case, run, attempts, margins, fates, measures })
    }

    fn kernel(&self, meter: &Meter<'_>) -> Result<TcpReport, Stopped> {
        let stop = || meter.watched.cancel.is_cancelled();
        let within = |time: Span| meter.within(time);
        let watch = Watch::new(&stop, &within);
        let seeds: Vec<u64> = (0..self.kernel_runs()).map(|i| self.seed.wrapping_add(i)).collect();
        let first = self.seed.wrapping_add(self.kernel_runs());
        let pool: Vec<u64> = (0..self.runs() / 2).map(|i| first.wrapping_add(i)).collect();
        let mut rows = Vec::new();
        for case in &self.tcp {
            let one_done = || meter.done(Plan::tcp_length(case), 1);
            match tcp::compare(case, &seeds, &pool, self.options, &watch, one_done) {
                Ok(compared) => rows.extend(compared),
                Err(NoKernel::NotHere(why)) => return Ok(TcpReport { rows, skipped: Some(why) }),
                // The results of the probes are kept.
                Err(NoKernel::Stopped(Stopped::Failed(error))) => {
                    return Ok(TcpReport {
                        rows,
                        skipped: Some(format!("{}: {error}", case.name)),
                    });
                }
                Err(NoKernel::Stopped(stopped)) => return Err(stopped),
            }
        }
        Ok(TcpReport { rows, skipped: None })
    }
}

impl Measured {
    fn judged(self, alpha: f64) -> CaseReport {
        let Measured { case, run, attempts, margins, fates, measures } = self;
        let judged: Vec<Judged> =
            measures.iter().map(|m| Judged::of(m, judge(m, alpha), alpha)).collect();
        let verdict = match run.timekeeping.fault {
            Some(_) => Verdict::NotJudged,
            None => overall(judged.iter().map(|one| one.verdict)),
        };
        CaseReport {
            name: case.name,
            kind: case.kind,
            title: case.title,
            link: case.link,
            probes: case.pattern.to_string(),
            bytes: case.bytes,
            packets: run.observation.probes.len(),
            attempts,
            verdict,
            margins,
            measures: judged,
            fates,
            timekeeping: run.timekeeping,
        }
    }
}

impl Fates {
    fn of(observed: &crate::observation::Observation, twins: &Twins) -> Fates {
        let (planned, compared) = differing(observed, &twins.planned);
        let (replayed, _) = differing(observed, &twins.replayed);
        Fates { compared, planned, replayed }
    }
}
