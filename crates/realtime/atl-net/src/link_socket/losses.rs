//! The emulator's record of lost datagrams.

use atl_core::time::Time;
use atl_link::{Link, Packet};
use atl_wire::link_query::tag;

use super::board::Board;
use super::ring::Ring;

/// Records the tags of datagrams that links lose, for the clients of the [`Board`]. Its owner never
/// waits: while another thread reads the board, tags stay here, within the same limit as there.
#[derive(Debug)]
pub struct Losses {
    board: Board,
    /// Tags of each link that are not on the board yet.
    pending: Vec<Ring>,
    waiting: bool,
}

impl Board {
    /// The recorder of losses, for the one thread that moves the links' frames: see [`Losses`].
    pub fn losses(&self) -> Losses {
        Losses::new(self.clone(), self.links())
    }
}

impl Losses {
    pub(super) fn new(board: Board, links: usize) -> Self {
        Losses { board, pending: vec![Ring::default(); links], waiting: false }
    }

    /// Records that a link has lost a datagram with this UDP payload. One shorter than a tag is not
    /// recorded.
    pub fn add(&mut self, link: usize, datagram: &[u8]) {
        if let (Some(pending), Some(tag)) = (self.pending.get_mut(link), tag(datagram)) {
            pending.push(tag);
            self.waiting = true;
        }
    }

    /// Puts the recorded tags on the board, with the counters of its links as they are now. False
    /// if another thread reads the board; then try again soon.
    pub fn publish<P: Packet>(&mut self, now: Time, links: &[Link<P>]) -> bool {
        if self.waiting {
            let counters = |link: usize| links.get(link).map(|link| link.counters());
            self.waiting = !self.board.publish_losses(now, &mut self.pending, &counters);
        }
        !self.waiting
    }
}
