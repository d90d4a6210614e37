//! A run: its threads from start to end.

mod build;
mod result;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::mpsc;
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use atl_core::time::{Span, Time};
use atl_host::{Stopped, Watch};
use atl_net::clock::Clock;
use atl_net::emulator::{Emulator, Stop, Timing};
use atl_net::priority;
use atl_scenario::result::RunResult;
use atl_scenario::setup::Setup;

use crate::crossing::Plug;
use crate::node::Ending;
use build::{Cast, build};
use result::assemble;

/// Interval between looks at whether the run is to stop.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// A run that has not ended so long after its time never will.
const OVERTIME: Span = Span::from_secs(30);

/// Runs a setup without gaps. `tap` sees the sockets at the flows' ends before anything runs.
///
/// # Errors
/// If it is cancelled, or if sockets or threads cannot be had.
pub(crate) fn run(
    setup: &Setup,
    seed: u64,
    watch: &Watch<'_>,
    tap: &mut dyn FnMut(&Plug),
) -> Result<RunResult, Stopped> {
    let sockets = |error| Stopped::failed(format!("cannot open sockets on loopback: {error}"));
    let Cast { nodes, relay, network, ending, stop, record, plan } =
        build(setup, seed, tap).map_err(sockets)?;
    let timing = Timing { snapshot_every: Span::MAX, ..Timing::default() };
    let halt = Halt { ending: &ending, stop: &stop };
    let (summary, records) = thread::scope(|scope| {
        // Whoever gets no clock, because another thread could not be started, ends at once.
        let mut starts = Vec::new();
        let start = |starts: &mut Vec<mpsc::Sender<Clock>>| {
            let (go, went) = mpsc::channel();
            starts.push(go);
            went
        };
        let went = start(&mut starts);
        let emulator = thread::Builder::new().spawn_scoped(scope, move || {
            part(halt, &went, |clock| {
                let emulator = Emulator::new(relay, network, clock, timing);
                emulator.run(halt.stop, &mut |_| {}).map(Some)
            })
        })?;
        let mut threads = Vec::new();
        for node in nodes {
            let went = start(&mut starts);
            let work = move || part(halt, &went, |clock| node.run(clock, halt.ending));
            threads.push(thread::Builder::new().spawn_scoped(scope, work)?);
        }
        let clock = Clock::start();
        for go in starts {
            let _ = go.send(clock);
        }
        let finished =
            || emulator.is_finished() && threads.iter().all(ScopedJoinHandle::is_finished);
        let waited = wait(clock, plan.end, watch, &finished);
        if waited.is_err() {
            halt.now();
        }
        let summary = joined(emulator);
        let records: Vec<_> = threads.into_iter().map(joined).collect();
        waited?;
        let records: Vec<_> = records.into_iter().collect::<Result<_, _>>()?;
        Ok::<_, Stopped>((summary?, records))
    })?;
    let early = || Stopped::failed("the emulated network ended before the run did");
    let (network, trouble) = record.try_recv().map_err(|_| early())?;
    let records = records.into_iter().flatten().collect();
    Ok(assemble(&plan, (network, trouble), &summary.last.lateness, records))
}

/// What ends all threads of a run.
#[derive(Clone, Copy)]
struct Halt<'a> {
    ending: &'a Ending,
    stop: &'a Stop,
}

impl Halt<'_> {
    fn now(self) {
        self.ending.cancel();
        self.stop.stop();
    }
}

/// Ends the other threads if this one ends without a result, a panic included.
struct Guard<'a> {
    halt: Halt<'a>,
    ended_well: bool,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if !self.ended_well {
            self.halt.now();
        }
    }
}

/// Does the work of a thread when the run begins.
fn part<T>(
    halt: Halt<'_>,
    begin: &mpsc::Receiver<Clock>,
    work: impl FnOnce(Clock) -> io::Result<Option<T>>,
) -> io::Result<Option<T>> {
    let mut guard = Guard { halt, ended_well: false };
    priority::prepare(true);
    let result = match begin.recv() {
        Ok(clock) => work(clock),
        Err(_) => Ok(None),
    };
    guard.ended_well = matches!(result, Ok(Some(_)));
    result
}

/// What a thread has got out of the run.
fn joined<T>(thread: ScopedJoinHandle<'_, io::Result<Option<T>>>) -> Result<T, Stopped> {
    let result = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    let failed = |error| Stopped::failed(format!("a socket on loopback broke: {error}"));
    // Whoever ended early did so because another thread failed, or because of a cancellation.
    result.map_err(failed)?.ok_or(Stopped::Cancelled)
}

/// Waits for the end of a run.
fn wait(
    clock: Clock,
    end: Time,
    watch: &Watch<'_>,
    finished: &dyn Fn() -> bool,
) -> Result<(), Stopped> {
    while !finished() {
        let now = clock.now();
        watch.reached(now.min(end).since(Time::ZERO))?;
        if now.since(end) > OVERTIME {
            return Err(Stopped::failed(format!(
                "the run has not ended {} s after its time: the machine is overloaded",
                OVERTIME.secs()
            )));
        }
        thread::sleep(LOOK_EVERY);
    }
    Ok(())
}
