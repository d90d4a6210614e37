//! The packets that an agent has seen going onto the wireless link and that are not acknowledged
//! yet, and what is known of each.
//!
//! **What is lost.** The link keeps the order. Each transmission gets a number, and everything that
//! went onto the link before a transmission that is known to have arrived, and has not arrived
//! itself, is lost: no counting of duplicate ACKs, no threshold. This holds for copies as for
//! originals, so lost copies are found in the same way. An ACK shows an arrival by its number, by
//! its SACK blocks, and by the transmission that it echoes (RFC 7323), which works for receivers
//! without SACK too.

use std::collections::VecDeque;

use atl_core::time::Time;

use crate::packet::Packet;
use atl_endpoint::number::expand;
use atl_endpoint::options::SackBlocks;

/// Copies of a packet that an agent sends before it leaves the repair to the sender (as in ns-2).
pub(super) const MAX_TRIES: u32 = 10;

/// A packet that was seen.
#[derive(Clone, Copy, Debug)]
struct Slot {
    packet: Packet,
    /// Number of its latest transmission over the link.
    order: u64,
    /// When that was.
    at: Time,
    /// Copies sent.
    tries: u32,
    /// The sender itself has sent it again, so it knows of the hole.
    again: bool,
    /// The latest copy was sent without proof that the one before was lost, so an arrival does not
    /// tell which of the two it was.
    guessed: bool,
    arrived: bool,
}

impl Slot {
    fn missing(&self) -> bool {
        !self.arrived
    }

    /// A local copy is under way, and the sender must not learn of the hole.
    fn in_repair(&self, settled: u64) -> bool {
        self.missing() && self.tries > 0 && !self.again && self.order >= settled
    }
}

/// The packets of a flow from the first unacknowledged one, at most `window` of them.
#[derive(Debug)]
pub(super) struct Cache {
    window: usize,
    /// The first unacknowledged segment.
    base: u64,
    /// One past the highest segment seen.
    top: u64,
    /// Segment `base + i` at `i`.
    slots: VecDeque<Option<Slot>>,
    /// Number of the next transmission.
    order: u64,
    /// All transmissions below this have arrived or are lost.
    settled: u64,
}

impl Cache {
    pub(super) fn new(window: u32) -> Self {
        Cache {
            window: window as usize,
            base: 0,
            top: 0,
            slots: VecDeque::new(),
            order: 0,
            settled: 0,
        }
    }

    /// The first unacknowledged segment.
    pub(super) fn base(&self) -> u64 {
        self.base
    }

    /// The segment whose low half this is.
    pub(super) fn seq(&self, low: u32) -> u64 {
        expand(self.base, low)
    }

    /// Packets kept.
    pub(super) fn len(&self) -> usize {
        self.slots.iter().flatten().count()
    }

    fn slot(&self, seq: u64) -> Option<&Slot> {
        let index = usize::try_from(seq.checked_sub(self.base)?).ok()?;
        self.slots.get(index)?.as_ref()
    }

    fn slot_mut(&mut self, seq: u64) -> Option<&mut Slot> {
        let index = usize::try_from(seq.checked_sub(self.base)?).ok()?;
        self.slots.get_mut(index)?.as_mut()
    }

    fn next_order(&mut self) -> u64 {
        self.order += 1;
        self.order - 1
    }

    /// Keeps a packet that has just gone onto the link, if there is room for it.
    pub(super) fn keep(&mut self, now: Time, packet: &Packet) {
        let seq = self.seq(packet.seq);
        let again = seq < self.top;
        self.top = self.top.max(seq + 1);
        let order = self.next_order();
        let Some(index) = seq.checked_sub(self.base).and_then(|i| usize::try_from(i).ok()) else {
            return;
        };
        if index >= self.window {
            return;
        }
        if self.slots.len() <= index {
            self.slots.resize(index + 1, None);
        }
        let arrived = self.slots[index].is_some_and(|slot| slot.arrived);
        let packet = *packet;
        let slot = Slot { packet, order, at: now, tries: 0, again, guessed: false, arrived };
        self.slots[index] = Some(slot);
    }

    /// Leaves the repair of a segment to the sender.
    pub(super) fn forget(&mut self, seq: u64) {
        let index = seq.checked_sub(self.base).and_then(|i| usize::try_from(i).ok());
        if let Some(slot) = index.and_then(|i| self.slots.get_mut(i)) {
            *slot = None;
        }
    }

    /// The transmission of the sender that an ACK answers arrived; an ACK may answer none. Returns
    /// when it went onto the link, if that is certain: a packet with copies could have arrived as
    /// any of them.
    pub(super) fn echoed(&mut self, ack: &Packet) -> Option<Time> {
        if ack.sent_at == Time::MAX {
            return None;
        }
        let tx = ack.tx;
        let slot = self.slots.iter_mut().flatten().find(|slot| slot.packet.tx == tx)?;
        slot.arrived = true;
        if !slot.guessed {
            self.settled = self.settled.max(slot.order);
        }
        (slot.tries == 0).then_some(slot.at)
    }

    /// Everything below `ack` arrived.
    pub(super) fn acknowledge(&mut self, ack: u64) {
        while self.base < ack {
            match self.slots.pop_front() {
                Some(slot) => {
                    self.settle(slot);
                    self.base += 1;
                }
                None => self.base = ack,
            }
        }
        self.top = self.top.max(ack);
    }

    /// Marks what SACK blocks, relative to `ack`, show to have arrived.
    pub(super) fn select(&mut self, ack: u64, blocks: &SackBlocks) {
        let end = self.base + self.slots.len() as u64;
        for block in blocks.iter().filter(|block| block.len > 0) {
            let start = ack + u64::from(block.offset);
            for seq in start.max(self.base)..(start + u64::from(block.len)).min(end) {
                let at = (seq - self.base) as usize;
                let slot = self.slots[at];
                if slot.is_some_and(|slot| slot.missing()) {
                    self.settle(slot);
                    self.slots[at] = slot.map(|slot| Slot { arrived: true, ..slot });
                }
            }
        }
    }

    /// A packet arrived, by which transmission is not known: its latest, unless the sender or the
    /// timer sent it again without knowing it lost.
    fn settle(&mut self, slot: Option<Slot>) {
        if let Some(slot) = slot
            && slot.missing()
            && !slot.guessed
            && !slot.again
        {
            self.settled = self.settled.max(slot.order);
        }
    }

    /// Number of the latest transmission over the link of what the sender sent as `tx`; `None` if
    /// that is not kept, or if it could have been an earlier one.
    pub(super) fn order_of(&self, tx: u32) -> Option<u64> {
        let slot = self.slots.iter().flatten().find(|slot| slot.packet.tx == tx)?;
        (!slot.guessed).then_some(slot.order)
    }

    /// All transmissions below this have arrived or are lost.
    pub(super) fn settled(&self) -> u64 {
        self.settled
    }

    /// True if this segment is missing and its latest transmission is before `order`.
    pub(super) fn missing_before(&self, seq: u64, order: u64) -> bool {
        self.slot(seq).is_some_and(|slot| slot.missing() && slot.order < order)
    }

    /// The first segment whose latest transmission is lost, from `from` on.
    pub(super) fn next_lost(&self, from: u64) -> Option<u64> {
        (from.max(self.base)..self.base + self.slots.len() as u64)
            .find(|&seq| self.missing_before(seq, self.settled))
    }

    /// True if this segment is kept and not known to have arrived.
    pub(super) fn missing(&self, seq: u64) -> bool {
        self.slot(seq).is_some_and(Slot::missing)
    }

    /// True if this segment is being repaired, and its sender must not learn of it.
    pub(super) fn in_repair(&self, seq: u64) -> bool {
        self.slot(seq).is_some_and(|slot| slot.in_repair(self.settled))
    }

    /// A copy of this segment to send now; `guessed`: without proof that the last one was lost.
    /// `None` if it is not kept, or after too many copies: the sender then repairs it.
    pub(super) fn copy(&mut self, now: Time, seq: u64, guessed: bool) -> Option<Packet> {
        if self.slot(seq)?.tries >= MAX_TRIES {
            self.forget(seq);
            return None;
        }
        let order = self.next_order();
        let slot = self.slot_mut(seq)?;
        slot.tries += 1;
        slot.order = order;
        slot.at = now;
        slot.guessed = guessed;
        Some(slot.packet)
    }

    /// Removes from an ACK's SACK blocks what lies above the first hole that is being repaired: the
    /// sender would take that hole for a loss.
    pub(super) fn hide(&self, ack: u64, blocks: &mut SackBlocks) {
        if blocks[0].len == 0 {
            return;
        }
        let repairing = |s: &Option<Slot>| s.is_some_and(|s| s.in_repair(self.settled));
        let Some(hole) = self.slots.iter().position(repairing) else {
            return;
        };
        let limit = (self.base + hole as u64).saturating_sub(ack);
        for block in blocks.iter_mut() {
            let room = limit.saturating_sub(u64::from(block.offset));
            block.len = block.len.min(u32::try_from(room).unwrap_or(u32::MAX));
        }
        // The remaining blocks move to the front, in order.
        blocks.sort_by_key(|block| block.len == 0);
    }
}
