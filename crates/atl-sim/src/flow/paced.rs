//! The ends of a paced flow.

use atl_core::path::PathId;
use atl_core::rate::{RateConfig, RateStart};
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_endpoint::app::Sizes;
use atl_endpoint::media::{Encoder, MediaResult, Playout};
use atl_endpoint::paced::{Outgoing, PacedReceiver, PacedSender, Queue};
use atl_scenario::setup::Source;

use super::build::{Build, Built};
use super::counts::{Progress, State};
use crate::packet::PacketKind;

/// Sender and receiver of a paced flow.
#[derive(Debug)]
pub(crate) struct PacedEnds {
    pub sender: PacedSender,
    pub receiver: PacedReceiver,
    /// Time of its receiver's timer event in the queue; [`Time::MAX`] without one.
    pub receiver_due: Time,
    /// Header bytes of a packet.
    pub header: u32,
    /// The viewer of a live encoder's frames.
    pub playout: Option<Box<Playout>>,
}

/// The sender's RTT in microseconds, which data packets carry where TCP numbers transmissions.
fn stamp(rtt: Option<Span>) -> u64 {
    rtt.map_or(0, |rtt| (rtt.nanos() / 1000).min(u64::from(u32::MAX)))
}

impl PacedEnds {
    pub(super) fn build(build: &Build<'_>, config: &RateConfig) -> Built<Self> {
        let plan = build.plan;
        let tcp = &plan.tcp;
        let pps = |rate: Rate| rate.packets_per_sec(build.packet_bytes);
        let target = plan.pacing.target.or(tcp.access_rate);
        let start = RateStart::default()
            .packet_bytes(build.packet_bytes)
            .target(target.map_or(0.0, pps))
            .minimum(pps(plan.pacing.minimum))
            .seed(build.stream("controller").next_u64());
        let controller = config.build(&start);
        let feedback = plan.pacing.feedback.unwrap_or(config.feedback());
        let (queue, playout) = match &plan.source {
            Source::Media(media) => (
                Queue::frames(Encoder::new(media, build.start), tcp.segment, media.playout),
                Some(Box::new(Playout::new(media.playout))),
            ),
            _ => (Queue::segments(build.app(), tcp.segment), None),
        };
        let sizes = (tcp.segment, tcp.header);
        let mut sender = PacedSender::new(controller, queue, sizes, build.start);
        let mut receiver = PacedReceiver::new(config.build_receiver(feedback));
        if plan.mobile.is_some() {
            let new_path = plan.protocol.new_path;
            sender = sender.with_new_path(new_path, config.clone(), start);
            receiver = receiver.with_new_path(new_path, config.clone(), feedback);
        }
        if let Some(key) = build.session_key() {
            sender = sender.with_key(key.clone());
            receiver = receiver.with_key(key);
        }
        let ends =
            PacedEnds { sender, receiver, receiver_due: Time::MAX, header: tcp.header, playout };
        // Every packet is full, also the last one of a file.
        Built { ends, half: None, sizes: Sizes::new(&Source::Greedy, tcp.segment) }
    }

    /// The next packet to be sent, if one may be: kind, sequence number, transmission number, bytes, path. Tells the viewer of
    /// frames that begin or are given up. Kept out of the path of TCP's packets, as is [`next_timer`](Self::next_timer).
    #[inline(never)]
    pub(super) fn poll_packet(&mut self, now: Time) -> Option<(PacketKind, u64, u64, u16, PathId)> {
        let out = self.sender.poll_send(now);
        if let Some(playout) = &mut self.playout {
            if let Some(Outgoing::Data { seq, begins: Some((captured, end)), .. }) = out {
                playout.on_frame(captured, seq, end);
            }
            while let Some(captured) = self.sender.queue().poll_abandoned() {
                playout.on_abandoned(captured);
            }
        }
        Some(match out? {
            Outgoing::Data { seq, payload, path, .. } => {
                let rtt = stamp(self.sender.ledger().rtt().srtt());
                (PacketKind::Paced, seq, rtt, (payload + self.header) as u16, path)
            }
            Outgoing::Challenge { number, path, bytes } => {
                (PacketKind::Challenge, 0, number, bytes as u16, path)
            }
            Outgoing::Probe { number, path, bytes } => {
                (PacketKind::PacedProbe, 0, number, bytes as u16, path)
            }
        })
    }

    /// When the sender's timer expires; [`Time::MAX`]: never.
    #[inline(never)]
    pub(super) fn next_timer(&mut self, now: Time) -> Time {
        self.sender.next_timer(now)
    }

    /// Hands the viewer what the receiver has put in order.
    pub(crate) fn deliver(&mut self, now: Time) {
        while let Some(seq) = self.receiver.poll_delivery() {
            if let Some(playout) = &mut self.playout {
                playout.on_packet(now, seq);
            }
        }
    }

    /// Reads a word of each cache line that a packet will need.
    pub(super) fn touch(&self, due: Time) -> u64 {
        due.nanos() ^ self.receiver.arrived() ^ self.sender.sent()
    }

    pub(super) fn begin_measurement(&mut self, now: Time) {
        if let Some(playout) = &mut self.playout {
            playout.begin_measurement(now);
        }
        if let Some(encoder) = self.sender.queue().encoder_mut() {
            encoder.begin_measurement();
        }
    }

    pub(super) fn progress(&self) -> Progress {
        let arrived = self.receiver.arrived();
        Progress {
            sent: self.sender.sent(),
            arrived,
            delivered: arrived,
            delivered_bytes: self.receiver.payload_bytes(),
            retransmissions: 0,
            timeouts: 0,
            quench_reactions: 0,
            recoveries: self.sender.decreases(),
            probe_bytes: self.sender.probe_bytes(),
            order: None,
            spurious_losses: 0,
            handoffs: self.sender.moves(),
        }
    }

    /// What the viewer of a live encoder's frames saw, at the end of the run.
    pub(super) fn media(&mut self, end: Time) -> Option<MediaResult> {
        let playout = self.playout.as_mut()?;
        // Frames that still wait have not arrived either.
        for captured in self.sender.queue().unsent() {
            playout.on_abandoned(captured);
        }
        let encoder_bps = self.sender.queue().encoder().map(Encoder::mean_rate_bps);
        Some(MediaResult { encoder_bps: encoder_bps.unwrap_or_default(), ..playout.result(end) })
    }

    pub(super) fn state(&mut self, data_bytes: u16) -> State {
        let encoder_bps = self.sender.queue().encoder().map(Encoder::rate_bps);
        let (controller, ledger) = (self.sender.controller(), self.sender.ledger());
        State {
            cwnd: None,
            ssthresh: None,
            rate_bps: Some(controller.rate() * f64::from(data_bytes) * 8.0),
            encoder_bps,
            in_flight: ledger.in_flight(),
            srtt: ledger.rtt().srtt(),
            aimd: controller.aimd(),
        }
    }
}
