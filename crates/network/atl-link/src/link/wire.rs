//! The wire where packets overtake each other, and at a change of network.

use atl_core::time::Time;

use super::{Link, Slot};
use crate::exit::Cause;
use crate::loss::Fate;
use crate::packet::Packet;

impl<P: Packet> Link<P> {
    /// Puts a packet, whose transmission has begun and ends at `end`, onto a wire where packets
    /// overtake each other: among the others by its arrival.
    #[cold]
    pub(super) fn put_among(&mut self, mut slot: Slot<P>, end: Time) {
        let delay = self.propagation.at(end);
        if let Some(disturbance) = &mut self.disturbance {
            if disturbance.moves {
                slot.arrive = disturbance.arrival(end, delay);
                // The next transmission begins then, and its packet may be the first to arrive.
                disturbance.wake = end;
            }
            if slot.fate == Fate::Arrives && disturbance.loses(end) {
                slot.fate = Fate::Lost(Cause::Error);
            }
            if slot.fate == Fate::Arrives
                && slot.packet.may_come_twice()
                && disturbance.duplicates()
            {
                slot.fate = Fate::ArrivesTwice;
            }
        }
        let place = self.wire.partition_point(|other| other.arrive <= slot.arrive);
        if slot.fate == Fate::Damaged
            && let Some(damage) = self.damages.pop_back()
        {
            self.damages.insert(self.damaged_before(place), damage);
        }
        self.wire.insert(place, slot);
        self.change_due = self.due();
    }

    /// Takes the packet in transmission off the wire.
    pub(super) fn lift(&mut self) -> Option<P> {
        let last = match &mut self.disturbance {
            Some(disturbance) if disturbance.moves => {
                disturbance.take_back();
                // Of several with this arrival it is the last: it came after them.
                let end = self.wire.partition_point(|other| other.arrive <= disturbance.last);
                end.checked_sub(1)
            }
            _ => self.wire.len().checked_sub(1),
        }?;
        if self.wire.get(last)?.fate == Fate::Damaged {
            self.damages.remove(self.damaged_before(last));
        }
        self.wire.remove(last).map(|slot| slot.packet)
    }

    /// Damaged packets among the first `place` on the wire.
    pub(super) fn damaged_before(&self, place: usize) -> usize {
        self.wire.iter().take(place).filter(|slot| slot.fate == Fate::Damaged).count()
    }

    /// Loses those of the packets on the wire that have not arrived by `at`.
    pub(super) fn lose_wire(&mut self, at: Time) {
        // The wire is in order of arrival: the bit errors of arrived packets come first, then
        // those of lost ones.
        let arrived = self.wire.partition_point(|slot| slot.arrive <= at);
        self.damages.truncate(self.damaged_before(arrived));
        for slot in self.wire.iter_mut().skip(arrived) {
            if !matches!(slot.fate, Fate::Lost(_)) {
                slot.fate = Fate::Lost(Cause::Change);
            }
            slot.arrive = at;
        }
    }
}
