//! The end of a run, agreed between its threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The order in which threads end: first the nodes send no more, then the network is empty, then
/// the nodes have counted the packets that reached them too late.
#[derive(Debug)]
pub struct Ending {
    sending: AtomicUsize,
    network: AtomicBool,
    cancelled: AtomicBool,
}

impl Ending {
    pub(crate) fn new(nodes: usize) -> Self {
        Ending {
            sending: AtomicUsize::new(nodes),
            network: AtomicBool::new(false),
            cancelled: AtomicBool::new(false),
        }
    }

    /// A node sends no more. Each says so once.
    pub fn node_has_ended(&self) {
        self.sending.fetch_sub(1, Ordering::AcqRel);
    }

    /// True once no node sends any more.
    pub(crate) fn nodes_have_ended(&self) -> bool {
        self.sending.load(Ordering::Acquire) == 0
    }

    /// Nothing comes out of the network any more.
    pub(crate) fn network_has_ended(&self) {
        self.network.store(true, Ordering::Release);
    }

    /// True once nothing comes out of the network any more. A node asks before its last look into
    /// its sockets.
    pub fn has_network_ended(&self) -> bool {
        self.network.load(Ordering::Acquire)
    }

    /// Everything is to end now, without a result.
    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// True if everything is to end now, without a result.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}
