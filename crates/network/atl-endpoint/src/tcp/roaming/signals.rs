//! Signals to a sender with several paths, and its first reaction.

use atl_core::path::{PathId, PathSignal};
use atl_core::roaming::{Knowledge, NewPath};
use atl_core::time::{Span, Time};
use atl_core::window::{ControllerConfig, Start};

use crate::handoff::{Guard, Key, Notice};
use crate::tcp::ack::AckInfo;
use crate::tcp::paths::{Leg, Paths};
use crate::tcp::recovery::Transmission;
use crate::tcp::sender::Sender;

impl Sender {
    /// Lets the sender move between paths, and sets what it does with one that is new to it. On a
    /// path of its own a controller of `config` begins as `start` says. Call it before the first
    /// packet.
    #[must_use]
    pub fn with_new_path(mut self, how: NewPath, config: ControllerConfig, start: Start) -> Self {
        let both = (self.conn.path.rtt.config(), self.recovery().receiver());
        let paths = Paths::new(self.conn.path.id, how, config, start, both);
        if let Some(controller) = paths.first_controller() {
            self.conn.path.controller = controller;
        }
        self.paths = Some(Box::new(paths));
        self
    }

    /// Admits only notices with the tags of this key.
    #[must_use]
    pub fn with_key(mut self, key: Key) -> Self {
        if let Some(paths) = &mut self.paths {
            paths.guard = Guard::new(Some(key));
        }
        self
    }

    /// The path that data takes now.
    #[inline]
    pub fn path(&self) -> PathId {
        self.conn.path.id
    }

    /// Packets in flight over other paths than the current one.
    pub fn in_flight_elsewhere(&self) -> u32 {
        self.conn.board.elsewhere()
    }

    /// The lower layers of the sender's own host signal what becomes of a path. Call
    /// [`poll_send`](Self::poll_send) afterwards.
    pub fn on_path_signal(&mut self, now: Time, signal: PathSignal) {
        self.with_paths(|sender, paths| {
            // It is the host itself that is new there; its peer is where it was.
            paths.on_answer(signal.path(), sender.path());
            sender.take_signal(paths, now, signal);
        });
    }

    /// A notice of a mobile receiver arrived over this path, of `bytes` bytes on the wire. One that
    /// is forged or a replay does nothing. Call [`poll_send`](Self::poll_send) afterwards.
    pub fn on_notice(&mut self, now: Time, notice: &Notice, arrived_on: PathId, bytes: u32) {
        self.with_paths(|sender, paths| {
            let admitted = paths.guard.admit(notice, arrived_on, bytes);
            // A copy may bring enough for what was held back.
            if let Some(underway) = &mut paths.underway {
                underway.survey.retry(now);
            }
            if admitted.is_ok() {
                sender.take_signal(paths, now, notice.signal);
            }
        });
    }

    fn take_signal(&mut self, paths: &mut Paths, now: Time, signal: PathSignal) {
        let current = self.path();
        let surveyed = paths.underway.as_ref().map(|underway| underway.path);
        // The host is within its reach again, so that what is sent there may arrive; or the path
        // goes once more, which is found anew.
        paths.stranded.take_if(|stranded| *stranded == signal.path());
        match (signal, paths.how) {
            (PathSignal::Imminent(path), NewPath::Probe(probe)) if path != current => {
                if surveyed != Some(path) && !paths.expects(path) {
                    self.survey(paths, now, path, probe);
                }
            }
            (PathSignal::Imminent(_), _) => {}
            // Data is never on such a path.
            (PathSignal::Done(path), _) if paths.guard.has_failed(path) => {
                self.want(paths, now, path);
            }
            (PathSignal::Done(path), _) => {
                // The host is elsewhere: it is not asked on a path that has failed any more.
                if let Some(wanted) = paths.wanted.take()
                    && wanted != path
                    && surveyed == Some(wanted)
                {
                    self.abandon_survey(paths, now);
                }
                if paths.announced != path {
                    paths.announced = path;
                    self.conn.counts.handoffs += 1;
                }
                if path != current {
                    self.follow(paths, now, path, surveyed == Some(path));
                }
            }
            (PathSignal::Gone(_), NewPath::Keep) => {}
            (PathSignal::Gone(path), _) => {
                paths.unanswered.take_if(|unanswered| *unanswered == path);
                paths.wanted.take_if(|wanted| *wanted == path);
                paths.take_survey(path);
                if paths.is_beside(path) {
                    self.give_up_beside(paths, now);
                } else if path == current {
                    self.flee(paths, now);
                } else if surveyed == Some(path) {
                    self.abandon_survey(paths, now);
                }
                self.end_drain(paths, now, Some(path));
                if path != self.path() {
                    paths.forget(path);
                }
            }
        }
    }

    /// The host has moved to `path`: goes there with what is known of it.
    fn follow(&mut self, paths: &mut Paths, now: Time, path: PathId, surveyed: bool) {
        if paths.is_beside(path) {
            self.adopt(paths, now);
            return;
        }
        self.give_up_beside(paths, now);
        if let Some(known) = paths.take_survey(path) {
            self.abandon_survey(paths, now);
            self.move_to(paths, now, path, known);
        } else if surveyed {
            self.cut_survey(paths, now);
        } else {
            self.abandon_survey(paths, now);
            let unanswered = paths.unanswered.take() == Some(path);
            self.move_blindly(paths, now, path, unanswered);
        }
    }

    /// Moves to a path of which no survey tells anything.
    fn move_blindly(&mut self, paths: &mut Paths, now: Time, path: PathId, unanswered: bool) {
        let known = if unanswered { Knowledge::full() } else { Knowledge::default() };
        self.move_to(paths, now, path, known);
        if !paths.guard.is_validated(path) {
            Sender::challenge(paths, now, path);
        }
    }

    /// The current path is gone: goes where the host says it is, or to the path that it is about to
    /// take.
    fn flee(&mut self, paths: &mut Paths, now: Time) {
        let current = self.path();
        if paths.beside.is_some() {
            self.adopt(paths, now);
        } else if paths.announced != current {
            let back = paths.announced;
            self.abandon_survey(paths, now);
            self.move_blindly(paths, now, back, false);
        } else if paths.underway.as_ref().is_some_and(|underway| {
            underway.path != current && !paths.guard.has_failed(underway.path)
        }) {
            self.cut_survey(paths, now);
        } else {
            paths.stranded = Some(current);
        }
    }

    /// An ACK arrived at a sender with several paths.
    pub(in crate::tcp) fn acknowledge_roaming(
        &mut self,
        now: Time,
        info: &AckInfo,
        measures: bool,
    ) -> Option<Span> {
        self.with_paths(|sender, paths| {
            let mut here = true;
            if measures {
                let tx = sender.conn.board.full_tx(info.echo_tx);
                paths.on_echo(tx);
                here = paths.keeps() || paths.sent.of(tx) == Leg::Here;
            }
            let sample = if paths.is_split() || !here {
                sender.acknowledge_split(paths, now, info, measures)
            } else {
                sender.acknowledge(now, info, measures)
            };
            if here && sample.is_some() {
                // Data was answered there: as good as a challenge.
                paths.on_answer(sender.path(), sender.path());
            }
            sample
        })?
    }

    /// True if data may take the current path now, for a sender with several paths.
    #[inline(never)]
    pub(in crate::tcp) fn may_take_path(&mut self, now: Time) -> bool {
        self.with_paths(|sender, paths| {
            if !sender.may_send_beside(paths, now) {
                return false;
            }
            let board = &sender.conn.board;
            if paths.is_held(board.elsewhere()) && board.waiting() == 0 {
                return false;
            }
            let path = &mut sender.conn.path;
            let filled = path.filled_until(now);
            if filled.is_none() && paths.may_send(path.id, sender.conn.packet_bytes) {
                return true;
            }
            if let Some(at) = filled {
                path.release = at;
            }
            // Not the application: with an older path the window would be used.
            path.window_limited |= !sender.idle;
            false
        })
        .unwrap_or(true)
    }

    /// A packet is about to be sent over the current path.
    #[inline(never)]
    pub(in crate::tcp) fn note_path(&mut self, now: Time, sent: Transmission, bytes: u16) {
        let Some(paths) = self.paths.as_deref_mut() else { return };
        let conn = &mut self.conn;
        paths.on_repeated(&conn.board, sent.seq);
        if paths.keeps() {
            return;
        }
        let Transmission { seq, tx, .. } = sent;
        let (number, una) = (tx - conn.path.base, conn.board.una());
        paths.on_sent(conn.path.id, (tx, seq), number, una, bytes.into());
        conn.path.space(now, paths.beside.is_some());
    }

    /// Timers that only senders with several paths have.
    pub(in crate::tcp) fn on_roaming_timer(&mut self, now: Time) {
        self.with_paths(|sender, paths| {
            if let Some(underway) = &mut paths.underway {
                underway.survey.on_timer(now);
                sender.conclude_survey(paths, now);
            }
            sender.on_beside_timer(paths, now);
            sender.survey_again(paths, now);
            sender.return_if_due(paths, now);
            if let Some(split) = &paths.split
                && split.deadline <= now
            {
                sender.end_drain(paths, now, None);
            }
        });
    }
}
