//! A discipline of others in a link: it sees a [`Queued`] for each packet that is kept here.

use core::fmt;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;

use crate::discipline::QueueDiscipline;
use crate::ecn::Ecn;
use crate::packet::Packet;
use crate::queued::Queued;

/// A discipline of others and the packets that wait in it.
pub(super) struct Custom<P> {
    discipline: Box<dyn QueueDiscipline + Send>,
    packets: Slots<P>,
    /// Dropped by the call under way.
    dropped: Vec<Queued>,
    marked: u64,
}

impl<P> Custom<P> {
    pub(super) fn new(discipline: Box<dyn QueueDiscipline + Send>) -> Self {
        let packets = Slots { packets: Vec::new(), free: Vec::new() };
        Custom { discipline, packets, dropped: Vec::new(), marked: 0 }
    }

    /// Packets handed over with a mark of this queue since the last call.
    pub(super) fn take_marked(&mut self) -> u64 {
        core::mem::take(&mut self.marked)
    }

    pub(super) fn packets(&self) -> impl Iterator<Item = &P> {
        self.packets.packets.iter().flatten()
    }

    fn pass_on_drops(&mut self, dropped: &mut Vec<P>) {
        dropped.extend(self.dropped.drain(..).filter_map(|queued| self.packets.take(queued.key)));
    }
}

impl<P: Packet> QueueDiscipline<P> for Custom<P> {
    fn enqueue(&mut self, now: Time, packet: P, dropped: &mut Vec<P>) {
        let queued = Queued::of(&packet, now, self.packets.next_key());
        self.packets.put(packet);
        self.discipline.enqueue(now, queued, &mut self.dropped);
        self.pass_on_drops(dropped);
    }

    fn dequeue(&mut self, now: Time, dropped: &mut Vec<P>) -> Option<P> {
        let next = self.discipline.dequeue(now, &mut self.dropped);
        self.pass_on_drops(dropped);
        let queued = next?;
        let mut packet = self.packets.take(queued.key)?;
        if queued.ecn() == Ecn::Ce && packet.ecn() != Ecn::Ce {
            packet.mark();
            self.marked += 1;
        }
        Some(packet)
    }

    fn len(&self) -> usize {
        self.discipline.len()
    }

    fn bytes(&self) -> u64 {
        self.discipline.bytes()
    }

    fn bypasses(&self) -> bool {
        self.discipline.bypasses()
    }

    fn on_bypass(&mut self, now: Time, idle: Span) {
        self.discipline.on_bypass(now, idle);
    }

    fn on_rate(&mut self, now: Time, rate: Option<Rate>) {
        self.discipline.on_rate(now, rate);
    }
}

impl<P> fmt::Debug for Custom<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Custom").field("packets", &self.packets().count()).finish_non_exhaustive()
    }
}

/// Packets by the numbers of their places. Places are used again, so memory is that of the longest
/// queue.
struct Slots<P> {
    packets: Vec<Option<P>>,
    free: Vec<u32>,
}

impl<P> Slots<P> {
    /// The key of the next packet that is put here.
    fn next_key(&self) -> u32 {
        self.free.last().map_or(self.packets.len() as u32, |key| *key)
    }

    fn put(&mut self, packet: P) {
        match self.free.pop() {
            Some(key) => self.packets[key as usize] = Some(packet),
            None => self.packets.push(Some(packet)),
        }
    }

    fn take(&mut self, key: u32) -> Option<P> {
        let packet = self.packets.get_mut(key as usize)?.take()?;
        self.free.push(key);
        Some(packet)
    }
}
