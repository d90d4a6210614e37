//! The network of a run: links, and which link a packet takes next.

use atl_core::time::Time;
use atl_link::Link;
use atl_link::random::Stream;
use atl_scenario::setup::LinkSetup;

use crate::agent::{Places, Spot};
use crate::packet::Packet;

/// The end of a path in the routing table.
pub(crate) const END: u32 = u32::MAX;

/// A place in the routing table from which the next is an [`END`] without agents: from here a packet that has met
/// those at its own goes to its endpoint.
pub(crate) const BEFORE_END: u32 = 0;

/// Entries of the routing table from here on, but for [`END`], are places where agents stand rather than links.
const PLACE: u32 = 1 << 31;

/// Entries from here on, below places, are ends of virtual channels.
const END_OF_CHANNEL: u32 = 1 << 30;

fn is_place(entry: u32) -> bool {
    (PLACE..END).contains(&entry)
}

/// A link, and when its event in the queue is; [`Time::MAX`] if it has none.
#[derive(Debug)]
pub(crate) struct Hop {
    pub due: Time,
    pub link: Link<Packet>,
}

/// The links and the routing table.
#[derive(Debug)]
pub(crate) struct Network {
    pub links: Vec<Hop>,
    /// All paths one behind the other, each closed by [`END`], behind a path of none (see [`BEFORE_END`]).
    routes: Vec<u32>,
    /// Where agents stand.
    pub places: Places,
    /// Flows whose source's own wireless link it is, for each link.
    pub listeners: Vec<Vec<u32>>,
    /// Flows whose receiver's own wireless link it is, for each link.
    pub receivers: Vec<Vec<u32>>,
}

impl Network {
    pub fn new(links: &[LinkSetup], seed: u64) -> Self {
        Network {
            listeners: vec![Vec::new(); links.len()],
            receivers: vec![Vec::new(); links.len()],
            links: links
                .iter()
                .map(|link| {
                    let stream = Stream::new(seed, &format!("link/{}", link.name));
                    Hop { due: Time::MAX, link: Link::new(link.config.clone(), stream) }
                })
                .collect(),
            routes: vec![END; 2],
            places: Places::default(),
        }
    }

    /// Adds a path of entries; returns where it begins in the table.
    pub fn add_route(&mut self, path: &[u32]) -> u32 {
        let begin = self.routes.len() as u32;
        self.routes.extend_from_slice(path);
        self.routes.push(END);
        begin
    }

    /// The entry of an end of a virtual channel.
    pub fn end(end: u32) -> u32 {
        END_OF_CHANNEL + end
    }

    /// The end of a virtual channel that an entry names, if it names one.
    pub fn end_of(entry: u32) -> Option<u32> {
        (END_OF_CHANNEL..PLACE).contains(&entry).then(|| entry - END_OF_CHANNEL)
    }

    /// What is at a place in the table: a link, [`END`], or an entry that is no link: see [`place`](Self::place) and
    /// [`end_of`](Self::end_of).
    #[inline]
    pub fn entry(&self, hop: u32) -> u32 {
        self.routes[hop as usize]
    }

    /// The link at a place in the table, whoever stands before it; or [`END`], or an end of a virtual channel.
    #[inline]
    pub fn link_at(&self, hop: u32) -> u32 {
        match self.entry(hop) {
            entry if is_place(entry) => self.place(hop).1,
            link => link,
        }
    }

    /// The place where agents stand at this point of the table, and what is behind them: a link, or [`END`].
    pub fn place(&self, hop: u32) -> (u32, u32) {
        let place = self.entry(hop) - PLACE;
        (place, self.places.behind(place))
    }

    /// An agent moves in at this point of the table, behind those that stand there.
    pub fn stand(&mut self, hop: u32, agent: u32, spot: Spot) {
        let entry = self.entry(hop);
        let place = match entry {
            _ if is_place(entry) => entry - PLACE,
            behind => self.places.add(behind),
        };
        self.routes[hop as usize] = PLACE + place;
        self.places.enter(place, agent, spot);
    }
}
