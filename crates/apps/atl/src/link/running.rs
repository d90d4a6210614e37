//! An emulator on its own thread, watched from this one.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, TrySendError};
use std::thread;
use std::time::Duration;

use atl_core::time::Span;
use atl_link::relay::Relay;
use atl_net::clock::Clock;
use atl_net::emulator::{Emulator, Stop, Summary, Timing};
use atl_net::ports::Ports;
use atl_net::snapshot::Snapshot;

use super::answers::Answers;
use crate::args::LinkRunning;
use crate::failure::Failure;

/// Interval at which this thread checks for the end.
const LOOK: Duration = Duration::from_millis(50);
/// Limit on the snapshots waiting to be shown. Further ones are dropped: a slow terminal must not
/// delay packets.
const WAITING: usize = 8;

/// Runs a relay in real time and keeps `answers` up to date. `ports` is called on the emulator's
/// thread, `show` on this one for each snapshot that is not dropped. `over` is called regularly
/// with the elapsed time and says whether to end.
///
/// # Errors
/// If reading or writing a port fails.
pub(super) fn run<P: Ports>(
    relay: Relay,
    ports: impl FnOnce() -> io::Result<P> + Send,
    clock: Clock,
    options: &LinkRunning,
    answers: &Answers,
    show: &mut dyn FnMut(&Snapshot),
    over: &mut dyn FnMut(Span) -> bool,
) -> Result<Summary, Failure> {
    let timing =
        Timing { real_time: !options.no_fifo, spin: options.spin, snapshot_every: options.every };
    let end = options.duration.map_or(Span::MAX, |lasts| lasts);
    let stop = Stop::default();
    let begun = clock.now();
    let (sender, snapshots) = mpsc::sync_channel::<Snapshot>(WAITING);
    thread::scope(|scope| {
        let emulator = scope.spawn(|| {
            let sender = sender;
            let ports = ports()?;
            let mut emulator = Emulator::new(relay, ports, clock, timing);
            if let Some(losses) = answers.losses() {
                emulator = emulator.with_losses(losses);
            }
            emulator.run(&stop, &mut |snapshot| {
                answers.publish(snapshot);
                match sender.try_send(snapshot.clone()) {
                    Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {}
                }
            })
        });
        loop {
            let left = end.saturating_sub(clock.now().since(begun));
            let wait = LOOK.min(Duration::from_nanos(left.nanos()));
            match snapshots.recv_timeout(wait) {
                Ok(snapshot) => show(&snapshot),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if over(clock.now().since(begun)) {
                stop.stop();
            }
        }
        let ended = emulator.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        ended.map_err(|error| Failure::Runtime(format!("the emulator broke off: {error}")))
    })
}
