//! A run: its threads from start to end.

use std::sync::mpsc;
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use atl_core::time::{Span, Time};
use atl_engine::{Stopped, Watch};
use atl_net::clock::Clock;
use atl_net::emulator::{Emulator, Stop, Timing};
use atl_net::lateness::Lateness;
use atl_net::priority;

use crate::live::ending::Ending;
use crate::live::ledger::Readers;
use crate::live::network::Emulation;
use crate::live::record::{NetworkRecord, Trouble};
use crate::live::side::Side;

/// Interval between looks at whether the run is to stop.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// A run that has not ended so long after its time never will.
const OVERTIME: Span = Span::from_secs(30);

/// The records of a run's threads.
#[derive(Debug)]
pub struct Outcome<R> {
    /// Fates and samples of the flows' packets, and the links' results.
    pub network: NetworkRecord,
    /// Datagrams lost or refused at the network's sockets.
    pub trouble: Trouble,
    /// Lateness of frames that left the network.
    pub lateness: Lateness,
    /// The record of each node.
    pub nodes: Vec<R>,
}

impl<S: Side> Emulation<S> {
    /// Runs the network and the nodes, each on a thread of its own, to the end.
    ///
    /// `work` drives a node until the run's end, says so ([`Ending::node_has_ended`]), and goes on
    /// counting what arrives until the network has ended. It ends at once, with `None`, when the
    /// run is cancelled ([`Ending::is_cancelled`]).
    ///
    /// # Errors
    /// If it is cancelled, if a thread cannot be had, or the error of a node.
    pub fn run<N: Send, R: Send>(
        self,
        nodes: Vec<N>,
        watch: &Watch<'_>,
        work: impl Fn(N, Clock, &Ending) -> Result<Option<R>, Stopped> + Sync,
    ) -> Result<Outcome<R>, Stopped> {
        let Emulation { relay, ports, readers: Readers { ending, stop, record }, end } = self;
        let timing = Timing { snapshot_every: Span::MAX, ..Timing::default() };
        let halt = Halt { ending: &ending, stop: &stop };
        let work = &work;
        let (summary, nodes) = thread::scope(|scope| {
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
                    let emulator = Emulator::new(relay, ports, clock, timing);
                    let broke = |e| Stopped::failed(format!("a port of the network broke: {e}"));
                    emulator.run(halt.stop, &mut |_| {}).map(Some).map_err(broke)
                })
            })?;
            let mut threads = Vec::new();
            for node in nodes {
                let went = start(&mut starts);
                let work = move || part(halt, &went, |clock| work(node, clock, halt.ending));
                threads.push(thread::Builder::new().spawn_scoped(scope, work)?);
            }
            let clock = Clock::start();
            for go in starts {
                let _ = go.send(clock);
            }
            let finished =
                || emulator.is_finished() && threads.iter().all(ScopedJoinHandle::is_finished);
            let waited = wait(clock, end, watch, &finished);
            if waited.is_err() {
                halt.now();
            }
            let summary = joined(emulator);
            let mut nodes: Vec<_> = threads.into_iter().map(joined).collect();
            waited?;
            // A node that failed says more than those that ended because of it.
            if let Some(at) = nodes.iter().position(|node| matches!(node, Err(Stopped::Failed(_))))
            {
                nodes.swap(0, at);
            }
            let nodes: Vec<_> = nodes.into_iter().collect::<Result<_, _>>()?;
            Ok::<_, Stopped>((summary?, nodes))
        })?;
        let early = || Stopped::failed("the emulated network ended before the run did");
        let (network, trouble) = record.try_recv().map_err(|_| early())?;
        Ok(Outcome { network, trouble, lateness: summary.last.lateness, nodes })
    }
}

/// Ends all threads of a run.
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
    work: impl FnOnce(Clock) -> Result<Option<T>, Stopped>,
) -> Result<Option<T>, Stopped> {
    let mut guard = Guard { halt, ended_well: false };
    priority::prepare(true);
    let result = match begin.recv() {
        Ok(clock) => work(clock),
        Err(_) => Ok(None),
    };
    guard.ended_well = matches!(result, Ok(Some(_)));
    result
}

/// The result of a thread. Its panic goes on in the caller.
fn joined<T>(thread: ScopedJoinHandle<'_, Result<Option<T>, Stopped>>) -> Result<T, Stopped> {
    let result = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    // Whoever ended early did so because another thread failed, or because of a cancellation.
    result?.ok_or(Stopped::Cancelled)
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
