//! A paced flow on links in virtual time: a closed loop for tests of rate controllers.
//!
//! ```text
//! sender --air: random loss--> two-band queue --rate--> delay --> receiver --ACKs or reports, delay--> sender
//! ```
//!
//! The air is the sender's own wireless link, whose losses the MAC may mark. Probes wait in the
//! lower band, and are pushed out first. Everything on the path may change between two stretches of
//! a run; packets already on a link leave it as before the change.
//!
//! ```ignore
//! let mut run = Run::new(&config, &START, Path::default());
//! run.stretch(30.0);
//! run.path.loss = 0.01;
//! let outcome = run.stretch(60.0);
//! assert!(outcome.goodput() > 90.0);
//! ```

use std::sync::Arc;

use atl_core::path::LinkReport;
use atl_core::rate::{
    Arrived, Ledger, RateConfig, RateController, RateStart, Report, ReportingReceiver, Sent,
};
use atl_core::time::{Span, Time};
use atl_core::units::{self, Probability};
use atl_core::window::{Handoff, ProbeAck};
use atl_link::random::Stream;
use atl_link::{Config, Exit, Link, QueueConfig, Service};

/// Length of a packet on the wire, in bytes.
pub(crate) const PACKET: u32 = 1040;

/// A flow of 2 Mb/s, in packets.
pub(crate) const START: RateStart = RateStart::DEFAULT.packet_bytes(PACKET).target(240.0).seed(1);

/// Events at one point in time from which on it is a loop.
const MOST_AT_ONCE: u32 = 1000;

/// The path of a flow, with everything that happens to its packets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Path {
    /// The link's rate in packets per second.
    pub rate: f64,
    /// Limit on the packets that wait, probes included.
    pub queue: u32,
    /// One-way delay, each way.
    pub delay: Span,
    /// Share of packets, probes too, that the air loses.
    pub loss: f64,
    /// The MAC marks data packets that the air loses.
    pub marked: bool,
    /// Share of ACKs and reports that are lost on the way back.
    pub loss_back: f64,
    /// Packets per second of other flows, evenly spaced; they wait with the data.
    pub others: f64,
    /// The reports of the sender's wireless link, one a second, for controllers that listen.
    pub link: Option<LinkReport>,
    /// The receiver's claims of its own link, one a second.
    pub peer: Option<LinkReport>,
}

impl Default for Path {
    /// 100 packets/s, a queue of 20, a round trip of 100 ms, no loss.
    fn default() -> Self {
        Path {
            rate: 100.0,
            queue: 20,
            delay: Span::from_millis(50),
            loss: 0.0,
            marked: false,
            loss_back: 0.0,
            others: 0.0,
            link: None,
            peer: None,
        }
    }
}

/// The results of a stretch of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    /// Length of the stretch in seconds.
    pub secs: f64,
    /// Data packets that were sent.
    pub sent: u64,
    /// Data packets that arrived.
    pub delivered: u64,
    /// Data packets that the queue dropped.
    pub dropped: u64,
    /// Data packets that the air lost.
    pub aired: u64,
    /// Losses that were sent more than a smoothed RTT after the first of the event before.
    pub loss_events: u64,
    /// Packets of other flows that the queue dropped.
    pub others_dropped: u64,
    /// Probes that were sent.
    pub probes: u64,
    /// Probes that came through.
    pub probes_delivered: u64,
    /// Reductions of the rate.
    pub decreases: u64,
    /// Mean of the rate over time, in packets/s.
    pub rate: f64,
}

impl Outcome {
    /// Data packets that arrived per second.
    pub(crate) fn goodput(&self) -> f64 {
        self.delivered as f64 / self.secs
    }

    /// Share of lost packets among the data packets whose fate is known.
    pub(crate) fn loss(&self) -> f64 {
        let lost = self.dropped + self.aired;
        lost as f64 / ((self.delivered + lost) as f64).max(1.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Data,
    Probe,
    Other,
}

#[derive(Clone, Copy, Debug)]
struct Packet {
    number: u64,
    kind: Kind,
    sent_at: Time,
    rtt: Span,
}

impl atl_link::Packet for Packet {
    fn wire_bytes(&self) -> u32 {
        PACKET
    }

    fn low_priority(&self) -> bool {
        self.kind == Kind::Probe
    }
}

/// Messages from the receiver.
#[derive(Clone, Copy, Debug)]
enum Answer {
    Ack { seq: u64, sent_at: Time, mask: u32 },
    ProbeAck { number: u64, sent_at: Time },
    Report(Report),
}

impl atl_link::Packet for Answer {
    fn wire_bytes(&self) -> u32 {
        40
    }
}

/// The links of a path.
#[derive(Debug)]
struct Links {
    air: Link<Packet>,
    bottleneck: Link<Packet>,
    reverse: Link<Answer>,
}

impl Links {
    /// `number` gives the links of a run random draws of their own.
    fn new(path: &Path, number: u64) -> Self {
        let unlimited = |delay, loss| {
            let mut config = Config::constant(units::Rate::ZERO, delay, u32::MAX)
                .with_loss(Probability::clamped(loss));
            config.initial.service = Service::Unlimited;
            Arc::new(config)
        };
        let rate = units::Rate::from_bps(path.rate * 8.0 * f64::from(PACKET));
        let packets = path.queue.max(1);
        let mut bottleneck = Config::constant(rate, path.delay, packets);
        bottleneck.queue = QueueConfig::Priority { packets };
        Links {
            air: Link::new(unlimited(Span::ZERO, path.loss), Stream::new(number, "air")),
            bottleneck: Link::new(Arc::new(bottleneck), Stream::new(number, "bottleneck")),
            reverse: Link::new(
                unlimited(path.delay, path.loss_back),
                Stream::new(number, "reverse"),
            ),
        }
    }

    fn next_event(&self) -> Time {
        self.bottleneck.next_event().min(self.reverse.next_event())
    }

    fn is_empty(&self) -> bool {
        self.next_event() == Time::MAX
    }
}

/// The receiver's record for its ACKs: the highest number, and which of the 32 before it arrived.
#[derive(Clone, Copy, Debug, Default)]
struct Got {
    above: u64,
    bits: u64,
}

impl Got {
    /// Records a packet; returns the mask of the 32 before it.
    fn take(&mut self, seq: u64) -> u32 {
        if seq >= self.above {
            let by = seq + 1 - self.above;
            self.bits = if by >= 64 { 0 } else { self.bits << by };
            self.above = seq + 1;
        }
        let age = self.above - 1 - seq;
        if age >= 64 {
            return 0;
        }
        self.bits |= 1 << age;
        (self.bits >> age >> 1) as u32
    }
}

/// A flow on a path.
pub(crate) struct Run {
    /// The path: change it between stretches.
    pub path: Path,
    /// The controller of the sender.
    pub sender: Box<dyn RateController>,
    /// The sender's record of its packets.
    pub ledger: Ledger,
    /// The receiver, if the protocol has one that reports.
    pub receiver: Option<Box<dyn ReportingReceiver>>,
    /// The present time of the run.
    pub now: Time,
    /// Limit of the application, in packets per second.
    pub application: f64,
    got: Got,
    last_sent: Option<Time>,
    /// The path for which the present links were made.
    linked: Path,
    /// The present links, after those of former paths that still hold packets.
    links: Vec<Links>,
    changes: u64,
    probes: u64,
    next_other: Time,
    second: Time,
    loss_event: Option<Time>,
    total: Outcome,
}

impl Run {
    /// A flow at its start, with the feedback of its protocol.
    pub(crate) fn new(config: &RateConfig, start: &RateStart, path: Path) -> Self {
        let receiver = config.build_receiver(config.feedback());
        Run::resume(config.build(start), Ledger::new(), receiver, Time::ZERO, path)
    }

    /// A flow that moves here with its state; the packets in flight are lost.
    pub(crate) fn resume(
        sender: Box<dyn RateController>,
        ledger: Ledger,
        receiver: Option<Box<dyn ReportingReceiver>>,
        now: Time,
        path: Path,
    ) -> Self {
        Run {
            path,
            sender,
            ledger,
            receiver,
            now,
            application: f64::INFINITY,
            got: Got::default(),
            last_sent: None,
            linked: path,
            links: vec![Links::new(&path, 0)],
            changes: 0,
            probes: 0,
            next_other: now,
            second: now,
            loss_event: None,
            total: Outcome::default(),
        }
    }

    /// Runs for this many seconds, and returns the results.
    pub(crate) fn stretch(&mut self, secs: f64) -> Outcome {
        self.total = Outcome { secs, ..Outcome::default() };
        let before = self.sender.decreases();
        let end = self.now + Span::from_secs_f64(secs);
        self.relink();
        let mut at_once = 0;
        loop {
            let next = self.next();
            let until = next.min(end).max(self.now);
            self.total.rate += self.sender.rate() * until.since(self.now).secs() / secs;
            at_once = if until > self.now { 0 } else { at_once + 1 };
            assert!(at_once < MOST_AT_ONCE, "time stands still: {:?}", self.sender);
            self.now = until;
            if next > end {
                break;
            }
            self.step();
        }
        self.total.decreases = self.sender.decreases() - before;
        self.total
    }

    /// The sender changes networks: `delay` is the path's from now on, of which `handoff` has the
    /// sender's own part.
    pub(crate) fn handoff(&mut self, delay: Span, handoff: &Handoff) {
        self.path.delay = delay;
        if handoff.end == atl_core::window::End::Own {
            self.ledger.shift_rtt(handoff.old_delay, handoff.new_delay);
        }
        self.sender.on_handoff(&handoff.now(self.now));
    }

    fn next(&self) -> Time {
        let event = self.links.iter().map(Links::next_event).min();
        let timer = self.receiver.as_ref().and_then(|r| r.next_timeout());
        let other = (self.path.others > 0.0).then_some(self.next_other);
        [event, other, self.release_at(), self.sender.next_timeout(), timer, Some(self.second)]
            .into_iter()
            .flatten()
            .min()
            .expect("seconds never end")
    }

    fn release_at(&self) -> Option<Time> {
        release_at(&*self.sender, self.application, self.last_sent, self.now)
    }

    fn step(&mut self) {
        let now = self.now;
        if self.second <= now {
            self.second = now + Span::from_secs(1);
            if self.sender.listens() {
                let Path { link, peer, .. } = self.path;
                link.iter().for_each(|report| self.sender.on_link_report(now, report));
                peer.iter().for_each(|report| self.sender.on_peer_report(now, report));
            }
        }
        for i in 0..self.links.len() {
            while let Some(exit) = self.links[i].bottleneck.poll(now) {
                if let Exit::Delivered(packet) = exit {
                    self.arrive(packet);
                }
            }
            while let Some(exit) = self.links[i].reverse.poll(now) {
                if let Exit::Delivered(answer) = exit {
                    self.handle(answer);
                }
            }
        }
        if let Some(receiver) = &mut self.receiver
            && receiver.next_timeout().is_some_and(|at| at <= now)
            && receiver.on_tick(now)
        {
            let report = receiver.report(now);
            self.answer(Answer::Report(report));
        }
        if self.path.others > 0.0 && self.next_other <= now {
            self.next_other = now + Span::from_secs_f64(1.0 / self.path.others);
            self.offer(Packet { number: 0, kind: Kind::Other, sent_at: now, rtt: Span::ZERO });
        }
        if self.sender.next_timeout().is_some_and(|at| at <= now) {
            self.sender.on_tick(now);
        }
        if self.release_at().is_some_and(|at| at <= now) {
            self.last_sent = Some(now);
            self.send();
        }
        let mut burst = 0;
        while self.sender.poll_probe(now) {
            burst += 1;
            assert!(burst <= 2, "a burst of probes: {:?}", self.sender);
            let number = self.probes;
            self.probes += 1;
            self.total.probes += 1;
            self.transmit(Packet { number, kind: Kind::Probe, sent_at: now, rtt: Span::ZERO });
        }
    }

    fn send(&mut self) {
        let now = self.now;
        let app_limited = self.application < self.sender.rate();
        let seq = self.ledger.on_sent(now, app_limited);
        self.sender.on_sent(&Sent::new(now, seq, PACKET).app_limited(app_limited));
        self.total.sent += 1;
        let rtt = self.ledger.rtt().srtt().unwrap_or_default();
        self.transmit(Packet { number: seq, kind: Kind::Data, sent_at: now, rtt });
    }

    /// Sends a packet through the air, which takes no time, to the bottleneck.
    fn transmit(&mut self, packet: Packet) {
        let now = self.now;
        let air = &mut self.links.last_mut().expect("never empty").air;
        air.offer(now, packet).expect("room for any number of packets");
        match air.poll(now).expect("no delay") {
            Exit::Delivered(packet) => self.offer(packet),
            Exit::Lost(packet, _) if packet.kind == Kind::Data => {
                self.total.aired += 1;
                self.count_loss(now);
                if self.path.marked {
                    self.ledger.on_link_failure(packet.number);
                }
            }
            Exit::Lost(..) => {}
            Exit::Dropped(..) | Exit::Changed(_) | Exit::DeliveredTwice(_) => {
                unreachable!("the air has no queue, and no change is scheduled")
            }
        }
    }

    /// Makes new links if the path has changed. The old ones keep their packets.
    fn relink(&mut self) {
        if self.linked != self.path {
            self.changes += 1;
            self.linked = self.path;
            self.links.retain(|links| !links.is_empty());
            self.links.push(Links::new(&self.path, self.changes));
        }
    }

    fn count_loss(&mut self, sent_at: Time) {
        let rtt = self.ledger.rtt().srtt().unwrap_or(self.path.delay * 2);
        if self.loss_event.is_none_or(|first| sent_at.since(first) > rtt) {
            self.loss_event = Some(sent_at);
            self.total.loss_events += 1;
        }
    }

    fn offer(&mut self, packet: Packet) {
        let bottleneck = &mut self.links.last_mut().expect("never empty").bottleneck;
        let Err(dropped) = bottleneck.offer(self.now, packet) else { return };
        match dropped.kind {
            Kind::Data => {
                self.total.dropped += 1;
                self.count_loss(dropped.sent_at);
            }
            Kind::Probe => {}
            Kind::Other => self.total.others_dropped += 1,
        }
    }

    fn answer(&mut self, answer: Answer) {
        let reverse = &mut self.links.last_mut().expect("never empty").reverse;
        reverse.offer(self.now, answer).expect("room for any number of answers");
    }

    fn handle(&mut self, answer: Answer) {
        match answer {
            Answer::Ack { seq, sent_at, mask } => {
                let rtt = self.ledger.on_ack(self.now, seq, sent_at, mask);
                self.feedback(Some((seq, sent_at)), rtt, None);
            }
            Answer::Report(report) => {
                let rtt = self.ledger.on_report(self.now, &report);
                self.feedback(Some((report.highest, report.echo)), rtt, Some(&report));
            }
            Answer::ProbeAck { number, sent_at } => {
                let rtt = self.now.since(sent_at);
                self.sender.on_probe_ack(&ProbeAck::new(self.now, number, rtt));
            }
        }
    }

    fn feedback(
        &mut self,
        newest: Option<(u64, Time)>,
        rtt: Option<Span>,
        report: Option<&Report>,
    ) {
        self.sender.on_feedback(&self.ledger.feedback(self.now, newest, rtt, report));
        self.ledger.clear_feedback();
    }

    fn arrive(&mut self, packet: Packet) {
        let Packet { number, kind, sent_at, rtt } = packet;
        match kind {
            Kind::Data => {}
            Kind::Probe => {
                self.total.probes_delivered += 1;
                return self.answer(Answer::ProbeAck { number, sent_at });
            }
            Kind::Other => return,
        }
        self.total.delivered += 1;
        let arrived = Arrived::new(self.now, number, sent_at, PACKET).rtt(rtt);
        match &mut self.receiver {
            None => {
                let mask = self.got.take(number);
                self.answer(Answer::Ack { seq: number, sent_at, mask });
            }
            Some(receiver) => {
                if receiver.on_data(&arrived) {
                    let report = receiver.report(self.now);
                    self.answer(Answer::Report(report));
                }
            }
        }
    }
}

/// Time at which the next data packet leaves, where the last one left at `last` and the application
/// gives `application` packets per second; none if the sender sends no data.
pub(crate) fn release_at(
    sender: &dyn RateController,
    application: f64,
    last: Option<Time>,
    now: Time,
) -> Option<Time> {
    let gap = sender.gap().max(Span::from_secs_f64(1.0 / application));
    sender.sends_data().then(|| last.map_or(now, |last| last.saturating_add(gap)))
}
