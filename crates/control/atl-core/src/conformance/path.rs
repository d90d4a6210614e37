//! A paced flow on a path of 100 packets a second: a closed loop.

use std::collections::VecDeque;

use crate::probe::ProbeAck;
use crate::rate::{
    Arrived, Ledger, RateConfig, RateController, RateStart, Report, ReportingReceiver, Sent,
};
use crate::time::{Span, Time};

/// Time that the link takes for a packet.
const SERVICE: Span = Span::from_millis(10);
/// The path's delay, each way.
const DELAY: Span = Span::from_millis(50);
/// Packets that wait for the link at most.
const QUEUE: u64 = 20;
/// Events at one point in time that are not a loop yet.
const MOST_AT_ONCE: u32 = 1000;

#[derive(Clone, Copy, Debug)]
enum Forward {
    Data { seq: u64, sent_at: Time, rtt: Span },
    Probe { number: u64, sent_at: Time },
}

#[derive(Debug)]
enum Back {
    Ack { seq: u64, sent_at: Time, mask: u32 },
    Report(Report),
    Probe { number: u64, sent_at: Time },
}

/// Sender, link and receiver.
#[derive(Debug)]
pub(super) struct Path {
    pub(super) sender: Box<dyn RateController>,
    /// Nothing arrives.
    pub(super) dead: bool,
    packet_bytes: u32,
    ledger: Ledger,
    receiver: Option<Box<dyn ReportingReceiver>>,
    now: Time,
    last_sent: Option<Time>,
    /// When the link has served what it holds.
    free: Time,
    forward: VecDeque<(Time, Forward)>,
    back: VecDeque<(Time, Back)>,
    /// Which of the last packets have arrived: the newest is bit 0.
    got: u64,
    newest: u64,
    probes: u64,
    delivered: u64,
}

impl Path {
    pub(super) fn new(config: &RateConfig, start: &RateStart) -> Self {
        Path {
            sender: config.build(start),
            dead: false,
            packet_bytes: start.packet_bytes,
            ledger: Ledger::new(),
            receiver: config.build_receiver(config.feedback()),
            now: Time::ZERO,
            last_sent: None,
            free: Time::ZERO,
            forward: VecDeque::new(),
            back: VecDeque::new(),
            got: 0,
            newest: 0,
            probes: 0,
            delivered: 0,
        }
    }

    /// Runs for a while; data packets that arrived in a second of it.
    pub(super) fn run(&mut self, secs: f64) -> f64 {
        let end = self.now + Span::from_secs_f64(secs);
        self.delivered = 0;
        let mut at_once = 0;
        // A protocol that probes first has no event before.
        self.step();
        while let Some(next) = self.next().filter(|next| *next <= end) {
            at_once = if next > self.now { 0 } else { at_once + 1 };
            assert!(at_once < MOST_AT_ONCE, "time stands still: {:?}", self.sender);
            self.now = self.now.max(next);
            self.step();
        }
        self.now = end;
        self.delivered as f64 / secs
    }

    fn next(&self) -> Option<Time> {
        let timer = self.receiver.as_ref().and_then(|receiver| receiver.next_timeout());
        let forward = self.forward.front().map(|(at, _)| *at);
        let back = self.back.front().map(|(at, _)| *at);
        [forward, back, timer, self.release_at(), self.sender.next_timeout()]
            .into_iter()
            .flatten()
            .min()
    }

    /// When the next data packet leaves.
    fn release_at(&self) -> Option<Time> {
        let last = self.last_sent.map_or(self.now, |last| last.saturating_add(self.sender.gap()));
        self.sender.sends_data().then_some(last)
    }

    fn step(&mut self) {
        let now = self.now;
        while let Some((_, packet)) = self.forward.pop_front_if(|(at, _)| *at <= now) {
            self.arrive(packet);
        }
        while let Some((_, answer)) = self.back.pop_front_if(|(at, _)| *at <= now) {
            self.hear(answer);
        }
        if let Some(receiver) = &mut self.receiver
            && receiver.next_timeout().is_some_and(|at| at <= now)
            && receiver.on_tick(now)
        {
            let report = receiver.report(now);
            self.answer(Back::Report(report));
        }
        if self.sender.next_timeout().is_some_and(|at| at <= now) {
            self.sender.on_tick(now);
        }
        if self.release_at().is_some_and(|at| at <= now) {
            self.last_sent = Some(now);
            let seq = self.ledger.on_sent(now, false);
            self.sender.on_sent(&Sent::new(now, seq, self.packet_bytes));
            let rtt = self.ledger.rtt().srtt().unwrap_or_default();
            self.transmit(Forward::Data { seq, sent_at: now, rtt });
        }
        for _ in 0..2 {
            if !self.sender.poll_probe(now) {
                return;
            }
            self.transmit(Forward::Probe { number: self.probes, sent_at: now });
            self.probes += 1;
        }
        panic!("a burst of probes: {:?}", self.sender);
    }

    fn transmit(&mut self, packet: Forward) {
        let begin = self.free.max(self.now);
        if !self.dead && begin.since(self.now) < SERVICE * QUEUE {
            self.free = begin + SERVICE;
            self.forward.push_back((self.free + DELAY, packet));
        }
    }

    fn arrive(&mut self, packet: Forward) {
        match packet {
            Forward::Probe { number, sent_at } => self.answer(Back::Probe { number, sent_at }),
            Forward::Data { seq, sent_at, rtt } => {
                self.delivered += 1;
                let by = seq - self.newest;
                self.got = if by < 64 { self.got << by | 1 } else { 1 };
                self.newest = seq;
                match &mut self.receiver {
                    None => {
                        let mask = (self.got >> 1) as u32;
                        self.answer(Back::Ack { seq, sent_at, mask });
                    }
                    Some(receiver) => {
                        let arrived = Arrived::new(self.now, seq, sent_at, self.packet_bytes);
                        if receiver.on_data(&arrived.rtt(rtt)) {
                            let report = receiver.report(self.now);
                            self.answer(Back::Report(report));
                        }
                    }
                }
            }
        }
    }

    fn answer(&mut self, answer: Back) {
        if !self.dead {
            self.back.push_back((self.now + DELAY, answer));
        }
    }

    fn hear(&mut self, answer: Back) {
        let now = self.now;
        let (newest, rtt, report) = match answer {
            Back::Probe { number, sent_at } => {
                self.sender.on_probe_ack(&ProbeAck::new(now, number, now.since(sent_at)));
                return;
            }
            Back::Ack { seq, sent_at, mask } => {
                ((seq, sent_at), self.ledger.on_ack(now, seq, sent_at, mask), None)
            }
            Back::Report(report) => {
                ((report.highest, report.echo), self.ledger.on_report(now, &report), Some(report))
            }
        };
        let feedback = self.ledger.feedback(now, Some(newest), rtt, report.as_ref());
        self.sender.on_feedback(&feedback);
        self.ledger.clear_feedback();
    }
}
