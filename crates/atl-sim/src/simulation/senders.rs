//! Sending ends: ACKs arrive, timers expire, packets leave.

use atl_core::time::Time;

use super::{EMIT, SENDER, STEP, Simulation, THAW_ACKS};
use crate::packet::{Kind, OptionsId, Packet};
use atl_endpoint::interruptions::Side;
use atl_endpoint::number::expand;
use atl_endpoint::options::Extras;
use atl_endpoint::tcp::{AckInfo, FrozenBy, Outgoing};

impl Simulation {
    #[inline]
    pub(super) fn on_ack(&mut self, packet: &Packet) {
        if packet.options != OptionsId::NONE {
            self.on_extras(packet);
        }
        let info = self.ack_info(packet);
        let flow = &mut self.flows[packet.flow as usize];
        if info.echo_sent_at == Time::MAX {
            flow.sender.on_repeated_ack(self.now, &info);
        } else if let Some(rtt) = flow.sender.on_ack(self.now, &info) {
            flow.rtts.note(rtt);
        }
        self.send(packet.flow);
    }

    /// A source quench arrived at a flow's source. One that paces knows no such message (RFC 1122, sec. 4.1.3.3, leaves it
    /// to the application).
    pub(super) fn on_quench(&mut self, id: u32) {
        if let Some(flow) = self.flows.get_mut(id as usize) {
            flow.sender.on_quench(self.now);
            self.send(id);
        }
    }

    pub(super) fn on_probe_ack(&mut self, packet: &Packet) {
        if packet.options != OptionsId::NONE {
            self.on_extras(packet);
        }
        let info = self.ack_info(packet);
        self.flows[packet.flow as usize].sender.on_probe_ack(self.now, &info);
        self.send(packet.flow);
    }

    #[inline]
    pub(super) fn ack_info(&mut self, packet: &Packet) -> AckInfo {
        AckInfo {
            ack: expand(self.flows[packet.flow as usize].sender.una(), packet.seq),
            echo_tx: packet.tx,
            echo_sent_at: packet.sent_at,
            sack: self.options.take(packet.options),
        }
    }

    /// What the receiver says in an ACK that has options.
    pub(super) fn on_extras(&mut self, packet: &Packet) {
        let Extras { wireless, rate, open } = self.options.extras(packet.options);
        let sender = &mut self.flows[packet.flow as usize].sender;
        if let Some(option) = wireless {
            sender.on_wireless_option(self.now, &option);
        }
        if let Some(rate) = rate {
            sender.on_peer_rate(self.now, rate);
        }
        match open {
            Some(true) => sender.thaw(self.now, FrozenBy::Peer),
            Some(false) => sender.freeze(self.now, FrozenBy::Peer),
            None => {}
        }
    }

    /// Sends what a sender may send, and sees to its timers.
    #[inline]
    pub(super) fn send(&mut self, index: u32) {
        loop {
            let flow = &mut self.flows[index as usize];
            let Some(out) = flow.sender.poll_send(self.now) else {
                break;
            };
            let (kind, seq, tx, bytes) = match out {
                Outgoing::Data { seq, tx } => (Kind::Data, seq, tx, flow.data_bytes),
                Outgoing::Syn => (Kind::Syn, 0, 0, flow.ack_bytes),
                Outgoing::WindowProbe => (Kind::WindowProbe, 0, 0, flow.ack_bytes),
                Outgoing::Probe { number, segment: Some(seq) } => {
                    (Kind::Nil, seq, number, flow.data_bytes)
                }
                Outgoing::Probe { number, segment: None } => {
                    (Kind::Dummy, 0, number, flow.data_bytes)
                }
            };
            let packet = Packet {
                sent_at: self.now,
                tx: tx as u32,
                seq: seq as u32,
                flow: index,
                hop: flow.forward,
                bytes,
                kind,
                first_hop: kind == Kind::Data,
                options: OptionsId::NONE,
            };
            match &mut flow.overhead {
                None => self.offer(packet),
                Some(overhead) => {
                    if let Some(at) = overhead.hold(self.now, packet) {
                        self.queue.push(at, EMIT | index);
                    }
                }
            }
        }
        self.watch_timer(index);
    }

    #[inline]
    pub(super) fn watch_timer(&mut self, index: u32) {
        let flow = &mut self.flows[index as usize];
        let next = flow.sender.next_timer(self.now);
        if next < flow.due {
            flow.due = next;
            self.queue.push(next, SENDER | index);
        }
    }

    pub(super) fn on_sender_timer(&mut self, index: u32) {
        let Some(flow) = self.flows.get_mut(index as usize) else {
            self.on_pace_timer(index);
            return;
        };
        if flow.due != self.now {
            return;
        }
        flow.due = Time::MAX;
        flow.sender.on_timer(self.now);
        self.send(index);
    }

    pub(super) fn on_emit(&mut self, index: u32) {
        let tcps = self.flows.len();
        let overhead = match self.flows.get_mut(index as usize) {
            Some(flow) => &mut flow.overhead,
            None => &mut self.paced[index as usize - tcps].overhead,
        };
        let Some(overhead) = overhead else { return };
        let (first, next) = overhead.release();
        if let Some(at) = next {
            self.queue.push(at, EMIT | index);
        }
        if let Some(packet) = first {
            self.offer(packet);
        }
    }

    /// A host of a flow that knows Freeze-TCP is about to lose its link, or has it back.
    pub(super) fn on_step(&mut self, index: u32) {
        let flow = &mut self.flows[index as usize];
        let Some(step) = flow.steps.pop() else { return };
        if let Some(next) = flow.steps.last() {
            self.queue.push(next.at, STEP | index);
        }
        // Before the flow starts there is nobody to tell, and nothing to send.
        let started = self.now >= flow.start;
        match (step.side, step.freezes) {
            (Side::Sender, true) => flow.sender.freeze(self.now, FrozenBy::Host),
            (Side::Sender, false) => {
                flow.sender.thaw(self.now, FrozenBy::Host);
                if started {
                    self.send(index);
                }
            }
            (Side::Receiver, freezes) => {
                if let Some(voice) = &mut flow.voice {
                    voice.set_closed(freezes);
                }
                let copies = match (started, freezes) {
                    (false, _) => 0,
                    (true, true) => 1,
                    (true, false) => THAW_ACKS,
                };
                for _ in 0..copies {
                    self.repeat_ack(index);
                }
            }
        }
    }
}
