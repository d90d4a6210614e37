//! At the access point of a wireless source: finds what the link has lost, and requests it.

use std::collections::VecDeque;

use atl_core::time::{Span, Time};
use atl_engine::setup::Snoop;

use super::cache::MAX_TRIES;
use super::timer::Timer;
use crate::packet::Packet;
use atl_endpoint::number::expand;

/// A request of the access point to the mobile: a negative acknowledgment. Each one lists
/// everything that is missing, so that losing one does no harm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Number of the latest transmission that came over the wireless link (its low half): what went
    /// onto the link before it and is missing is lost.
    pub newest_tx: u32,
    /// The missing segments, in order.
    pub missing: Vec<u64>,
    /// Nothing has arrived for a whole timeout: all of them are lost, however late they were sent.
    pub urgent: bool,
}

/// A segment that has not arrived.
#[derive(Clone, Copy, Debug)]
struct Missing {
    seq: u64,
    /// When it was first requested.
    since: Time,
}

/// Watches the data of a flow that comes from a mobile source. The wireless link keeps the order,
/// so a gap is a loss at once: on the link, or in the mobile's own queue, which the mobile can tell
/// apart.
#[derive(Debug)]
pub struct Watcher {
    window: usize,
    /// One past the highest segment that has arrived.
    next: u64,
    /// Segments before it that have not arrived, in order, at most `window`.
    missing: VecDeque<Missing>,
    newest_tx: u32,
    timer: Timer,
    /// Timeouts since the last arrival.
    timeouts: u32,
    /// Requests under way, by number, in order.
    asked: VecDeque<(u32, Request)>,
    number: u32,
}

impl Watcher {
    /// An agent that has seen nothing of the flow yet.
    pub fn new(config: &Snoop) -> Self {
        Watcher {
            window: config.window as usize,
            next: 0,
            missing: VecDeque::new(),
            newest_tx: 0,
            timer: Timer::new(config.min_timeout),
            timeouts: 0,
            asked: VecDeque::new(),
            number: 0,
        }
    }

    /// Data came over the wireless link. Returns the number of a request to send to the mobile: one
    /// for each packet that arrives while another is missing.
    pub fn on_data(&mut self, now: Time, packet: &Packet) -> Option<u32> {
        let seq = expand(self.next, packet.seq);
        if seq >= self.next {
            let room = self.window.saturating_sub(self.missing.len());
            let gap = (self.next..seq).take(room);
            self.missing.extend(gap.map(|seq| Missing { seq, since: now }));
            self.next = seq + 1;
        } else if let Ok(at) = self.missing.binary_search_by_key(&seq, |m| m.seq) {
            // Requested exactly once, and not urgently: this is the time that a repair takes.
            if self.timeouts == 0
                && let Some(found) = self.missing.get(at)
            {
                self.timer.on_sample(now.since(found.since).max(Span::from_nanos(1)));
            }
            self.missing.remove(at);
        }
        self.newest_tx = packet.tx;
        self.timeouts = 0;
        self.timer.on_progress();
        self.rearm(now);
        (!self.missing.is_empty()).then(|| self.ask(false))
    }

    /// An ACK passes on its way to the mobile: what it covers is no longer missing.
    pub fn on_ack(&mut self, now: Time, packet: &Packet) {
        let ack = expand(self.next, packet.seq);
        while self.missing.front().is_some_and(|m| m.seq < ack) {
            self.missing.pop_front();
        }
        if self.missing.is_empty() {
            self.rearm(now);
        }
    }

    /// When [`on_timer`](Self::on_timer) has something to do; [`Time::MAX`]: never.
    pub fn next_timer(&self) -> Time {
        self.timer.due()
    }

    /// The timer may have expired: returns the number of a request to send to the mobile.
    pub fn on_timer(&mut self, now: Time) -> Option<u32> {
        if now < self.timer.due() {
            return None;
        }
        self.timer.back_off();
        self.timeouts += 1;
        if self.timeouts > MAX_TRIES {
            self.missing.clear();
        }
        self.rearm(now);
        (!self.missing.is_empty()).then(|| self.ask(true))
    }

    /// The request of this number, at the mobile. Those before it were lost on the way.
    pub fn take_request(&mut self, number: u32) -> Option<Request> {
        while let Some(&(first, _)) = self.asked.front() {
            if number.wrapping_sub(first).cast_signed() < 0 {
                return None;
            }
            let (_, request) = self.asked.pop_front()?;
            if first == number {
                return Some(request);
            }
        }
        None
    }

    /// Missing segments that it tracks, at most [`Snoop::window`].
    pub fn missing(&self) -> usize {
        self.missing.len()
    }

    fn ask(&mut self, urgent: bool) -> u32 {
        // A mobile that receives none of them for this long is gone.
        if self.asked.len() >= self.window.max(1) {
            self.asked.pop_front();
        }
        let number = self.number;
        self.number = number.wrapping_add(1);
        let missing = self.missing.iter().map(|m| m.seq).collect();
        self.asked.push_back((number, Request { newest_tx: self.newest_tx, missing, urgent }));
        number
    }

    fn rearm(&mut self, now: Time) {
        self.timer.restart(now, !self.missing.is_empty());
    }
}
