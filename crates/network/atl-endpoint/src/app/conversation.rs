//! An application at work: both of its ends, without the connection between them.

use core::fmt;

use atl_core::time::{Span, Time};
use atl_link::random::Stream;

use super::config::ApplicationConfig;
use super::contract::{Actions, Application};
use crate::meters::Exchanges;

/// Both ends of an application: the client, then the server. An engine hands in what its transport
/// has delivered, carries what they have written, and comes back when a timer is due.
///
/// It keeps the engine's side of the contract of [`Application`]. Of an application that breaks its
/// own, writes after the end are dropped, and a timer that is not later than now expires a
/// nanosecond later.
#[derive(Debug)]
pub struct Conversation {
    /// When it starts; `None` once it has.
    start: Option<Time>,
    ends: [End; 2],
    actions: Actions,
}

/// One end.
struct End {
    application: Box<dyn Application + Send>,
    /// Bytes that it was told of, and that it has written.
    delivered: u64,
    written: u64,
    finished: bool,
    wake: Time,
    exchanges: Exchanges,
}

impl Conversation {
    /// One that starts at `start`. The ends draw from these streams.
    pub fn new(
        config: &ApplicationConfig,
        start: Time,
        [client, server]: [Stream; 2],
    ) -> Conversation {
        let ends = [config.client(client), config.server(server)].map(|application| End {
            application,
            delivered: 0,
            written: 0,
            finished: false,
            wake: Time::MAX,
            exchanges: Exchanges::default(),
        });
        Conversation { start: Some(start), ends, actions: Actions::default() }
    }

    /// Lets both ends act on what has happened by now. `delivered` counts the bytes delivered to
    /// each since the start. Returns which of them have written something or finished.
    pub fn advance(&mut self, now: Time, delivered: [u64; 2]) -> [bool; 2] {
        let before = self.ends.each_ref().map(|end| (end.written, end.finished));
        let actions = &mut self.actions;
        if let Some(start) = self.start {
            if now < start {
                return [false; 2];
            }
            self.start = None;
            for end in &mut self.ends {
                end.act(now, actions, |application, actions| application.on_start(now, actions));
            }
        }
        for (end, total) in self.ends.iter_mut().zip(delivered) {
            let bytes = total.saturating_sub(end.delivered);
            if bytes > 0 {
                end.delivered = total;
                end.act(now, actions, |application, actions| {
                    application.on_delivered(now, bytes, actions);
                });
            }
        }
        for end in self.ends.iter_mut().filter(|end| end.wake <= now) {
            end.wake = Time::MAX;
            end.act(now, actions, |application, actions| application.on_timer(now, actions));
        }
        let after = self.ends.each_ref().map(|end| (end.written, end.finished));
        [before[0] != after[0], before[1] != after[1]]
    }

    /// When to call [`advance`](Self::advance) even if nothing is delivered; [`Time::MAX`]: never.
    pub fn next_timer(&self) -> Time {
        let [client, server] = &self.ends;
        self.start.unwrap_or(client.wake.min(server.wake))
    }

    /// For each end, the bytes that it has written since the start, and whether these are all.
    pub fn written(&self) -> [(u64, bool); 2] {
        self.ends.each_ref().map(|end| (end.written, end.finished))
    }

    /// Starts measurement: exchanges that are complete do not count.
    pub fn begin_measurement(&mut self) {
        for end in &mut self.ends {
            end.exchanges.reset();
        }
    }

    /// The exchanges that each end has completed since measurement began.
    pub fn exchanges(&self) -> [&Exchanges; 2] {
        self.ends.each_ref().map(|end| &end.exchanges)
    }
}

impl End {
    /// Lets the application act, and does what it says.
    fn act(
        &mut self,
        now: Time,
        actions: &mut Actions,
        call: impl FnOnce(&mut dyn Application, &mut Actions),
    ) {
        call(self.application.as_mut(), actions);
        if !self.finished {
            self.written = self.written.saturating_add(actions.written);
        }
        self.finished |= actions.finished;
        if let Some(at) = actions.wake.take() {
            self.wake = at.max(now.saturating_add(Span::from_nanos(1)));
        }
        for since in actions.completed.drain(..) {
            self.exchanges.note(now.since(since));
        }
        (actions.written, actions.finished) = (0, false);
    }
}

impl fmt::Debug for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("End")
            .field("delivered", &self.delivered)
            .field("written", &self.written)
            .field("finished", &self.finished)
            .field("wake", &self.wake)
            .finish_non_exhaustive()
    }
}
