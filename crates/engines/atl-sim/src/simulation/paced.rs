//! Paced flows: data and probes arrive, ACKs and reports go back.

use atl_core::path::PathId;
use atl_core::rate::Arrived;
use atl_core::time::{Span, Time};
use atl_endpoint::number::expand;
use atl_endpoint::paced::{Answer, ReportPacket};
use atl_link::Ecn;

use super::{RECEIVER, Simulation};
use crate::flow::{Ends, Flow};
use crate::packet::{Bits, OptionsId, Packet, PacketKind};

impl Simulation {
    /// A data packet arrived at its receiver.
    pub(super) fn on_paced_data(&mut self, packet: &Packet) {
        let (now, id) = (self.now, packet.flow);
        let Flow { ends: Ends::Paced(paced), arrivals, roaming, .. } = &mut self.flows[id as usize]
        else {
            return;
        };
        let bytes = u32::from(packet.bytes);
        let seq = expand(paced.receiver.above(), packet.seq);
        let rtt = Span::from_micros(u64::from(packet.tx));
        let path = roaming.as_ref().map_or(PathId::FIRST, |roaming| roaming.path_at(packet.hop));
        let (marked, clear) = (packet.bits.ecn() == Ecn::Ce, packet.bits.ecn() == Ecn::NotEct);
        let arrived = Arrived::new(now, seq, packet.sent_at, bytes).rtt(rtt).path(path);
        let arrived = arrived.marked(marked).clear(clear);
        if let Some(arrivals) = arrivals {
            arrivals.on_packet(now, packet.sent_at);
        }
        if let Some(playout) = paced.playout.as_mut().filter(|_| !paced.receiver.resequences()) {
            playout.on_packet(now, seq);
        }
        let got = paced.receiver.payload_bytes();
        let answer = paced.receiver.on_data(&arrived, bytes - paced.header);
        if let Some(roaming) = roaming {
            roaming.on_bytes(path, (paced.receiver.payload_bytes() - got) as u32);
            paced.deliver(now);
        }
        match answer {
            Answer::Ack { mask, marks, clear } => {
                self.send_paced_ack(packet, mask, (marks, clear));
            }
            Answer::Report => self.send_report(id),
            Answer::Nothing => {}
        }
        self.watch_receiver(id);
    }

    // An ACK for each packet, as with TCP.
    #[inline(always)]
    fn send_paced_ack(&mut self, packet: &Packet, mask: u32, (marks, clear): (u32, bool)) {
        let options = match &self.flows[packet.flow as usize].feedback {
            None if marks == 0 => OptionsId::NONE,
            _ => {
                let peer_info = self.peer_info(packet.flow);
                self.options.put_marks(marks, &peer_info)
            }
        };
        let flow = &self.flows[packet.flow as usize];
        let (hop, bytes) = (flow.paths.back, flow.ack_bytes);
        let (kind, bits) = (PacketKind::PacedAck, Bits::ack(u8::from(clear)));
        self.answer(&Packet { tx: mask, hop, bytes, kind, bits, options, ..*packet });
    }

    fn send_report(&mut self, id: u32) {
        let now = self.now;
        let link_report = self.peer_info(id).link_report;
        let flow = &mut self.flows[id as usize];
        let Ends::Paced(paced) = &mut flow.ends else { return };
        let Some(report) = paced.receiver.report(now) else { return };
        let (hop, bytes) = (flow.paths.back, flow.ack_bytes);
        let slot = self.reports.insert(ReportPacket { report, link_report });
        self.offer(&Packet {
            sent_at: now,
            tx: slot,
            seq: 0,
            flow: id,
            hop,
            bytes,
            kind: PacketKind::Report,
            bits: Bits::NONE,
            options: OptionsId::NONE,
        });
    }

    /// Sends what the receiver of a mobile's flow measured of a new path, if that is due.
    pub(super) fn send_handoff_report(&mut self, id: u32) {
        let now = self.now;
        let Flow { ends: Ends::Paced(paced), roaming: Some(roaming), ack_bytes, .. } =
            &mut self.flows[id as usize]
        else {
            return;
        };
        let Some((path, report)) = paced.receiver.poll_handoff_report(now) else { return };
        let (hop, bytes) = (roaming.back(path), *ack_bytes);
        let present = roaming.sends() || roaming.mobile().is_present(path);
        let packet = Packet {
            sent_at: now,
            tx: self.handoff_reports.insert(report),
            seq: 0,
            flow: id,
            hop,
            bytes,
            kind: PacketKind::HandoffReport,
            bits: Bits::NONE,
            options: OptionsId::NONE,
        };
        if present { self.offer(&packet) } else { self.strand(&packet) }
    }

    /// A Handoff Report arrived at its sender.
    pub(super) fn on_handoff_report(&mut self, packet: &Packet) {
        let report = self.handoff_reports.remove(packet.tx);
        let Ends::Paced(paced) = &mut self.flows[packet.flow as usize].ends else { return };
        paced.sender.on_handoff_report(self.now, &report);
        self.send(packet.flow);
    }

    /// Schedules a receiver's timer, unless it has an earlier event in the queue.
    #[inline(always)]
    pub(super) fn watch_receiver(&mut self, id: u32) {
        let Ends::Paced(paced) = &mut self.flows[id as usize].ends else { return };
        let next = paced.receiver.next_timer();
        if next < paced.receiver_due {
            paced.receiver_due = next;
            self.queue.push(next, RECEIVER | id);
        }
    }

    pub(super) fn on_report_timer(&mut self, id: u32) {
        let now = self.now;
        let Ends::Paced(paced) = &mut self.flows[id as usize].ends else { return };
        if paced.receiver_due != now {
            return;
        }
        paced.receiver_due = Time::MAX;
        let reports = paced.receiver.on_timer(now);
        paced.deliver(now);
        if reports {
            self.send_report(id);
        }
        self.send_handoff_report(id);
        self.watch_receiver(id);
    }

    /// An ACK or a report arrived at its sender.
    pub(super) fn on_paced_feedback(&mut self, packet: &Packet) {
        let (now, id) = (self.now, packet.flow);
        let report = (packet.kind == PacketKind::Report).then(|| self.reports.remove(packet.tx));
        let (link_report, marks) = match &report {
            Some(packet) => (packet.link_report, 0),
            None => {
                let link_report = self.options.peer_info(packet.options).link_report;
                (link_report, self.options.take_marks(packet.options))
            }
        };
        let Flow { ends: Ends::Paced(paced), rtts, roaming, .. } = &mut self.flows[id as usize]
        else {
            return;
        };
        if let Some(report) = link_report {
            paced.sender.on_peer_link_report(now, &report);
        }
        let rtt = match &report {
            Some(packet) => paced.sender.on_report(now, &packet.report),
            None => {
                let seq = expand(paced.sender.sent(), packet.seq);
                paced.sender.on_marks(now, seq, marks, packet.bits.flags() != 0);
                paced.sender.on_ack(now, seq, packet.sent_at, packet.tx)
            }
        };
        if let Some(rtt) = rtt {
            match roaming {
                Some(roaming) => rtts.note_on(roaming.path_at(packet.hop), rtt),
                None => rtts.note(now, rtt),
            }
        }
        if !self.rests(id) {
            self.send(id);
        }
    }

    /// A probe arrived at its receiver. It sends it back as its own acknowledgment, unless it
    /// measures the dummies of a handoff.
    pub(super) fn on_paced_probe(&mut self, packet: &Packet) {
        let (now, id) = (self.now, packet.flow);
        let Flow { ends: Ends::Paced(paced), roaming, .. } = &mut self.flows[id as usize] else {
            return;
        };
        let path = roaming.as_ref().map_or(PathId::FIRST, |roaming| roaming.path_at(packet.hop));
        let bytes = u32::from(packet.bytes);
        let arrived = Arrived::new(now, u64::from(packet.tx), packet.sent_at, bytes).path(path);
        let answer = paced.receiver.on_dummy(&arrived);
        if roaming.is_some() {
            self.send_handoff_report(id);
            self.watch_receiver(id);
        }
        if answer == Answer::Nothing {
            return;
        }
        let flow = &self.flows[id as usize];
        let (hop, bytes) = (flow.paths.back, flow.ack_bytes);
        let kind = match packet.kind {
            PacketKind::Challenge => PacketKind::ChallengeAnswer,
            _ => PacketKind::PacedProbeAck,
        };
        self.offer(&Packet { hop, bytes, kind, ..*packet });
    }

    /// The acknowledgment of a probe arrived at its sender.
    pub(super) fn on_paced_probe_ack(&mut self, packet: &Packet) {
        let Ends::Paced(paced) = &mut self.flows[packet.flow as usize].ends else { return };
        paced.sender.on_probe_ack(self.now, u64::from(packet.tx), packet.sent_at);
        self.send(packet.flow);
    }
}
