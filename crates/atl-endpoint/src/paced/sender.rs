//! The sending end of a paced flow.

use atl_core::path::LinkReport;
use atl_core::rate::{Ledger, RateController, Report, Sent};
use atl_core::time::{Span, Time};
use atl_core::window::{Handoff, ProbeAck};

use super::queue::{Payload, Queue};
use crate::feedback::accept_peer_report;
use crate::options::PeerLinkReport;

/// What a sender sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outgoing {
    /// A data packet.
    Data {
        /// Its number.
        seq: u64,
        /// Bytes of payload.
        payload: u32,
        /// Capture time and end of the numbers of the frame that begins with it.
        begins: Option<(Time, u64)>,
    },
    /// A probe at low priority.
    Probe {
        /// Its number.
        number: u64,
    },
}

/// How far the clock of half the rate may be behind or ahead: a pause is forgotten in a second, and so is the use
/// before it.
const USE_MEMORY: Span = Span::from_secs(1);

/// A sender that paces at its controller's rate.
#[derive(Debug)]
pub struct PacedSender {
    controller: Box<dyn RateController>,
    ledger: Ledger,
    queue: Queue,
    start: Time,
    /// The last data packet: when it left and its bytes on the wire, in nominal packets.
    last: Option<(Time, f64)>,
    /// Where a sender at half the rate would stand with what has been sent: ahead of the time while more than half
    /// is used.
    half: Time,
    header: u32,
    packet_bytes: u32,
    sent: u64,
    probes: u64,
    /// The rate that the encoder was last told.
    offered: f64,
    peer: Option<Box<PeerLinkReport>>,
}

impl PacedSender {
    /// A sender of packets of at most `segment` bytes of payload with `header` bytes before them, that starts at
    /// `start`.
    pub fn new(
        controller: Box<dyn RateController>,
        queue: Queue,
        (segment, header): (u32, u32),
        start: Time,
    ) -> Self {
        PacedSender {
            controller,
            ledger: Ledger::new(),
            queue,
            start,
            last: None,
            half: start,
            header,
            packet_bytes: segment + header,
            sent: 0,
            probes: 0,
            offered: 0.0,
            peer: None,
        }
    }

    /// When the next data packet may leave, if there is one.
    #[inline]
    fn data_due(&self) -> Time {
        match self.last {
            None => self.start,
            Some((at, packets)) => at.saturating_add(self.controller.gap().mul_f64(packets)),
        }
    }

    /// The next packet to be sent at `now`, if one may be.
    #[inline]
    pub fn poll_send(&mut self, now: Time) -> Option<Outgoing> {
        if now < self.start {
            return None;
        }
        if now >= self.data_due() && self.controller.sends_data() {
            self.tell_encoder(now);
            if let Some(payload) = self.queue.take(now) {
                return Some(self.data(now, payload));
            }
        }
        self.controller.poll_probe(now).then(|| {
            self.probes += 1;
            Outgoing::Probe { number: self.probes - 1 }
        })
    }

    fn data(&mut self, now: Time, payload: Payload) -> Outgoing {
        let bytes = payload.bytes + self.header;
        let packets = f64::from(bytes) / f64::from(self.packet_bytes);
        let app_limited = self.is_app_limited(now, packets);
        let seq = self.ledger.on_sent(now, app_limited);
        self.last = Some((now, packets));
        self.sent += 1;
        self.controller.on_sent(&Sent::new(now, seq, bytes).app_limited(app_limited));
        let begins = payload.begins.map(|(captured, packets)| (captured, seq + packets));
        Outgoing::Data { seq, payload: payload.bytes, begins }
    }

    /// Takes a packet into account, and tells whether less than half of the rate has been used lately.
    fn is_app_limited(&mut self, now: Time, packets: f64) -> bool {
        let twice = Span::from_secs_f64(2.0 * packets / self.controller.rate());
        let limited = self.half < now;
        let oldest = Time::ZERO + now.since(Time::ZERO + USE_MEMORY);
        let newest = now.saturating_add(USE_MEMORY.max(twice));
        self.half = self.half.max(oldest).saturating_add(twice).min(newest);
        limited
    }

    #[inline]
    fn tell_encoder(&mut self, now: Time) {
        let (rate, behind) = (self.controller.rate(), self.queue.is_behind());
        if behind || rate.to_bits() != self.offered.to_bits() {
            // What was offered for a backlog does not hold when that is gone.
            self.offered = if behind { f64::NAN } else { rate };
            self.queue.offer(now, rate * f64::from(self.packet_bytes), self.header);
        }
    }

    /// When [`on_timer`](Self::on_timer) wants to be called; [`Time::MAX`]: never.
    #[inline]
    pub fn next_timer(&mut self, now: Time) -> Time {
        let mut next = self.controller.next_timeout().unwrap_or(Time::MAX);
        if now < self.start {
            return next.min(self.start);
        }
        if self.controller.sends_data() {
            let due = self.data_due();
            let ready = if self.queue.has_data(now) { due } else { self.queue.next_write(now) };
            next = next.min(ready.max(due));
        }
        // Frames are captured whether or not they may be sent: also of a protocol that probes first.
        if self.queue.encoder().is_some() {
            self.queue.has_data(now);
            next = next.min(self.queue.next_write(now));
        }
        next.max(now)
    }

    /// The time that [`next_timer`](Self::next_timer) named has come.
    pub fn on_timer(&mut self, now: Time) {
        if self.controller.next_timeout().is_some_and(|t| t <= now) {
            self.controller.on_tick(now);
        }
        self.tell_encoder(now);
    }

    /// A packet was acknowledged; returns the round-trip time.
    #[inline]
    pub fn on_ack(&mut self, now: Time, seq: u64, sent_at: Time, mask: u32) -> Option<Span> {
        let rtt = self.ledger.on_ack(now, seq, sent_at, mask)?;
        self.give_feedback(now, Some((seq, sent_at)), Some(rtt), None);
        Some(rtt)
    }

    /// The receiver reported; returns the round-trip time. A report of packets that were never sent is none.
    pub fn on_report(&mut self, now: Time, report: &Report) -> Option<Span> {
        if report.highest >= self.sent {
            return None;
        }
        let rtt = self.ledger.on_report(now, report);
        self.give_feedback(now, Some((report.highest, report.echo)), rtt, Some(report));
        rtt
    }

    fn give_feedback(
        &mut self,
        now: Time,
        newest: Option<(u64, Time)>,
        rtt: Option<Span>,
        report: Option<&Report>,
    ) {
        self.controller.on_feedback(&self.ledger.feedback(now, newest, rtt, report));
        self.ledger.clear_feedback();
        self.tell_encoder(now);
    }

    /// A probe was acknowledged, that left at `sent_at`.
    pub fn on_probe_ack(&mut self, now: Time, number: u64, sent_at: Time) {
        if number < self.probes {
            self.controller.on_probe_ack(&ProbeAck::new(now, number, now.since(sent_at)));
            self.tell_encoder(now);
        }
    }

    /// The sender's own MAC gave a packet up.
    pub fn on_link_failure(&mut self, seq: u64) {
        self.ledger.on_link_failure(seq);
    }

    /// The wireless link at its own end reports.
    pub fn on_link_report(&mut self, now: Time, report: &LinkReport) {
        self.controller.on_link_report(now, report);
    }

    /// Its own host changed networks.
    pub fn on_handoff(&mut self, handoff: &Handoff) {
        if self.controller.listens() {
            self.ledger.shift_rtt(handoff.old_delay, handoff.new_delay);
        }
        self.controller.on_handoff(handoff);
    }

    /// The receiver told of its own wireless link.
    pub fn on_peer_link_report(&mut self, now: Time, report: &PeerLinkReport) {
        let Some(handoff) = accept_peer_report(&mut self.peer, now, report) else { return };
        if let Some(handoff) = handoff {
            self.controller.on_handoff(&handoff);
        }
        self.controller.on_peer_report(now, &report.link);
    }

    /// The controller, to be read.
    pub fn controller(&self) -> &dyn RateController {
        &*self.controller
    }

    /// RTT estimates and packets in flight.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// What there is to send.
    pub fn queue(&mut self) -> &mut Queue {
        &mut self.queue
    }

    /// Data packets sent.
    #[inline]
    pub fn sent(&self) -> u64 {
        self.sent
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use crate::app::Source;
    use atl_core::rate::Feedback;
    use atl_link::random::Stream;

    use super::*;
    use crate::app::App;

    /// Keeps the highest number that it was told of.
    #[derive(Clone, Debug)]
    struct Recorder(Arc<Mutex<Vec<u64>>>);

    impl RateController for Recorder {
        fn on_feedback(&mut self, feedback: &Feedback<'_>) {
            let newest = feedback.newest.map(|newest| newest.0);
            self.0.lock().expect("one thread").extend(newest);
        }

        fn rate(&self) -> f64 {
            100.0
        }

        fn decreases(&self) -> u64 {
            0
        }
    }

    #[test]
    fn a_report_of_packets_that_were_never_sent_is_not_passed_on() {
        let told = Arc::default();
        let app = App::new(&Source::Greedy, 1000, Time::ZERO, Stream::new(1, "app"));
        let queue = Queue::segments(app, 1000);
        let controller = Box::new(Recorder(Arc::clone(&told)));
        let mut sender = PacedSender::new(controller, queue, (1000, 40), Time::ZERO);
        for n in 0..10 {
            assert!(sender.poll_send(Time::from_millis(10 * n)).is_some());
        }
        for highest in [4, 10, u64::MAX, 9] {
            let echo = Time::from_millis(10);
            let report = Report::default().highest(highest).received(5).echo(echo);
            sender.on_report(Time::from_millis(200), &report);
        }
        assert_eq!(*told.lock().expect("one thread"), [4, 9]);
    }
}
