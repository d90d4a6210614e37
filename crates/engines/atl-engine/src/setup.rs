//! A concrete experiment: all that an engine needs to run it once, with no variable left open and
//! every file already read.

use std::sync::Arc;

use atl_core::model::Card;
use atl_core::path::PathSignal;
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
pub use atl_endpoint::app::{ApplicationConfig, Source};
pub use atl_endpoint::claims::{AckTiming, Claims};
pub use atl_endpoint::feedback::ReceiverAwareness;
pub use atl_endpoint::media::{EncoderRates, Media};
pub use atl_endpoint::paced::{PacedEcn, Pacing};
pub use atl_endpoint::tcp::{EcnMode, Nagle, Tcp};
use atl_link::random::Stream;
use atl_link::relay::Relay;
use atl_link::{Link, Packet};
pub use atl_mobility::coverage::Cell;
pub use atl_mobility::geometry::{Point, Track};
pub use atl_mobility::journey::Rules;

use crate::adaptation::Adaptation;
use crate::protocol::Protocol;
use crate::route;

/// A network and the flows on it.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Names of the nodes; links and flows refer to them by index.
    pub nodes: Vec<String>,
    /// Links, each in one direction.
    pub links: Vec<LinkSetup>,
    /// Flows; results are in the same order.
    pub flows: Vec<FlowSetup>,
    /// Mobile end systems; flows refer to them by index.
    pub mobiles: Vec<MobileSetup>,
    /// Places of cells and tracks of mobiles, for reports only; `None` without cells.
    pub map: Option<Box<Map>>,
    /// Simulated or real time that the run lasts.
    pub duration: Span,
    /// Time at the start that measurements leave out.
    pub warmup: Span,
    /// Sampling interval; `None` records no samples.
    pub sample_every: Option<Span>,
}

impl Setup {
    /// The path that a flow between two nodes would take: over the fewest links in each direction.
    /// `None` if there is no route in one direction.
    pub fn path(&self, from: usize, to: usize) -> Option<Path> {
        let ends: Vec<_> = self.links.iter().map(|link| (link.from, link.to)).collect();
        let nodes = self.nodes.len();
        let forward = route::route(nodes, &ends, from, to)?;
        Some(Path { forward, back: route::route(nodes, &ends, to, from)? })
    }

    /// The nodes at which a path begins and ends; node 0 for one without links.
    ///
    /// # Panics
    /// Panics if the path names a link that does not exist.
    pub fn ends(&self, path: &Path) -> (usize, usize) {
        let (first, last) = (path.forward.first(), path.forward.last());
        (
            first.map_or(0, |link| self.links[*link].from),
            last.map_or(0, |link| self.links[*link].to),
        )
    }
}

/// A link in one direction.
#[derive(Clone, Debug)]
pub struct LinkSetup {
    /// Name; the reverse direction of a two-way link `air` is `air.back`.
    pub name: String,
    /// Index of the node that sends into it.
    pub from: usize,
    /// Index of the node that it delivers to.
    pub to: usize,
    /// True if the link reports its loss and delay to the end system at its end (ATL's p_w and
    /// d_w).
    pub wireless: bool,
    /// Rate, delay, loss and queue, with changes over time.
    pub config: Arc<atl_link::Config>,
    /// Agent at the access point, between this link and the next of a path. Both directions of a
    /// two-way link have the same.
    pub agent: Option<Agent>,
    /// Adaptation layer at both ends of a tunnel, in which packets travel in cells. Both directions
    /// of a two-way link have the same.
    pub adaptation: Option<Adaptation>,
    /// Offset into its recorded traces; `None` for a link without traces.
    pub trace_start: Option<TraceStart>,
}

impl LinkSetup {
    /// Offset into its recorded traces in a run with this seed; `None` for a link without traces.
    pub fn trace_offset(&self, seed: u64) -> Option<Span> {
        self.trace_start.as_ref().map(|start| start.of(seed))
    }

    /// The link at the start of a run with this seed. All engines seed it with the same random
    /// stream.
    pub fn link<P: Packet>(&self, seed: u64) -> Link<P> {
        let stream = Stream::new(seed, &format!("link/{}", self.name));
        // Both directions are blocked together.
        let name = self.name.strip_suffix(".back").unwrap_or(&self.name);
        let shared = Stream::new(seed, &format!("link/{name}/shared"));
        let link = Link::new(self.config.clone(), stream).with_shared(shared);
        match self.trace_offset(seed) {
            Some(offset) => link.with_trace_offset(offset),
            None => link,
        }
    }
}

/// A relay over these links at the start of a run with this seed. Routes are lists of indices of
/// links.
///
/// # Panics
/// Panics if a route names a link that does not exist.
pub fn relay(links: &[LinkSetup], routes: Vec<Vec<usize>>, seed: u64) -> Relay {
    Relay::new(links.iter().map(|link| link.link(seed)).collect(), routes)
}

/// Offset into recorded traces, the same for both directions of a two-way link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceStart {
    /// The same offset in every run.
    At(Span),
    /// A random offset, which depends on the seed.
    Random {
        /// Name of the random stream that it is drawn from.
        stream: Arc<str>,
        /// Period of the longest of the traces.
        period: Span,
    },
}

impl TraceStart {
    /// The offset in a run with this seed; a random one is a whole number of milliseconds.
    pub fn of(&self, seed: u64) -> Span {
        match self {
            TraceStart::At(offset) => *offset,
            TraceStart::Random { stream, period } => {
                let millis = period.nanos() / 1_000_000;
                Span::from_millis(Stream::new(seed, stream).below(millis))
            }
        }
    }
}

/// An agent at the access point of a wireless link, which sees all packets and may repair losses of
/// the link.
#[derive(Clone, Debug, PartialEq)]
pub enum Agent {
    /// Snoop: local retransmissions, and suppression of the duplicate ACKs that they answer.
    Snoop(Snoop),
}

/// Parameters of Snoop.
#[derive(Clone, Debug, PartialEq)]
pub struct Snoop {
    /// Limit on the packets kept per flow; further ones pass without being kept.
    pub window: u32,
    /// Minimum timeout of its own retransmission timer.
    pub min_timeout: Span,
    /// Processing time of each packet (the paper's "additional buffering").
    pub delay: Span,
}

impl Default for Snoop {
    fn default() -> Self {
        Snoop { window: 100, min_timeout: Span::from_millis(100), delay: Span::ZERO }
    }
}

/// A path between the two ends of a flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Links from the source to the sink, as indices in order.
    pub forward: Vec<usize>,
    /// Links from the sink to the source, as indices in order.
    pub back: Vec<usize>,
}

/// A mobile end system, which moves between cells.
#[derive(Clone, Debug, PartialEq)]
pub struct MobileSetup {
    /// Name in the scenario.
    pub name: String,
    /// Names of the cells that it uses, in order of first use.
    pub cells: Vec<String>,
    /// Signals of its lower layers, by increasing time. Their paths are indices into `cells`; the
    /// first cell's path exists from the start.
    pub steps: Vec<MobileStep>,
    /// Rules behind the steps, by which reports distinguish designs; engines do not need them.
    pub handoff: Handoff,
    /// Currents and rate of its radio, if the scenario gives them.
    pub card: Option<RadioCard>,
}

/// The radio of a mobile, for the charge that probes take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RadioCard {
    /// Currents while receiving and while transmitting.
    pub currents: Card,
    /// Rate at which its packets are on the air.
    pub rate: Rate,
}

/// A mobile's method of changing cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Handoff {
    /// Trigger of the change, and number of radios.
    pub rules: Rules,
    /// Method of predicting the next cell.
    pub prediction: Prediction,
}

/// A mobile's method of predicting its next cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Prediction {
    /// The cell with the best signal.
    Nearest,
    /// The cell that it would change to if it kept its course.
    #[default]
    Heading,
    /// The most frequent successor in earlier journeys, which are lists of cells by index.
    History(Vec<Vec<usize>>),
}

/// Places of cells and tracks of mobiles.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// Cells in the order of the file.
    pub cells: Vec<CellPlace>,
    /// Track of each of [`Setup::mobiles`].
    pub tracks: Vec<Track>,
}

/// A cell on the map.
#[derive(Clone, Debug, PartialEq)]
pub struct CellPlace {
    /// Name of the cell, and of its node.
    pub name: String,
    /// Position and radius in metres.
    pub cell: Cell,
    /// Index of its downlink in [`Setup::links`]; the uplink is the next one.
    pub downlink: usize,
}

/// A signal of a mobile's lower layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MobileStep {
    /// Time of the signal.
    pub at: Time,
    /// Path concerned, and what happens to it.
    pub signal: PathSignal,
}

/// The mobile at one end of a flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowMobile {
    /// Index in [`Setup::mobiles`].
    pub mobile: usize,
    /// True if it sends the data, false if it receives them.
    pub sends: bool,
    /// Copy of its [`MobileSetup::card`].
    pub card: Option<RadioCard>,
}

impl FlowSetup {
    /// The path that the flow starts on.
    ///
    /// # Panics
    /// Panics if `paths` is empty, against its contract.
    pub fn first_path(&self) -> &Path {
        &self.paths[0]
    }
}

/// Notices by which a receiving mobile tells the sender of its paths, and an attacker's forgeries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notices {
    /// True if notices carry a tag made with the session's key and the sender ignores all others.
    pub signed: bool,
    /// Notices of an attacker, if there is one.
    pub forged: Option<Forged>,
}

impl Default for Notices {
    fn default() -> Self {
        Notices { signed: true, forged: None }
    }
}

/// Notices that an attacker sends in the name of a receiving mobile. They arrive as if over the
/// path that they are about, each as long as a data packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forged {
    /// Content of the notices.
    pub says: Forgery,
    /// Time at which the first one arrives at the sender.
    pub start: Time,
    /// Interval between them.
    pub every: Span,
}

/// Content of an attacker's notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgery {
    /// This signal, numbered above all that the mobile uses. Without the key there is no tag.
    Signal(PathSignal),
    /// A copy of the mobile's own previous notice.
    Replay,
}

/// A proxy that ends a flow and sends on what that delivers over another (RFC 3135, sec. 2.1.1 and
/// 3.1: a split connection).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Onward {
    /// Index of the flow over which it sends on. Its source is [`Source::Relayed`].
    pub flow: usize,
    /// Bytes that it keeps at most: delivered by the first flow, and not acknowledged on the
    /// second.
    pub buffer: u64,
}

/// Ending of the names of flows to a proxy. The flow that goes on has the name without it.
pub const TO_PROXY: &str = ".pep";

/// A flow from one node to another.
#[derive(Clone, Debug)]
pub struct FlowSetup {
    /// Name, unique in the setup.
    pub name: String,
    /// Name of the group that it is evaluated in: the file's `group`, otherwise the flow's name
    /// before `count` numbered it.
    pub group: String,
    /// Its paths, at least one; it starts on the first. A mobile's flow has one for each cell that
    /// the mobile uses, in the order of [`MobileSetup::cells`].
    pub paths: Vec<Path>,
    /// The mobile at one of its ends, if there is one.
    pub mobile: Option<FlowMobile>,
    /// Notices of a receiving mobile about its paths.
    pub notices: Notices,
    /// Congestion control and loss recovery.
    pub protocol: Protocol,
    /// Data of the application.
    pub source: Source,
    /// Index of the flow in the other direction, for the flow that the client of an
    /// [application](Source::Application) writes into; otherwise `None`.
    pub answers: Option<usize>,
    /// For the flow of an application's first connection, the flows that its client writes into
    /// over the others, each with its own `answers`; otherwise empty.
    pub connections: Vec<usize>,
    /// For a flow to a proxy that splits a connection, where that sends on what it delivers;
    /// otherwise `None`.
    pub onward: Option<Onward>,
    /// Time at which it starts.
    pub start: Time,
    /// Upper limit of a random delay of the start.
    pub start_jitter: Span,
    /// Time from which on its application writes nothing, later than its start. What it has written
    /// before is still delivered.
    pub stop: Option<Time>,
    /// Upper limit of a random delay before each of the sender's packets, which stay in order. It
    /// stands for the end system's own overhead and breaks up phase effects (Floyd and Jacobson
    /// 1992; docs/errata.md).
    pub overhead: Span,
    /// Parameters of TCP. A paced flow takes packet sizes and the access link's rate from here.
    pub tcp: Tcp,
    /// Parameters of a paced flow.
    pub pacing: Pacing,
    /// Link information that the receiver reports.
    pub receiver: ReceiverAwareness,
    /// Adaptation layer at both end systems, for packets that travel in cells from end to end.
    pub adaptation: Option<Adaptation>,
}
