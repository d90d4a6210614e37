//! The sender's side of a move.

use atl_core::path::{PathId, PathSignal};
use atl_core::rate::{Ledger, RateConfig, RateStart};
use atl_core::roaming::{NewPath, Probe};
use atl_core::time::{Span, Time};

use crate::handoff::{Guard, HandoffReport, Key, Notice};
use crate::paced::paths::{Dummy, PROBE_TIME, Plan, Probing, Sending};
use crate::paced::sender::PacedSender;

/// Time after a move without a report in which a late one still counts.
const LATE: Span = Span::from_secs(1);
/// Least time between the beginnings of two probes: it bounds what notices can make a sender send.
const BETWEEN_PROBES: Span = Span::from_secs(1);

impl PacedSender {
    /// Sets the sender's behaviour on a new path. It builds a fresh controller from `config` and
    /// `start`; `start` is that of the flow's first controller.
    #[must_use]
    pub fn with_new_path(mut self, how: NewPath, config: RateConfig, start: RateStart) -> Self {
        self.roaming = Some(Box::new(Sending::new(how, Some((config, start)))));
        self
    }

    /// Admits only notices and reports with the tags of this key.
    #[must_use]
    pub fn with_key(mut self, key: Key) -> Self {
        self.roaming().guard = Guard::new(Some(key));
        self
    }

    fn roaming(&mut self) -> &mut Sending {
        self.roaming.get_or_insert_with(|| Box::new(Sending::new(NewPath::Keep, None)))
    }

    /// The lower layers of the sender's own host signal what becomes of a path. The sender knows
    /// that a path of its own host leads to its peer.
    pub fn on_path_signal(&mut self, now: Time, signal: PathSignal) {
        if !matches!(signal, PathSignal::Gone(_)) {
            self.roaming().guard.validate(signal.path());
        }
        self.obey(now, signal);
    }

    /// A notice of the receiver arrived: `bytes` bytes on the wire, on `arrived_on`. What the
    /// [`Guard`] refuses changes nothing.
    pub fn on_notice(&mut self, now: Time, notice: &Notice, arrived_on: PathId, bytes: u32) {
        if self.roaming().guard.admit(notice, arrived_on, bytes).is_ok() {
            self.obey(now, notice.signal);
        }
    }

    /// A Handoff Report arrived: the sender moves to the path at the rate that it shows. One that
    /// does not fit the dummies that were sent changes nothing.
    pub fn on_handoff_report(&mut self, now: Time, report: &HandoffReport) {
        let Some(roaming) = &mut self.roaming else { return };
        if !roaming.guard.admits(report) {
            return;
        }
        let Some(probing) = &roaming.probing else { return };
        let late = probing.late;
        let Some(rate) = probing.rate(report).filter(|_| late.is_none_or(|until| now <= until))
        else {
            return;
        };
        let (path, rtt, before) = (probing.path(), probing.rtt(), self.path);
        self.roaming().probing = None;
        match late {
            None => {
                let known = (self.controller.rate(), self.ledger.rtt().srtt());
                if self.roaming().announced == before {
                    self.roaming().left = Some(known);
                }
                self.move_to(now, path, Some(rate), rtt);
            }
            // The packets that were sent since the move stay with the path.
            Some(_) => self.control(now, Some(rate)),
        }
    }

    fn obey(&mut self, now: Time, signal: PathSignal) {
        let (how, current) = (self.roaming().how, self.path);
        if let PathSignal::Done(path) = signal {
            self.roaming().announced = path;
            self.roaming().left = None;
        }
        match (signal, how) {
            (PathSignal::Done(path), NewPath::Keep) => {
                self.roaming().moves += u64::from(path != current);
                self.path = path;
            }
            (_, NewPath::Keep) => {}
            (PathSignal::Imminent(path), NewPath::Probe(probe)) if path != current => {
                self.probe(now, path, probe);
            }
            (PathSignal::Imminent(_), _) => {}
            (PathSignal::Done(path), _) if path == current => {}
            (PathSignal::Done(path), how) => self.arrive(now, path, how),
            (PathSignal::Gone(path), _) => {
                let roaming = self.roaming();
                // Its address may be somebody else's when the host comes back.
                roaming.guard.forget(path);
                let (announced, left) = (roaming.announced, roaming.left);
                let next = roaming.probing.as_ref().map(|probing| (probing.path(), probing.late));
                match next {
                    Some((probed, _)) if probed == path => roaming.probing = None,
                    // The notice of the move was lost, or is on its way.
                    Some((probed, None)) if path == current && path == announced => {
                        self.arrive(now, probed, how);
                    }
                    // The host turned back: the sender had moved ahead of it.
                    _ if path == current && path != announced => {
                        let (rate, rtt) =
                            left.map_or((None, None), |(rate, rtt)| (Some(rate), rtt));
                        self.move_to(now, announced, rate, rtt);
                    }
                    _ => {}
                }
            }
        }
    }

    /// Begins to probe `path`, unless this goes on already.
    fn probe(&mut self, now: Time, path: PathId, probe: Probe) {
        let bytes = (self.packet_bytes, self.header);
        let (rate, rtt) = (self.largest_rate(), self.ledger.rtt().srtt());
        let roaming = self.roaming();
        if roaming.probing.as_ref().is_some_and(|p| p.path() == path && p.late.is_none()) {
            return;
        }
        let over = probe.over.unwrap_or(PROBE_TIME);
        let challenge = (probe.validate && !roaming.guard.is_validated(path))
            .then(|| roaming.challenges.below(u64::from(Dummy::MOST)) as u32);
        let id = roaming.probes;
        roaming.probes = (id + 1) % Dummy::PROBES;
        let rest = BETWEEN_PROBES.max(over * 2);
        let earliest = roaming.last_probe.map_or(now, |last| last.saturating_add(rest).max(now));
        let from_report = probe.from_report;
        let plan = Plan { path, id, rate, over, earliest, bytes, challenge, rtt, from_report };
        roaming.probing = Some(Probing::new(now, plan));
    }

    /// The host has moved to `path`, and no report has come.
    fn arrive(&mut self, now: Time, path: PathId, how: NewPath) {
        if let NewPath::Probe(probe) = how
            && probe.validate
            && !self.roaming().guard.is_validated(path)
        {
            // Data would go to whoever it is that answers there.
            self.probe(now, path, probe);
            if let Some(probing) = &mut self.roaming().probing {
                probing.moving = true;
            }
            return;
        }
        let roaming = self.roaming();
        let probing = roaming.probing.take().filter(|probing| probing.path() == path);
        let rtt = probing.as_ref().and_then(Probing::rtt);
        roaming.probing = probing.filter(Probing::has_sent).map(|mut probing| {
            probing.stop();
            probing.late = Some(now.saturating_add(LATE));
            probing
        });
        self.move_to(now, path, None, rtt);
    }

    /// A dummy of a handoff was answered.
    pub(in crate::paced) fn on_dummy_answer(&mut self, now: Time, number: u64, sent_at: Time) {
        let Some(dummy) = Dummy::of(number) else { return };
        let Some(roaming) = &mut self.roaming else { return };
        let Some(probing) = &mut roaming.probing else { return };
        if !probing.on_answer(now, dummy, sent_at) {
            return;
        }
        let (path, moving) = (probing.path(), probing.moving);
        roaming.guard.validate(path);
        if moving {
            let how = roaming.how;
            self.arrive(now, path, how);
        }
    }

    /// Sends on `path` from now on, with fresh control state, at `rate` packets per second if that
    /// is known.
    fn move_to(&mut self, now: Time, path: PathId, rate: Option<f64>, rtt: Option<Span>) {
        self.path = path;
        self.first = self.sent;
        self.ecn.begin_anew();
        // The pace of the old path is no reason to wait.
        self.last = None;
        self.ledger = rtt.map_or_else(Ledger::new, |rtt| Ledger::new().with_rtt(rtt));
        self.roaming().moves += 1;
        self.control(now, rate);
    }

    /// Builds a fresh controller, which begins with `rate` packets per second if that is known.
    fn control(&mut self, now: Time, rate: Option<f64>) {
        let Some((config, start)) = &self.roaming().fresh else { return };
        let controller = config.build(&start.initial(rate));
        let before = std::mem::replace(&mut self.controller, controller);
        self.roaming().decreases += before.decreases();
        self.first_probe = self.probes;
        self.half = now;
        self.offered = f64::NAN;
        self.offer_to_encoder(now);
    }

    /// The stream's largest rate, in packets per second: what the application wants, and no more
    /// than its encoder makes.
    fn largest_rate(&mut self) -> f64 {
        let payload = self.packet_bytes.saturating_sub(self.header).max(1);
        let target = match &self.roaming().fresh {
            Some((_, start)) => start.bounds().1,
            None => self.controller.rate(),
        };
        let encoder = self.queue.encoder().map(|encoder| encoder.largest_bps() / 8.0);
        encoder.map_or(target, |bytes| target.min(bytes / f64::from(payload)))
    }

    /// Times that the sender moved to another path.
    pub fn moves(&self) -> u64 {
        self.roaming.as_ref().map_or(0, |roaming| roaming.moves)
    }

    /// Times that a rate was cut for a loss, on all paths.
    pub fn decreases(&self) -> u64 {
        let before = self.roaming.as_ref().map_or(0, |roaming| roaming.decreases);
        before + self.controller.decreases()
    }
}
