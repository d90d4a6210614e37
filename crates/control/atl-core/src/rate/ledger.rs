//! The fate of each data packet of a paced flow, by the receiver's feedback.
//!
//! - ACKs name a packet and, by a mask, the arrivals among the 32 before it, so that the loss of an
//!   ACK is not taken for the loss of a packet. A packet is lost when one at least three numbers
//!   above it has arrived (RFC 5348, sec. 5.1: `NDUPACK`).
//! - Reports give totals and do not name the lost packets. The packets that the sender's own MAC
//!   marked are taken first, and the rest of the count is spread evenly over the others (chosen; it
//!   decides where loss events begin, not how many packets are lost).
//! - Marks (ECN) are told of each packet by ACKs (as in RFC 8888), in total by reports (RFC 6679,
//!   sec. 5.1). Those of a report are spread evenly over the packets that arrived (chosen). A
//!   marked packet is a loss that is [`marked`](Lost::marked), and not delivered besides.
//!
//! Memory is bounded: the ledger keeps at most [`MOST_IN_FLIGHT`] packets in flight, beyond which
//! the oldest counts as lost, and as many losses that no feedback has reported yet.

use std::collections::VecDeque;

use super::{Feedback, Lost, Report};
use crate::measure::{RttConfig, RttEstimator};
use crate::time::{Span, Time};

/// A packet is lost once a packet at least this many numbers above it has arrived.
const REORDERING: u64 = 3;

/// Maximum number of packets in flight.
pub(super) const MOST_IN_FLIGHT: usize = 1 << 16;

#[derive(Clone, Copy, Debug)]
struct Entry {
    sent_at: Time,
    arrived: bool,
    link_failure: bool,
    /// It arrived with a mark, as a report tells.
    marked: bool,
}

/// The packets in flight, and their news since the last feedback.
#[derive(Clone, Debug)]
pub struct Ledger {
    entries: VecDeque<Entry>,
    /// Number of the first entry.
    base: u64,
    rtt: RttEstimator,
    losses: Vec<Lost>,
    delivered: u32,
    rate_limited: bool,
    /// `received` and `marked` of the last report.
    received: u64,
    marked: u64,
}

impl Default for Ledger {
    fn default() -> Self {
        Self::new()
    }
}

impl Ledger {
    /// A ledger of a flow that has sent nothing yet.
    pub fn new() -> Self {
        Ledger {
            entries: VecDeque::new(),
            base: 0,
            rtt: RttEstimator::new(RttConfig::default()),
            losses: Vec::new(),
            delivered: 0,
            rate_limited: true,
            received: 0,
            marked: 0,
        }
    }

    /// Starts with a round-trip time that is known before any packet was sent.
    #[must_use]
    pub fn with_rtt(mut self, rtt: Span) -> Self {
        self.rtt.on_sample(rtt);
        self
    }

    /// Notes that the next data packet leaves. Returns its number.
    #[inline]
    pub fn on_sent(&mut self, now: Time, app_limited: bool) -> u64 {
        self.rate_limited &= !app_limited;
        if self.entries.len() >= MOST_IN_FLIGHT {
            self.resolve(self.base + 1);
        }
        let (arrived, link_failure, marked) = (false, false, false);
        self.entries.push_back(Entry { sent_at: now, arrived, link_failure, marked });
        self.base + self.entries.len() as u64 - 1
    }

    /// Notes that the sender's own MAC gave up a packet.
    pub fn on_link_failure(&mut self, seq: u64) {
        if let Some(entry) = self.entry(seq) {
            entry.link_failure = true;
        }
    }

    fn entry(&mut self, seq: u64) -> Option<&mut Entry> {
        let index = usize::try_from(seq.checked_sub(self.base)?).ok()?;
        self.entries.get_mut(index)
    }

    /// Notes that a packet has arrived.
    #[inline]
    fn arrive(&mut self, seq: u64) {
        if let Some(entry) = self.entry(seq)
            && !entry.arrived
        {
            entry.arrived = true;
            self.delivered += 1;
        }
    }

    /// Resolves all packets below `until`: those that have not arrived are lost.
    #[inline(always)]
    fn resolve(&mut self, until: u64) {
        while self.base < until
            && let Some(entry) = self.entries.pop_front()
        {
            if (!entry.arrived || entry.marked) && self.losses.len() < MOST_IN_FLIGHT {
                let Entry { sent_at, link_failure, marked, .. } = entry;
                self.losses.push(Lost { seq: self.base, sent_at, link_failure, marked });
            }
            self.base += 1;
        }
    }

    /// Notes the marks that an ACK of `seq` tells, right before [`on_ack`](Self::on_ack): bit 0 of
    /// `marks` for `seq` itself, the others for the packets before it. What has been counted
    /// before, and a number that was never sent, change nothing.
    pub fn on_marks(&mut self, seq: u64, marks: u32) {
        let mut rest = marks;
        while rest != 0 {
            if let Some(seq) = seq.checked_sub(rest.trailing_zeros().into())
                && let Some(entry) = self.entry(seq)
                && !std::mem::replace(&mut entry.arrived, true)
            {
                let lost = Lost::new(seq, entry.sent_at).marked(true);
                if self.losses.len() < MOST_IN_FLIGHT {
                    self.losses.push(lost);
                }
            }
            rest &= rest - 1;
        }
    }

    /// The receiver acknowledged `seq`, sent at `sent_at`. The bits of `mask` show arrivals among
    /// the 32 packets before it: bit 0 is `seq - 1`. Returns the round-trip time, or `None` for a
    /// number that was never sent, which changes nothing.
    #[inline]
    pub fn on_ack(&mut self, now: Time, seq: u64, sent_at: Time, mask: u32) -> Option<Span> {
        if seq >= self.base + self.entries.len() as u64 {
            return None;
        }
        self.arrive(seq);
        // Only packets still in flight matter, and before `seq` there are usually none.
        let open = seq.saturating_sub(self.base).min(32);
        let mut rest = mask & ((1_u64 << open) - 1) as u32;
        while rest != 0 {
            self.arrive(seq - 1 - u64::from(rest.trailing_zeros()));
            rest &= rest - 1;
        }
        let rtt = now.since(sent_at);
        // An RTT of zero is impossible: no packet was sent at the echoed time.
        if !rtt.is_zero() {
            let in_flight = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
            self.rtt.on_one_sample_of(rtt, in_flight / 2);
        }
        // All that an arrival above shows was resolved when that came.
        self.resolve((seq + 1).saturating_sub(REORDERING));
        // Packets above may have arrived already: they are resolved too.
        while self.entries.front().is_some_and(|entry| entry.arrived) {
            self.entries.pop_front();
            self.base += 1;
        }
        // Marks that the ACK told came before the losses below them.
        self.losses.sort_unstable_by_key(|lost| lost.seq);
        Some(rtt)
    }

    /// A report of the receiver arrived. Returns the round-trip time. A report older than an
    /// earlier one gives nothing else, and a report on packets that were never sent gives nothing
    /// at all.
    pub fn on_report(&mut self, now: Time, report: &Report) -> Option<Span> {
        let end = report.highest.saturating_add(1);
        if report.received == 0 || end > self.base + self.entries.len() as u64 {
            return None;
        }
        let rtt = now.since(report.echo).saturating_sub(report.held);
        let rtt = (!rtt.is_zero()).then_some(rtt);
        if let Some(rtt) = rtt {
            self.rtt.on_sample(rtt);
        }
        if end <= self.base {
            // Late packets and duplicates must not hide losses among the packets of a later report
            // (RFC 3550, A.3: the losses of an interval are never negative).
            if end == self.base {
                self.received = self.received.max(report.received);
                self.marked = self.marked.max(report.marked);
            }
            return rtt;
        }
        let reported = end - self.base;
        // A receiver that counts less than before has restarted.
        let again = report.received < self.received;
        let (since, marked) = if again { (0, 0) } else { (self.received, self.marked) };
        let got = (report.received - since).min(reported);
        let marks = report.marked.saturating_sub(marked).min(got);
        (self.received, self.marked) = (report.received, report.marked);
        self.spread(reported, reported - got, marks);
        self.resolve(end);
        rtt
    }

    /// Takes `lost` of the next `reported` packets for lost: those that the MAC gave up first, then
    /// others at even distances. Of those that arrived, `marks` are marked, also at even distances.
    fn spread(&mut self, reported: u64, lost: u64, marks: u64) {
        let stretch = self.entries.iter_mut().take(usize::try_from(reported).unwrap_or(usize::MAX));
        let failed = stretch.filter(|entry| entry.link_failure).count() as u64;
        let (others, open) = (lost.saturating_sub(failed), reported - failed);
        let mut failed_left = failed.min(lost);
        let (mut i, mut arrivals, arrived) = (0, 0, reported - lost);
        // True `share` times in `of` steps.
        let evenly = |step: u64, share: u64, of: u64| (step + 1) * share / of > step * share / of;
        for entry in self.entries.iter_mut().take(usize::try_from(reported).unwrap_or(usize::MAX)) {
            let is_lost = if entry.link_failure {
                let is_lost = failed_left > 0;
                failed_left -= u64::from(is_lost);
                is_lost
            } else {
                i += 1;
                evenly(i - 1, others, open)
            };
            if !is_lost && !entry.arrived {
                entry.arrived = true;
                entry.link_failure = false;
                entry.marked = evenly(arrivals, marks, arrived);
                arrivals += 1;
                self.delivered += u32::from(!entry.marked);
            }
        }
    }

    /// The news since the last [`clear_feedback`](Self::clear_feedback), for the controller.
    #[inline]
    pub fn feedback<'a>(
        &'a self,
        now: Time,
        newest: Option<(u64, Time)>,
        rtt: Option<Span>,
        report: Option<&'a Report>,
    ) -> Feedback<'a> {
        Feedback {
            now,
            delivered: self.delivered,
            losses: &self.losses,
            newest,
            rtt,
            srtt: self.rtt.srtt().unwrap_or_default(),
            rtt_min: self.rtt.min().unwrap_or_default(),
            in_flight: self.in_flight(),
            rate_limited: self.rate_limited,
            report,
        }
    }

    /// Clears the news after the controller has received the [`feedback`](Self::feedback).
    #[inline]
    pub fn clear_feedback(&mut self) {
        self.delivered = 0;
        self.losses.clear();
        self.rate_limited = true;
    }

    /// Packets in flight, and arrivals above one in flight.
    #[inline]
    pub fn in_flight(&self) -> u32 {
        u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
    }

    /// The RTT estimates: each ACK and each report gives a sample.
    pub fn rtt(&self) -> &RttEstimator {
        &self.rtt
    }

    /// Shifts the RTT after the sender changed networks, and with it the delay of its wireless
    /// link.
    pub fn shift_rtt(&mut self, old_delay: Span, new_delay: Span) {
        self.rtt.shift(old_delay, new_delay);
    }
}

#[cfg(test)]
mod tests;
