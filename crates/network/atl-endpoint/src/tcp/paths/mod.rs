//! The paths of a TCP sender whose host may move, beside the current one, and what it knows of
//! them. `roaming` is what it does with them.
//!
//! - [`transmissions`] remembers which transmission took which path;
//! - [`controllers`] builds the controller of each path, and keeps what was observed of paths that
//!   were left;
//! - [`survey`] is a survey of a path under way;
//! - [`split`] is what is known of arrivals while packets are in flight over two paths;
//! - [`returning`] is where data returns to from a path that does not answer.

mod controllers;
mod returning;
mod split;
mod survey;
mod transmissions;

use std::collections::BTreeSet;

use atl_core::measure::RttConfig;
use atl_core::path::PathId;
use atl_core::roaming::{Knowledge, NewPath};
use atl_core::time::{Span, Time};
use atl_core::window::{Controller, ControllerConfig, Start};

use super::path::Path;
use super::recovery::ReceiverDuties;
use super::scoreboard::Scoreboard;
use crate::handoff::Guard;

pub(super) use controllers::Controllers;
pub(super) use returning::Return;
pub(super) use split::{Seen, Split};
pub(super) use survey::{FIRST_NUMBER, Underway};
pub(super) use transmissions::{Leg, Transmissions};

/// Lifetime of the RTT of a path that was left.
const RTT_LIFETIME: Span = Span::from_secs(10);
/// Repeated transmissions that are remembered, to know their ACKs.
const REPEATED: usize = 4096;
/// Least time until a path is surveyed again.
const LEAST_AGE: Span = Span::from_secs(2);

/// State of a sender with several paths. All others do without it.
#[derive(Debug)]
pub(super) struct Paths {
    pub(super) how: NewPath,
    pub(super) controllers: Controllers,
    pub(super) start: Start,
    pub(super) rtt: RttConfig,
    pub(super) guard: Guard,
    /// Duties of the receiver: SACK blocks, and whether it discards packets that arrive out of
    /// order.
    pub(super) receiver: ReceiverDuties,
    pub(super) sent: Transmissions,
    /// The path that the mobile host last said it is on, and that has not failed.
    pub(super) announced: PathId,
    /// Where data returns to if the current path does not answer; `None` once it has.
    pub(super) back: Option<Return>,
    /// A path that has failed and on which the host says it is: challenged, without data.
    pub(super) wanted: Option<PathId>,
    pub(super) underway: Option<Box<Underway>>,
    /// The current path, if it is gone and there is no other yet.
    pub(super) stranded: Option<PathId>,
    /// A path whose survey got no answer.
    pub(super) unanswered: Option<PathId>,
    pub(super) split: Option<Split>,
    /// A path that carries data beside the current one.
    pub(super) beside: Option<Box<Path>>,
    /// The path that was left last, and until when what is on it may arrive: a sender that returns
    /// sooner goes on where it was.
    pub(super) left: Option<(Path, Time)>,
    others: Vec<Other>,
    /// Number of the next packet of a survey.
    pub(super) next_number: u32,
    pub(super) moves: u64,
    /// Transmissions that were found lost and whose segments were sent again.
    repeated: BTreeSet<u64>,
    spurious: u64,
}

/// Memory of a path that carries no data.
#[derive(Clone, Copy, Debug)]
struct Other {
    path: PathId,
    /// Its RTT, and when that was true.
    rtt: Option<(Span, Time)>,
    measured: Option<Measured>,
}

/// The result of a survey, kept until the host moves.
///
/// It ages: others come and go in the new cell. Nobody knows when the host will move, so the path
/// is surveyed again after two seconds, and then whenever the wait since the first survey has
/// doubled. So what is known is never older than the longer of two seconds and half of the wait,
/// and the dummies grow with the logarithm of the wait only. The guard rations them as any others.
#[derive(Clone, Copy, Debug)]
struct Measured {
    known: Knowledge,
    /// When the first survey ended.
    first: Time,
    /// When the path is surveyed again.
    again: Time,
}

impl Measured {
    fn wait(&mut self, now: Time) {
        self.again = now.saturating_add(now.since(self.first).max(LEAST_AGE));
    }
}

impl Paths {
    /// The paths of a sender that has yet to send its first packet, over `current`.
    pub(super) fn new(
        current: PathId,
        how: NewPath,
        config: ControllerConfig,
        start: Start,
        (rtt, receiver): (RttConfig, ReceiverDuties),
    ) -> Self {
        Paths {
            how,
            controllers: Controllers::new(how, config),
            start,
            rtt,
            guard: Guard::new(None),
            receiver,
            sent: Transmissions::default(),
            announced: current,
            back: None,
            wanted: None,
            underway: None,
            stranded: None,
            unanswered: None,
            split: None,
            beside: None,
            left: None,
            others: Vec::new(),
            next_number: FIRST_NUMBER,
            moves: 0,
            repeated: BTreeSet::new(),
            spurious: 0,
        }
    }

    /// The controller of the first path, if it is not the plain one.
    pub(super) fn first_controller(&self) -> Option<Controller> {
        self.controllers.first(&self.start)
    }

    /// True if the path changes beneath a sender that knows nothing of it.
    pub(super) fn keeps(&self) -> bool {
        matches!(self.how, NewPath::Keep)
    }

    /// True if a path's far end has to answer before more than three times what came from it is
    /// sent there.
    pub(super) fn validates(&self) -> bool {
        matches!(self.how, NewPath::Probe(probe) if probe.validate)
    }

    fn other(&mut self, path: PathId) -> &mut Other {
        let at = self.others.iter().position(|other| other.path == path).unwrap_or_else(|| {
            self.others.push(Other { path, rtt: None, measured: None });
            self.others.len() - 1
        });
        &mut self.others[at]
    }

    pub(super) fn note_rtt(&mut self, path: PathId, rtt: Option<Span>, now: Time) {
        if let Some(rtt) = rtt {
            self.other(path).rtt = Some((rtt, now));
        }
    }

    pub(super) fn known_rtt(&self, path: PathId, now: Time) -> Option<Span> {
        let (rtt, at) = self.others.iter().find(|other| other.path == path)?.rtt?;
        (now.since(at) <= RTT_LIFETIME).then_some(rtt)
    }

    /// Keeps what a survey of a path has found.
    pub(super) fn keep_survey(&mut self, path: PathId, known: Knowledge, now: Time) {
        self.note_rtt(path, known.rtt, now);
        let other = self.other(path);
        let first = other.measured.map_or(now, |before| before.first);
        other.measured.insert(Measured { known, first, again: now }).wait(now);
    }

    /// Takes the result of the last whole survey of a path: a second use would be of an old one.
    pub(super) fn take_survey(&mut self, path: PathId) -> Option<Knowledge> {
        Some(self.other(path).measured.take()?.known)
    }

    /// A path whose survey has aged, if one is to be surveyed again now.
    pub(super) fn next_aged(&mut self, now: Time) -> Option<PathId> {
        self.others.iter_mut().find_map(|other| {
            let measured = other.measured.as_mut().filter(|measured| measured.again <= now)?;
            measured.wait(now);
            Some(other.path)
        })
    }

    /// When something is due.
    pub(super) fn next_timer(&self, now: Time) -> Time {
        let survey = self.underway.as_ref().map(|underway| underway.survey.next_timer());
        let beside = self
            .beside
            .as_ref()
            .map(|path| path.rto_due.min(path.release).min(path.next_tick(now)));
        let again = self.others.iter().filter_map(|other| other.measured).map(|known| known.again);
        let split = self.split.as_ref().map(|split| split.deadline);
        let back = self.back.as_ref().map(|back| back.at);
        again.chain([survey, beside, split, back].into_iter().flatten()).min().unwrap_or(Time::MAX)
    }

    /// True while packets are in flight over two paths, and the sender's own recovery rests.
    #[inline]
    pub(super) fn is_split(&self) -> bool {
        self.split.is_some()
    }

    /// A packet is sent over the current path, where it has this number.
    pub(super) fn on_sent(
        &mut self,
        path: PathId,
        (tx, seq): (u64, u64),
        number: u64,
        una: u64,
        bytes: u32,
    ) {
        self.sent.on_sent((tx, seq), (Leg::Here, number), una);
        if self.validates() {
            self.guard.sent(path, bytes);
        }
        if let Some(beside) = &mut self.beside {
            beside.base += 1;
        }
    }

    /// A segment is about to be sent: if it was sent before, and its latest transmission was found
    /// lost, that one's ACK may still come.
    pub(super) fn on_repeated(&mut self, board: &Scoreboard, seq: u64) {
        if board.is_lost(seq)
            && let Some(lost) = board.latest(seq)
        {
            self.repeated.insert(lost.tx);
        }
        if self.repeated.len() > REPEATED {
            self.repeated.pop_first();
        }
    }

    /// An ACK echoes a transmission.
    pub(super) fn on_echo(&mut self, tx: u64) {
        self.spurious += u64::from(self.repeated.remove(&tx));
    }

    /// Transmissions found lost whose ACKs came after their segments were sent again.
    pub(super) fn spurious(&self) -> u64 {
        self.spurious
    }

    /// The path ahead is given up. What was sent over it is lost at the deadline.
    pub(super) fn give_up_ahead(&mut self, path: PathId, deadline: Time) {
        let released = self.sent.has_released();
        self.sent.give_up();
        if let Some(split) = self.split.as_mut().filter(|_| released) {
            split.give_up(path, deadline);
        }
    }

    /// True if a receiver that discards what is out of order could only discard what is sent now.
    pub(super) fn is_held(&self, elsewhere: u32) -> bool {
        self.receiver.discards && elsewhere > 0
    }

    /// The current path's number of a transmission that took it.
    pub(super) fn number_here(&self, tx: u64) -> Option<u64> {
        (self.sent.of(tx) == Leg::Here).then(|| self.sent.number(tx))
    }

    /// True if the guard lets a packet go over the current path.
    pub(super) fn may_send(&self, path: PathId, bytes: u32) -> bool {
        !self.validates() || self.guard.may_send(path, bytes)
    }

    /// True if the path is used beside the current one.
    pub(super) fn is_beside(&self, path: PathId) -> bool {
        self.beside.as_ref().is_some_and(|beside| beside.id == path)
    }

    /// True if the path has been surveyed, and the host has not moved there yet.
    pub(super) fn expects(&self, path: PathId) -> bool {
        let measured = |other: &Other| other.path == path && other.measured.is_some();
        self.is_beside(path) || self.others.iter().any(measured)
    }

    /// The far end of a path has answered, while data takes `current`.
    pub(super) fn on_answer(&mut self, path: PathId, current: PathId) {
        self.guard.validate(path);
        if path == current
            && let Some(back) = self.back.take()
            && back.gone
            && back.to != path
        {
            self.guard.forget(back.to);
        }
    }

    /// The host has left a path that data does not take: its address may be somebody else's by the
    /// time that a notice names it again.
    pub(super) fn forget(&mut self, path: PathId) {
        match &mut self.back {
            Some(back) if back.to == path && !self.guard.has_key() => back.gone = true,
            _ => {
                self.back.take_if(|back| back.to == path);
                self.guard.forget(path);
            }
        }
    }
}
