//! The ends of a TCP flow.

use atl_core::time::Time;
use atl_core::window::{Start, WindowController};
use atl_endpoint::app::{Sizes, Writes};
use atl_endpoint::interruptions::{Side, Step, steps};
use atl_endpoint::meters::Delays;
use atl_endpoint::tcp::{Receiver, Sender};
use atl_engine::flow::{Build, Progress, State};
use atl_engine::protocol::TcpProtocol;

use super::build::Built;
use crate::packet::PacketKind;

/// Sender and receiver of a TCP flow.
#[derive(Debug)]
pub(crate) struct TcpEnds {
    pub sender: Sender,
    pub receiver: Receiver,
    /// Header bytes of a data packet.
    pub header: u32,
    /// When the hosts freeze and thaw the connection, the next step last.
    pub steps: Vec<Step>,
    /// Told of each delivery; `None` for sources that always have data.
    pub reader: Option<Box<Reader>>,
}

/// The reader of the receiver's bytes.
#[derive(Debug)]
pub(crate) enum Reader {
    /// A meter of the time from the application's write to delivery.
    Delays(Delays),
    /// The application with this index.
    Talk(u32),
    /// A proxy, which sends on what this flow delivers.
    Proxy(u32),
}

impl TcpEnds {
    pub(super) fn build(build: &Build<'_>, protocol: &TcpProtocol) -> Built<Self> {
        let plan = build.plan;
        let tcp = &plan.tcp;
        let start = Start::default()
            .initial_window(tcp.initial_window)
            .packet_bytes(build.packet_bytes)
            .access_rate(tcp.access_rate)
            .acked_per_ack(if tcp.delayed_ack.is_some() { 2.0 } else { 1.0 })
            .receive_window(tcp.receive_window)
            .seed(build.stream("controller").next_u64());
        let controller = protocol.controller.build(&start);
        let half = protocol.controller.build_receiver(&start);
        let config = |link: Option<u32>| link.map(|l| &*build.links[l as usize].config);
        let (own, peer) = (config(build.wireless.access), config(build.wireless.peer_access));
        let moves = build.moves.as_ref().map(|(side, signals)| (*side, &signals[..]));
        let steps = protocol.freeze.map(|ahead| steps(own, peer, moves, ahead)).unwrap_or_default();
        let writes = Writes::new(&plan.source, tcp.segment, build.start, build.stream("source"));
        let sizes = Sizes::new(&plan.source, tcp.segment);
        let recovery = protocol.recovery;
        let mut sender = Sender::new(recovery, controller, tcp, build.app());
        let response = sender.controller().mark_response();
        let mut receiver = Receiver::of(recovery, tcp).with_ecn(tcp, response);
        if plan.mobile.is_some() {
            let config = protocol.controller.clone();
            sender = sender.with_new_path(plan.protocol.new_path, config, start);
            receiver = receiver.counting_order();
        }
        if let Some(key) = build.session_key() {
            sender = sender.with_key(key);
        }
        if plan.onward.is_some() {
            sender = sender.with_announced_windows();
        }
        let ends = TcpEnds {
            sender,
            receiver,
            header: tcp.header,
            steps: steps.into_iter().rev().collect(),
            reader: writes.map(|writes| Box::new(Reader::Delays(Delays::new(writes, sizes)))),
        };
        Built { ends, half }
    }

    pub(super) fn receiver_freezes(&self) -> bool {
        self.steps.iter().any(|step| step.side == Side::Receiver)
    }

    /// Reads a word of each cache line that a packet of this kind will need.
    #[inline]
    pub(super) fn touch(&self, kind: PacketKind, due: Time, reports: bool) -> u64 {
        use PacketKind::{Ack, ProbeAck, Quench, Request, SynAck};
        match kind {
            Ack | SynAck | ProbeAck | Request | Quench => self.sender.touch() ^ due.nanos(),
            _ => self.receiver.next() ^ self.receiver.arrived() ^ u64::from(reports),
        }
    }

    pub(super) fn begin_measurement(&mut self) {
        if let Some(Reader::Delays(delays)) = self.reader.as_deref_mut() {
            delays.reset();
        }
    }

    pub(super) fn progress(&self) -> Progress {
        let counts = self.sender.counts();
        Progress {
            sent: counts.sent + counts.copies,
            arrived: self.receiver.arrived(),
            delivered: self.receiver.next(),
            delivered_bytes: self.receiver.delivered_bytes(),
            retransmissions: counts.retransmissions,
            timeouts: counts.timeouts,
            quench_reactions: counts.quenches,
            recoveries: counts.recoveries,
            probe_bytes: counts.probe_bytes,
            order: self.receiver.duplicates().zip(self.receiver.reordered()),
            spurious_losses: counts.spurious_losses,
            handoffs: counts.handoffs,
            marked: self.receiver.marked(),
            elsewhere_bytes: None,
        }
    }

    pub(super) fn delivered_bytes(&self) -> u64 {
        self.receiver.delivered_bytes()
    }

    /// Mean time from the application's write to delivery, in seconds.
    pub(super) fn delay_s(&self) -> Option<f64> {
        match self.reader.as_deref() {
            Some(Reader::Delays(delays)) => delays.mean_s(),
            Some(Reader::Talk(_) | Reader::Proxy(_)) | None => None,
        }
    }

    pub(super) fn state(&self) -> State {
        let controller = self.sender.controller();
        State {
            cwnd: Some(controller.window()),
            cwnd_beside: self.sender.beside().map(|(_, window)| window),
            ssthresh: Some(controller.ssthresh()),
            rate_bps: None,
            encoder_bps: None,
            in_flight: self.sender.in_flight(),
            srtt: self.sender.srtt(),
            aimd: controller.aimd(),
        }
    }
}
