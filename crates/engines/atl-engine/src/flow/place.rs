//! A flow's wireless links.

use crate::setup::{LinkSetup, Path};

/// The wireless links on a flow's forward path, by index.
#[derive(Clone, Copy, Debug)]
pub struct Wireless {
    /// At its source's own end.
    pub access: Option<u32>,
    /// At its receiver's own end, if that is another link.
    pub peer_access: Option<u32>,
    /// The first on the path: samples name its networks.
    pub first: Option<u32>,
}

impl Wireless {
    /// Those of this path.
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
