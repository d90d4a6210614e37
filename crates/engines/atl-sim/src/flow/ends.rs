//! The two ends of a flow: what its families have in common.

use atl_core::path::{LinkReport, PathId, PathSignal};
use atl_core::time::Time;
use atl_core::window::{Handoff, WindowController as _};
use atl_endpoint::handoff::Notice;
use atl_endpoint::number::expand;
use atl_engine::flow::{Build, Progress};
use atl_engine::protocol::Transport;

use super::build::Built;
use super::paced::PacedEnds;
use super::tcp::TcpEnds;
use crate::packet::Packet;

/// The sender and receiver of a flow.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "a pointer to either would be followed at each packet"
)]
pub(crate) enum Ends {
    /// A window, and every byte delivered in order.
    Tcp(TcpEnds),
    /// A rate; what is lost is not repeated.
    Paced(PacedEnds),
}

impl Ends {
    /// The ends of a flow, with its transport protocol.
    pub(super) fn build(build: &Build<'_>, transport: &Transport) -> Built<Ends> {
        match transport {
            Transport::Tcp(protocol) => {
                let Built { ends, half } = TcpEnds::build(build, protocol);
                Built { ends: Ends::Tcp(ends), half }
            }
            Transport::Paced(config) => {
                let Built { ends, half } = PacedEnds::build(build, config);
                Built { ends: Ends::Paced(ends), half }
            }
            Transport::Quic(_) => panic!("QUIC in a setup that this host has a gap for"),
        }
    }

    /// Counts of both ends since the flow started.
    pub(super) fn progress(&self) -> Progress {
        match self {
            Ends::Tcp(tcp) => tcp.progress(),
            Ends::Paced(paced) => paced.progress(),
        }
    }

    /// True if the sender's controller takes reports of wireless links.
    pub(crate) fn listens(&self) -> bool {
        match self {
            Ends::Tcp(tcp) => tcp.sender.controller().listens(),
            Ends::Paced(paced) => paced.sender.controller().listens(),
        }
    }

    /// True if the receiving host freezes the connection at times.
    pub(crate) fn receiver_freezes(&self) -> bool {
        match self {
            Ends::Tcp(tcp) => tcp.receiver_freezes(),
            Ends::Paced(_) => false,
        }
    }

    /// True if the receiver does not answer each packet at once.
    pub(crate) fn receiver_waits(&self) -> bool {
        match self {
            Ends::Tcp(tcp) => tcp.receiver.delays(),
            Ends::Paced(paced) => paced.receiver.reports(),
        }
    }

    /// When the sender's timer expires; [`Time::MAX`]: never.
    #[inline]
    pub(crate) fn next_timer(&mut self, now: Time) -> Time {
        match self {
            Ends::Tcp(tcp) => tcp.sender.next_timer(now),
            Ends::Paced(paced) => paced.next_timer(now),
        }
    }

    /// The sender's timer expires.
    pub(crate) fn on_timer(&mut self, now: Time) {
        match self {
            Ends::Tcp(tcp) => tcp.sender.on_timer(now),
            Ends::Paced(paced) => paced.sender.on_timer(now),
        }
    }

    /// A report of the wireless link at the sender's end.
    pub(crate) fn on_link_report(&mut self, now: Time, report: &LinkReport) {
        match self {
            Ends::Tcp(tcp) => tcp.sender.on_link_report(now, report),
            Ends::Paced(paced) => paced.sender.on_link_report(now, report),
        }
    }

    /// The sender's host changed networks.
    pub(crate) fn on_handoff(&mut self, handoff: &Handoff) {
        match self {
            Ends::Tcp(tcp) => tcp.sender.on_handoff(handoff),
            Ends::Paced(paced) => paced.sender.on_handoff(handoff),
        }
    }

    /// The lower layers of the sender's host signal what becomes of a path.
    pub(crate) fn on_path_signal(&mut self, now: Time, signal: PathSignal) {
        match self {
            Ends::Tcp(tcp) => tcp.sender.on_path_signal(now, signal),
            Ends::Paced(paced) => paced.sender.on_path_signal(now, signal),
        }
    }

    /// The same at the receiver's host.
    pub(crate) fn on_receiver_path_signal(&mut self, now: Time, signal: PathSignal) {
        if let Ends::Paced(paced) = self {
            paced.receiver.on_path_signal(now, signal);
            paced.deliver(now);
        }
    }

    /// A notice of the receiver's paths reached the sender over a path.
    pub(crate) fn on_notice(&mut self, now: Time, notice: &Notice, path: PathId, bytes: u32) {
        match self {
            Ends::Tcp(tcp) => tcp.sender.on_notice(now, notice, path, bytes),
            Ends::Paced(paced) => paced.sender.on_notice(now, notice, path, bytes),
        }
    }

    /// The sender's own interface failed to transmit a data packet.
    pub(crate) fn on_link_failure(&mut self, packet: &Packet) {
        match self {
            Ends::Tcp(tcp) => {
                let seq = expand(tcp.sender.una(), packet.seq);
                tcp.sender.on_link_failure(seq, packet.tx);
            }
            Ends::Paced(paced) => {
                let seq = expand(paced.sender.sent(), packet.seq);
                paced.sender.on_link_failure(seq);
            }
        }
    }

    /// True if the receiver drops packets with wrong octets. A TCP without error control does not.
    pub(crate) fn has_checksum(&self) -> bool {
        match self {
            Ends::Tcp(tcp) => tcp.sender.recovery().repairs(),
            Ends::Paced(_) => true,
        }
    }

    /// Bytes delivered to the application: in order (TCP), or as they arrived (paced).
    pub(crate) fn delivered_bytes(&self) -> u64 {
        match self {
            Ends::Tcp(tcp) => tcp.delivered_bytes(),
            Ends::Paced(paced) => paced.receiver.payload_bytes(),
        }
    }

    /// Segments delivered in order (TCP); packets that arrived (paced).
    pub(crate) fn delivered(&self) -> u64 {
        match self {
            Ends::Tcp(tcp) => tcp.receiver.next(),
            Ends::Paced(paced) => paced.receiver.arrived(),
        }
    }
}
