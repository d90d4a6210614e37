//! A link whose transmitter is a station of Wi-Fi.
//!
//! The station has events of its own, the beginnings of its aggregates, which are handled as
//! changes of conditions are: before anything else of their time. The ordinary transmitter never
//! becomes free, so that all packets go to the queue and none leaves it that way.

use atl_core::time::{Span, Time};

use super::{Link, Slot};
use crate::config::Service;
use crate::exit::{Cause, Exit};
use crate::loss::{Fate, LossProcess};
use crate::packet::Packet;
use crate::wifi::{Radio, Settled};

impl<P: Packet> Link<P> {
    /// Begins to transmit as a station, if the conditions say so and it does not; `waiting` goes
    /// first.
    pub(super) fn enter_cell(&mut self, at: Time, waiting: Option<P>) {
        let Service::Wifi(wifi) = self.conditions().service else { return };
        if self.radio.is_none() {
            let radio = Radio::new(wifi, at, self.change_at, &self.stream);
            self.radio = Some(Box::new(radio));
            (self.guarded, self.disturbed, self.free_at) = (true, true, Time::MAX);
        }
        let Some(radio) = &mut self.radio else { return };
        radio.scheduled = self.change_at;
        if let Some(packet) = waiting {
            radio.take_over(packet);
        }
        if radio.len() > 0 || self.queue.len() > 0 {
            radio.wake(at);
        }
        self.set_radio_due();
    }

    /// Leaves the cell at a change to other conditions: what the station has is on the wire then,
    /// and arrives a delay later.
    pub(super) fn leave_cell(&mut self, at: Time, delay: Span) {
        let Some(radio) = self.radio.take() else { return };
        for packet in radio.leave() {
            let arrive = at.saturating_add(delay).max(self.latest);
            self.latest = arrive;
            // Others may have been put onto the wire to arrive later.
            let place = self.wire.partition_point(|other| other.arrive <= arrive);
            self.wire.insert(place, Slot { arrive, fate: Fate::Arrives, packet });
        }
        self.guarded = self.entry.is_some();
        self.disturbed = self.disturbance.is_some();
        self.free_at = at;
    }

    /// A packet has come: the station contends for the channel.
    pub(super) fn wake_radio(&mut self, now: Time) {
        if let Some(radio) = &mut self.radio {
            radio.wake(now);
        }
        self.set_radio_due();
    }

    fn set_radio_due(&mut self) {
        if let Some(radio) = &self.radio {
            self.change_at = radio.scheduled.min(radio.due());
        }
        self.change_due = self.due();
    }

    /// True if the station's turn comes before the next change of conditions.
    pub(super) fn is_turn(&self) -> bool {
        self.radio.as_ref().is_some_and(|radio| radio.due() < radio.scheduled)
    }

    /// The station's turn.
    pub(super) fn take_turn(&mut self) {
        let Some(radio) = &mut self.radio else { return };
        let at = radio.due();
        self.holds.advance(at);
        if let Some(hold) = self.holds.ahead().first().filter(|hold| hold.from <= at) {
            radio.hold(hold.until);
            self.set_radio_due();
            return;
        }
        let (queue, counters) = (&mut self.queue, &mut self.counters);
        let settled = radio.send(|| {
            let packet = queue.pop(at, &mut counters.marked)?;
            counters.transmitted += 1;
            counters.transmitted_bytes += u64::from(packet.wire_bytes());
            Some(packet)
        });
        if queue.len() > 0 {
            radio.wake(at);
        }
        if let Some(settled) = settled {
            self.settle(at, settled);
        }
        self.set_radio_due();
    }

    /// Puts what an aggregate, sent since `at`, has settled onto the wire.
    fn settle(&mut self, at: Time, settled: Settled<P>) {
        let end = settled.at;
        let delay = self.propagation.at(end);
        for (packet, received) in settled.packets {
            let bits = 8.0 * f64::from(packet.wire_bytes());
            let mut fate = match &mut self.loss {
                _ if !received => Fate::Lost(Cause::Error),
                LossProcess::None => Fate::Arrives,
                process => process.next(at, end, bits, &mut self.stream),
            };
            if end >= self.dead.begin() && self.dead.covers(end) {
                fate = Fate::Lost(Cause::Blackout);
            }
            if fate == Fate::Damaged {
                self.damages.extend(self.loss.damage());
            }
            let arrive = end.saturating_add(delay).max(self.latest);
            self.latest = arrive;
            self.put_among(Slot { arrive, fate, packet }, end);
        }
    }

    /// A packet that the queue has dropped instead of giving it to the station, which has then sent
    /// nothing: no packet ahead of it will come out.
    #[cold]
    pub(super) fn dropped_in_vain(&mut self, now: Time) -> Option<Exit<P>> {
        self.radio.as_ref()?;
        let (at, packet) = self.queue.next_dropped_at_departure(now)?;
        self.counters.dropped += 1;
        Some(Exit::Dropped(packet, at))
    }
}
