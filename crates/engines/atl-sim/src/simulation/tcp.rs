//! TCP flows: data, probes and ACKs arrive, ACKs leave, hosts freeze and thaw connections.

use atl_core::time::Time;
use atl_endpoint::interruptions::Side;
use atl_endpoint::number::expand;
use atl_endpoint::options::SackBlocks;
use atl_endpoint::tcp::{AckInfo, Arrival, FrozenBy, Sender};
use atl_wire::PeerInfo;

use super::{RECEIVER, RELAY, STEP, Simulation, TALK};
use crate::events::EventQueue;
use crate::flow::{Ends, Flow, Reader, TcpEnds};
use crate::packet::{Bits, OptionsId, Packet, PacketKind};

/// ACKs that announce an open window after an interruption (Freeze-TCP).
const THAW_ACKS: u32 = 3;

impl Simulation {
    /// A data segment arrived at its receiver.
    #[inline(never)]
    pub(super) fn on_data(&mut self, packet: &Packet) {
        let flow = &mut self.flows[packet.flow as usize];
        let Flow { ends: Ends::Tcp(tcp), feedback, arrivals, roaming, .. } = flow else { return };
        let seq = expand(tcp.receiver.next(), packet.seq);
        if let Some(feedback) = feedback {
            feedback.on_data(self.now, packet.tx, packet.sent_at);
        }
        if let Some(arrivals) = arrivals {
            arrivals.on_packet(self.now, packet.sent_at);
        }
        let arrival = arrival(tcp, packet, seq);
        if packet.bits.has_ecn() {
            tcp.receiver.on_ecn(packet.bits.ecn(), packet.bits.cwr(), arrival.payload);
        }
        if let Some(roaming) = roaming
            && !tcp.receiver.has(seq)
        {
            roaming.on_bytes(roaming.path_at(packet.hop), arrival.payload);
        }
        let answer = tcp.receiver.on_segment(self.now, arrival);
        if let Some(reader) = &mut tcp.reader {
            let delivered = tcp.receiver.delivered_bytes();
            on_delivered(reader, self.now, delivered, &mut self.queue);
        }
        match answer {
            Some(ack) => self.send_ack(packet.flow, PacketKind::Ack, &ack),
            None => {
                if let Some(due) = tcp.receiver.ack_due() {
                    self.queue.push(due, RECEIVER | packet.flow);
                }
            }
        }
    }

    /// A probe arrived at its receiver.
    pub(super) fn on_probe(&mut self, packet: &Packet) {
        let Ends::Tcp(tcp) = &mut self.flows[packet.flow as usize].ends else { return };
        let seq = expand(tcp.receiver.next(), packet.seq);
        let arrival = arrival(tcp, packet, seq);
        let ack = tcp.receiver.on_probe(packet.kind == PacketKind::Nil, arrival);
        if let Some(reader) = &mut tcp.reader {
            let delivered = tcp.receiver.delivered_bytes();
            on_delivered(reader, self.now, delivered, &mut self.queue);
        }
        let kind = match packet.kind {
            PacketKind::Challenge => PacketKind::ChallengeAnswer,
            _ => PacketKind::ProbeAck,
        };
        self.send_ack(packet.flow, kind, &ack);
    }

    /// A connection request arrived at its receiver.
    pub(super) fn on_syn(&mut self, packet: &Packet) {
        let flow = &mut self.flows[packet.flow as usize];
        let Ends::Tcp(tcp) = &mut flow.ends else { return };
        let bits = Bits::ack(tcp.receiver.on_syn(packet.bits.flags(), packet.bits.ecn()));
        let (hop, bytes) = (flow.paths.back, flow.ack_bytes);
        self.offer(&Packet { hop, bytes, kind: PacketKind::SynAck, bits, ..*packet });
    }

    // An ACK for each packet: called, it would be handed through memory.
    #[inline(always)]
    pub(super) fn send_ack(&mut self, id: u32, kind: PacketKind, ack: &AckInfo) {
        let flow = &self.flows[id as usize];
        let ahead = u64::from(flow.ahead);
        // A receiver that claims to have more than it has must not show the gaps below its claim.
        let sack = if ahead > 0 { &SackBlocks::default() } else { &ack.sack };
        let (hop, bytes, proxied) = (flow.paths.back, flow.ack_bytes, flow.proxied.is_some());
        let mut options = match (&flow.feedback, flow.ecn_option) {
            (None, false) => self.options.put(sack, &PeerInfo::NONE),
            _ => self.put_all(id, sack),
        };
        if proxied {
            options = self.announce(id, options);
        }
        self.answer(&Packet {
            sent_at: ack.echo_sent_at,
            tx: ack.echo_tx,
            seq: (ack.ack + ahead) as u32,
            flow: id,
            hop,
            bytes,
            kind,
            bits: Bits::ack(ack.ecn_flags),
            options,
        });
    }

    /// Keeps the options of an ACK of a flow that has more of them than SACK blocks.
    #[inline(never)]
    fn put_all(&mut self, id: u32, sack: &SackBlocks) -> OptionsId {
        let peer_info = self.peer_info(id);
        let flow = &self.flows[id as usize];
        match flow.ecn_option.then(|| flow.marked_bytes()).flatten() {
            None => self.options.put(sack, &peer_info),
            Some(bytes) => self.options.put_counter(sack, &peer_info, bytes),
        }
    }

    /// Sends the last ACK again, for what the receiver reports in it.
    pub(super) fn repeat_ack(&mut self, id: u32) {
        let Ends::Tcp(tcp) = &mut self.flows[id as usize].ends else { return };
        let ack = tcp.receiver.repeated_ack();
        self.send_ack(id, PacketKind::Ack, &ack);
    }

    /// An ACK arrived at its sender.
    #[inline(never)]
    pub(super) fn on_ack(&mut self, packet: &Packet) {
        let (mut counter, mut window) = (None, None);
        if packet.options != OptionsId::NONE {
            self.on_peer_info(packet);
            counter = self.options.counter(packet.options);
            window = self.options.window(packet.options);
        }
        let sack = self.options.take(packet.options);
        let Flow { ends: Ends::Tcp(tcp), rtts, roaming, proxied, .. } =
            &mut self.flows[packet.flow as usize]
        else {
            return;
        };
        let proxied = proxied.is_some();
        if let Some(bytes) = counter {
            tcp.sender.on_ecn_option(bytes);
        }
        let info = ack_info(&tcp.sender, packet, sack);
        if info.echo_sent_at == Time::MAX {
            tcp.sender.on_repeated_ack(self.now, &info);
        } else if let Some(rtt) = tcp.sender.on_ack(self.now, &info) {
            match roaming {
                Some(roaming) => rtts.note_on(roaming.path_at(packet.hop), rtt),
                None => rtts.note(self.now, rtt),
            }
        }
        if let Some(window) = window {
            tcp.sender.on_window(info.ack, window);
        }
        self.send(packet.flow);
        if proxied {
            self.on_proxied_ack(packet.flow);
        }
    }

    /// The ACK of a probe arrived at its sender.
    pub(super) fn on_probe_ack(&mut self, packet: &Packet) {
        self.on_peer_info(packet);
        let window = self.options.window(packet.options);
        let sack = self.options.take(packet.options);
        let flow = &mut self.flows[packet.flow as usize];
        let Ends::Tcp(tcp) = &mut flow.ends else { return };
        let info = ack_info(&tcp.sender, packet, sack);
        tcp.sender.on_probe_ack(self.now, &info);
        if let Some(window) = window {
            tcp.sender.on_window(info.ack, window);
        }
        self.send(packet.flow);
        if self.flows[packet.flow as usize].proxied.is_some() {
            self.on_proxied_ack(packet.flow);
        }
    }

    /// The answer to a connection request arrived at its sender.
    pub(super) fn on_syn_ack(&mut self, packet: &Packet) {
        let Ends::Tcp(tcp) = &mut self.flows[packet.flow as usize].ends else { return };
        tcp.sender.on_syn_ack(self.now, packet.sent_at, packet.bits.flags());
        self.send(packet.flow);
    }

    /// A source quench arrived at a flow's source. Paced senders ignore it (RFC 1122, section
    /// 4.1.3.3, leaves it to the application).
    pub(super) fn on_quench(&mut self, id: u32) {
        let flow = &mut self.flows[id as usize];
        let Ends::Tcp(tcp) = &mut flow.ends else { return };
        // Cells of a channel's status meet congestion before its flow starts, and one that bit
        // errors made look like data is answered. There is no connection yet.
        if self.now < flow.start {
            return;
        }
        tcp.sender.on_quench(self.now);
        self.send(id);
    }

    /// Hands what a receiver reports in an ACK to its sender.
    fn on_peer_info(&mut self, packet: &Packet) {
        let now = self.now;
        let PeerInfo { link_report, rate, window_open } = self.options.peer_info(packet.options);
        let Ends::Tcp(TcpEnds { sender, .. }) = &mut self.flows[packet.flow as usize].ends else {
            return;
        };
        if let Some(report) = link_report {
            sender.on_peer_link_report(now, &report);
        }
        if let Some(rate) = rate {
            sender.on_peer_rate(now, rate);
        }
        match window_open {
            Some(true) => sender.thaw(now, FrozenBy::Peer),
            Some(false) => sender.freeze(now, FrozenBy::Peer),
            None => {}
        }
    }

    /// A host of a Freeze-TCP flow is about to lose its link, or has it back.
    pub(super) fn on_step(&mut self, id: u32) {
        let flow = &mut self.flows[id as usize];
        let Flow { ends: Ends::Tcp(tcp), feedback, start, .. } = flow else { return };
        let Some(step) = tcp.steps.pop() else { return };
        if let Some(next) = tcp.steps.last() {
            self.queue.push(next.at, STEP | id);
        }
        // Before the flow starts there is no connection, and nothing to send.
        let started = self.now >= *start;
        match (step.side, step.freezes) {
            (Side::Sender, true) => tcp.sender.freeze(self.now, FrozenBy::Host),
            (Side::Sender, false) => {
                tcp.sender.thaw(self.now, FrozenBy::Host);
                if started {
                    self.send(id);
                }
            }
            (Side::Receiver, freezes) => {
                if let Some(feedback) = feedback {
                    feedback.set_closed(freezes);
                }
                let copies = match (started, freezes) {
                    (false, _) => 0,
                    (true, true) => 1,
                    (true, false) => THAW_ACKS,
                };
                for _ in 0..copies {
                    self.repeat_ack(id);
                }
            }
        }
    }
}

/// This many bytes have been delivered in all. An application acts after all arrivals of the
/// instant.
fn on_delivered(reader: &mut Reader, now: Time, bytes: u64, queue: &mut EventQueue) {
    match reader {
        Reader::Delays(delays) => delays.on_delivered(now, bytes),
        Reader::Talk(index) => queue.push(now, TALK | *index),
        Reader::Proxy(flow) => queue.push(now, RELAY | *flow),
    }
}

/// Segment `seq`, as it arrives in this packet.
#[inline]
fn arrival(ends: &TcpEnds, packet: &Packet, seq: u64) -> Arrival {
    let payload = u32::from(packet.bytes).saturating_sub(ends.header);
    Arrival { seq, tx: packet.tx, sent_at: packet.sent_at, payload }
}

/// The fields of an ACK for the sender that it has reached.
#[inline]
fn ack_info(sender: &Sender, packet: &Packet, sack: SackBlocks) -> AckInfo {
    AckInfo {
        ack: expand(sender.una(), packet.seq),
        echo_tx: packet.tx,
        echo_sent_at: packet.sent_at,
        ecn_flags: packet.bits.flags(),
        sack,
    }
}
