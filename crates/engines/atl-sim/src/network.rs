//! The network of a run: links, and a table of where packets go next.
//!
//! An entry of the routing table is a link, [`END`], or a [`Door`]: a place where something other
//! than a link takes the packet. A packet that goes from link to link never asks for doors: an
//! entry that is not a link is looked up apart.

use atl_core::time::{Span, Time};
use atl_engine::setup::LinkSetup;
use atl_link::Link;

use crate::agent::{Places, Spot};
use crate::packet::Packet;

/// The end of a path in the routing table.
pub(crate) const END: u32 = u32::MAX;

/// A place in the routing table from which the next is an [`END`] without agents: from here a
/// packet that has met those at its own place goes to its endpoint.
pub(crate) const BEFORE_END: u32 = 0;

/// Entries from here on, below [`END`], are places where agents stand.
const AGENTS: u32 = 1 << 31;

/// Entries from here on, below [`AGENTS`], are ends of virtual channels.
const CHANNEL: u32 = 1 << 30;

/// Entries from here on, below [`SINK`], are links that a switch puts cells onto.
const SWITCH: u32 = 1 << 29;

/// The entry of a channel's path at its other end.
const SINK: u32 = CHANNEL - 1;

/// An entry of a route that is no link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Door {
    /// Agents, which may keep or copy the packet.
    Agents,
    /// An end of a virtual channel, which cuts the packet into cells.
    Channel(u32),
    /// A switch, which puts a cell onto this link.
    Switch(u32),
    /// The other end of a cell's virtual channel.
    Sink,
}

/// A link, and the time of its event in the queue; [`Time::MAX`] without one.
#[derive(Debug)]
pub(crate) struct Hop {
    pub due: Time,
    pub link: Link<Packet>,
}

impl Hop {
    fn new(setup: &LinkSetup, seed: u64) -> Self {
        let link = setup.link(seed);
        // Only wireless links have a MAC that reports.
        let link = if setup.wireless { link } else { link.without_window() };
        Hop { due: Time::MAX, link }
    }
}

/// The links and the routing table.
#[derive(Debug)]
pub(crate) struct Network {
    pub links: Vec<Hop>,
    /// For each link, how far into its recorded traces the run begins.
    pub trace_offsets: Vec<Option<Span>>,
    /// All paths one after the other, each closed by [`END`] or [`SINK`], after an empty one (see
    /// [`BEFORE_END`]).
    routes: Vec<u32>,
    /// Where agents stand.
    pub places: Places,
}

impl Network {
    pub(crate) fn new(links: &[LinkSetup], seed: u64) -> Self {
        Network {
            links: links.iter().map(|setup| Hop::new(setup, seed)).collect(),
            trace_offsets: links.iter().map(|setup| setup.trace_offset(seed)).collect(),
            routes: vec![END; 2],
            places: Places::default(),
        }
    }

    /// Adds a path of entries; returns where it begins in the table.
    pub(crate) fn add_route(&mut self, path: &[u32]) -> u32 {
        let begin = self.routes.len() as u32;
        self.routes.extend_from_slice(path);
        self.routes.push(END);
        begin
    }

    /// Adds the path of a virtual channel's cells over these links; returns where it begins in the
    /// table. The channel's end itself puts cells onto the first link.
    pub(crate) fn add_channel(&mut self, links: &[u32]) -> u32 {
        let begin = self.routes.len() as u32;
        let switch = |(i, link): (usize, &u32)| if i == 0 { *link } else { SWITCH + link };
        self.routes.extend(links.iter().enumerate().map(switch));
        self.routes.push(SINK);
        begin
    }

    /// The entry of an end of a virtual channel.
    pub(crate) fn channel(end: u32) -> u32 {
        CHANNEL + end
    }

    /// The door behind an entry that is neither a link nor [`END`].
    pub(crate) fn door(entry: u32) -> Door {
        match entry {
            AGENTS.. => Door::Agents,
            CHANNEL.. => Door::Channel(entry - CHANNEL),
            SINK => Door::Sink,
            _ => Door::Switch(entry - SWITCH),
        }
    }

    /// The entry at a place in the table: a link, [`END`], or a door.
    #[inline]
    pub(crate) fn entry(&self, hop: u32) -> u32 {
        self.routes[hop as usize]
    }

    /// The link at a place in the table, also behind agents or a switch; [`END`] or a door if there
    /// is none.
    #[inline]
    pub(crate) fn link_at(&self, hop: u32) -> u32 {
        match self.entry(hop) {
            entry if entry < SWITCH || entry == END => entry,
            door => self.link_behind(hop, door),
        }
    }

    fn link_behind(&self, hop: u32, entry: u32) -> u32 {
        match Network::door(entry) {
            Door::Agents => self.place(hop).1,
            Door::Switch(link) => link,
            Door::Channel(_) | Door::Sink => entry,
        }
    }

    /// The place where agents stand at this point of the table, and what is behind them: a link,
    /// [`END`], or an end of a virtual channel.
    pub(crate) fn place(&self, hop: u32) -> (u32, u32) {
        let place = self.entry(hop) - AGENTS;
        (place, self.places.behind(place))
    }

    /// Puts an agent at this point of the table, behind those that stand there.
    pub(crate) fn stand(&mut self, hop: u32, agent: u32, spot: Spot) {
        let entry = self.entry(hop);
        let place = match entry {
            AGENTS.. if entry != END => entry - AGENTS,
            behind => self.places.add(behind),
        };
        self.routes[hop as usize] = AGENTS + place;
        self.places.enter(place, agent, spot);
    }
}
