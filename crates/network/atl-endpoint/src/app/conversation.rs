//! An application at work: both of its ends, without the connections between them.

use core::fmt;
use std::collections::VecDeque;

use atl_core::time::{Span, Time};
use atl_link::random::Stream;

use super::config::ApplicationConfig;
use super::contract::{Actions, Application, Played, Write};
use crate::meters::{Exchanges, Playback, PlaybackResult};

/// Both ends of an application: the client, then the server. An engine hands in what its transport
/// has delivered, carries what they have written, and comes back when a timer is due.
///
/// It keeps the engine's side of the contract of [`Application`]. Of an application that breaks its
/// own, writes after the end and over connections that it does not have are dropped, and a timer
/// that is not later than now expires a nanosecond later.
#[derive(Debug)]
pub struct Conversation {
    /// When it starts; `None` once it has.
    start: Option<Time>,
    /// When its client writes nothing more, until it has.
    stop: Option<Time>,
    ends: [End; 2],
    actions: Actions,
}

/// One end.
struct End {
    application: Box<dyn Application + Send>,
    /// Its side of each connection.
    connections: Vec<Connection>,
    finished: bool,
    wake: Time,
    exchanges: Exchanges,
    /// `None` until it reports what it plays.
    playback: Option<Box<Playback>>,
}

/// A connection as one end sees it.
#[derive(Clone, Debug, Default)]
struct Connection {
    /// Bytes that it was told of, and that it has written.
    delivered: u64,
    written: u64,
    /// Words that it has written and the other end has not got, each with the number of bytes up to
    /// the one that brings it.
    words: VecDeque<(u64, u64)>,
}

impl Conversation {
    /// One that starts at `start`. The ends draw from these streams.
    pub fn new(
        config: &ApplicationConfig,
        start: Time,
        [client, server]: [Stream; 2],
    ) -> Conversation {
        let connections = config.connections();
        let ends = [config.client(client), config.server(server)].map(|application| End {
            application,
            connections: vec![Connection::default(); connections],
            finished: false,
            wake: Time::MAX,
            exchanges: Exchanges::default(),
            playback: None,
        });
        Conversation { start: Some(start), stop: None, ends, actions: Actions::default() }
    }

    /// The same, whose client writes nothing from this time on: what it has asked for by then is
    /// still answered.
    #[must_use]
    pub fn stopping_at(self, stop: Option<Time>) -> Conversation {
        Conversation { stop, ..self }
    }

    /// Number of its connections.
    pub fn connections(&self) -> usize {
        self.ends[0].connections.len()
    }

    /// Lets both ends act on what has happened by now. `delivered` counts the bytes delivered to
    /// each since the start, over the first connection. Returns which of them have written
    /// something or finished.
    pub fn advance(&mut self, now: Time, delivered: [u64; 2]) -> [bool; 2] {
        self.advance_over(now, &[delivered])
    }

    /// The same with the bytes delivered over each connection, in order.
    pub fn advance_over(&mut self, now: Time, delivered: &[[u64; 2]]) -> [bool; 2] {
        let before = self.ends.each_ref().map(End::progress);
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
        if self.stop.is_some_and(|stop| stop <= now) {
            self.stop = None;
            self.ends[0].finished = true;
        }
        for end in 0..2 {
            for (connection, totals) in delivered.iter().enumerate() {
                self.deliver(now, end, connection, totals[end]);
            }
        }
        let actions = &mut self.actions;
        for end in self.ends.iter_mut().filter(|end| end.wake <= now) {
            end.wake = Time::MAX;
            end.act(now, actions, |application, actions| application.on_timer(now, actions));
        }
        let after = self.ends.each_ref().map(End::progress);
        [before[0] != after[0], before[1] != after[1]]
    }

    /// Tells an end of the bytes up to `total`, and of the words among them.
    fn deliver(&mut self, now: Time, end: usize, connection: usize, total: u64) {
        let [client, server] = &mut self.ends;
        let (to, from) = if end == 0 { (client, server) } else { (server, client) };
        let actions = &mut self.actions;
        loop {
            let Some(sent) = from.connections.get_mut(connection) else { return };
            let word = sent.words.front().copied().filter(|(at, _)| *at <= total);
            let Some(got) = to.connections.get_mut(connection) else { return };
            let until = word.map_or(total, |(at, _)| at);
            let bytes = until.saturating_sub(got.delivered);
            if bytes > 0 {
                got.delivered = until;
                to.act(now, actions, |application, actions| {
                    application.on_delivered_over(now, connection, bytes, actions);
                });
            }
            let Some((_, word)) = word else { return };
            sent.words.pop_front();
            to.act(now, actions, |application, actions| {
                application.on_word(now, connection, word, actions);
            });
        }
    }

    /// When to call [`advance`](Self::advance) even if nothing is delivered; [`Time::MAX`]: never.
    pub fn next_timer(&self) -> Time {
        let [client, server] = &self.ends;
        let stop = self.stop.unwrap_or(Time::MAX);
        self.start.unwrap_or(client.wake.min(server.wake).min(stop))
    }

    /// For each end, the bytes that it has written over the first connection since the start, and
    /// whether these are all.
    pub fn written(&self) -> [(u64, bool); 2] {
        self.written_over(0)
    }

    /// The same over one of several connections.
    pub fn written_over(&self, connection: usize) -> [(u64, bool); 2] {
        self.ends.each_ref().map(|end| {
            let written = end.connections.get(connection).map_or(0, |own| own.written);
            (written, end.finished)
        })
    }

    /// Starts measurement: exchanges that are complete and what was played by now do not count.
    pub fn begin_measurement(&mut self, now: Time) {
        for end in &mut self.ends {
            end.exchanges.reset();
            if let Some(playback) = &mut end.playback {
                playback.begin_measurement(now);
            }
        }
    }

    /// The exchanges that each end has completed since measurement began.
    pub fn exchanges(&self) -> [&Exchanges; 2] {
        self.ends.each_ref().map(|end| &end.exchanges)
    }

    /// Playback of each end by now since measurement began, if it is a player.
    pub fn playback(&self, now: Time) -> [Option<PlaybackResult>; 2] {
        self.ends.each_ref().map(|end| end.playback.as_ref().map(|playback| playback.result(now)))
    }
}

impl End {
    /// Bytes written over all connections, and whether these are all.
    fn progress(&self) -> (u64, bool) {
        let written = self.connections.iter().map(|own| own.written);
        (written.fold(0, u64::saturating_add), self.finished)
    }

    /// Lets the application act, and does what it says.
    fn act(
        &mut self,
        now: Time,
        actions: &mut Actions,
        call: impl FnOnce(&mut dyn Application, &mut Actions),
    ) {
        call(self.application.as_mut(), actions);
        let finished = self.finished;
        for Write { connection, bytes, word } in actions.written.drain(..) {
            let Some(own) = self.connections.get_mut(connection).filter(|_| !finished) else {
                continue;
            };
            own.written = own.written.saturating_add(bytes);
            own.words.extend(word.map(|word| (own.written, word)));
        }
        self.finished |= actions.finished;
        if let Some(at) = actions.wake.take() {
            self.wake = at.max(now.saturating_add(Span::from_nanos(1)));
        }
        for since in actions.completed.drain(..) {
            self.exchanges.note(now.since(since));
        }
        for played in actions.played.drain(..) {
            let playback = self.playback.get_or_insert_with(|| Box::new(Playback::new(now)));
            match played {
                Played::State(player) => playback.on_player(now, player),
                Played::Segment(rate) => playback.on_segment(rate),
            }
        }
        actions.finished = false;
    }
}

impl fmt::Debug for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("End")
            .field("connections", &self.connections)
            .field("finished", &self.finished)
            .field("wake", &self.wake)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::BuildApplication;

    /// The client says three words, two over the second connection; the server answers each with
    /// as many bytes over the connection that it came over.
    #[derive(Clone, Debug, PartialEq)]
    struct Echo;

    struct Client;
    struct Server;

    impl BuildApplication for Echo {
        fn connections(&self) -> usize {
            2
        }
        fn client(&self, _: Stream) -> Box<dyn Application + Send> {
            Box::new(Client)
        }
        fn server(&self, _: Stream) -> Box<dyn Application + Send> {
            Box::new(Server)
        }
    }

    impl Application for Client {
        fn on_start(&mut self, _: Time, actions: &mut Actions) {
            actions.say(1, 10, 700);
            actions.say(1, 20, 800);
            actions.say(0, 5, 900);
            actions.write_over(2, 1_000_000);
        }
        fn on_delivered(&mut self, _: Time, _: u64, _: &mut Actions) {}
    }

    impl Application for Server {
        fn on_delivered(&mut self, _: Time, bytes: u64, _: &mut Actions) {
            assert!(bytes <= 20, "words cut what is delivered");
        }
        fn on_word(&mut self, _: Time, connection: usize, word: u64, actions: &mut Actions) {
            actions.write_over(connection, word);
        }
    }

    fn talk() -> Conversation {
        let streams = [Stream::new(1, "client"), Stream::new(1, "server")];
        Conversation::new(&ApplicationConfig::from(Echo), Time::ZERO, streams)
    }

    #[test]
    fn a_word_comes_with_the_last_byte_of_its_message_over_its_connection() {
        let mut talk = talk();
        let ms = Time::from_millis;
        assert_eq!(talk.advance_over(ms(0), &[[0, 0], [0, 0]]), [true, false]);
        let written = |talk: &Conversation| [0, 1].map(|c| talk.written_over(c)[1].0);
        assert_eq!([0, 1].map(|c| talk.written_over(c)[0]), [(5, false), (30, false)]);
        talk.advance_over(ms(1), &[[0, 4], [0, 9]]);
        assert_eq!(written(&talk), [0, 0]);
        talk.advance_over(ms(2), &[[0, 5], [0, 10]]);
        assert_eq!(written(&talk), [900, 700]);
        // In one piece: the rest of one message, and the next.
        talk.advance_over(ms(3), &[[0, 5], [0, 30]]);
        assert_eq!(written(&talk), [900, 1500]);
    }

    #[test]
    fn a_client_that_has_stopped_writes_no_more_and_is_answered() {
        let mut talk = talk().stopping_at(Some(Time::from_millis(2)));
        talk.advance_over(Time::ZERO, &[[0, 0], [0, 0]]);
        assert_eq!(talk.next_timer(), Time::from_millis(2));
        assert_eq!(talk.advance_over(Time::from_millis(2), &[[0, 0], [0, 0]]), [true, false]);
        assert_eq!((talk.written()[0], talk.next_timer()), ((5, true), Time::MAX));
        talk.advance_over(Time::from_millis(3), &[[0, 5], [0, 0]]);
        assert_eq!(talk.written()[1], (900, false));
    }
}
