//! A node of the network: a thread that drives the ends of flows at it.

use std::fmt;
use std::thread;
use std::time::Duration;

use crate::live::Ending;
use atl_core::time::{Span, Time};
use atl_engine::Stopped;
use atl_net::clock::Clock;
use tokio::runtime;
use tokio::task::JoinSet;

use crate::quic::receiver::{ReceiverEnd, ReceiverLeft};
use crate::quic::sender::{SenderEnd, SenderLeft, until};

/// So long after a cancellation a node ends at the latest.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Interval between looks into the sockets after the end.
const LAST_WAIT: Duration = Duration::from_millis(1);

/// The ends of flows at one node: they share a thread.
#[derive(Default)]
pub(crate) struct Node {
    pub senders: Vec<SenderEnd>,
    pub receivers: Vec<ReceiverEnd>,
}

/// The records of a node's flows when it ends.
#[derive(Debug, Default)]
pub(crate) struct Left {
    pub senders: Vec<SenderLeft>,
    pub receivers: Vec<ReceiverLeft>,
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node").finish_non_exhaustive()
    }
}

impl Node {
    /// Runs to the end; `None` if it was cancelled. `names` are those of the flows.
    ///
    /// # Errors
    /// If a connection breaks, or the system gives no runtime.
    pub(crate) fn run(
        self,
        clock: Clock,
        end: Time,
        names: &[String],
        ending: &Ending,
    ) -> Result<Option<Left>, Stopped> {
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        let left = runtime.block_on(self.work(clock, end, names, ending))?;
        // Its tasks, connections and timers are gone; sockets and counts stay.
        drop(runtime);
        let Some(left) = left else { return Ok(None) };
        for sender in &left.senders {
            sender.crossing.meter(end, |_| {});
        }
        for receiver in &left.receivers {
            receiver.crossing.meter(end, |_| {});
        }
        ending.node_has_ended();
        loop {
            if ending.is_cancelled() {
                return Ok(None);
            }
            // Asked before the last look into the sockets.
            let last = ending.has_network_ended();
            for receiver in &left.receivers {
                receiver.crossing.receive_late();
            }
            for sender in &left.senders {
                sender.crossing.receive_late();
            }
            if last {
                return Ok(Some(left));
            }
            thread::sleep(LAST_WAIT);
        }
    }

    async fn work(
        self,
        clock: Clock,
        end: Time,
        names: &[String],
        ending: &Ending,
    ) -> Result<Option<Left>, Stopped> {
        let mut tasks = JoinSet::new();
        let mut left = Left::default();
        for receiver in self.receivers {
            left.receivers.push(receiver.begin(clock, end, &mut tasks)?);
        }
        for sender in self.senders {
            left.senders.push(sender.begin(clock, end, &mut tasks)?);
        }
        let mut looks = tokio::time::interval(LOOK_EVERY);
        let over = until(clock, end.saturating_add(Span::from_nanos(1)));
        tokio::pin!(over);
        loop {
            tokio::select! {
                () = &mut over => return Ok(Some(left)),
                _ = looks.tick() => {
                    if ending.is_cancelled() {
                        return Ok(None);
                    }
                }
                Some(ended) = tasks.join_next() => match ended {
                    // A receiver whose endpoint is closed: nobody closes it.
                    Ok(Ok(())) => {}
                    Ok(Err(failure)) => return Err(failure.stopped(names)),
                    Err(panic) => std::panic::resume_unwind(panic.into_panic()),
                },
            }
        }
    }
}
