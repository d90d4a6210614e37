//! A sender whose packets may take one path or another: what it does when a host moves.
//!
//! Source: Taleb et al., IEEE Transactions on Vehicular Technology 57(6), 2008, sec. III and IV-B, for probing; RFC 9000,
//! sec. 8 and 9, for what a transport owes a path that is new to it. [`NewPath`] names the choices.
//!
//! - [`legs`] remembers which transmission took which path;
//! - [`surveying`] probes a path that the host may move to, and releases data there;
//! - [`controllers`] builds the controller of each path, and keeps what was observed of paths that were left;
//! - [`moving`] begins with a controller and an RTT of its own on another path;
//! - [`returning`] goes back to a path that has answered, from one that does not;
//! - [`surveyed`] keeps what was found until the host moves;
//! - [`beside`] sends over both paths until then, with a [`lane`] for the new one;
//! - [`split`] reads ACKs while packets are in flight over two paths.
//!
//! Left open by the sources, and chosen:
//! - What data does between a survey and the host's move is [`Meanwhile`](atl_core::roaming::Meanwhile): both paths, by default.
//!   With the new one alone, the sender goes back if the host leaves the new network before it has moved there.
//! - A survey that got no answer at all moves nothing: the sender waits for the host, and then begins with two packets.
//! - A sender that returns to a path before what it left there has drained goes on with the window and RTT of then, unless a
//!   whole survey says otherwise.
//! - A path's RTT is remembered for ten seconds: a survey within that time needs no challenge.
//! - With [`NewPath::Keep`] the path changes beneath a sender that knows nothing of it.

mod beside;
mod controllers;
mod lane;
mod legs;
mod moving;
mod pace;
mod returning;
mod split;
mod surveyed;
mod surveying;

use std::collections::BTreeSet;

use atl_core::measure::RttConfig;
use atl_core::path::{PathId, PathSignal};
use atl_core::roaming::{Knowledge, NewPath};
use atl_core::time::{Span, Time};
use atl_core::window::{ControllerConfig, Start};

use super::ack::AckInfo;
use super::recovery::Transmission;
use super::sender::Sender;
use crate::handoff::{Guard, Key, Notice};

use controllers::Controllers;
use lane::Lane;
use legs::{Leg, Legs};
use moving::{Filling, Left};
use returning::Return;
use split::Split;
use surveyed::Surveyed;
pub(super) use surveying::FIRST_NUMBER;
use surveying::Underway;

/// How long the RTT of a path that was left is believed.
const RTT_LIFETIME: Span = Span::from_secs(10);
/// Repeated transmissions that are remembered, to know their ACKs.
const REPEATED: usize = 4096;

/// What only senders with several paths need.
#[derive(Debug)]
pub(super) struct Roaming {
    how: NewPath,
    known: Controllers,
    start: Start,
    rtt: RttConfig,
    guard: Guard,
    /// The receiver sends SACK blocks.
    selective: bool,
    /// The receiver discards what arrives out of order.
    discards: bool,
    legs: Legs,
    /// The path that the mobile host last said it is on, and that has not failed.
    announced: PathId,
    /// Where data returns to if the current path does not answer; `None` once it has.
    back: Option<Return>,
    /// A path that has failed and on which the host says it is: challenged, without data.
    wanted: Option<PathId>,
    underway: Option<Box<Underway>>,
    /// The current path, if it is gone and there is no other yet.
    stranded: Option<PathId>,
    /// A path whose survey got no answer.
    unanswered: Option<PathId>,
    split: Option<Split>,
    /// A path that is used beside the current one.
    pub(super) beside: Option<Box<Lane>>,
    /// Paths whose surveys are over, and that the host may move to.
    surveyed: Vec<Surveyed>,
    filling: Option<Filling>,
    left: Option<Left>,
    /// RTTs of paths, and when they were true.
    rtts: Vec<(PathId, Span, Time)>,
    /// Number of the next packet of a survey.
    next_number: u32,
    moves: u64,
    /// Transmissions that were found lost and whose segments were sent again.
    repeated: BTreeSet<u64>,
    spurious: u64,
}

impl Roaming {
    /// True if a path's far end has to answer before more than three times what came from it is sent there.
    fn validates(&self) -> bool {
        matches!(self.how, NewPath::Probe(probe) if probe.validate)
    }

    fn note_rtt(&mut self, path: PathId, rtt: Option<Span>, now: Time) {
        let Some(rtt) = rtt else { return };
        self.rtts.retain(|known| known.0 != path);
        self.rtts.push((path, rtt, now));
    }

    fn known_rtt(&self, path: PathId, now: Time) -> Option<Span> {
        let known = self.rtts.iter().find(|known| known.0 == path)?;
        (now.since(known.2) <= RTT_LIFETIME).then_some(known.1)
    }

    /// When something is due.
    pub(super) fn next_timer(&self) -> Time {
        let survey =
            self.underway.as_ref().map_or(Time::MAX, |underway| underway.survey.next_timer());
        let beside = self.beside.as_ref().map_or(Time::MAX, |lane| lane.next_timer());
        let again = self.surveyed.iter().map(|surveyed| surveyed.again).min();
        let split = self.split.as_ref().map_or(Time::MAX, |split| split.deadline);
        let back = self.back.as_ref().map_or(Time::MAX, |back| back.at);
        split.min(survey).min(beside).min(again.unwrap_or(Time::MAX)).min(back)
    }

    /// True while packets are in flight over two paths, and the sender's own recovery rests.
    #[inline]
    pub(super) fn is_split(&self) -> bool {
        self.split.is_some()
    }

    /// A transmission of `seq` is sent over the current path.
    pub(super) fn on_sent(
        &mut self,
        now: Time,
        path: PathId,
        tx: u64,
        seq: u64,
        una: u64,
        bytes: u32,
    ) {
        if matches!(self.how, NewPath::Keep) {
            return;
        }
        self.legs.on_sent(tx, seq, una);
        if self.validates() {
            self.guard.sent(path, bytes);
        }
        if let Some(filling) = &mut self.filling {
            filling.on_sent(now);
        }
    }

    /// The segment of a transmission that was found lost is sent again.
    pub(super) fn on_repeated(&mut self, tx: u64) {
        self.repeated.insert(tx);
        if self.repeated.len() > REPEATED {
            self.repeated.pop_first();
        }
    }

    /// Whether data may take the path now; otherwise from when on.
    pub(super) fn may_go(&mut self, now: Time, path: PathId, bytes: u32) -> Result<(), Time> {
        if self.validates() && !self.guard.may_send(path, bytes) {
            return Err(Time::MAX);
        }
        let Some(filling) = &self.filling else { return Ok(()) };
        match filling.release_at(now) {
            Some(at) if at > now => Err(at),
            Some(_) => Ok(()),
            None => {
                self.filling = None;
                Ok(())
            }
        }
    }

    /// The number of a transmission among those over the current path.
    pub(super) fn index(&self, tx: u64) -> Option<u64> {
        (self.legs.of(tx) == Leg::Here).then(|| self.legs.index(tx))
    }

    /// True if a receiver that discards what is out of order could only discard what is sent now.
    pub(super) fn is_held(&self, elsewhere: u32) -> bool {
        self.discards && elsewhere > 0
    }

    /// True if the path is used beside the current one.
    fn is_beside(&self, path: PathId) -> bool {
        self.beside.as_ref().is_some_and(|lane| lane.path == path)
    }

    /// True if the path has been surveyed, and the host has not moved there yet.
    fn expects(&self, path: PathId) -> bool {
        self.is_beside(path) || self.surveyed.iter().any(|surveyed| surveyed.path == path)
    }

    pub(super) fn spurious(&self) -> u64 {
        self.spurious
    }
}

impl Sender {
    /// Lets the sender move between paths, and sets what it does with one that is new to it. On a path of its own a
    /// controller of `config` begins as `start` says. Call it before the first packet.
    #[must_use]
    pub fn with_new_path(mut self, how: NewPath, config: ControllerConfig, start: Start) -> Self {
        let duties = self.recovery().receiver();
        let known = Controllers::new(how, config);
        if let Some(controller) = known.first(&start) {
            self.conn.controller = controller;
        }
        self.roaming = Some(Box::new(Roaming {
            how,
            known,
            start,
            rtt: self.conn.rtt.config(),
            guard: Guard::new(None),
            selective: duties.sack,
            discards: duties.discards,
            legs: Legs::default(),
            announced: self.path,
            back: None,
            wanted: None,
            underway: None,
            stranded: None,
            unanswered: None,
            split: None,
            beside: None,
            surveyed: Vec::new(),
            filling: None,
            left: None,
            rtts: Vec::new(),
            next_number: FIRST_NUMBER,
            moves: 0,
            repeated: BTreeSet::new(),
            spurious: 0,
        }));
        self
    }

    /// Admits only notices with the tags of this key.
    #[must_use]
    pub fn with_key(mut self, key: Key) -> Self {
        if let Some(roaming) = &mut self.roaming {
            roaming.guard = Guard::new(Some(key));
        }
        self
    }

    /// The path that data takes now.
    #[inline]
    pub fn path(&self) -> PathId {
        self.path
    }

    /// Packets in flight over other paths than the current one.
    pub fn in_flight_elsewhere(&self) -> u32 {
        self.conn.board.elsewhere()
    }

    /// The lower layers of the sender's own host signal what becomes of a path. Call [`poll_send`](Self::poll_send)
    /// afterwards.
    pub fn on_path_signal(&mut self, now: Time, signal: PathSignal) {
        let Some(mut roaming) = self.roaming.take() else { return };
        // It is the host itself that is new there; its peer is where it was.
        roaming.on_answer(signal.path(), self.path);
        self.take_signal(&mut roaming, now, signal);
        self.roaming = Some(roaming);
    }

    /// A notice of a mobile receiver arrived over this path, of `bytes` bytes on the wire. One that is forged or a replay
    /// does nothing. Call [`poll_send`](Self::poll_send) afterwards.
    pub fn on_notice(&mut self, now: Time, notice: &Notice, arrived_on: PathId, bytes: u32) {
        let Some(mut roaming) = self.roaming.take() else { return };
        let admitted = roaming.guard.admit(notice, arrived_on, bytes);
        // A copy may bring enough for what was held back.
        if let Some(underway) = &mut roaming.underway {
            underway.survey.retry(now);
        }
        if admitted.is_ok() {
            self.take_signal(&mut roaming, now, notice.signal);
        }
        self.roaming = Some(roaming);
    }

    fn take_signal(&mut self, roaming: &mut Roaming, now: Time, signal: PathSignal) {
        let surveyed = roaming.underway.as_ref().map(|underway| underway.path);
        match (signal, roaming.how) {
            (PathSignal::Imminent(path), NewPath::Probe(probe)) if path != self.path => {
                if surveyed != Some(path) && !roaming.expects(path) {
                    self.survey(roaming, now, path, probe);
                }
            }
            (PathSignal::Imminent(_), _) => {}
            (PathSignal::Done(path), _) if path != self.path && roaming.guard.has_failed(path) => {
                self.want(roaming, now, path);
            }
            (PathSignal::Done(path), _) => {
                roaming.wanted = None;
                if roaming.announced != path {
                    roaming.announced = path;
                    self.conn.counts.handoffs += 1;
                }
                if path == self.path {
                    return;
                }
                if roaming.is_beside(path) {
                    self.adopt(roaming, now);
                    return;
                }
                self.give_up_beside(roaming, now);
                if self.move_to_surveyed(roaming, now, path) {
                    return;
                }
                if surveyed == Some(path) {
                    self.cut_survey(roaming, now);
                } else {
                    self.abandon_survey(roaming, now);
                    let unanswered = roaming.unanswered.take() == Some(path);
                    self.move_blindly(roaming, now, path, unanswered);
                }
            }
            (PathSignal::Gone(_), NewPath::Keep) => {}
            (PathSignal::Gone(path), _) => {
                roaming.unanswered.take_if(|unanswered| *unanswered == path);
                roaming.wanted.take_if(|wanted| *wanted == path);
                roaming.surveyed.retain(|surveyed| surveyed.path != path);
                if roaming.is_beside(path) {
                    self.give_up_beside(roaming, now);
                } else if path == self.path {
                    self.flee(roaming, now);
                } else if surveyed == Some(path) {
                    self.abandon_survey(roaming, now);
                }
                self.end_drain(roaming, now, Some(path));
                if path != self.path {
                    roaming.forget(path);
                }
            }
        }
    }

    /// Moves to a path of which no survey tells anything.
    fn move_blindly(&mut self, roaming: &mut Roaming, now: Time, path: PathId, unanswered: bool) {
        let known = if unanswered { Knowledge::full() } else { Knowledge::default() };
        self.move_to(roaming, now, path, known);
        if roaming.validates() && !roaming.guard.is_validated(path) {
            Sender::challenge(roaming, now, path);
        }
    }

    /// The current path is gone: goes where the host says it is, or to the path that it is about to take.
    fn flee(&mut self, roaming: &mut Roaming, now: Time) {
        if roaming.beside.is_some() {
            self.adopt(roaming, now);
        } else if roaming.announced != self.path {
            let back = roaming.announced;
            self.abandon_survey(roaming, now);
            self.move_blindly(roaming, now, back, false);
        } else if roaming.underway.as_ref().is_some_and(|underway| {
            underway.path != self.path && !roaming.guard.has_failed(underway.path)
        }) {
            self.cut_survey(roaming, now);
        } else {
            roaming.stranded = Some(self.path);
        }
    }

    /// An ACK arrived at a sender with several paths.
    pub(super) fn acknowledge_roaming(
        &mut self,
        now: Time,
        info: &AckInfo,
        measures: bool,
    ) -> Option<Span> {
        let mut roaming = self.roaming.take()?;
        let mut here = true;
        if measures {
            let tx = self.conn.board.full_tx(info.echo_tx);
            roaming.spurious += u64::from(roaming.repeated.remove(&tx));
            here = roaming.legs.of(tx) == Leg::Here;
        }
        let sample = if roaming.is_split() || !here {
            self.acknowledge_split(&mut roaming, now, info, measures)
        } else {
            self.acknowledge(now, info, measures)
        };
        if here && sample.is_some() {
            // Data was answered there: as good as a challenge.
            roaming.on_answer(self.path, self.path);
        }
        self.roaming = Some(roaming);
        sample
    }

    /// A packet is about to be sent over the current path.
    #[inline(never)]
    pub(super) fn note_path(&mut self, now: Time, sent: Transmission) {
        let Some(roaming) = &mut self.roaming else { return };
        let Transmission { seq, tx, again } = sent;
        let conn = &self.conn;
        if again
            && conn.board.is_lost(seq)
            && let Some(lost) = conn.board.latest(seq)
        {
            roaming.on_repeated(lost.tx);
        }
        roaming.on_sent(now, self.path, tx, seq, conn.board.una(), conn.packet_bytes);
        if let Some(lane) = &mut roaming.beside {
            lane.pace_current.on_sent(now, &conn.controller, &conn.rtt);
        }
    }

    /// Timers that only senders with several paths have.
    pub(super) fn on_roaming_timer(&mut self, now: Time) {
        let Some(mut roaming) = self.roaming.take() else { return };
        if let Some(underway) = &mut roaming.underway {
            underway.survey.on_timer(now);
            self.conclude_survey(&mut roaming, now);
        }
        self.on_beside_timer(&mut roaming, now);
        self.survey_again(&mut roaming, now);
        self.return_if_due(&mut roaming, now);
        if roaming.split.as_ref().is_some_and(|split| split.deadline <= now) {
            self.end_drain(&mut roaming, now, None);
        }
        self.roaming = Some(roaming);
    }
}
