//! One concrete experiment: everything that a host needs to run it once, with no variable left open and
//! every file that it names already read.

use std::sync::Arc;

use atl_core::model::Card;
use atl_core::path::PathSignal;
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
pub use atl_endpoint::app::Source;
pub use atl_endpoint::feedback::ReceiverAwareness;
pub use atl_endpoint::media::{EncoderRates, Media};
pub use atl_endpoint::paced::Pacing;
pub use atl_endpoint::tcp::Tcp;
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
    /// Flows.
    pub flows: Vec<FlowSetup>,
    /// Hosts that move; flows refer to them by index.
    pub mobiles: Vec<MobileSetup>,
    /// Where they move: what a reader wants to see and no host needs; `None` without cells.
    pub map: Option<Box<Map>>,
    /// How long the run lasts.
    pub duration: Span,
    /// Time at the start that measurements leave out.
    pub warmup: Span,
    /// Time between two rows of samples; `None` records none.
    pub sample_every: Option<Span>,
}

impl Setup {
    /// The path from one node to another, over the fewest links each way: the one that a flow between them would take.
    /// `None` if a direction has none.
    pub fn path(&self, from: usize, to: usize) -> Option<Path> {
        let ends: Vec<_> = self.links.iter().map(|link| (link.from, link.to)).collect();
        let nodes = self.nodes.len();
        let forward = route::route(nodes, &ends, from, to)?;
        Some(Path { forward, back: route::route(nodes, &ends, to, from)? })
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
    /// A wireless link reports its loss and delay to the host at its end (ATL's p_w and d_w).
    pub wireless: bool,
    /// How it behaves.
    pub config: Arc<atl_link::Config>,
    /// Agent at the access point, between this link and the next of a path. Both directions of a two-way link have the
    /// same agent.
    pub agent: Option<Agent>,
    /// Packets cross it in cells: a tunnel with an adaptation layer at both ends, the same for both directions of a
    /// two-way link.
    pub adaptation: Option<Adaptation>,
    /// Where its recorded traces begin; `None` of a link without any.
    pub trace_start: Option<TraceStart>,
}

impl LinkSetup {
    /// How far into its recorded traces a run with this seed begins; `None` of a link without any.
    pub fn trace_offset(&self, seed: u64) -> Option<Span> {
        self.trace_start.as_ref().map(|start| start.of(seed))
    }

    /// The link at rest, as a run with this seed begins with it: every host draws from the same random stream.
    pub fn link<P: Packet>(&self, seed: u64) -> Link<P> {
        let stream = Stream::new(seed, &format!("link/{}", self.name));
        let link = Link::new(self.config.clone(), stream);
        match self.trace_offset(seed) {
            Some(offset) => link.with_trace_offset(offset),
            None => link,
        }
    }
}

/// A relay over these links at rest, as a run with this seed begins with them; routes are links by index.
///
/// # Panics
/// Panics if a route names a link that does not exist.
pub fn relay(links: &[LinkSetup], routes: Vec<Vec<usize>>, seed: u64) -> Relay {
    Relay::new(links.iter().map(|link| link.link(seed)).collect(), routes)
}

/// Where recorded traces begin, the same for both directions of a two-way link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TraceStart {
    /// This far into them, in every run.
    At(Span),
    /// Anywhere in them, at another place for each seed.
    Random {
        /// Name of the random stream.
        stream: Arc<str>,
        /// The period of the longest of them.
        period: Span,
    },
}

impl TraceStart {
    /// How far into the traces a run with this seed begins: whole milliseconds where it is drawn.
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

/// A path between the two ends of a flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Links from the source to the sink, by index, in order.
    pub forward: Vec<usize>,
    /// Links from the sink to the source, by index, in order.
    pub back: Vec<usize>,
}

/// A host that moves between cells.
#[derive(Clone, Debug, PartialEq)]
pub struct MobileSetup {
    /// Name.
    pub name: String,
    /// Names of the cells that it uses, in the order in which it first does.
    pub cells: Vec<String>,
    /// What its lower layers signal, in order of time. A path is the cell with its index in `cells`; the first cell's path
    /// is there from the start.
    pub steps: Vec<MobileStep>,
    /// What the steps were worked out by, beside its track: what a report tells designs apart by and no host needs.
    pub handoff: Handoff,
    /// What its radio draws, where the file says it.
    pub card: Option<RadioCard>,
}

/// The radio of a mobile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RadioCard {
    /// What it draws while it receives and while it transmits.
    pub currents: Card,
    /// The rate at which its packets are in the air.
    pub rate: Rate,
}

/// How a mobile changes cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Handoff {
    /// Where it changes, and with how many radios.
    pub rules: Rules,
    /// How it predicts its next cell.
    pub prediction: Prediction,
}

/// How a mobile predicts its next cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Prediction {
    /// The one with the best signal.
    Nearest,
    /// The one that it would change to if it kept its course.
    #[default]
    Heading,
    /// The one that it most often went to before: the cells of earlier journeys, by index.
    History(Vec<Vec<usize>>),
}

/// Where cells are and mobiles go.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// The cells, in the order of the file.
    pub cells: Vec<CellPlace>,
    /// The track of each of [`Setup::mobiles`].
    pub tracks: Vec<Track>,
}

/// A cell on the map.
#[derive(Clone, Debug, PartialEq)]
pub struct CellPlace {
    /// Name of the cell, and of its node.
    pub name: String,
    /// Place and radius.
    pub cell: Cell,
    /// Its downlink's index in [`Setup::links`]; the uplink is the next one.
    pub downlink: usize,
}

/// A signal of a mobile's lower layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MobileStep {
    /// When.
    pub at: Time,
    /// What.
    pub signal: PathSignal,
}

/// The mobile at an end of a flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowMobile {
    /// Its index in [`Setup::mobiles`].
    pub mobile: usize,
    /// True if it sends the data, false if it receives it.
    pub sends: bool,
    /// Its [`MobileSetup::card`].
    pub card: Option<RadioCard>,
}

impl FlowSetup {
    /// The path that it starts on.
    ///
    /// # Panics
    /// Panics if it has none, against its contract.
    pub fn first_path(&self) -> &Path {
        &self.paths[0]
    }
}

/// What a mobile receiver tells the sender of its paths, and who else pretends to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notices {
    /// They bear a tag of the session's key, and the sender believes no others.
    pub signed: bool,
    /// Notices of an attacker.
    pub forged: Option<Forged>,
}

impl Default for Notices {
    fn default() -> Self {
        Notices { signed: true, forged: None }
    }
}

/// Notices that an attacker sends in the name of a mobile receiver. They reach the sender as if they came over the path that
/// they are about, each as long as a data packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forged {
    /// What they say.
    pub says: Forgery,
    /// When the first one arrives at the sender.
    pub start: Time,
    /// Time from one to the next.
    pub every: Span,
}

/// What an attacker's notices say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgery {
    /// This, under a number above all that the mobile uses; without the key there is no tag.
    Signal(PathSignal),
    /// What the mobile itself has said before, word for word.
    Replay,
}

/// A flow from one node to another.
#[derive(Clone, Debug)]
pub struct FlowSetup {
    /// Name, unique in the setup.
    pub name: String,
    /// Name of the group that it is compared within: the file's `group`, or else the flow's name before `count`
    /// numbered it.
    pub group: String,
    /// Its paths, at least one; it starts on the first. A flow of a mobile has one for each cell that the mobile uses, in
    /// the order of [`MobileSetup::cells`].
    pub paths: Vec<Path>,
    /// The mobile at one of its ends, if one of them moves.
    pub mobile: Option<FlowMobile>,
    /// What a mobile receiver tells the sender of its paths.
    pub notices: Notices,
    /// Congestion control and loss recovery.
    pub protocol: Protocol,
    /// What the application sends.
    pub source: Source,
    /// When it starts.
    pub start: Time,
    /// The start is moved by a random time from zero up to this.
    pub start_jitter: Span,
    /// A random delay from zero up to this before each packet of the sender, order kept: the host's own
    /// overhead, which breaks up phase effects (Floyd and Jacobson 1992; docs/errata.md).
    pub overhead: Span,
    /// TCP's parameters; a paced flow takes its packets' sizes from here, and the access link's rate.
    pub tcp: Tcp,
    /// A paced flow's parameters.
    pub pacing: Pacing,
    /// What the receiver reports of its own wireless link.
    pub receiver: ReceiverAwareness,
    /// Its packets travel in cells from end to end, with this adaptation layer at both hosts.
    pub adaptation: Option<Adaptation>,
}
