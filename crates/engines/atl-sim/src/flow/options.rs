//! Measurements that a run may leave out, because they cost time.

/// Measurements that cost time for each packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Keep a histogram of each flow's RTT samples.
    pub rtt: bool,
    /// Measure the jitter of each flow's data packets.
    pub jitter: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { rtt: true, jitter: true }
    }
}
