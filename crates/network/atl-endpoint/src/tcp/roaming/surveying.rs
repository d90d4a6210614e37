//! Dummies over a path that the sender may move to, what their ACKs release, and what becomes of it
//! (Taleb et al., sec. IV-B). The survey itself is `atl_core::probe::Survey`.

use atl_core::path::PathId;
use atl_core::probe::{Item, Plan};
use atl_core::roaming::{Knowledge, Meanwhile, NewPath, Probe};
use atl_core::time::Time;

use crate::tcp::ack::AckInfo;
use crate::tcp::connection::Phase;
use crate::tcp::paths::{FIRST_NUMBER, Paths, Underway};
use crate::tcp::sender::{Choice, Outgoing, Sender};

impl Sender {
    /// The path may soon be the current one: probes it.
    pub(super) fn survey(&mut self, paths: &mut Paths, now: Time, path: PathId, probe: Probe) {
        self.abandon_survey(paths, now);
        let most = u32::try_from(self.receive_window).unwrap_or(u32::MAX);
        let wanted = probe.dummies.unwrap_or(Probe::MOST_DUMMIES).min(most);
        let dummies = paths.guard.ration(now, wanted);
        if dummies == 0 || self.conn.phase == Phase::Connecting {
            return;
        }
        if !probe.validate {
            paths.guard.validate(path);
        }
        let known = paths.known_rtt(path, now).filter(|_| paths.guard.is_validated(path));
        let rtt = known.or(self.conn.path.rtt.srtt());
        let challenge = probe.validate && known.is_none();
        let plan = Plan { dummies, over: probe.over, rtt, challenge };
        let releases = self.meanwhile(paths) != Meanwhile::Old;
        let underway = Underway::new(now, path, plan, paths.next_number, releases);
        paths.underway = Some(Box::new(underway));
    }

    /// Asks for an answer from the far end of the path that the sender had to move to.
    pub(super) fn challenge(paths: &mut Paths, now: Time, path: PathId) {
        let rtt = paths.known_rtt(path, now);
        let plan = Plan { dummies: 0, over: None, rtt, challenge: true };
        paths.underway = Some(Box::new(Underway::new(now, path, plan, paths.next_number, false)));
    }

    /// The surveyed path is not the one to move to.
    pub(super) fn abandon_survey(&mut self, paths: &mut Paths, now: Time) {
        let Some(underway) = paths.underway.take() else { return };
        // With a path beside nothing was released.
        if paths.beside.is_none() {
            let deadline = now.saturating_add(self.conn.path.rtt.rto());
            paths.give_up_ahead(underway.path, deadline);
        }
    }

    /// The host has moved to the path that is being surveyed: goes there with what is known.
    pub(super) fn cut_survey(&mut self, paths: &mut Paths, now: Time) {
        let Some(underway) = &paths.underway else { return };
        let (path, found) = (underway.path, underway.survey.found(now));
        let known = Knowledge::from_survey(found, now > underway.answerable);
        // Until the far end has answered the challenge goes on.
        if paths.guard.is_validated(path) {
            paths.underway = None;
        }
        self.move_to(paths, now, path, known);
    }

    /// Uses what was found, if the survey is over.
    pub(super) fn conclude_survey(&mut self, paths: &mut Paths, now: Time) {
        let Some(underway) = paths.underway.take_if(|underway| underway.survey.is_over()) else {
            return;
        };
        let (path, found) = (underway.path, underway.survey.found(now));
        if found.rtt.is_some() {
            let known = Knowledge::from_survey(found, true);
            match self.meanwhile(paths) {
                Meanwhile::New => self.move_to(paths, now, path, known),
                Meanwhile::Old => paths.keep_survey(path, known, now),
                Meanwhile::Both => self.begin_beside(paths, now, path, known),
            }
        } else if !paths.expects(path) {
            // Nothing has come back: the host may move there, but the sender does not before it
            // does.
            paths.unanswered = Some(path);
        }
    }

    /// Surveys a path again whose survey has aged.
    pub(super) fn survey_again(&mut self, paths: &mut Paths, now: Time) {
        if let NewPath::Probe(probe) = paths.how
            && let Some(path) = paths.next_aged(now)
            && paths.underway.is_none()
            && path != self.path()
        {
            self.survey(paths, now, path, probe);
        }
    }

    /// A data packet that a dummy ACK has released, over the new path.
    pub(in crate::tcp) fn poll_released(&mut self, now: Time) -> Option<Outgoing> {
        if self.paths.as_ref()?.underway.as_ref()?.credits == 0 {
            return None;
        }
        self.with_paths(|sender, paths| sender.release(paths, now))?
    }

    fn release(&mut self, paths: &mut Paths, now: Time) -> Option<Outgoing> {
        let seq = self.conn.board.next();
        let room = seq - self.conn.board.una() < self.receive_window;
        let payload = self.data.ready(now, &self.conn.board);
        let underway = paths.underway.as_mut()?;
        if payload == 0 || !room || paths.receiver.discards {
            underway.credits = 0;
            return None;
        }
        underway.credits -= 1;
        let path = underway.path;
        // The controller that will count it has yet to begin.
        let bytes = self.conn.wire_bytes(payload);
        let out = self.send_ahead(paths, now, path, Choice { seq, bytes, again: false }, 0);
        self.begin_split(paths);
        Some(out)
    }

    /// The next packet of the survey, if one is due.
    pub(in crate::tcp) fn poll_survey(&mut self, now: Time) -> Option<Outgoing> {
        let paths = self.paths.as_deref_mut()?;
        let underway = paths.underway.as_deref_mut()?;
        let conn = &mut self.conn;
        let item = underway.survey.due(now)?;
        // A pause is one of the current path: another one is surveyed meanwhile.
        let paused = self.frozen.is_some() && underway.path == conn.path.id;
        let bytes = match item {
            Item::Challenge => conn.header_bytes,
            Item::Dummy => conn.packet_bytes,
        };
        let path = underway.path;
        let silent = paused || conn.phase == Phase::Connecting;
        if silent || !paths.guard.may_send(path, bytes) {
            underway.survey.hold(now);
            return None;
        }
        paths.guard.sent(path, bytes);
        underway.survey.on_sent(now);
        let number = paths.next_number;
        paths.next_number = FIRST_NUMBER | number.wrapping_add(1);
        conn.counts.probes += 1;
        conn.counts.probe_bytes += u64::from(bytes);
        if item == Item::Challenge {
            return Some(Outgoing::Challenge { number: u64::from(number), bytes, path });
        }
        paths.guard.on_dummy();
        underway.on_dummy(now, number, conn.path.rtt.srtt());
        Some(Outgoing::Probe { number: u64::from(number), segment: None, path, bytes })
    }

    /// The answer to a packet of a survey arrived.
    pub(in crate::tcp) fn on_survey_ack(&mut self, now: Time, info: &AckInfo) {
        self.with_paths(|sender, paths| sender.count_answer(paths, now, info));
    }

    fn count_answer(&mut self, paths: &mut Paths, now: Time, info: &AckInfo) {
        let next = paths.next_number;
        let Some(underway) = paths.underway.as_deref_mut() else { return };
        if !underway.on_answer(now, (info.echo_tx, info.echo_sent_at), next) {
            return;
        }
        let (path, rtt) = (underway.path, now.since(info.echo_sent_at));
        paths.on_answer(path, self.path());
        if path == self.path() {
            // The move did not wait for the answer.
            if self.conn.path.rtt.srtt().is_none() {
                self.conn.path.rtt.on_sample(rtt);
            }
            paths.underway = None;
            return;
        }
        self.move_to_wanted(paths, now, path, rtt);
        self.conclude_survey(paths, now);
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
