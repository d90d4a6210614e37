//! The MAC above the cell: aggregates, block acknowledgments, what is sent again, and the order in
//! which the receiver hands packets on.

use std::collections::VecDeque;

use atl_core::time::Time;

use super::Wifi;
use super::cell::{Cell, Turn};
use super::phy::{exchange, fits, ppdu, subframe};
use crate::packet::Packet;
use crate::random::Stream;

/// Numbers that a block acknowledgment covers at least.
const WINDOW: usize = 64;

/// An MPDU that is not through yet.
#[derive(Debug)]
struct Mpdu<P> {
    packet: P,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Number of times that it has been sent in vain.
    Waits(u32),
    /// It is at the receiver, and waits there for those before it.
    Received,
    /// It is given up, and those before it are not through.
    GivenUp,
}

/// Packets whose fate an aggregate has settled.
#[derive(Debug)]
pub(crate) struct Settled<P> {
    /// End of the PPDU, when the packets come out.
    pub(crate) at: Time,
    /// Packets that the receiver hands on, in order, each with whether it has arrived at all.
    pub(crate) packets: Vec<(P, bool)>,
}

/// A station at work.
#[derive(Debug)]
pub(crate) struct Radio<P> {
    wifi: Wifi,
    cell: Cell,
    errors: Stream,
    /// MPDUs in order, from the first that is not settled; as long as the block acknowledgment's
    /// window at most.
    window: VecDeque<Mpdu<P>>,
    /// Its next turn, if it contends.
    turn: Option<Turn>,
    /// Its last exchange ends then.
    busy_until: Time,
    /// Of the link's next change of conditions, which this has no part in.
    pub(crate) scheduled: Time,
}

impl<P: Packet> Radio<P> {
    /// A station that enters a cell at `begins`, on a link with this stream.
    pub(crate) fn new(wifi: Wifi, begins: Time, scheduled: Time, stream: &Stream) -> Self {
        let stream = stream.part("wifi");
        let cell = Cell::new(&wifi, begins, stream.part("cell"));
        Radio {
            wifi,
            cell,
            errors: stream.part("errors"),
            window: VecDeque::new(),
            turn: None,
            busy_until: begins,
            scheduled,
        }
    }

    /// When it next begins to send; [`Time::MAX`] if it does not contend.
    pub(crate) fn due(&self) -> Time {
        self.turn.map_or(Time::MAX, |turn| turn.at)
    }

    /// A packet has come at `now`: it contends, unless it does already.
    pub(crate) fn wake(&mut self, now: Time) {
        if self.turn.is_none() {
            self.turn = Some(self.cell.contend(now.max(self.busy_until)));
        }
    }

    /// Nothing is sent before `until`: the turn is over, and it contends again from then on.
    pub(crate) fn hold(&mut self, until: Time) {
        self.turn = Some(self.cell.contend(until.max(self.busy_until)));
    }

    /// A packet that was in transmission elsewhere: it goes first.
    pub(crate) fn take_over(&mut self, packet: P) {
        self.window.push_front(Mpdu { packet, state: State::Waits(0) });
    }

    /// Packets in it: to be sent again, or at the receiver behind such.
    pub(crate) fn len(&self) -> usize {
        self.window.len()
    }

    /// These packets.
    pub(crate) fn packets(&self) -> impl Iterator<Item = &P> {
        self.window.iter().map(|mpdu| &mpdu.packet)
    }

    /// Its turn: it sends what failed before and what `next` gives, as much as an aggregate takes.
    /// It contends again if it has more; the caller [wakes](Self::wake) it if the queue has.
    pub(crate) fn send(&mut self, mut next: impl FnMut() -> Option<P>) -> Option<Settled<P>> {
        let turn = self.turn.take()?;
        let most = self.wifi.aggregate as usize;
        let longest = most.max(WINDOW);
        let (mut sent, mut octets) = (Vec::new(), 0);
        let mut at = 0;
        while sent.len() < most {
            if at == self.window.len() {
                // One that does not fit is the first of the next aggregate.
                if self.window.len() >= longest {
                    break;
                }
                let Some(packet) = next() else { break };
                self.window.push_back(Mpdu { packet, state: State::Waits(0) });
            }
            let mpdu = &self.window[at];
            if let State::Waits(_) = mpdu.state {
                let with = octets + subframe(mpdu.packet.wire_bytes());
                if !sent.is_empty() && !fits(&self.wifi, with) {
                    break;
                }
                octets = with;
                sent.push(at);
            }
            at += 1;
        }
        if sent.is_empty() {
            return None;
        }
        let on_air = ppdu(&self.wifi, octets);
        let mut heard = false;
        for &index in &sent {
            let wrong = turn.collides || self.errors.chance(self.wifi.errors.get());
            heard |= !wrong;
            let state = &mut self.window[index].state;
            *state = match *state {
                State::Waits(times) if wrong && times >= self.wifi.retries => State::GivenUp,
                State::Waits(times) if wrong => State::Waits(times + 1),
                _ => State::Received,
            };
        }
        let exchange = exchange(on_air, sent.len());
        self.busy_until = self.cell.sent(turn, on_air, exchange, heard);
        let mut packets = Vec::new();
        while let Some(mpdu) =
            self.window.pop_front_if(|mpdu| !matches!(mpdu.state, State::Waits(_)))
        {
            packets.push((mpdu.packet, mpdu.state == State::Received));
        }
        // Packets that are not settled wait to be sent, or for others that do.
        if !self.window.is_empty() {
            self.wake(turn.at);
        }
        Some(Settled { at: turn.at.saturating_add(on_air), packets })
    }

    /// Leaves the cell: gives what it has, in order.
    pub(crate) fn leave(self) -> impl Iterator<Item = P> {
        self.window.into_iter().map(|mpdu| mpdu.packet)
    }
}
