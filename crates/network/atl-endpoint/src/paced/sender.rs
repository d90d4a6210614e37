//! The sending end of a paced flow.

use atl_core::path::{LinkReport, PathId};
use atl_core::rate::{Ledger, RateController, Report, Sent};
use atl_core::time::{Span, Time};
use atl_core::window::{Handoff, ProbeAck};
use atl_link::Ecn;

use super::ecn::Field;
use super::params::PacedEcn;
use super::paths::{Dummy, Sending};
use super::queue::{Payload, Queue};
use crate::feedback::accept_peer_report;
use crate::options::PeerLinkReport;

/// A packet to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outgoing {
    /// A data packet.
    Data {
        /// Its number.
        seq: u64,
        /// Bytes of payload.
        payload: u32,
        /// If the packet starts a frame: its capture time, and one more than the number of its last
        /// packet.
        begins: Option<(Time, u64)>,
        /// The path that it takes.
        path: PathId,
        /// The ECN field of its IP header.
        ecn: Ecn,
    },
    /// A low-priority probe of the controller, or a dummy of a handoff.
    Probe {
        /// Its number, below 2^32: the receiver tells the two apart by it.
        number: u64,
        /// Bytes on the wire, headers included.
        bytes: u32,
        /// The path that it takes.
        path: PathId,
    },
    /// Asks whether somebody answers at the other end of a path that is new (RFC 9000, sec. 8.2).
    /// Answered like a probe, but at the priority of data: where low priority gets nothing, the
    /// path is full and not forged.
    Challenge {
        /// Its number, one of the probes'.
        number: u64,
        /// Bytes on the wire, headers included.
        bytes: u32,
        /// The path that it takes.
        path: PathId,
    },
}

/// Bound on the lag or lead of the half-rate clock: a pause, or earlier use, is forgotten within a
/// second.
const USE_MEMORY: Span = Span::from_secs(1);

/// A sender that paces at its controller's rate.
#[derive(Debug)]
pub struct PacedSender {
    pub(super) controller: Box<dyn RateController>,
    pub(super) ledger: Ledger,
    pub(super) queue: Queue,
    start: Time,
    /// When the last data packet was sent, and its bytes on the wire in full packets.
    pub(super) last: Option<(Time, f64)>,
    /// The half-rate clock: when a sender at half the rate would have sent everything sent so far.
    /// It is ahead of the time while more than half of the rate is used.
    pub(super) half: Time,
    pub(super) header: u32,
    pub(super) packet_bytes: u32,
    pub(super) sent: u64,
    pub(super) probes: u64,
    probe_bytes: u64,
    /// The first data packet and the first probe under the present control state: its numbers begin
    /// there.
    pub(super) first: u64,
    pub(super) first_probe: u64,
    /// The rate last offered to the encoder.
    pub(super) offered: f64,
    pub(super) path: PathId,
    peer: Option<Box<PeerLinkReport>>,
    /// The ECN field of data packets.
    pub(super) ecn: Field,
    pub(super) roaming: Option<Box<Sending>>,
}

impl PacedSender {
    /// A sender that starts at `start` and sends packets of at most `segment` bytes of payload plus
    /// `header` bytes.
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
            probe_bytes: 0,
            first: 0,
            first_probe: 0,
            offered: 0.0,
            path: PathId::FIRST,
            peer: None,
            ecn: Field::new(PacedEcn::Off),
            roaming: None,
        }
    }

    /// Lets queues mark its data packets, which are sent with this field (RFC 6679, sec. 7.3.1,
    /// asks for ECT(0)); probes are not. Packets go without where the path turns out to spoil it.
    #[must_use]
    pub fn with_ecn(mut self, ecn: PacedEcn) -> Self {
        self.ecn = Field::new(ecn);
        self
    }

    /// When the next data packet may be sent, if there is data.
    #[inline]
    fn data_due(&self) -> Time {
        match self.last {
            None => self.start,
            // A full packet, as nearly all are: the product takes thirty instructions.
            Some((at, packets)) if packets.to_bits() == 1_f64.to_bits() => {
                at.saturating_add(self.controller.gap())
            }
            Some((at, packets)) => at.saturating_add(self.controller.gap().mul_f64(packets)),
        }
    }

    /// The next packet to send at `now`, if one may be sent.
    #[inline]
    pub fn poll_send(&mut self, now: Time) -> Option<Outgoing> {
        if now < self.start {
            return None;
        }
        if now >= self.data_due() && self.controller.sends_data() {
            self.offer_to_encoder(now);
            if let Some(payload) = self.queue.take(now) {
                return Some(self.data(now, payload));
            }
        }
        if let Some(roaming) = &mut self.roaming
            && let Some((number, path, bytes)) = roaming.poll_dummy(now)
        {
            self.probe_bytes += u64::from(bytes);
            return Some(if Dummy::is_challenge(number) {
                Outgoing::Challenge { number, bytes, path }
            } else {
                Outgoing::Probe { number, bytes, path }
            });
        }
        self.controller.poll_probe(now).then(|| {
            self.probes += 1;
            self.probe_bytes += u64::from(self.packet_bytes);
            Outgoing::Probe { number: self.probes - 1, bytes: self.packet_bytes, path: self.path }
        })
    }

    #[inline(always)]
    fn data(&mut self, now: Time, payload: Payload) -> Outgoing {
        let bytes = payload.bytes + self.header;
        let packets = f64::from(bytes) / f64::from(self.packet_bytes);
        let app_limited = self.is_app_limited(now, packets);
        let seq = self.ledger.on_sent(now, app_limited);
        let ecn = self.ecn.send();
        self.last = Some((now, packets));
        self.sent += 1;
        self.controller.on_sent(&Sent::new(now, seq, bytes).app_limited(app_limited));
        let seq = self.first + seq;
        let begins = payload.begins.map(|(captured, packets)| (captured, seq + packets));
        Outgoing::Data { seq, payload: payload.bytes, begins, path: self.path, ecn }
    }

    /// Advances the half-rate clock by a packet. Returns true if less than half of the rate has
    /// been used lately.
    #[inline(always)]
    fn is_app_limited(&mut self, now: Time, packets: f64) -> bool {
        let twice = Span::from_secs_f64(2.0 * packets / self.controller.rate());
        let limited = self.half < now;
        let oldest = Time::ZERO + now.since(Time::ZERO + USE_MEMORY);
        let newest = now.saturating_add(USE_MEMORY.max(twice));
        self.half = self.half.max(oldest).saturating_add(twice).min(newest);
        limited
    }

    #[inline]
    pub(super) fn offer_to_encoder(&mut self, now: Time) {
        if self.queue.encoder().is_none() {
            return;
        }
        let (rate, behind) = (self.controller.rate(), self.queue.is_behind());
        if behind || rate.to_bits() != self.offered.to_bits() {
            // An offer made for a backlog is void once the backlog is gone.
            self.offered = if behind { f64::NAN } else { rate };
            self.queue.offer(now, rate * f64::from(self.packet_bytes), self.header);
        }
    }

    /// The earliest time at which [`on_timer`](Self::on_timer) has something to do; [`Time::MAX`]
    /// if there is none.
    #[inline(always)]
    pub fn next_timer(&mut self, now: Time) -> Time {
        let mut next = self.controller.next_timeout().unwrap_or(Time::MAX);
        if now < self.start {
            return next.min(self.start);
        }
        if let Some(roaming) = &self.roaming {
            next = next.min(roaming.next());
        }
        if self.controller.sends_data() {
            let due = self.data_due();
            let ready = if self.queue.has_data(now) { due } else { self.queue.next_write(now) };
            next = next.min(ready.max(due));
        }
        // Frames are captured whether or not they may be sent, for example while a protocol probes
        // first.
        if self.queue.encoder().is_some() {
            self.queue.has_data(now);
            next = next.min(self.queue.next_write(now));
        }
        next.max(now)
    }

    /// A time named by [`next_timer`](Self::next_timer) has come.
    #[inline]
    pub fn on_timer(&mut self, now: Time) {
        if self.controller.next_timeout().is_some_and(|t| t <= now) {
            self.controller.on_tick(now);
        }
        self.offer_to_encoder(now);
    }

    /// The ACK that [`on_ack`](Self::on_ack) gets next tells which of its packet (bit 0) and the 31
    /// before it arrived marked, and whether its packet arrived with a clear field. Each ACK of a
    /// flow with ECN is to be brought here first, also one that tells of neither.
    #[inline]
    pub fn on_marks(&mut self, now: Time, seq: u64, marks: u32, clear: bool) {
        if self.ecn.is_used() {
            self.hear_marks(now, seq, marks, clear);
        }
    }

    #[inline(never)]
    fn hear_marks(&mut self, now: Time, seq: u64, marks: u32, clear: bool) {
        // Packets before the path in use are nobody's any more.
        if let Some(seq) = seq.checked_sub(self.first) {
            self.ecn.on_ack(now, seq, (marks & 1 == 1, clear));
            if marks != 0 {
                self.ledger.on_marks(seq, marks);
            }
        }
    }

    /// A packet was acknowledged. Returns the RTT sample. A packet that was sent before the sender
    /// began afresh on a new path says nothing of it, and is ignored.
    #[inline]
    pub fn on_ack(&mut self, now: Time, seq: u64, sent_at: Time, mask: u32) -> Option<Span> {
        let seq = seq.checked_sub(self.first)?;
        let rtt = self.ledger.on_ack(now, seq, sent_at, mask)?;
        self.give_feedback(now, Some((seq, sent_at)), Some(rtt), None);
        Some(rtt)
    }

    /// A receiver report arrived. Returns the RTT sample. A report of packets that were never sent
    /// is ignored, and one of packets that were all sent before the sender began afresh on a new
    /// path.
    pub fn on_report(&mut self, now: Time, report: &Report) -> Option<Span> {
        if report.highest >= self.sent {
            return None;
        }
        let report = &report.highest(report.highest.checked_sub(self.first)?);
        self.ecn.on_report(now, report);
        let rtt = self.ledger.on_report(now, report);
        self.give_feedback(now, Some((report.highest, report.echo)), rtt, Some(report));
        rtt
    }

    #[inline(always)]
    fn give_feedback(
        &mut self,
        now: Time,
        newest: Option<(u64, Time)>,
        rtt: Option<Span>,
        report: Option<&Report>,
    ) {
        self.controller.on_feedback(&self.ledger.feedback(now, newest, rtt, report));
        self.ledger.clear_feedback();
        self.offer_to_encoder(now);
    }

    /// A probe sent at `sent_at` was acknowledged, or a dummy of a handoff answered.
    pub fn on_probe_ack(&mut self, now: Time, number: u64, sent_at: Time) {
        if number >= self.probes {
            self.on_dummy_answer(now, number, sent_at);
        } else if let Some(number) = number.checked_sub(self.first_probe) {
            self.controller.on_probe_ack(&ProbeAck::new(now, number, now.since(sent_at)));
            self.offer_to_encoder(now);
        }
    }

    /// The link at the sender failed to carry a packet.
    pub fn on_link_failure(&mut self, seq: u64) {
        if let Some(seq) = seq.checked_sub(self.first) {
            self.ledger.on_link_failure(seq);
        }
    }

    /// A link report arrived from the wireless link at the sender.
    pub fn on_link_report(&mut self, now: Time, report: &LinkReport) {
        self.controller.on_link_report(now, report);
    }

    /// The sender changed networks. RTT estimates shift with the change of the link delay.
    pub fn on_handoff(&mut self, handoff: &Handoff) {
        if self.controller.listens() {
            self.ledger.shift_rtt(handoff.old_delay, handoff.new_delay);
        }
        self.controller.on_handoff(handoff);
    }

    /// A report on the wireless link at the receiver arrived.
    pub fn on_peer_link_report(&mut self, now: Time, report: &PeerLinkReport) {
        let Some(handoff) = accept_peer_report(&mut self.peer, now, report) else { return };
        if let Some(handoff) = handoff {
            self.controller.on_handoff(&handoff);
        }
        self.controller.on_peer_report(now, &report.link);
    }

    /// The rate controller.
    pub fn controller(&self) -> &dyn RateController {
        &*self.controller
    }

    /// RTT estimates and packets in flight.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The data to send.
    pub fn queue(&mut self) -> &mut Queue {
        &mut self.queue
    }

    /// Bytes of the probes and dummies sent, headers included.
    pub fn probe_bytes(&self) -> u64 {
        self.probe_bytes
    }

    /// Data packets sent.
    #[inline]
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// The path that data takes.
    pub fn path(&self) -> PathId {
        self.path
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

    /// Records the highest numbers of the feedback it receives.
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
    fn a_receiver_report_of_packets_never_sent_is_ignored() {
        let recorded = Arc::default();
        let app = App::new(&Source::Greedy, 1000, Time::ZERO, Stream::new(1, "app"));
        let queue = Queue::segments(app, 1000);
        let controller = Box::new(Recorder(Arc::clone(&recorded)));
        let mut sender = PacedSender::new(controller, queue, (1000, 40), Time::ZERO);
        for n in 0..10 {
            assert!(sender.poll_send(Time::from_millis(10 * n)).is_some());
        }
        for highest in [4, 10, u64::MAX, 9] {
            let echo = Time::from_millis(10);
            let report = Report::default().highest(highest).received(5).echo(echo);
            sender.on_report(Time::from_millis(200), &report);
        }
        assert_eq!(*recorded.lock().expect("one thread"), [4, 9]);
    }
}
