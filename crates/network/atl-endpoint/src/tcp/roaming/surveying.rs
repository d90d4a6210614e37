//! Dummies over a path that the sender may move to, what their ACKs release, and what becomes of it (Taleb et al., sec.
//! IV-B). The survey itself is `atl_core::probe::Survey`.

use atl_core::path::PathId;
use atl_core::probe::{Item, Plan, Survey};
use atl_core::roaming::{Knowledge, Meanwhile, NewPath, Probe};
use atl_core::time::Time;

use super::{Roaming, Sender};
use crate::tcp::ack::AckInfo;
use crate::tcp::connection::Phase;
use crate::tcp::recovery::{LossRecovery, Transmission};
use crate::tcp::sender::Outgoing;

/// Probes of a survey are numbered from here, apart from those of controllers.
pub(in crate::tcp) const FIRST_NUMBER: u32 = 1 << 31;

/// A survey under way.
#[derive(Debug)]
pub(super) struct Underway {
    pub(super) path: PathId,
    pub(super) survey: Survey,
    /// Number of its first packet.
    first: u32,
    /// Number of its first dummy.
    first_dummy: Option<u32>,
    /// Dummy ACKs release data packets.
    releases: bool,
    /// Data packets that dummy ACKs have released and that are not sent yet.
    credits: u32,
    /// The first dummy's ACK is due by now, if it comes.
    answerable: Time,
}

impl Sender {
    /// The path may soon be the current one: probes it.
    pub(super) fn survey(&mut self, roaming: &mut Roaming, now: Time, path: PathId, probe: Probe) {
        self.abandon_survey(roaming, now);
        let most = u32::try_from(self.receive_window).unwrap_or(u32::MAX);
        let wanted = probe.dummies.unwrap_or(Probe::MOST_DUMMIES).min(most);
        let dummies = roaming.guard.ration(now, wanted);
        if dummies == 0 || self.conn.phase == Phase::Connecting {
            return;
        }
        if !probe.validate {
            roaming.guard.validate(path);
        }
        let known = roaming.known_rtt(path, now).filter(|_| roaming.guard.is_validated(path));
        let rtt = known.or(self.conn.rtt.srtt());
        let plan =
            Plan { dummies, over: probe.over, rtt, challenge: probe.validate && known.is_none() };
        roaming.underway = Some(Box::new(Underway {
            path,
            survey: Survey::new(now, plan),
            first: roaming.next_number,
            first_dummy: None,
            releases: self.meanwhile(roaming, probe.meanwhile) != Meanwhile::Old,
            credits: 0,
            answerable: Time::MAX,
        }));
    }

    /// Asks for an answer from the far end of the path that the sender had to move to.
    pub(super) fn challenge(roaming: &mut Roaming, now: Time, path: PathId) {
        let rtt = roaming.known_rtt(path, now);
        let plan = Plan { dummies: 0, over: None, rtt, challenge: true };
        roaming.underway = Some(Box::new(Underway {
            path,
            survey: Survey::new(now, plan),
            first: roaming.next_number,
            first_dummy: None,
            releases: false,
            credits: 0,
            answerable: Time::MAX,
        }));
    }

    /// The surveyed path is not the one to move to.
    pub(super) fn abandon_survey(&mut self, roaming: &mut Roaming, now: Time) {
        let Some(underway) = roaming.underway.take() else { return };
        if roaming.beside.is_some() {
            // Nothing was released.
            return;
        }
        let deadline = now.saturating_add(self.conn.rtt.rto());
        self.drain_ahead(roaming, underway.path, deadline);
    }

    /// The host has moved to the path that is being surveyed: goes there with what is known.
    pub(super) fn cut_survey(&mut self, roaming: &mut Roaming, now: Time) {
        let Some(underway) = &roaming.underway else { return };
        let (path, found) = (underway.path, underway.survey.found(now));
        let known = Knowledge::from_survey(found, now > underway.answerable);
        // Until the far end has answered the challenge goes on.
        if !underway.survey.is_challenging() || roaming.guard.is_validated(path) {
            roaming.underway = None;
        }
        self.move_to(roaming, now, path, known);
    }

    /// Uses what was found, if the survey is over.
    pub(super) fn conclude_survey(&mut self, roaming: &mut Roaming, now: Time) {
        let Some(underway) = roaming.underway.take_if(|underway| underway.survey.is_over()) else {
            return;
        };
        let found = underway.survey.found(now);
        let path = underway.path;
        let NewPath::Probe(probe) = roaming.how else { return };
        if found.rtt.is_some() {
            let known = Knowledge::from_survey(found, true);
            match self.meanwhile(roaming, probe.meanwhile) {
                Meanwhile::New => self.move_to(roaming, now, path, known),
                Meanwhile::Old => self.keep_survey(roaming, now, path, known),
                Meanwhile::Both => self.begin_beside(roaming, now, path, known),
            }
        } else if !roaming.expects(path) {
            // Nothing has come back: the host may move there, but the sender does not before it does.
            roaming.unanswered = Some(underway.path);
        }
    }

    /// A data packet that a dummy ACK has released, over the new path.
    pub(in crate::tcp) fn poll_released(&mut self, now: Time) -> Option<Outgoing> {
        let credits = self.roaming.as_ref()?.underway.as_ref()?.credits;
        if credits == 0 {
            return None;
        }
        let mut roaming = self.roaming.take()?;
        let out = self.release(&mut roaming, now);
        self.roaming = Some(roaming);
        out
    }

    fn release(&mut self, roaming: &mut Roaming, now: Time) -> Option<Outgoing> {
        let seq = self.conn.board.next();
        let written = self.app.written(now);
        let room = seq - self.conn.board.una() < self.receive_window;
        let underway = roaming.underway.as_mut()?;
        if seq >= written || !room || roaming.discards || self.conn.phase == Phase::Connecting {
            underway.credits = 0;
            return None;
        }
        underway.credits -= 1;
        let path = underway.path;
        let conn = &mut self.conn;
        let tx = conn.next_tx;
        conn.next_tx += 1;
        conn.board.push_elsewhere(now, tx);
        conn.counts.sent += 1;
        roaming.legs.on_sent(tx, seq, conn.board.una());
        roaming.legs.release(tx);
        conn.tx_base = roaming.legs.base();
        self.idle = seq + 1 >= written;
        self.strategy.on_sent(conn, now, Transmission { seq, tx, again: false });
        self.begin_split(roaming);
        Some(Outgoing::Data { seq, tx, path })
    }

    /// The next packet of the survey, if one is due.
    pub(in crate::tcp) fn poll_survey(&mut self, now: Time) -> Option<Outgoing> {
        let roaming = self.roaming.as_deref_mut()?;
        let underway = roaming.underway.as_deref_mut()?;
        let item = underway.survey.due(now)?;
        // A pause is one of the current path: another one is surveyed meanwhile.
        let paused = self.frozen.is_some() && underway.path == self.path;
        if paused || self.conn.phase == Phase::Connecting {
            underway.survey.hold(now);
            return None;
        }
        let bytes = match item {
            Item::Challenge => self.conn.header_bytes,
            Item::Dummy => self.conn.packet_bytes,
        };
        if !roaming.guard.may_send(underway.path, bytes) {
            underway.survey.hold(now);
            return None;
        }
        roaming.guard.sent(underway.path, bytes);
        underway.survey.on_sent(now);
        let number = roaming.next_number;
        roaming.next_number = FIRST_NUMBER | number.wrapping_add(1);
        if item == Item::Dummy {
            roaming.guard.on_dummy();
            if underway.first_dummy.is_none() {
                underway.first_dummy = Some(number);
                let found = underway.survey.found(now);
                let rtt = found.rtt.or(self.conn.rtt.srtt()).unwrap_or_default();
                underway.answerable = now.saturating_add(rtt);
            }
        }
        self.conn.counts.probes += 1;
        self.conn.counts.probe_bytes += u64::from(bytes);
        let (number, path) = (u64::from(number), underway.path);
        Some(match item {
            Item::Challenge => Outgoing::Challenge { number, bytes, path },
            Item::Dummy => Outgoing::Probe { number, segment: None, path, bytes },
        })
    }

    /// The answer to a packet of a survey arrived.
    pub(in crate::tcp) fn on_survey_ack(&mut self, now: Time, info: &AckInfo) {
        let Some(mut roaming) = self.roaming.take() else { return };
        self.count_answer(&mut roaming, now, info);
        self.roaming = Some(roaming);
    }

    fn count_answer(&mut self, roaming: &mut Roaming, now: Time, info: &AckInfo) {
        let Some(underway) = roaming.underway.as_deref_mut() else { return };
        let age = |number: u32| number.wrapping_sub(underway.first) & (FIRST_NUMBER - 1);
        let sent = age(info.echo_tx) < age(roaming.next_number);
        if !sent || info.echo_sent_at > now {
            return;
        }
        let rtt = now.since(info.echo_sent_at);
        let is_dummy = underway.first_dummy.is_some_and(|first| age(info.echo_tx) >= age(first));
        let path = underway.path;
        if is_dummy {
            let counts = underway.survey.on_dummy_ack(now, rtt);
            underway.credits += u32::from(counts && underway.releases);
        } else {
            underway.survey.on_challenge_ack(now, rtt);
        }
        roaming.on_answer(path, self.path);
        if path == self.path {
            // The move did not wait for the answer.
            if self.conn.rtt.srtt().is_none() {
                self.conn.rtt.on_sample(rtt);
            }
            roaming.underway = None;
            return;
        }
        if !self.move_to_wanted(roaming, now, path, rtt) {
            self.conclude_survey(roaming, now);
        }
    }
}

#[cfg(test)]
mod tests {
    use atl_core::path::PathSignal;
    use atl_core::time::Span;
    use atl_core::window::{ControllerConfig, Start, reno};

    use super::*;
    use crate::app::Source;
    use crate::tcp::{Recovery, testing};
    use atl_core::roaming::NewPath;

    #[test]
    fn a_receive_window_without_a_limit_is_no_flood_of_dummies() {
        let controller = ControllerConfig::from(reno::Config::default());
        let probe = NewPath::Probe(Probe { validate: false, ..Probe::default() });
        let mut sender = testing::sender(&controller, Recovery::Sack, 10.0, &Source::Greedy)
            .with_new_path(probe, controller.clone(), Start::default());
        sender.on_path_signal(Time::ZERO, PathSignal::Imminent(PathId::new(1)));
        let mut dummies = 0;
        for us in 0..1_200_000 {
            let now = Time::ZERO + Span::from_micros(us);
            sender.on_timer(now);
            while let Some(out) = sender.poll_send(now) {
                dummies += u32::from(matches!(out, Outgoing::Probe { .. }));
            }
        }
        assert_eq!(dummies, Probe::MOST_DUMMIES);
    }
}
