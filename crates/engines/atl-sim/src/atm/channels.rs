//! The virtual channels of a run, and what is kept of their cells.

use atl_aal::cell::Cell;
use atl_engine::setup::{FlowSetup, LinkSetup, Path, Setup};
use atl_link::random::Stream;

use super::end::Ends;
use super::lines::Lines;
use super::octets::Octets;
use super::quench::Quencher;
use crate::flow::Paths;
use crate::network::Network;
use crate::packet::Packet;
use crate::slab::Slab;

/// Everything about the cells of a run.
#[derive(Debug)]
pub(crate) struct Atm {
    pub ends: Ends,
    /// For each link that is a tunnel, the end that packets enter there.
    tunnels: Vec<Option<u32>>,
    /// The octets of the cells under way.
    pub store: Slab<Cell>,
    pub lines: Lines,
    pub octets: Option<Box<Octets>>,
    pub scratch: Scratch,
}

/// Buffers that are used again.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub sdu: Vec<u8>,
    pub pdu: Vec<u8>,
    pub cells: Vec<Cell>,
}

impl Atm {
    /// The tunnels of a network.
    pub(crate) fn new(setup: &Setup, network: &mut Network, seed: u64) -> Self {
        let mut atm = Atm {
            ends: Ends::default(),
            tunnels: vec![None; setup.links.len()],
            store: Slab::default(),
            lines: Lines::default(),
            octets: None,
            scratch: Scratch::default(),
        };
        let cells = setup.links.iter().any(|link| link.adaptation.is_some())
            || setup.flows.iter().any(|flow| flow.adaptation.is_some());
        if !cells {
            return atm;
        }
        atm.lines = Lines::new(setup.links.len());
        atm.octets = Some(Box::new(Octets::new(Stream::new(seed, "octets"))));
        for (there, link) in setup.links.iter().enumerate() {
            let Some(adaptation) = &link.adaptation else { continue };
            let Some(back) = way_back(&setup.links, there) else { continue };
            let ways = [there, back].map(|l| (network.add_channel(&[l as u32]), vec![l as u32]));
            let stream = |what: &str| Stream::new(seed, &format!("tunnel/{}/{what}", link.name));
            let first = atm.ends.add(adaptation, ways, &stream);
            (atm.tunnels[there], atm.tunnels[back]) = (Some(first), Some(first + 1));
        }
        atm
    }

    /// Adds a path of a flow to the routing table: links, tunnels, or a virtual channel from end to
    /// end.
    pub(crate) fn enter(
        &mut self,
        network: &mut Network,
        plan: &FlowSetup,
        path: &Path,
        (id, seed): (u32, u64),
    ) -> Paths {
        let Some(adaptation) = &plan.adaptation else {
            let mut way = |links: &[usize]| {
                let entry = |l: &usize| match self.tunnels[*l] {
                    Some(end) => Network::channel(end),
                    None => *l as u32,
                };
                network.add_route(&links.iter().map(entry).collect::<Vec<_>>())
            };
            let Path { forward, back } = path;
            let channel = forward.iter().find_map(|l| self.tunnels[*l]);
            let (forward, back) = (way(forward), way(back));
            return Paths { forward, back, channel };
        };
        let ways = [&path.forward, &path.back].map(|way| {
            let links: Vec<u32> = way.iter().map(|l| *l as u32).collect();
            (network.add_channel(&links), links)
        });
        let stream = |what: &str| Stream::new(seed, &format!("flow/{}/cells/{what}", plan.name));
        let first = self.ends.add(adaptation, ways, &stream);
        let quencher = adaptation.quench.map(|config| Quencher::new(config, stream("quench")));
        self.ends.get(first + 1).quencher = quencher.map(|quencher| (id, quencher));
        let mut way = |end| network.add_route(&[Network::channel(end)]);
        Paths { forward: way(first), back: way(first + 1), channel: Some(first) }
    }

    /// Counts a lost cell, and frees its slot.
    pub(crate) fn on_lost(&mut self, packet: &Packet) {
        self.store.remove(packet.tx);
        self.ends.get(packet.flow).counts().cells_lost += 1;
    }

    /// Keeps a cell.
    #[cfg(test)]
    pub(crate) fn put(&mut self, cell: Cell) -> u32 {
        self.store.insert(cell)
    }

    /// Cells under way.
    #[cfg(test)]
    pub(crate) fn cells_in_use(&self) -> usize {
        self.store.in_use()
    }
}

/// The other direction of a two-way link.
fn way_back(links: &[LinkSetup], there: usize) -> Option<usize> {
    let back = there + 1;
    let link = links.get(back)?;
    let of = &links[there];
    (link.from == of.to && link.to == of.from && link.name == format!("{}.back", of.name))
        .then_some(back)
}
