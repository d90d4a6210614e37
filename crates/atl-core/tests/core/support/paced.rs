//! A paced flow on a link in virtual time: a closed loop for tests of rate controllers.
//!
//! ```text
//! sender --air: random loss--> two-band queue --rate--> delay --> receiver --ACKs or reports, delay--> sender
//! ```
//!
//! The air is the sender's own wireless link: its losses may be marked by the MAC. Probes wait in the lower band, and
//! are pushed out first. Everything on the path may be changed between two stretches of a run.
//!
//! ```ignore
//! let mut run = Run::new(&config, &START, Path::default());
//! run.stretch(30.0);
//! run.path.loss = 0.01;
//! let outcome = run.stretch(60.0);
//! assert!(outcome.goodput() > 90.0);
//! ```

use std::collections::{BTreeMap, VecDeque};

use atl_core::path::LinkReport;
use atl_core::rate::{
    Arrived, Ledger, RateConfig, RateController, RateStart, Report, ReportingReceiver, Sent,
};
use atl_core::time::{Span, Time};
use atl_core::window::{Handoff, ProbeAck};

/// Bytes of a packet on the wire.
pub const PACKET: u32 = 1040;

/// A flow of 2 Mb/s, in packets.
pub const START: RateStart = RateStart::DEFAULT.packet_bytes(PACKET).target(240.0).seed(1);

/// Events at one point in time that are not a loop yet.
const MOST_AT_ONCE: u32 = 1000;

/// The path, and what happens to packets on it.
#[derive(Clone, Copy, Debug)]
pub struct Path {
    /// Packets that the link serves in a second.
    pub rate: f64,
    /// Packets that wait at most, probes included.
    pub queue: usize,
    /// One-way delay, each way.
    pub delay: Span,
    /// Share of packets, probes too, that the air loses.
    pub loss: f64,
    /// The MAC marks data packets that the air loses.
    pub marked: bool,
    /// Share of ACKs and reports that are lost.
    pub loss_back: f64,
    /// Packets of others that come to the queue in a second, evenly; they wait with the data.
    pub others: f64,
    /// What the sender's wireless link reports each second, to a controller that listens.
    pub link: Option<LinkReport>,
    /// What the receiver claims of its own, each second.
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

/// What happened in a stretch of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Its length in seconds.
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
    /// Packets of others that the queue dropped.
    pub others_dropped: u64,
    /// Probes that were sent.
    pub probes: u64,
    /// Probes that arrived.
    pub probes_delivered: u64,
    /// Times that the rate was cut.
    pub decreases: u64,
    /// The rate's mean over time, packets/s.
    pub rate: f64,
}

impl Outcome {
    /// Data packets that arrived in a second.
    pub fn goodput(&self) -> f64 {
        self.delivered as f64 / self.secs
    }

    /// Share of the data packets whose fate is known that were lost.
    pub fn loss(&self) -> f64 {
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

#[derive(Clone, Copy, Debug)]
enum Event {
    Served,
    Arrive(Packet),
    Ack { seq: u64, sent_at: Time, mask: u32 },
    ProbeAck { number: u64, sent_at: Time },
    Report(Report),
}

/// Receiver's notes for its ACKs: the highest number, and which of those before it have arrived.
#[derive(Clone, Copy, Debug, Default)]
struct Got {
    above: u64,
    bits: u64,
}

impl Got {
    /// Takes a packet in; returns the mask of the 32 before it.
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

/// A flow on its path.
pub struct Run {
    /// The path: change it between stretches.
    pub path: Path,
    /// The sender's controller.
    pub sender: Box<dyn RateController>,
    /// What the sender knows of its packets.
    pub ledger: Ledger,
    /// The receiver, where it reports.
    pub receiver: Option<Box<dyn ReportingReceiver>>,
    /// Now.
    pub now: Time,
    /// The application fills no more than this, in packets per second.
    pub application: f64,
    got: Got,
    last_sent: Option<Time>,
    bands: [VecDeque<Packet>; 2],
    serving: Option<Packet>,
    events: BTreeMap<(Time, u64), Event>,
    scheduled: u64,
    probes: u64,
    next_other: Time,
    second: Time,
    random: u64,
    loss_event: Option<Time>,
    total: Outcome,
}

impl Run {
    /// A flow at its start; feedback comes as its protocol has it.
    pub fn new(config: &RateConfig, start: &RateStart, path: Path) -> Self {
        let receiver = config.build_receiver(config.feedback());
        Run::resume(config.build(start), Ledger::new(), receiver, Time::ZERO, path)
    }

    /// A flow that comes from somewhere else, with everything in flight lost.
    pub fn resume(
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
            bands: Default::default(),
            serving: None,
            events: BTreeMap::new(),
            scheduled: 0,
            probes: 0,
            next_other: now,
            second: now,
            random: 1,
            loss_event: None,
            total: Outcome::default(),
        }
    }

    /// Runs for so many seconds; returns what happened in them.
    pub fn stretch(&mut self, secs: f64) -> Outcome {
        self.total = Outcome { secs, ..Outcome::default() };
        let before = self.sender.decreases();
        let end = self.now + Span::from_secs_f64(secs);
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

    /// The sender changes networks: the delay that the path has from now on, and the sender's own part of it.
    pub fn handoff(&mut self, delay: Span, handoff: &Handoff) {
        self.path.delay = delay;
        if handoff.end == atl_core::window::End::Own {
            self.ledger.shift_rtt(handoff.old_delay, handoff.new_delay);
        }
        self.sender.on_handoff(&handoff.now(self.now));
    }

    fn next(&self) -> Time {
        let event = self.events.first_key_value().map(|(&(at, _), _)| at);
        let timer = self.receiver.as_ref().and_then(|r| r.next_timeout());
        let other = (self.path.others > 0.0).then_some(self.next_other);
        [event, other, self.release_at(), self.sender.next_timeout(), timer, Some(self.second)]
            .into_iter()
            .flatten()
            .min()
            .expect("seconds never end")
    }

    /// When the next data packet leaves.
    fn release_at(&self) -> Option<Time> {
        let least = Span::from_secs_f64(1.0 / self.application);
        let gap = self.sender.gap().max(least);
        self.sender
            .sends_data()
            .then(|| self.last_sent.map_or(self.now, |last| last.saturating_add(gap)))
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
        if let Some((&key, _)) = self.events.first_key_value()
            && key.0 <= now
            && let Some(event) = self.events.remove(&key)
        {
            self.handle(event);
        }
        if let Some(receiver) = &mut self.receiver
            && receiver.next_timeout().is_some_and(|at| at <= now)
            && receiver.on_tick(now)
        {
            let report = receiver.report(now);
            self.answer(Event::Report(report));
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
            let probe = Packet { number, kind: Kind::Probe, sent_at: now, rtt: Span::ZERO };
            if !self.lost_in_the_air() {
                self.offer(probe);
            }
        }
    }

    fn send(&mut self) {
        let now = self.now;
        let app_limited = self.application < self.sender.rate();
        let seq = self.ledger.on_sent(now, app_limited);
        self.sender.on_sent(&Sent::new(now, seq, PACKET).app_limited(app_limited));
        self.total.sent += 1;
        if self.lost_in_the_air() {
            self.total.aired += 1;
            self.count_loss(now);
            if self.path.marked {
                self.ledger.on_link_failure(seq);
            }
            return;
        }
        let rtt = self.ledger.rtt().srtt().unwrap_or_default();
        self.offer(Packet { number: seq, kind: Kind::Data, sent_at: now, rtt });
    }

    fn count_loss(&mut self, sent_at: Time) {
        let rtt = self.ledger.rtt().srtt().unwrap_or(self.path.delay * 2);
        if self.loss_event.is_none_or(|first| sent_at.since(first) > rtt) {
            self.loss_event = Some(sent_at);
            self.total.loss_events += 1;
        }
    }

    fn lost_in_the_air(&mut self) -> bool {
        self.draw() < self.path.loss
    }

    /// Steele, Lea, Flood: SplitMix64 (2014).
    fn draw(&mut self) -> f64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn offer(&mut self, packet: Packet) {
        let [data, probes] = &mut self.bands;
        if data.len() + probes.len() >= self.path.queue.max(1) {
            // A probe gives way to data, the newest first.
            if packet.kind == Kind::Probe || probes.pop_back().is_none() {
                self.total.others_dropped += u64::from(packet.kind == Kind::Other);
                if packet.kind == Kind::Data {
                    self.total.dropped += 1;
                    self.count_loss(packet.sent_at);
                }
                return;
            }
        }
        self.bands[usize::from(packet.kind == Kind::Probe)].push_back(packet);
        self.serve();
    }

    fn serve(&mut self) {
        if self.serving.is_none() {
            let [data, probes] = &mut self.bands;
            self.serving = data.pop_front().or_else(|| probes.pop_front());
            if self.serving.is_some() {
                self.at(Span::from_secs_f64(1.0 / self.path.rate), Event::Served);
            }
        }
    }

    fn at(&mut self, wait: Span, event: Event) {
        self.scheduled += 1;
        self.events.insert((self.now.saturating_add(wait), self.scheduled), event);
    }

    fn answer(&mut self, event: Event) {
        if self.draw() >= self.path.loss_back {
            self.at(self.path.delay, event);
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Served => {
                if let Some(packet) = self.serving.take() {
                    self.at(self.path.delay, Event::Arrive(packet));
                }
                self.serve();
            }
            Event::Arrive(packet) => self.arrive(packet),
            Event::Ack { seq, sent_at, mask } => {
                let rtt = self.ledger.on_ack(self.now, seq, sent_at, mask);
                self.feedback(Some((seq, sent_at)), rtt, None);
            }
            Event::Report(report) => {
                let rtt = self.ledger.on_report(self.now, &report);
                self.feedback(Some((report.highest, report.echo)), rtt, Some(&report));
            }
            Event::ProbeAck { number, sent_at } => {
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
                return self.answer(Event::ProbeAck { number, sent_at });
            }
            Kind::Other => return,
        }
        self.total.delivered += 1;
        let arrived = Arrived::new(self.now, number, sent_at, PACKET).rtt(rtt);
        match &mut self.receiver {
            None => {
                let mask = self.got.take(number);
                self.answer(Event::Ack { seq: number, sent_at, mask });
            }
            Some(receiver) => {
                if receiver.on_data(&arrived) {
                    let report = receiver.report(self.now);
                    self.answer(Event::Report(report));
                }
            }
        }
    }
}
