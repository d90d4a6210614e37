//! A flow's place in the network.

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
