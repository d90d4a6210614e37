//! In the link layer of a wireless source: the half that repairs what the access point requests.

use std::collections::VecDeque;

use atl_core::time::Time;
use atl_engine::setup::Snoop;

use super::cache::Cache;
use super::verdict::Verdict;
use super::watcher::Request;
use crate::packet::Packet;
use atl_endpoint::options::SackBlocks;

/// Keeps the data that a mobile source has sent over its wireless link, and resends what the access
/// point misses, unnoticed by the TCP above.
#[derive(Debug)]
pub struct Mobile {
    cache: Cache,
    /// All transmissions below this have reached the access point or are lost on the link.
    crossed: u64,
    /// Copies to send.
    out: VecDeque<Packet>,
}

impl Mobile {
    /// A link layer that has sent nothing of the flow yet.
    pub fn new(config: &Snoop) -> Self {
        Mobile { cache: Cache::new(config.window), crossed: 0, out: VecDeque::new() }
    }

    /// Data went onto the wireless link. Do not report what the interface's queue drops: congestion
    /// is left to the sender.
    pub fn on_data(&mut self, now: Time, packet: &Packet) {
        self.cache.keep(now, packet);
    }

    /// An ACK came over the wireless link. Returns whether TCP gets it, and removes the SACK blocks
    /// that must not reach TCP. A repaired packet that the receiver still misses when it has what
    /// was sent after the copy was lost beyond the access point: congestion, which the sender must
    /// learn of.
    pub fn on_ack(&mut self, packet: &Packet, blocks: &mut SackBlocks) -> Verdict {
        let ack = self.cache.seq(packet.seq);
        if ack < self.cache.base() {
            return Verdict::Pass;
        }
        let progress = ack > self.cache.base();
        self.cache.echoed(packet);
        self.cache.acknowledge(ack);
        self.cache.select(ack, blocks);
        let answered = !progress && self.cache.in_repair(ack);
        self.cache.hide(ack, blocks);
        if answered { Verdict::Suppress } else { Verdict::Pass }
    }

    /// The access point misses packets. What may still arrive is left alone: only what went onto
    /// the link before the newest packet that it got is lost. Ask for copies afterwards.
    pub fn on_request(&mut self, now: Time, request: &Request) {
        let newest = self.cache.order_of(request.newest_tx).unwrap_or(0);
        self.crossed = self.crossed.max(newest).max(self.cache.settled());
        let crossed = if request.urgent { u64::MAX } else { self.crossed };
        for &seq in &request.missing {
            if self.cache.missing_before(seq, crossed) {
                self.out.extend(self.cache.copy(now, seq, request.urgent));
            }
        }
    }

    /// A copy to send over the wireless link now, if any.
    pub fn poll_copy(&mut self) -> Option<Packet> {
        self.out.pop_front()
    }

    /// The interface's queue dropped a copy: congestion, which is left to the sender.
    pub fn on_refused(&mut self, copy: &Packet) {
        self.cache.forget(self.cache.seq(copy.seq));
    }

    /// Packets kept, at most [`Snoop::window`].
    pub fn kept(&self) -> usize {
        self.cache.len()
    }
}
