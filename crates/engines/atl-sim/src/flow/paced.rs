//! The ends of a paced flow.

use atl_core::path::PathId;
use atl_core::rate::RateConfig;
use atl_core::time::Time;
use atl_endpoint::media::{MediaResult, Playout};
use atl_endpoint::paced::{Outgoing, PacedReceiver, PacedSender};
use atl_engine::flow::paced::{self, Paced};
use atl_engine::flow::{Build, Progress, State};
use atl_link::Ecn;

use super::build::Built;
use crate::packet::PacketKind;

/// A packet that leaves: kind, sequence number, transmission number, bytes, path.
pub(super) type Leaving = (PacketKind, u64, u64, u16, PathId);

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
    /// When its application stops.
    pub stop: Option<Time>,
}

impl PacedEnds {
    pub(super) fn build(build: &Build<'_>, config: &RateConfig) -> Built<Self> {
        let Paced { sender, receiver, playout } = paced::build(build, config);
        let tcp = &build.plan.tcp;
        let header = tcp.header;
        let stop = build.plan.stop;
        let ends = PacedEnds { sender, receiver, receiver_due: Time::MAX, header, playout, stop };
        Built { ends, half: None }
    }

    /// The next packet to be sent, if one may be, and its ECN field. Tells the viewer of frames
    /// that begin or are given up. Kept out of the path of TCP's packets, as is
    /// [`next_timer`](Self::next_timer).
    #[inline(never)]
    pub(super) fn poll_packet(&mut self, now: Time) -> Option<(Leaving, Ecn)> {
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
            Outgoing::Data { seq, payload, path, ecn, .. } => {
                let rtt = u64::from(paced::rtt_stamp(&self.sender));
                ((PacketKind::Paced, seq, rtt, (payload + self.header) as u16, path), ecn)
            }
            Outgoing::Challenge { number, path, bytes } => {
                ((PacketKind::Challenge, 0, number, bytes as u16, path), Ecn::NotEct)
            }
            Outgoing::Probe { number, path, bytes } => {
                ((PacketKind::PacedProbe, 0, number, bytes as u16, path), Ecn::NotEct)
            }
        })
    }

    /// When the sender's timer expires; [`Time::MAX`]: never.
    #[inline(never)]
    pub(super) fn next_timer(&mut self, now: Time) -> Time {
        self.sender.next_timer(now)
    }

    /// When the sender's timer expires, if nothing may be sent before then. `None` otherwise, and
    /// where frames may have to be given up, of which [`poll_packet`](Self::poll_packet) tells the
    /// viewer.
    pub(crate) fn rests_until(&mut self, now: Time) -> Option<Time> {
        if self.playout.is_some() {
            return None;
        }
        Some(self.sender.next_timer(now)).filter(|next| *next > now)
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
            marked: self.receiver.marked(),
            elsewhere_bytes: None,
        }
    }

    /// Figures of the viewer of a live encoder's frames, at the end of the run.
    pub(super) fn media(&mut self, end: Time) -> Option<MediaResult> {
        let playout = self.playout.as_mut()?;
        Some(paced::media(playout, &mut self.sender, end))
    }

    /// When everything had arrived of an application that stopped.
    pub(super) fn finished(&mut self, end: Time) -> Option<Time> {
        paced::finished(&mut self.sender, self.stop, self.receiver.last_arrival(), end)
    }

    pub(super) fn state(&mut self, data_bytes: u16) -> State {
        paced::state(&mut self.sender, data_bytes)
    }
}
