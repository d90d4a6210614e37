//! A paced flow on a path, in virtual time.
//!
//! ```text
//! sender --air: losses--> queue --rate--> half of the round trip --> receiver --the rest--> sender
//! ```

use std::collections::BTreeMap;

use atl_core::path::{End, Handoff, LinkReport};
use atl_core::rate::{Arrived, Ledger, ProbeAck, RateController, Report, ReportingReceiver, Sent};
use atl_core::time::{Span, Time};
use atl_core::units::Probability;

use super::cases::Case;
use super::digest::Digest;
use super::road::{Road, Step};
use crate::support::draws::Draws;
use crate::support::paced::release_at;

/// Bytes of a packet.
pub(super) const BYTES: u32 = 1000;
/// Events at one point in time from which on it is a loop.
const MOST_AT_ONCE: u32 = 20_000;
/// Time between two reports of a link.
const EVERY: Span = Span::from_millis(500);

#[derive(Clone, Copy, Debug)]
enum Event {
    Data { seq: u64, sent_at: Time, rtt: Span, marked: bool },
    Probe { number: u64, sent_at: Time },
    Ack { seq: u64, sent_at: Time, mask: u32, marks: u32 },
    ProbeAck { number: u64, sent_at: Time },
    Report(Report),
}

/// The highest number that has arrived, and which of the 64 up to it have, and marked.
#[derive(Clone, Copy, Debug, Default)]
struct Got {
    above: u64,
    arrived: u64,
    marked: u64,
}

impl Got {
    /// Records a packet; returns the mask of the 32 before it, and the marks of it and of these.
    fn take(&mut self, seq: u64, marked: bool) -> (u32, u32) {
        if seq >= self.above {
            let by = u32::try_from(seq + 1 - self.above).unwrap_or(64);
            self.arrived = self.arrived.checked_shl(by).unwrap_or(0);
            self.marked = self.marked.checked_shl(by).unwrap_or(0);
            self.above = seq + 1;
        }
        let age = u32::try_from(self.above - 1 - seq).unwrap_or(64);
        if age >= 64 {
            return (0, u32::from(marked));
        }
        self.arrived |= 1 << age;
        self.marked |= u64::from(marked) << age;
        ((self.arrived >> age >> 1) as u32, (self.marked >> age) as u32)
    }
}

/// A flow on its way.
pub(super) struct Flow<'a> {
    case: &'a Case,
    /// The path as it is now.
    road: Road,
    now: Time,
    sender: Box<dyn RateController>,
    ledger: Ledger,
    receiver: Option<Box<dyn ReportingReceiver>>,
    events: BTreeMap<(Time, u64), Event>,
    numbered: u64,
    next_step: usize,
    draws: Draws,
    digest: Digest,
    /// The air loses packets now.
    bad: bool,
    /// The queue is empty from then on.
    busy: Time,
    /// The last arrivals at both ends, which nothing overtakes.
    arrivals: [Time; 2],
    held: Time,
    dark: bool,
    loss_back: f64,
    others: f64,
    application: f64,
    forges: bool,
    link: Option<LinkReport>,
    claim: Option<LinkReport>,
    reports_at: Time,
    last_sent: Option<Time>,
    probes: u64,
    got: Got,
    answers: u64,
}

impl<'a> Flow<'a> {
    pub(super) fn new(case: &'a Case, road: &Road) -> Self {
        Flow {
            case,
            road: road.clone(),
            now: Time::ZERO,
            sender: case.config.build(&road.start),
            ledger: Ledger::new(),
            receiver: case.config.build_receiver(case.mode),
            events: BTreeMap::new(),
            numbered: 0,
            next_step: 0,
            draws: Draws(11),
            digest: Digest::new(),
            bad: false,
            busy: Time::ZERO,
            arrivals: [Time::ZERO; 2],
            held: Time::ZERO,
            dark: false,
            loss_back: 0.0,
            others: 0.0,
            application: f64::INFINITY,
            forges: false,
            link: None,
            claim: None,
            reports_at: Time::ZERO,
            last_sent: None,
            probes: 0,
            got: Got::default(),
            answers: 0,
        }
    }

    /// The rates at ten times, and the digest of everything in between.
    pub(super) fn run(mut self) -> ([f64; 10], u64) {
        let mut rates = [0.0; 10];
        for (at, rate) in (1..).zip(&mut rates) {
            self.run_until(Time::from_secs_f64(self.road.secs * f64::from(at) / 10.0));
            *rate = self.sender.rate();
        }
        (rates, self.digest.value())
    }

    fn run_until(&mut self, end: Time) {
        let mut at_once = 0;
        loop {
            let next = self.next().max(self.now);
            if next > end {
                self.now = end;
                return;
            }
            at_once = if next > self.now { 0 } else { at_once + 1 };
            assert!(at_once < MOST_AT_ONCE, "time stands still: {:?}", self.sender);
            self.now = next;
            self.step();
        }
    }

    fn next(&self) -> Time {
        let event = self.events.first_key_value().map(|(key, _)| key.0);
        let step = self.road.steps.get(self.next_step).map(|step| Time::from_millis(step.0));
        let receiver = self.receiver.as_ref().and_then(|receiver| receiver.next_timeout());
        let (sender, release) = (self.sender.next_timeout(), self.release_at());
        [event, step, receiver, sender, release, Some(self.reports_at)]
            .into_iter()
            .flatten()
            .min()
            .expect("links report for ever")
    }

    fn release_at(&self) -> Option<Time> {
        release_at(&*self.sender, self.application, self.last_sent, self.now)
    }

    fn step(&mut self) {
        let now = self.now;
        while let Some((_, step)) = self
            .road
            .steps
            .get(self.next_step)
            .filter(|(at, _)| Time::from_millis(*at) <= now)
            .copied()
        {
            self.next_step += 1;
            self.change(step);
        }
        if self.reports_at <= now {
            self.reports_at = now + EVERY;
            if self.sender.listens() {
                self.link.iter().for_each(|link| self.sender.on_link_report(now, link));
                self.claim.iter().for_each(|claim| self.sender.on_peer_report(now, claim));
                self.digest.controller(&*self.sender);
            }
        }
        while let Some(first) = self.events.first_entry().filter(|first| first.key().0 <= now) {
            let event = first.remove();
            self.handle(event);
        }
        if let Some(receiver) = &mut self.receiver
            && receiver.next_timeout().is_some_and(|at| at <= now)
            && receiver.on_tick(now)
        {
            self.report();
        }
        if self.sender.next_timeout().is_some_and(|at| at <= now) {
            self.sender.on_tick(now);
            self.digest.controller(&*self.sender);
        }
        if self.release_at().is_some_and(|at| at <= now) {
            self.send();
        }
        while self.sender.poll_probe(now) {
            let (number, sent_at) = (self.probes, now);
            self.probes += 1;
            self.digest.word(now.nanos());
            // Probes take half of the queue at most.
            if let Some((at, _)) = self.pass(0.5) {
                self.schedule(at, Event::Probe { number, sent_at });
            }
        }
    }

    fn change(&mut self, step: Step) {
        let report = |loss, ms: f64| {
            let delay = Span::from_secs_f64(ms / 1e3);
            Some(LinkReport { loss: Probability::clamped(loss), delay })
        };
        match step {
            Step::Rate(rate) => self.road.rate = rate,
            Step::Rtt(rtt) => self.road.rtt = rtt,
            Step::Loss(share, burst) => self.road.loss = (share, burst),
            Step::Dark(dark) => self.dark = dark,
            Step::LossBack(share) => self.loss_back = share,
            Step::Hold(ms) => self.held = self.now + Span::from_millis(ms),
            Step::Handoff(end, old, new) => {
                let (old, new) = (Span::from_millis(old), Span::from_millis(new));
                self.road.rtt = (self.road.rtt + 2.0 * (new.millis() - old.millis())).max(1.0);
                if end == End::Own {
                    self.ledger.shift_rtt(old, new);
                }
                self.sender.on_handoff(&Handoff::new(self.now, end, old, new));
                self.digest.controller(&*self.sender);
            }
            Step::Link(loss, ms) => self.link = report(loss, ms),
            Step::Claim(loss, ms) => self.claim = report(loss, ms),
            Step::Silent => (self.link, self.claim) = (None, None),
            Step::Application(rate) => self.application = rate,
            Step::Others(rate) => self.others = rate,
            Step::Restart => {
                self.receiver = self.case.config.build_receiver(self.case.mode);
                self.got = Got::default();
            }
            Step::Forge(forges) => self.forges = forges,
        }
    }

    fn schedule(&mut self, at: Time, event: Event) {
        self.numbered += 1;
        self.events.insert((at, self.numbered), event);
    }

    fn send(&mut self) {
        let now = self.now;
        self.last_sent = Some(now);
        let app_limited = self.application < 0.5 * self.sender.rate();
        let seq = self.ledger.on_sent(now, app_limited);
        self.sender.on_sent(&Sent::new(now, seq, BYTES).app_limited(app_limited));
        let rtt = self.ledger.rtt().srtt().unwrap_or_default();
        match self.pass(1.0) {
            Some((at, marked)) => {
                let data = Event::Data { seq, sent_at: now, rtt, marked };
                self.schedule(at, data);
                if self.draws.share() < self.road.twice {
                    self.schedule(at + Span::from_millis(9), data);
                }
            }
            // The MAC knows nothing of losses in queues.
            None if self.bad && self.road.told => self.ledger.on_link_failure(seq),
            None => {}
        }
    }

    /// A packet's arrival at the receiver, and its mark; `None` if it does not arrive. It finds
    /// room in this share of the queue.
    fn pass(&mut self, room: f64) -> Option<(Time, bool)> {
        let now = self.now;
        let (share, burst) = self.road.loss;
        let ends = 1.0 / burst;
        let begins = if share < 1.0 { ends * share / (1.0 - share) } else { 1.0 };
        let draw = self.draws.share();
        self.bad = if self.bad { draw >= ends } else { draw < begins };
        if self.bad || self.dark {
            return None;
        }
        let rate = (self.road.rate - self.others).max(0.05 * self.road.rate);
        let gap = 1.0 / rate;
        let waits = self.busy.since(now).secs() / gap;
        if waits > self.road.queue * room {
            return None;
        }
        self.busy = self.busy.max(now) + Span::from_secs_f64(gap);
        let delay = Span::from_secs_f64(self.half_trip());
        Some((self.in_order(0, self.busy + delay), waits > self.road.marks))
    }

    /// Seconds of one way, with this packet's part of the jitter.
    fn half_trip(&mut self) -> f64 {
        (self.road.rtt + self.road.jitter * self.draws.share()) / 2e3
    }

    fn in_order(&mut self, end: usize, at: Time) -> Time {
        let last = &mut self.arrivals[end];
        let at = if self.road.overtaking { at } else { at.max(*last) };
        *last = at;
        at
    }

    fn answer(&mut self, event: Event) {
        self.answers += 1;
        let lost = self.draws.share() < self.loss_back;
        let at = self.now.max(self.held) + Span::from_secs_f64(self.half_trip());
        if !(lost || self.dark) {
            let at = self.in_order(1, at);
            self.schedule(at, event);
        }
    }

    fn report(&mut self) {
        let Some(receiver) = &mut self.receiver else { return };
        let report = receiver.report(self.now);
        self.digest.report(&report);
        self.answer(Event::Report(report));
    }

    fn handle(&mut self, event: Event) {
        let now = self.now;
        match event {
            Event::Data { seq, sent_at, rtt, marked } => {
                let bytes = if self.road.lengths { 300 + (seq % 8) as u32 * 100 } else { BYTES };
                let arrived = Arrived::new(now, seq, sent_at, bytes).rtt(rtt).marked(marked);
                match &mut self.receiver {
                    None => {
                        let (mask, marks) = self.got.take(seq, marked);
                        self.answer(Event::Ack { seq, sent_at, mask, marks });
                    }
                    Some(receiver) => {
                        let at_once = receiver.on_data(&arrived.clear(seq.is_multiple_of(5)));
                        self.digest.word(receiver.next_timeout().map_or(0, Time::nanos));
                        if at_once {
                            self.report();
                        }
                    }
                }
            }
            Event::Probe { number, sent_at } => self.answer(Event::ProbeAck { number, sent_at }),
            Event::ProbeAck { number, sent_at } => {
                self.sender.on_probe_ack(&ProbeAck::new(now, number, now.since(sent_at)));
                self.digest.controller(&*self.sender);
            }
            Event::Ack { mut seq, mut sent_at, mut mask, mut marks } => {
                if self.forges && self.answers.is_multiple_of(9) {
                    match self.answers % 4 {
                        0 => seq = seq.saturating_add(self.draws.below(40)),
                        1 => sent_at = now + Span::from_millis(5),
                        2 => mask = self.draws.next() as u32,
                        _ => marks = self.draws.next() as u32,
                    }
                }
                self.ledger.on_marks(seq, marks);
                let rtt = self.ledger.on_ack(now, seq, sent_at, mask);
                self.feedback((seq, sent_at), rtt, None);
            }
            Event::Report(mut report) => {
                if self.forges && self.answers.is_multiple_of(3) {
                    self.forge(&mut report);
                }
                let rtt = self.ledger.on_report(now, &report);
                self.feedback((report.highest, report.echo), rtt, Some(&report));
            }
        }
    }

    fn forge(&mut self, report: &mut Report) {
        let wild = [f64::NAN, -1.0, 0.0, 7.0, f64::INFINITY, 1e9][self.draws.below(6) as usize];
        match self.draws.below(8) {
            0 => report.highest += self.draws.below(40),
            1 => report.received = self.draws.below(1000),
            2 => report.marked = self.draws.below(1000),
            3 => report.held = Span::from_secs(9),
            4 => report.receive_rate = Some(wild),
            5 => report.loss_event_rate = Some(wild),
            6 => report.pair_rate = Some(wild),
            _ => report.fraction_lost = self.draws.share(),
        }
    }

    fn feedback(&mut self, newest: (u64, Time), rtt: Option<Span>, report: Option<&Report>) {
        let feedback = self.ledger.feedback(self.now, Some(newest), rtt, report);
        self.digest.feedback(&feedback);
        self.sender.on_feedback(&feedback);
        self.digest.controller(&*self.sender);
        self.ledger.clear_feedback();
    }
}
