//! A flow's place in the network.

use atl_scenario::setup::{LinkSetup, Path};

/// Where a flow's paths begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paths {
    /// The path of its data: place in the routing table.
    pub forward: u32,
    /// The path of its ACKs: place in the routing table.
    pub back: u32,
    /// First end of a virtual channel on the forward path.
    pub channel: Option<u32>,
}

/// The wireless links on a flow's forward path, by index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wireless {
    /// At its source's own end.
    pub access: Option<u32>,
    /// At its receiver's own end, if that is another link.
    pub peer_access: Option<u32>,
    /// The first on the path: samples name its networks.
    pub first: Option<u32>,
}

impl Wireless {
    pub(crate) fn of(path: &Path, links: &[LinkSetup]) -> Self {
        let wireless = |l: &usize| links[*l].wireless;
        let index = |l: &usize| *l as u32;
        let path = &path.forward;
        Wireless {
            access: path.first().filter(|l| wireless(l)).map(index),
            peer_access: path.last().filter(|l| path.len() > 1 && wireless(l)).map(index),
            first: path.iter().find(|l| wireless(l)).map(index),
        }
    }
}
