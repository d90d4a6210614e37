//! A sender reduced to the book that it keeps of its packets. Each transmission carries new data,
//! so that repairs take no time and every controller sees the same events.

use std::collections::{BTreeSet, VecDeque};

use atl_core::path::Handoff;
use atl_core::time::{Span, Time};
use atl_core::window::{
    Ack, Arrived, Detection, Loss, Marked, Quench, ReceiverHalf, Sent, Timeout, WindowController,
};

use super::print::Print;
use super::{Course, News, PACKET, report, time};

/// Transmissions later than a packet whose arrival shows that it is lost.
const THRESHOLD: u64 = 3;
/// The receiver's window in packets.
pub(super) const RECEIVE_WINDOW: u32 = 5000;

#[derive(Clone, Copy, Debug)]
struct Entry {
    tx: u64,
    sent: Time,
    /// The MAC gave it up.
    failed: bool,
}

/// A packet that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Data {
    pub(super) tx: u64,
    pub(super) sent: u64,
    pub(super) marked: bool,
}

pub(super) struct Flow {
    pub(super) controller: Box<dyn WindowController>,
    pub(super) receiver: Option<Box<dyn ReceiverHalf>>,
    pub(super) print: Print,
    /// When it begins and ends, in nanoseconds.
    pub(super) lasts: (u64, u64),
    /// Packets that have arrived and wait for an ACK, and the number of ACKs so far.
    pub(super) held: Vec<Data>,
    pub(super) acks: u64,
    expected: u64,
    outstanding: VecDeque<Entry>,
    pub(super) next_tx: u64,
    pub(super) repeats: u64,
    srtt: Span,
    rtt_min: Span,
    progress: u64,
    backed_off: u32,
    /// The first transmission after the last reduction, for losses and for marks.
    recovery: u64,
    marked: u64,
    recovering: bool,
    /// Those of the last episode that have not arrived after all.
    missing: BTreeSet<u64>,
    pub(super) limited: bool,
}

impl Flow {
    pub(super) fn new(
        controller: Box<dyn WindowController>,
        receiver: Option<Box<dyn ReceiverHalf>>,
        lasts_ms: (u64, u64),
    ) -> Self {
        Flow {
            controller,
            receiver,
            print: Print::new(),
            lasts: (lasts_ms.0 * 1_000_000, lasts_ms.1 * 1_000_000),
            held: Vec::new(),
            acks: 0,
            expected: 0,
            outstanding: VecDeque::new(),
            next_tx: 0,
            repeats: 0,
            srtt: Span::ZERO,
            rtt_min: Span::MAX,
            progress: 0,
            backed_off: 0,
            recovery: 0,
            marked: 0,
            recovering: false,
            missing: BTreeSet::new(),
            limited: false,
        }
    }

    pub(super) fn has_room(&self) -> bool {
        let window = self.controller.window();
        assert!(window.is_finite() && window >= 1.0, "cwnd {window}");
        (self.outstanding.len() + 1) as f64 <= window.min(f64::from(RECEIVE_WINDOW))
    }

    /// When the retransmission timer expires.
    pub(super) fn timer(&self) -> u64 {
        if self.outstanding.is_empty() {
            return u64::MAX;
        }
        let least = Span::from_millis(if self.srtt.is_zero() { 1000 } else { 300 });
        let rto = least.max(self.srtt * 3) * (1 << self.backed_off.min(6));
        self.progress + rto.nanos()
    }

    fn in_flight(&self) -> u32 {
        self.outstanding.len() as u32
    }

    pub(super) fn note(&mut self) {
        self.print.note(&*self.controller);
    }

    pub(super) fn send(&mut self, now: u64, app_limited: bool) -> u64 {
        let tx = self.next_tx;
        self.next_tx += 1;
        if self.outstanding.is_empty() {
            self.progress = now;
        }
        self.outstanding.push_back(Entry { tx, sent: time(now), failed: false });
        let sent = Sent::new(time(now), tx, PACKET, self.in_flight()).app_limited(app_limited);
        self.controller.on_sent(&sent.retransmission(self.repeats > 0));
        self.repeats = self.repeats.saturating_sub(1);
        tx
    }

    pub(super) fn fails(&mut self, tx: u64) {
        if let Ok(at) = self.outstanding.binary_search_by_key(&tx, |entry| entry.tx) {
            self.outstanding[at].failed = true;
        }
    }

    /// A packet is at the receiver. True if an ACK is due at once.
    pub(super) fn arrive(&mut self, now: u64, data: Data, every: usize) -> bool {
        if let Some(receiver) = &mut self.receiver {
            receiver.on_data(&Arrived::new(time(now), data.tx, time(data.sent), PACKET));
        }
        let in_order = data.tx == self.expected;
        self.expected = self.expected.max(data.tx + 1);
        self.held.push(data);
        self.held.len() >= every || !in_order
    }

    /// An ACK for all that the receiver holds.
    pub(super) fn acknowledge(&mut self, now: u64) {
        self.acks += 1;
        let held = std::mem::take(&mut self.held);
        let Some(newest) = held.iter().max_by_key(|data| data.tx) else { return };
        let first = self.outstanding.front().map(|entry| entry.tx);
        let (mut delivered, mut timed, mut late) = (0, false, false);
        for data in &held {
            if let Ok(at) = self.outstanding.binary_search_by_key(&data.tx, |entry| entry.tx) {
                self.outstanding.remove(at);
                timed |= data.tx == newest.tx;
                delivered += 1;
            } else if self.missing.remove(&data.tx) {
                delivered += 1;
                late = true;
            }
        }
        self.print.delivered += u64::from(delivered);
        let moved = self.outstanding.front().map(|entry| entry.tx) != first;
        let rtt = time(now).since(time(newest.sent));
        if timed {
            let srtt = self.srtt.mul_f64(0.875) + rtt.mul_f64(0.125);
            self.srtt = if self.srtt.is_zero() { rtt } else { srtt };
            self.rtt_min = self.rtt_min.min(rtt);
        }
        if delivered > 0 {
            self.progress = now;
            self.backed_off = 0;
        }
        if let Some(rate) = self.receiver.as_ref().and_then(|receiver| receiver.rate()) {
            self.controller.on_peer_rate(time(now), rate);
        }
        let in_recovery = self.recovering;
        let left = self.outstanding.front().map_or(self.next_tx, |entry| entry.tx);
        if self.recovering && left >= self.recovery {
            self.recovering = false;
            self.controller.on_recovered(time(now));
        }
        let ack = Ack::new(time(now))
            .delivered(delivered)
            .cumulative(if moved { delivered } else { 0 })
            .duplicate(!moved)
            .newest(Some((newest.tx, time(newest.sent))))
            .rtt(timed.then_some(rtt))
            .srtt(self.srtt)
            .rtt_min(if self.rtt_min == Span::MAX { Span::ZERO } else { self.rtt_min })
            .in_flight(self.in_flight())
            .in_recovery(in_recovery)
            .window_limited(std::mem::take(&mut self.limited));
        self.controller.on_ack(&ack);
        self.note();
        self.find_losses(now, newest.tx);
        let marked = held.iter().filter(|data| data.marked).count() as u32;
        if marked > 0 {
            self.mark(now, newest.tx, marked);
        }
        if late && self.missing.is_empty() {
            self.controller.on_spurious(time(now));
            self.note();
        }
    }

    /// Packets in a row that are lost are one event.
    fn find_losses(&mut self, now: u64, newest: u64) {
        while let Some(&entry) = self.outstanding.front()
            && entry.tx + THRESHOLD <= newest
        {
            let in_flight = self.in_flight();
            let (mut last, mut packets, mut failed) = (entry.tx, 0, 0);
            while let Some(&entry) = self.outstanding.front()
                && entry.tx == last + u64::from(packets.min(1))
                && entry.tx + THRESHOLD <= newest
            {
                self.outstanding.pop_front();
                last = entry.tx;
                packets += 1;
                failed += u32::from(entry.failed);
            }
            let loss = Loss::new(time(now), last, packets * PACKET, in_flight);
            self.lose(loss.packets(packets).link_failures(failed));
        }
    }

    fn lose(&mut self, loss: Loss) {
        let new_episode = loss.tx >= self.recovery;
        if new_episode {
            self.recovery = self.next_tx;
            self.recovering = true;
            self.missing.clear();
        }
        self.missing.extend(loss.tx + 1 - u64::from(loss.packets)..=loss.tx);
        self.print.lost += u64::from(loss.packets);
        self.repeats += u64::from(loss.packets);
        self.controller.on_loss(&loss.new_episode(new_episode));
        self.note();
    }

    fn mark(&mut self, now: u64, newest: u64, packets: u32) {
        let new_episode = newest >= self.marked.max(self.recovery);
        if new_episode {
            self.marked = self.next_tx;
        }
        let marked = Marked::new(time(now), newest, self.in_flight());
        let bytes = u64::from(packets * PACKET);
        self.controller.on_marked(&marked.packets(packets).bytes(bytes).new_episode(new_episode));
        self.note();
    }

    pub(super) fn expire(&mut self, now: u64) {
        let in_flight = self.in_flight();
        self.backed_off += 1;
        self.progress = now;
        self.print.timeouts += 1;
        let failed = self.outstanding.iter().filter(|entry| entry.failed).count() as u32;
        let all: Vec<u64> = self.outstanding.drain(..).map(|entry| entry.tx).collect();
        let last = *all.last().expect("it runs while packets are out");
        let loss = Loss::new(time(now), last, in_flight * PACKET, in_flight);
        self.lose(loss.packets(in_flight).link_failures(failed).detection(Detection::Timeout));
        self.recovering = false;
        let timeout = Timeout::new(time(now), in_flight).consecutive(self.backed_off);
        self.controller.on_timeout(&timeout);
        self.note();
    }

    pub(super) fn hear(&mut self, now: u64, news: News) {
        let at = time(now);
        match news {
            News::Own(ppm, ms) => self.controller.on_link_report(at, &report(ppm, ms)),
            News::Peer(ppm, ms) => self.controller.on_peer_report(at, &report(ppm, ms)),
            News::Quench => self.controller.on_quench(&Quench::new(at, self.in_flight())),
            News::Moves(end, old, new) => {
                let (old, new) = (Span::from_millis(old), Span::from_millis(new));
                self.controller.on_handoff(&Handoff::new(at, end, old, new));
            }
        }
        self.note();
    }

    /// True if the application has a packet to send, which is one of few if the second is.
    pub(super) fn wants(&self, now: u64, course: &Course) -> (bool, bool) {
        if now < self.lasts.0 || now >= self.lasts.1 {
            return (false, false);
        }
        let Some((greedy, rest, gap)) = course.app else { return (true, false) };
        let phase = now / 1_000_000 % (greedy + rest);
        if phase < greedy {
            return (true, false);
        }
        let last = self.outstanding.back().map_or(0, |entry| entry.sent.nanos());
        (now >= last + gap * 1_000_000, true)
    }
}
