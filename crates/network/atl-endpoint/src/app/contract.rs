//! The joint for applications: what runs at the two ends of a connection, or of several.

use core::fmt::Debug;

use atl_core::time::Time;
use atl_core::units::Rate;
use atl_link::random::Stream;

/// One end of an application that talks over a connection: it writes bytes, and gets those that the
/// other end has written.
///
/// Bytes have no content here. What a program would read in a message, an end knows from its
/// parameters, such as how long a request is, or gets as a word that comes with the last byte of
/// the message ([`Actions::say`]), such as which object a request asks for.
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
///   writes may be delivered at once, and one in several pieces. Connections keep no order among
///   them.
/// - [`on_word`](Self::on_word) brings each word once, right after the byte that it came with.
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
/// - **Bounds.** It wakes up at most a million times in a minute. It writes over connections that
///   it has.
/// - **Determinism.** The same calls give the same answers. Random numbers come from the stream
///   that it was built with, and from nowhere else.
pub trait Application {
    /// The flow starts.
    fn on_start(&mut self, now: Time, actions: &mut Actions) {
        let _ = (now, actions);
    }

    /// The next `bytes` bytes of the other end are here, at least one.
    fn on_delivered(&mut self, now: Time, bytes: u64, actions: &mut Actions);

    /// The same over one of several connections, by its number from 0.
    fn on_delivered_over(
        &mut self,
        now: Time,
        connection: usize,
        bytes: u64,
        actions: &mut Actions,
    ) {
        let _ = connection;
        self.on_delivered(now, bytes, actions);
    }

    /// The last byte that was delivered over this connection brought this word.
    fn on_word(&mut self, now: Time, connection: usize, word: u64, actions: &mut Actions) {
        let _ = (now, connection, word, actions);
    }

    /// The time has come that was asked for.
    fn on_timer(&mut self, now: Time, actions: &mut Actions) {
        let _ = (now, actions);
    }
}

/// Limit on the connections of an application.
pub const MOST_CONNECTIONS: usize = 100;

/// Parameters that both ends of an application are built from.
pub trait BuildApplication: Debug + Send + Sync + 'static {
    /// Checks that the parameters are in their ranges.
    ///
    /// # Errors
    /// The range that is allowed for the first parameter outside of its own.
    fn check(&self) -> Result<(), &'static str> {
        Ok(())
    }

    /// Number of connections that it talks over, from 1 to [`MOST_CONNECTIONS`].
    fn connections(&self) -> usize {
        1
    }

    /// True if its client is a player, which reports [`Actions::play`].
    fn plays(&self) -> bool {
        false
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
    pub(crate) written: Vec<Write>,
    pub(crate) wake: Option<Time>,
    pub(crate) finished: bool,
    /// When the exchanges began that are complete.
    pub(crate) completed: Vec<Time>,
    pub(crate) played: Vec<Played>,
}

/// Bytes written over a connection, and the word that comes with the last of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Write {
    pub connection: usize,
    pub bytes: u64,
    pub word: Option<u64>,
}

/// States of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// It waits for enough to begin.
    Waits,
    /// It shows the video.
    Plays,
    /// It stands still, with nothing left to show.
    Stalls,
    /// It has shown everything.
    Ended,
}

/// A player's report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Played {
    State(Player),
    Segment(Rate),
}

impl Actions {
    /// Writes this many bytes, over the first connection. The transport takes all of them, and
    /// sends them when it may.
    pub fn write(&mut self, bytes: u64) {
        self.write_over(0, bytes);
    }

    /// The same over one of several connections, by its number from 0.
    pub fn write_over(&mut self, connection: usize, bytes: u64) {
        self.written.push(Write { connection, bytes, word: None });
    }

    /// Writes a message of this many bytes, at least one. The other end gets `word` with the last
    /// of them, as what a program would read in the message.
    pub fn say(&mut self, connection: usize, bytes: u64, word: u64) {
        self.written.push(Write { connection, bytes: bytes.max(1), word: Some(word) });
    }

    /// Asks for [`Application::on_timer`] at this time, later than now, instead of any time asked
    /// for before. [`Time::MAX`]: never.
    pub fn wake_at(&mut self, at: Time) {
        self.wake = Some(at);
    }

    /// Writes nothing more, ever, over any connection. The flows of this end are complete when the
    /// last byte is acknowledged. What the other end writes is still delivered.
    pub fn finish(&mut self) {
        self.finished = true;
    }

    /// Reports that an exchange is complete now which began at `since`: for a request, the time at
    /// which it was written. The engine measures how long exchanges take.
    pub fn complete(&mut self, since: Time) {
        self.completed.push(since);
    }

    /// Reports what a player does from now on. The engine measures how long it waits, plays and
    /// stalls.
    pub fn play(&mut self, player: Player) {
        self.played.push(Played::State(player));
    }

    /// Reports that a player has the next segment of its video, which was encoded at this rate.
    pub fn segment(&mut self, rate: Rate) {
        self.played.push(Played::Segment(rate));
    }
}
