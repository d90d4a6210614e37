//! Paced flows in the event loop. Their ids follow those of the TCP flows.

use atl_core::rate::Arrived;
use atl_core::time::{Span, Time};

use super::{EMIT, RECEIVER, SENDER, Simulation};
use crate::paced::PacedFlow;
use crate::packet::{Kind, OptionsId, Packet};
use atl_endpoint::number::expand;
use atl_endpoint::options::{Extras, SackBlocks};
use atl_endpoint::paced::{Answer, Outgoing, Told};

/// What a data packet says of its sender's RTT, in microseconds: it stands where TCP numbers transmissions.
fn stamp(rtt: Option<Span>) -> u32 {
    rtt.map_or(0, |rtt| u32::try_from(rtt.nanos() / 1000).unwrap_or(u32::MAX))
}

impl Simulation {
    /// The paced flow of this id, if it is one's.
    #[inline]
    pub(super) fn paced(&mut self, id: u32) -> Option<&mut PacedFlow> {
        let index = (id as usize).checked_sub(self.flows.len())?;
        self.paced.get_mut(index)
    }

    /// Sends what a paced sender may send, and sees to its timers.
    pub(super) fn pace(&mut self, id: u32) {
        let now = self.now;
        while let Some(flow) = self.paced(id) {
            let Some(out) = flow.poll_send(now) else { break };
            let (kind, seq, tx, bytes) = match out {
                Outgoing::Data { seq, payload, .. } => {
                    let bytes = (payload + flow.header) as u16;
                    (Kind::Paced, seq as u32, stamp(flow.sender.ledger().rtt().srtt()), bytes)
                }
                Outgoing::Probe { number } => (Kind::PacedProbe, 0, number as u32, flow.data_bytes),
            };
            let packet = Packet {
                sent_at: now,
                tx,
                seq,
                flow: id,
                hop: flow.forward,
                bytes,
                kind,
                first_hop: kind == Kind::Paced,
                options: OptionsId::NONE,
            };
            match &mut flow.overhead {
                None => self.offer(packet),
                Some(overhead) => {
                    if let Some(at) = overhead.hold(now, packet) {
                        self.queue.push(at, EMIT | id);
                    }
                }
            }
        }
        self.watch_pace(id);
    }

    fn watch_pace(&mut self, id: u32) {
        let now = self.now;
        let Some(flow) = self.paced(id) else { return };
        let next = flow.sender.next_timer(now);
        if next < flow.due {
            flow.due = next;
            self.queue.push(next, SENDER | id);
        }
    }

    pub(super) fn on_pace_timer(&mut self, id: u32) {
        let now = self.now;
        let Some(flow) = self.paced(id).filter(|flow| flow.due == now) else { return };
        flow.due = Time::MAX;
        flow.sender.on_timer(now);
        self.pace(id);
    }

    /// A data packet arrived at its receiver.
    pub(super) fn on_paced_data(&mut self, packet: &Packet) {
        let (now, id) = (self.now, packet.flow);
        let Some(flow) = self.paced(id) else { return };
        let bytes = u32::from(packet.bytes);
        let arrived =
            Arrived::new(now, expand(flow.receiver.above(), packet.seq), packet.sent_at, bytes)
                .rtt(Span::from_micros(u64::from(packet.tx)));
        if let Some(arrivals) = &mut flow.arrivals {
            arrivals.on_packet(now, packet.sent_at);
        }
        if let Some(playout) = &mut flow.playout {
            playout.on_packet(now, arrived.seq);
        }
        match flow.receiver.on_data(&arrived, bytes - flow.header) {
            Answer::Ack { mask } => self.send_paced_ack(packet, mask),
            Answer::Report => self.send_report(id),
            Answer::Nothing => {}
        }
        self.watch_receiver(id);
    }

    fn send_paced_ack(&mut self, packet: &Packet, mask: u32) {
        let extras = self.paced_extras(packet.flow);
        let options = self.options.put(&SackBlocks::default(), &extras);
        let Some(flow) = self.paced(packet.flow) else { return };
        let (hop, bytes) = (flow.back, flow.ack_bytes);
        let ack = Packet { tx: mask, hop, bytes, kind: Kind::PacedAck, options, ..*packet };
        self.offer(Packet { first_hop: false, ..ack });
    }

    fn send_report(&mut self, id: u32) {
        let now = self.now;
        let wireless = self.paced_extras(id).wireless;
        let Some(flow) = self.paced(id) else { return };
        let Some(report) = flow.receiver.report(now) else { return };
        let (hop, bytes) = (flow.back, flow.ack_bytes);
        let at = self.reports.put(Told { report, wireless });
        self.offer(Packet {
            sent_at: now,
            tx: at,
            seq: 0,
            flow: id,
            hop,
            bytes,
            kind: Kind::Report,
            first_hop: false,
            options: OptionsId::NONE,
        });
    }

    /// What a receiver has to say of its wireless link now.
    fn paced_extras(&mut self, id: u32) -> Extras {
        let index = id as usize - self.flows.len();
        let flow = &mut self.paced[index];
        let Some(voice) = &mut flow.voice else { return Extras::NONE };
        let reading = match flow.wireless.peer_access {
            Some(link) if voice.wants_reading(self.now) => {
                Some(self.network.links[link as usize].link.report(self.now))
            }
            _ => None,
        };
        voice.extras(self.now, reading)
    }

    fn watch_receiver(&mut self, id: u32) {
        let Some(flow) = self.paced(id) else { return };
        let next = flow.receiver.next_timer();
        if next < flow.receiver_due {
            flow.receiver_due = next;
            self.queue.push(next, RECEIVER | id);
        }
    }

    pub(super) fn on_report_timer(&mut self, id: u32) {
        let now = self.now;
        let Some(flow) = self.paced(id).filter(|flow| flow.receiver_due == now) else { return };
        flow.receiver_due = Time::MAX;
        if flow.receiver.on_timer(now) {
            self.send_report(id);
        }
        self.watch_receiver(id);
    }

    /// An ACK or a report arrived at its sender.
    pub(super) fn on_paced_feedback(&mut self, packet: &Packet) {
        let (now, id) = (self.now, packet.flow);
        let told = (packet.kind == Kind::Report).then(|| self.reports.take(packet.tx));
        let wireless = match &told {
            Some(told) => told.wireless,
            None if packet.options == OptionsId::NONE => None,
            None => {
                let wireless = self.options.extras(packet.options).wireless;
                self.options.take(packet.options);
                wireless
            }
        };
        let Some(flow) = self.paced(id) else { return };
        if let Some(option) = wireless {
            flow.sender.on_wireless_option(now, &option);
        }
        let rtt = match &told {
            Some(told) => flow.sender.on_report(now, &told.report),
            None => {
                let seq = expand(flow.sender.sent(), packet.seq);
                flow.sender.on_ack(now, seq, packet.sent_at, packet.tx)
            }
        };
        if let Some(rtt) = rtt {
            flow.rtts.note(rtt);
        }
        self.pace(id);
    }

    /// A probe arrived: it goes back as its own acknowledgment.
    pub(super) fn on_paced_probe(&mut self, packet: &Packet) {
        let Some(flow) = self.paced(packet.flow) else { return };
        let (hop, bytes) = (flow.back, flow.ack_bytes);
        self.offer(Packet { hop, bytes, kind: Kind::PacedProbeAck, ..*packet });
    }

    pub(super) fn on_paced_probe_ack(&mut self, packet: &Packet) {
        let now = self.now;
        let Some(flow) = self.paced(packet.flow) else { return };
        flow.sender.on_probe_ack(now, u64::from(packet.tx), packet.sent_at);
        self.pace(packet.flow);
    }
}
