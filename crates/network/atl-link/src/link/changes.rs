//! Changes of a link's conditions.

use std::sync::Arc;

use atl_core::time::Time;

use super::{Link, Slot, marking};
use crate::config::{AtChange, Conditions, Service};
use crate::delay::Propagation;
use crate::disturbance::Disturbance;
use crate::exit::ChangeEvent;
use crate::loss::LossProcess;
use crate::packet::Packet;
use crate::service::Job;

impl<P: Packet> Link<P> {
    /// Everything up to the next change, and the change itself.
    #[cold]
    pub(super) fn cross_change(&mut self) {
        if self.is_turn() {
            self.take_turn();
            return;
        }
        let at = self.change_at;
        // A transmission that starts exactly at the change starts in the new network.
        if let Some(before) = at.nanos().checked_sub(1) {
            self.serve_until(Time::from_nanos(before));
        }
        let job = (self.free_at > at && self.radio.is_none()).then(|| self.remaining(at));
        let packet = job.and_then(|_| self.lift());
        let old_delay = self.propagation.at(at);
        if self.leaves_cell() {
            self.leave_cell(at, old_delay);
        }
        if self.config.at_change == AtChange::Lose {
            self.lose_wire(at);
        }
        let index = self.next_change;
        self.enter(index, at);
        match job.zip(packet) {
            Some((_, packet)) if self.is_cell() => self.enter_cell(at, Some(packet)),
            Some((job, packet)) => self.carry_over(at, job, packet),
            None => self.enter_cell(at, None),
        }
        let event = ChangeEvent { index, old_delay, new_delay: self.propagation.at(at) };
        self.latest = self.last_arrival();
        self.changed.push_back((at, event));
        self.change_due = self.due();
    }

    /// Adopts the conditions of a change at `at`.
    fn enter(&mut self, index: usize, at: Time) {
        let config = Arc::clone(&self.config);
        let Conditions { loss: old, ingress, .. } = *self.conditions();
        let to = &config.schedule[index].to;
        if !Disturbance::is_same(self.conditions(), to) {
            self.disturbance = Disturbance::new(to, &self.stream, self.last_arrival());
            self.disturbed = self.disturbance.is_some() || self.radio.is_some();
        }
        self.transmitter.change(&to.service, (self.trace_offset, &self.shared), at);
        self.propagation = Propagation::new(&to.delay, self.trace_offset);
        self.queue.on_rate(at, config.rate_of(to));
        self.enter_queue(index, at);
        // A loss process continues if the change leaves it the same.
        if old != to.loss {
            self.loss = LossProcess::new(&to.loss, &mut self.stream);
        }
        if let Some(entry) = &mut self.entry
            && ingress != to.ingress
        {
            entry.enter(to);
        }
        self.next_change = index + 1;
        self.change_at =
            config.schedule.get(self.next_change).map_or(Time::MAX, |change| change.at.max(at));
    }

    /// Moves what waits to the queue that a change at `at` brings, if it brings one.
    fn enter_queue(&mut self, index: usize, at: Time) {
        let config = Arc::clone(&self.config);
        let number = index + 1;
        let Some((queue, mark_at)) = config.queue_of(number) else { return };
        self.mark_at = marking(mark_at);
        if queue != self.queue_config() {
            // Without the number, two queues would draw the same where nothing was lost meanwhile.
            let stream = self.stream.part(&format!("queue/{number}"));
            let rate = config.rate_of(&config.schedule[index].to);
            let marked = &mut self.counters.marked;
            self.queue.exchange(at, (queue, stream, rate), marked);
        }
        self.queued_by = number;
    }

    /// When the last packet on the wire arrives, which later ones do not overtake; [`Time::ZERO`]
    /// if it is empty.
    fn last_arrival(&self) -> Time {
        self.wire.back().map_or(Time::ZERO, |slot| slot.arrive)
    }

    /// True if the conditions are those of a station of Wi-Fi.
    fn is_cell(&self) -> bool {
        matches!(self.conditions().service, Service::Wifi(_))
    }

    /// True if the next conditions are not those of the station that the link is.
    fn leaves_cell(&self) -> bool {
        let next = self.config.schedule.get(self.next_change);
        self.radio.is_some()
            && next.is_some_and(|change| change.to.service != self.conditions().service)
    }

    /// Continues the transmission in progress in the new network, which also decides the packet's
    /// fate.
    fn carry_over(&mut self, at: Time, job: Job, packet: P) {
        self.free_at = self.transmitter.resume(at, job.bytes, &mut self.job);
        if self.free_at >= self.holds.begin() {
            self.postpone();
        }
        self.dead.rewind(at);
        let (arrive, fate) = self.outcome(at, packet.wire_bytes(), self.last_arrival());
        self.put(Slot { arrive, fate, packet });
    }
}
