//! Receiving ends: data and probes arrive, ACKs leave.

use super::{RECEIVER, Simulation};
use crate::packet::{Kind, Packet};
use atl_endpoint::number::expand;
use atl_endpoint::options::Extras;
use atl_endpoint::tcp::{AckInfo, Arrival};

impl Simulation {
    #[inline]
    pub(super) fn on_data(&mut self, packet: &Packet) {
        let flow = &mut self.flows[packet.flow as usize];
        let arrival = Arrival {
            seq: expand(flow.receiver.next(), packet.seq),
            tx: packet.tx,
            sent_at: packet.sent_at,
        };
        if let Some(voice) = &mut flow.voice {
            voice.on_data(self.now, arrival.tx, arrival.sent_at);
        }
        if let Some(arrivals) = &mut flow.arrivals {
            arrivals.on_packet(self.now, packet.sent_at);
        }
        let answer = flow.receiver.on_segment(self.now, arrival);
        if let Some(delays) = &mut flow.delays {
            delays.on_handed_over(self.now, flow.receiver.next());
        }
        match answer {
            Some(ack) => self.send_ack(packet.flow, Kind::Ack, &ack),
            None => {
                if let Some(due) = flow.receiver.ack_due() {
                    self.queue.push(due, RECEIVER | packet.flow);
                }
            }
        }
    }

    #[inline]
    pub(super) fn send_ack(&mut self, index: u32, kind: Kind, ack: &AckInfo) {
        let extras = match self.flows[index as usize].voice {
            None => Extras::NONE,
            Some(_) => self.extras(index),
        };
        let options = self.options.put(&ack.sack, &extras);
        let flow = &self.flows[index as usize];
        self.offer(Packet {
            sent_at: ack.echo_sent_at,
            tx: ack.echo_tx,
            seq: ack.ack as u32,
            flow: index,
            hop: flow.back,
            bytes: flow.ack_bytes,
            kind,
            first_hop: false,
            options,
        });
    }

    /// What a receiver has to say in the ACK that it sends now.
    pub(super) fn extras(&mut self, index: u32) -> Extras {
        let flow = &mut self.flows[index as usize];
        let Some(voice) = &mut flow.voice else { return Extras::NONE };
        let reading = match flow.peer_access {
            Some(link) if voice.wants_reading(self.now) => {
                Some(self.network.links[link as usize].link.report(self.now))
            }
            _ => None,
        };
        voice.extras(self.now, reading)
    }

    /// The last ACK once more, for what the receiver has to say in it.
    pub(super) fn repeat_ack(&mut self, index: u32) {
        let ack = self.flows[index as usize].receiver.repeated_ack();
        self.send_ack(index, Kind::Ack, &ack);
    }

    pub(super) fn on_probe(&mut self, packet: &Packet) {
        let flow = &mut self.flows[packet.flow as usize];
        let receiver = &mut flow.receiver;
        let seq = expand(receiver.next(), packet.seq);
        let copy = (packet.kind == Kind::Nil).then_some(seq);
        let ack = receiver.on_probe(copy, Arrival { seq, tx: packet.tx, sent_at: packet.sent_at });
        if let Some(delays) = &mut flow.delays {
            delays.on_handed_over(self.now, receiver.next());
        }
        self.send_ack(packet.flow, Kind::ProbeAck, &ack);
    }

    pub(super) fn on_receiver_timer(&mut self, index: u32) {
        let Some(flow) = self.flows.get_mut(index as usize) else {
            self.on_report_timer(index);
            return;
        };
        if let Some(ack) = flow.receiver.on_timer(self.now) {
            self.send_ack(index, Kind::Ack, &ack);
        }
    }
}
