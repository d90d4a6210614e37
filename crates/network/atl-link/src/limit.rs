//! The capacity of a queue.

/// The capacity of a queue and the unit in which it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Packets, at least 1.
    Packets(u32),
    /// Bytes on the wire, headers included.
    Bytes(u64),
}

impl Limit {
    /// True if a queue of this many packets and bytes is within it.
    pub fn fits(self, packets: usize, bytes: u64) -> bool {
        match self {
            Limit::Packets(most) => packets <= most as usize,
            Limit::Bytes(most) => bytes <= most,
        }
    }

    /// The capacity, in its own unit.
    pub fn amount(self) -> f64 {
        match self {
            Limit::Packets(packets) => f64::from(packets),
            Limit::Bytes(bytes) => bytes as f64,
        }
    }
}
