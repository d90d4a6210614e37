//! A flow's wireless links.

use crate::setup::{LinkSetup, Path};

/// The wireless links on a flow's forward path, by index.
#[derive(Clone, Copy, Debug)]
pub struct Wireless {
    /// Link at the source's own end, if wireless.
    pub access: Option<u32>,
    /// Link at the receiver's own end, if wireless and not the same one.
    pub peer_access: Option<u32>,
    /// First wireless link on the path, from which samples take the network.
    pub first: Option<u32>,
}

impl Wireless {
    /// Finds the wireless links on this path.
    pub fn of(path: &Path, links: &[LinkSetup]) -> Self {
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
