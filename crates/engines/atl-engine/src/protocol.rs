//! Protocols: what carries a flow, with its parameters. The catalogue of those that a scenario file
//! can name is its reader's.

use atl_core::rate::{RateConfig, RateStart};
pub use atl_core::roaming::NewPath;
use atl_core::time::Span;
use atl_core::window::{Aimd, ControllerConfig, MarkResponse, Start, WindowController as _};
pub use atl_endpoint::tcp::Recovery;

/// A transport protocol as a scenario names it.
#[derive(Clone, Debug, PartialEq)]
pub struct Protocol {
    /// Name in the catalogue (`tcp-atl`).
    pub name: String,
    /// Name for people (`TCP-ATL`).
    pub label: String,
    /// The family, with its parameters.
    pub transport: Transport,
    /// The sender's choice on a path that is new to it.
    pub new_path: NewPath,
}

/// The families.
#[derive(Clone, Debug, PartialEq)]
pub enum Transport {
    /// A window, and every byte delivered in order.
    Tcp(TcpProtocol),
    /// A rate at which packets are paced; what is lost is not repeated.
    Paced(RateConfig),
    /// QUIC with a controller that the library noq brings along. Engines that carry QUIC have it,
    /// and no others. They also carry the window controllers of [`Tcp`](Transport::Tcp), with
    /// QUIC's own loss recovery.
    Quic(QuicController),
}

/// Congestion controllers of the library noq, behind its own interface: they cannot be moved to
/// another transport, since what that interface passes (its RTT estimator) can be made by the
/// library alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuicController {
    /// CUBIC (RFC 9438).
    Cubic,
    /// BBRv3 (draft-ietf-ccwg-bbr).
    Bbr3,
    /// NewReno (RFC 9002, sec. 7).
    NewReno,
}

/// TCP with one of our window controllers.
#[derive(Clone, Debug, PartialEq)]
pub struct TcpProtocol {
    /// Loss recovery.
    pub recovery: Recovery,
    /// Congestion controller with its parameters.
    pub controller: ControllerConfig,
    /// Freeze-TCP: a host that is about to lose its link freezes the sender so long ahead, and
    /// thaws it when the link is back.
    pub freeze: Option<Span>,
}

impl Protocol {
    /// Its parts, of a TCP.
    pub fn tcp(&self) -> Option<&TcpProtocol> {
        match &self.transport {
            Transport::Tcp(tcp) => Some(tcp),
            Transport::Paced(_) | Transport::Quic(_) => None,
        }
    }

    /// True of one that paces, and repeats nothing.
    pub fn paces(&self) -> bool {
        matches!(self.transport, Transport::Paced(_))
    }

    /// False if it draws from the system's randomness, so that a run has other results each time
    /// even in virtual time: noq's BBRv3, whose seed cannot be set.
    pub fn is_repeatable(&self) -> bool {
        !matches!(self.transport, Transport::Quic(QuicController::Bbr3))
    }

    /// True if its sender listens to reports of wireless links, its receiver's among them.
    pub fn listens(&self) -> bool {
        match &self.transport {
            Transport::Tcp(tcp) => tcp.controller.build(&Start::default()).listens(),
            Transport::Paced(config) => config.build(&RateStart::default()).listens(),
            Transport::Quic(_) => false,
        }
    }

    /// Its law's answer to ECN marks; for a paced flow, and for a controller of a QUIC library,
    /// that of RFC 3168.
    pub fn mark_response(&self) -> MarkResponse {
        match &self.transport {
            Transport::Tcp(tcp) => tcp.controller.build(&Start::default()).mark_response(),
            Transport::Paced(_) | Transport::Quic(_) => MarkResponse::Classic,
        }
    }

    /// AIMD parameters that never change, of a flow with this round-trip time; alpha in packets per
    /// second per round-trip time. `None` of any other protocol.
    pub fn fixed_aimd(&self, rtt: Span) -> Option<Aimd> {
        match &self.transport {
            Transport::Tcp(_) | Transport::Quic(_) => None,
            Transport::Paced(config) => config.fixed_aimd(rtt),
        }
    }

    /// The same, to be changed.
    pub fn tcp_mut(&mut self) -> Option<&mut TcpProtocol> {
        match &mut self.transport {
            Transport::Tcp(tcp) => Some(tcp),
            Transport::Paced(_) | Transport::Quic(_) => None,
        }
    }
}
