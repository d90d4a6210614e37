//! Checks that anybody's implementation can be put through in a test of its own.

use std::collections::VecDeque;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_link::random::Stream;

use crate::app::contract::{Played, Write};
use crate::app::{Actions, Application, BuildApplication, MOST_CONNECTIONS};

const START: Time = Time::from_millis(250);
const END: Time = Time::from_millis(60_250);
/// Wake-ups of both ends in a run, which lasts a minute.
const MOST_WAKE_UPS: u32 = 1_000_000;
const PACKET: u64 = 1000;
/// Packets under way of one end, beyond which what it has written waits.
const WINDOW: usize = 1000;

/// A connection: its rate, its delay in one direction, and the pieces in which it delivers what
/// arrives at one instant.
#[derive(Clone, Copy, Debug)]
struct Path {
    rate: Rate,
    delay: Span,
    pieces: u64,
    seed: u64,
}

const PATHS: [Path; 4] = [
    Path { rate: Rate::from_mbps(10.0), delay: Span::from_millis(20), pieces: 1, seed: 1 },
    Path { rate: Rate::from_mbps(0.1), delay: Span::from_millis(300), pieces: 1, seed: 2 },
    Path { rate: Rate::from_mbps(100.0), delay: Span::from_millis(1), pieces: 1, seed: 3 },
    Path { rate: Rate::from_mbps(2.0), delay: Span::ZERO, pieces: 1, seed: 4 },
];

/// Lets both ends of an application talk for a minute over each of several connections, from fast
/// and short to slow and long, and panics where one of them breaks the contract of [`Application`].
///
/// # Panics
/// Says which promise is broken, at which end, and when.
pub fn application(config: &impl BuildApplication) {
    assert_eq!(config.check(), Ok(()), "the parameters are refused");
    for path in PATHS {
        let run = |path| Bench::new(config, path).run();
        let usual = run(path);
        assert!(usual == run(path), "{path:?}: the same calls give other answers");
        let cut = Path { pieces: 7, ..path };
        assert!(
            usual == run(cut),
            "{path:?}: bytes have another effect when they are delivered in pieces"
        );
    }
}

/// All that an end did at one instant.
#[derive(Clone, Debug, PartialEq)]
struct Answer {
    at: Time,
    end: &'static str,
    /// Bytes over each connection, and the words among them.
    written: Vec<u64>,
    words: Vec<(usize, u64)>,
    wake: Time,
    finished: bool,
    completed: Vec<Time>,
    played: Vec<Played>,
}

/// One direction of a connection.
#[derive(Clone, Debug)]
struct Way {
    /// Bytes written that wait for the link, when that is free again, and what is under way on it:
    /// when each packet arrives, and its bytes.
    backlog: u64,
    free_at: Time,
    under_way: VecDeque<(Time, u64)>,
    /// Bytes written and delivered in all.
    written: u64,
    delivered: u64,
    /// Words that are not delivered, and the bytes up to each.
    words: VecDeque<(u64, u64)>,
}

struct End {
    name: &'static str,
    application: Box<dyn Application + Send>,
    wake: Time,
    finished: bool,
    /// The direction of each connection that it writes into.
    ways: Vec<Way>,
}

struct Bench {
    path: Path,
    ends: [End; 2],
    now: Time,
    wake_ups: u32,
    answers: Vec<Answer>,
}

impl Bench {
    fn new(config: &impl BuildApplication, path: Path) -> Self {
        let stream = |name| Stream::new(path.seed, name);
        let connections = config.connections();
        assert!(
            (1..=MOST_CONNECTIONS).contains(&connections),
            "it has {connections} connections, and may have 1 to {MOST_CONNECTIONS}"
        );
        let way = Way {
            backlog: 0,
            free_at: START,
            under_way: VecDeque::new(),
            written: 0,
            delivered: 0,
            words: VecDeque::new(),
        };
        let client = ("client", config.client(stream("client")));
        let server = ("server", config.server(stream("server")));
        let ends = [client, server].map(|(name, application)| End {
            name,
            application,
            wake: Time::MAX,
            finished: false,
            ways: vec![way.clone(); connections],
        });
        Bench { path, ends, now: START, wake_ups: 0, answers: Vec::new() }
    }

    /// Everything that the ends did.
    fn run(mut self) -> Vec<Answer> {
        for end in 0..2 {
            self.act(end, |application, now, actions| application.on_start(now, actions));
        }
        self.transmit();
        while let Some(next) = self.next().filter(|next| *next <= END) {
            self.now = next;
            for end in 0..2 {
                self.deliver(end);
            }
            for end in 0..2 {
                if self.ends[end].wake <= self.now {
                    self.ends[end].wake = Time::MAX;
                    self.wake_ups += 1;
                    assert!(
                        self.wake_ups <= MOST_WAKE_UPS,
                        "{:?}: a million wake-ups before {:?}",
                        self.path,
                        self.now
                    );
                    self.act(end, |application, now, actions| application.on_timer(now, actions));
                }
            }
            self.transmit();
        }
        self.answers
    }

    fn next(&self) -> Option<Time> {
        let ways = self.ends.iter().flat_map(|end| &end.ways);
        let arrivals = ways.filter_map(|way| way.under_way.front());
        let arrivals = arrivals.map(|(at, _)| *at);
        arrivals.chain(self.ends.iter().map(|end| end.wake)).min()
    }

    /// Delivers what arrives now at this end, in as many pieces as the path makes of it.
    fn deliver(&mut self, end: usize) {
        for connection in 0..self.ends[end].ways.len() {
            let way = &mut self.ends[1 - end].ways[connection];
            let mut bytes = 0;
            while let Some((at, arrived)) = way.under_way.front()
                && *at <= self.now
            {
                bytes += arrived;
                way.under_way.pop_front();
            }
            let piece = bytes.div_ceil(self.path.pieces).max(1);
            while bytes > 0 {
                let way = &mut self.ends[1 - end].ways[connection];
                let word = way.words.front().copied();
                let until = word.map_or(u64::MAX, |(at, _)| at - way.delivered);
                let next = bytes.min(piece).min(until);
                bytes -= next;
                way.delivered += next;
                let word = word.filter(|(at, _)| *at == way.delivered);
                if word.is_some() {
                    way.words.pop_front();
                }
                self.act(end, |application, now, actions| {
                    application.on_delivered_over(now, connection, next, actions);
                });
                if let Some((_, word)) = word {
                    self.act(end, |application, now, actions| {
                        application.on_word(now, connection, word, actions);
                    });
                }
            }
        }
    }

    fn act(&mut self, index: usize, call: impl FnOnce(&mut dyn Application, Time, &mut Actions)) {
        let (now, path) = (self.now, self.path);
        let end = &mut self.ends[index];
        let name = end.name;
        let mut actions = Actions::default();
        call(end.application.as_mut(), now, &mut actions);
        let Actions { written: writes, wake, finished, completed, played } = actions;
        let mut written = vec![0; end.ways.len()];
        let mut words = Vec::new();
        for Write { connection, bytes, word } in writes {
            assert!(
                bytes == 0 || !end.finished,
                "{path:?}: the {name} writes {bytes} bytes at {now:?}, after its end"
            );
            assert!(
                connection < end.ways.len(),
                "{path:?}: the {name} writes over connection {connection} at {now:?}, and has {}",
                end.ways.len()
            );
            let way = &mut end.ways[connection];
            written[connection] += bytes;
            way.backlog = way.backlog.saturating_add(bytes);
            way.written = way.written.saturating_add(bytes);
            if let Some(word) = word {
                way.words.push_back((way.written, word));
                words.push((connection, word));
            }
        }
        if let Some(at) = wake {
            assert!(at > now, "{path:?}: the {name} asks at {now:?} to be woken up at {at:?}");
            end.wake = at;
        }
        for since in &completed {
            assert!(
                (START..=now).contains(since),
                "{path:?}: the {name} completes at {now:?} an exchange that began at {since:?}"
            );
        }
        end.finished |= finished;
        let (wake, finished) = (end.wake, end.finished);
        self.note(Answer { at: now, end: name, written, words, wake, finished, completed, played });
    }

    /// Puts what both ends have written onto their links. At the end of an instant, so that packets
    /// are the same in however many calls it was written.
    fn transmit(&mut self) {
        for way in self.ends.iter_mut().flat_map(|end| &mut end.ways) {
            while way.backlog > 0 && way.under_way.len() < WINDOW {
                let bytes = way.backlog.min(PACKET);
                way.backlog -= bytes;
                way.free_at = way.free_at.max(self.now) + self.path.rate.time_for(bytes);
                way.under_way.push_back((way.free_at + self.path.delay, bytes));
            }
        }
    }

    /// Joins what an end does at one instant: in how many calls is the transport's affair.
    fn note(&mut self, answer: Answer) {
        match self.answers.last_mut() {
            Some(last) if last.at == answer.at && last.end == answer.end => {
                for (all, more) in last.written.iter_mut().zip(answer.written) {
                    *all += more;
                }
                last.words.extend(answer.words);
                last.wake = answer.wake;
                last.finished = answer.finished;
                last.completed.extend(answer.completed);
                last.played.extend(answer.played);
            }
            _ => self.answers.push(answer),
        }
    }
}
