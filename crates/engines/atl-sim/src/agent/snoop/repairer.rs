//! At the access point of a wireless receiver: the case that Snoop was designed for.

use std::collections::VecDeque;

use atl_core::time::Time;
use atl_engine::setup::Snoop;

use super::cache::Cache;
use super::timer::Timer;
use super::verdict::Verdict;
use crate::packet::Packet;
use atl_endpoint::options::SackBlocks;

/// Keeps the data of a flow that passes to a mobile receiver, and repairs losses of the wireless
/// link from it.
#[derive(Debug)]
pub struct Repairer {
    cache: Cache,
    timer: Timer,
    /// Copies to send.
    out: VecDeque<Packet>,
}

impl Repairer {
    /// An agent that has seen nothing of the flow yet.
    pub fn new(config: &Snoop) -> Self {
        Repairer {
            cache: Cache::new(config.window),
            timer: Timer::new(config.min_timeout),
            out: VecDeque::new(),
        }
    }

    /// Data went onto the wireless link. Do not report what its queue drops: congestion is left to
    /// the sender.
    pub fn on_data(&mut self, now: Time, packet: &Packet) {
        self.cache.keep(now, packet);
        if self.timer.due() == Time::MAX {
            self.rearm(now);
        }
    }

    /// An ACK came from the mobile. Returns whether it passes, and removes the SACK blocks that
    /// must not reach the sender. Ask for copies afterwards.
    pub fn on_ack(&mut self, now: Time, packet: &Packet, blocks: &mut SackBlocks) -> Verdict {
        let ack = self.cache.seq(packet.seq);
        if ack < self.cache.base() {
            return Verdict::Pass;
        }
        let progress = ack > self.cache.base();
        if let Some(at) = self.cache.echoed(packet) {
            self.timer.on_sample(now.since(at));
        }
        self.cache.acknowledge(ack);
        self.cache.select(ack, blocks);
        let first = self.repair_lost(now);
        if progress {
            self.timer.on_progress();
        }
        if progress || first {
            self.rearm(now);
        }
        let answered = !progress && self.cache.in_repair(ack);
        self.cache.hide(ack, blocks);
        if answered { Verdict::Suppress } else { Verdict::Pass }
    }

    /// Resends what is known to be lost. True if that includes the first missing packet.
    fn repair_lost(&mut self, now: Time) -> bool {
        let base = self.cache.base();
        let mut from = base;
        let mut first = false;
        while let Some(seq) = self.cache.next_lost(from) {
            first |= seq == base;
            self.out.extend(self.cache.copy(now, seq, false));
            from = seq + 1;
        }
        first
    }

    /// A copy to send over the wireless link now, if any.
    pub fn poll_copy(&mut self) -> Option<Packet> {
        self.out.pop_front()
    }

    /// The link's queue dropped a copy: congestion, which is left to the sender.
    pub fn on_refused(&mut self, copy: &Packet) {
        self.cache.forget(self.cache.seq(copy.seq));
    }

    /// When [`on_timer`](Self::on_timer) has something to do; [`Time::MAX`]: never.
    pub fn next_timer(&self) -> Time {
        self.timer.due()
    }

    /// The timer may have expired: the first missing packet is sent again.
    pub fn on_timer(&mut self, now: Time) {
        if now < self.timer.due() {
            return;
        }
        self.timer.back_off();
        self.out.extend(self.cache.copy(now, self.cache.base(), true));
        self.rearm(now);
    }

    /// Packets kept, at most [`Snoop::window`].
    pub fn kept(&self) -> usize {
        self.cache.len()
    }

    fn rearm(&mut self, now: Time) {
        self.timer.restart(now, self.cache.missing(self.cache.base()));
    }
}
