//! The joint for applications: what runs at the two ends of a connection.

use core::fmt::Debug;

use atl_core::time::Time;
use atl_link::random::Stream;

/// One end of an application that talks over a connection: it writes bytes, and gets those that the
/// other end has written.
///
/// Bytes have no content here. What a program would read in a message, an end knows from its
/// parameters: how long a request is, and how long the answer to it.
///
/// # Contract
///
/// The engine promises:
///
/// - [`on_start`](Self::on_start) is the first call, once, when the flow starts: at the client,
///   then at the server.
/// - `now` never decreases from one call to the next, whichever calls they are.
/// - [`on_delivered`](Self::on_delivered) tells of each byte that the other end has written, once,
///   in order, and soon after the transport has delivered it. A connection keeps no boundaries: two
///   writes may be delivered at once, and one in several pieces.
/// - [`on_timer`](Self::on_timer) is called at the time that the last
///   [`Actions::wake_at`] named, once, after what was delivered at that instant.
///
/// The application promises, and [`conformance::application`](crate::conformance::application)
/// checks:
///
/// - **No boundaries.** Bytes that are delivered in pieces at one instant have the effect of the
///   same bytes in one piece.
/// - **Time.** It wakes up later than now. An exchange that it reports began at a time between
///   its start and now.
/// - **End.** It writes nothing after [`Actions::finish`].
/// - **Bounds.** It wakes up at most a million times in a minute.
/// - **Determinism.** The same calls give the same answers. Random numbers come from the stream
///   that it was built with, and from nowhere else.
pub trait Application {
    /// The flow starts.
    fn on_start(&mut self, now: Time, actions: &mut Actions) {
        let _ = (now, actions);
    }

    /// The next `bytes` bytes of the other end are here, at least one.
    fn on_delivered(&mut self, now: Time, bytes: u64, actions: &mut Actions);

    /// The time has come that was asked for.
    fn on_timer(&mut self, now: Time, actions: &mut Actions) {
        let _ = (now, actions);
    }
}

/// Parameters that both ends of an application are built from.
pub trait BuildApplication: Debug + Send + Sync + 'static {
    /// Checks that the parameters are in their ranges.
    ///
    /// # Errors
    /// The range that is allowed for the first parameter outside of its own.
    fn check(&self) -> Result<(), &'static str> {
        Ok(())
    }

    /// The end at the flow's source, which draws its random numbers, if any, from `stream`.
    fn client(&self, stream: Stream) -> Box<dyn Application + Send>;

    /// The end at the flow's destination.
    fn server(&self, stream: Stream) -> Box<dyn Application + Send>;
}

/// The answer of an [`Application`] to a call: bytes written, exchanges completed, the next
/// wake-up.
#[derive(Debug, Default)]
pub struct Actions {
    pub(crate) written: u64,
    pub(crate) wake: Option<Time>,
    pub(crate) finished: bool,
    /// When the exchanges began that are complete.
    pub(crate) completed: Vec<Time>,
}

impl Actions {
    /// Writes this many bytes. The transport takes all of them, and sends them when it may.
    pub fn write(&mut self, bytes: u64) {
        self.written = self.written.saturating_add(bytes);
    }

    /// Asks for [`Application::on_timer`] at this time, later than now, instead of any time asked
    /// for before. [`Time::MAX`]: never.
    pub fn wake_at(&mut self, at: Time) {
        self.wake = Some(at);
    }

    /// Writes nothing more, ever. The flow of this end is complete when the last byte is
    /// acknowledged. What the other end writes is still delivered.
    pub fn finish(&mut self) {
        self.finished = true;
    }

    /// Reports that an exchange is complete now which began at `since`: for a request, the time at
    /// which it was written. The engine measures how long exchanges take.
    pub fn complete(&mut self, since: Time) {
        self.completed.push(since);
    }
}
