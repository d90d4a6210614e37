//! One concrete experiment: everything that a host needs to run it once, with no variable left open and
//! every file that it names already read.

use std::sync::Arc;

use atl_core::path::LinkReport;
use atl_core::rate::FeedbackMode;
use atl_core::time::{Span, Time};
use atl_core::units::Rate;

use crate::adaptation::Adaptation;
use crate::protocol::Protocol;

/// A network and the flows on it.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Names of the nodes; links and flows refer to them by index.
    pub nodes: Vec<String>,
    /// Links, each in one direction.
    pub links: Vec<LinkSetup>,
    /// Flows.
    pub flows: Vec<FlowSetup>,
    /// How long the run lasts.
    pub duration: Span,
    /// Time at the start that measurements leave out.
    pub warmup: Span,
    /// Time between two rows of samples; `None` records none.
    pub sample_every: Option<Span>,
}

/// A link in one direction.
#[derive(Clone, Debug)]
pub struct LinkSetup {
    /// Name; the way back of a two-way link `air` is `air.back`.
    pub name: String,
    /// Index of the node that sends into it.
    pub from: usize,
    /// Index of the node that it delivers to.
    pub to: usize,
    /// A wireless link reports its loss and delay to the host at its end (ATL's p_w and d_w).
    pub wireless: bool,
    /// How it behaves.
    pub config: Arc<atl_link::Config>,
    /// What stands at the access point, between this link and the next of a way. Of a two-way link both
    /// directions name the same agent.
    pub agent: Option<Agent>,
    /// Packets travel over it in cells: a tunnel with an adaptation layer at both ends. Of a two-way link both
    /// directions have the same.
    pub adaptation: Option<Adaptation>,
}

/// An agent at the access point of a wireless link: it sees what passes, and may repair what the link loses.
#[derive(Clone, Debug, PartialEq)]
pub enum Agent {
    /// Snoop: local retransmissions, suppression of the duplicate ACKs that they answer.
    Snoop(Snoop),
}

/// Parameters of Snoop.
#[derive(Clone, Debug, PartialEq)]
pub struct Snoop {
    /// Packets that it keeps of a flow; more pass without being kept.
    pub window: u32,
    /// Least timeout of its own retransmission timer.
    pub min_timeout: Span,
    /// Time that it takes to take a packet in and pass it on (the paper's "additional buffering").
    pub delay: Span,
}

impl Default for Snoop {
    fn default() -> Self {
        Snoop { window: 100, min_timeout: Span::from_millis(100), delay: Span::ZERO }
    }
}

/// A flow from one node to another.
#[derive(Clone, Debug)]
pub struct FlowSetup {
    /// Name, unique in the setup.
    pub name: String,
    /// Name of the group that it is compared within: the file's `group`, or else the flow's name before `count`
    /// numbered it.
    pub group: String,
    /// Links from the source to the sink, by index, in order.
    pub forward: Vec<usize>,
    /// Links from the sink to the source, by index, in order.
    pub back: Vec<usize>,
    /// Congestion control and loss recovery.
    pub protocol: Protocol,
    /// What the application sends.
    pub source: Source,
    /// When it starts.
    pub start: Time,
    /// The start is moved by a random time from zero up to this.
    pub start_jitter: Span,
    /// A random delay from zero up to this before each packet of the sender, order kept: the host's own
    /// overhead, which breaks up phase effects (protocols.md, Floyd and Jacobson 1992).
    pub overhead: Span,
    /// TCP's parameters; a paced flow takes its packets' sizes from here, and the access link's rate.
    pub tcp: Tcp,
    /// A paced flow's parameters.
    pub pacing: Pacing,
    /// What the receiver tells of its own wireless link.
    pub receiver: Receiver,
    /// Its packets travel in cells from end to end, with this adaptation layer at both hosts.
    pub adaptation: Option<Adaptation>,
}

/// What a receiver tells, in its ACKs, of the wireless link at its end (ATL paper, sec. IV-A, cases 2 and 3).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Receiver {
    /// Its link's p_w and d_w and its handoffs, to a sender that listens.
    #[default]
    Aware,
    /// Nothing: it knows nothing of ATL.
    Unaware,
    /// These, whatever its link is like.
    Claims(LinkReport),
}

/// Parameters of a TCP connection.
#[derive(Clone, Debug, PartialEq)]
pub struct Tcp {
    /// Data bytes in a segment.
    pub segment: u32,
    /// Header bytes of a data segment on the wire.
    pub header: u32,
    /// Bytes of an ACK on the wire.
    pub ack: u32,
    /// Initial window in packets.
    pub initial_window: f64,
    /// The receiver's window in packets.
    pub receive_window: u32,
    /// Least retransmission timeout (RFC 6298 says 1 s; common stacks 0.2 s, above SRTT). A host keeps the
    /// timeout at least 0.2 s above SRTT too, or this if it is less.
    pub min_rto: Span,
    /// Largest retransmission timeout (RFC 6298, rule 2.5).
    pub max_rto: Span,
    /// Delay ACKs: one for each second packet or after this time; `None` acknowledges each packet.
    pub delayed_ack: Option<Span>,
    /// Begin with a three-way handshake.
    pub handshake: bool,
    /// Rate of the source's access link, where the host knows it.
    pub access_rate: Option<Rate>,
}

impl Default for Tcp {
    fn default() -> Self {
        Tcp {
            segment: 1000,
            header: 40,
            ack: 40,
            initial_window: 2.0,
            receive_window: 10_000,
            min_rto: Span::from_millis(200),
            max_rto: Span::from_secs(60),
            delayed_ack: None,
            handshake: false,
            access_rate: None,
        }
    }
}

/// Parameters of a paced flow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pacing {
    /// The rate on the wire that the application wants and that is never exceeded; none: the access link's rate
    /// ([`Tcp::access_rate`]).
    pub target: Option<Rate>,
    /// Least rate on the wire; zero: a packet in 64 s (RFC 5348).
    pub minimum: Rate,
    /// How the receiver tells what arrives; none: as the protocol has it.
    pub feedback: Option<FeedbackMode>,
}

/// Video whose encoder follows the rate that its flow is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Media {
    /// Frames per second, positive.
    pub frames_per_second: f64,
    /// Rates that the encoder can have, headers not included.
    pub rates: EncoderRates,
    /// Time from a change of the flow's rate until frames of the new rate come out of the encoder.
    pub reaction: Span,
    /// Time from a frame's capture until it is to be shown.
    pub playout: Span,
}

/// Rates that an encoder can have.
#[derive(Clone, Debug, PartialEq)]
pub enum EncoderRates {
    /// Any from the least to the largest.
    Range {
        /// Least.
        min: Rate,
        /// Largest.
        max: Rate,
    },
    /// One of these, in rising order, of which there is at least one.
    Ladder(Arc<[Rate]>),
}

/// What the application hands to the transport.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// Always has data (FTP).
    Greedy,
    /// So many bytes, then done.
    Fixed {
        /// Application bytes.
        bytes: u64,
    },
    /// A file of so many bytes, again and again (FTP sessions). The first one is submitted at the start, whatever became
    /// of those before it.
    Files {
        /// Application bytes of each.
        bytes: u64,
        /// Mean time from one submission to the next.
        every: Span,
        /// These times are exponentially distributed; otherwise they are constant.
        exponential: bool,
    },
    /// A constant bit rate, whatever becomes of it.
    Steady {
        /// Data rate.
        rate: Rate,
    },
    /// Data at a rate while on, none while off.
    OnOff {
        /// Mean length of an on period.
        on: Span,
        /// Mean length of an off period.
        off: Span,
        /// Data rate while on.
        rate: Rate,
        /// Lengths are exponentially distributed; otherwise they are constant.
        exponential: bool,
    },
    /// Frames of a live encoder, over a paced flow.
    Media(Media),
}
