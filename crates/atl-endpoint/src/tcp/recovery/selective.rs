//! What recoveries with SACK have in common.

use atl_core::time::Time;
use atl_core::window::{Loss, WindowController};

use crate::tcp::connection::Connection;

/// An episode is over. What was sent since it began and is known to be lost begins the next one: those losses were
/// reported to the controller when they were found.
pub(super) fn begin_next_episode(c: &mut Connection, now: Time) {
    if c.board.lost() > 0 {
        let loss = Loss::new(now, c.board.newest_tx(), 0, c.in_flight()).packets(0);
        c.controller.on_loss(&loss);
        c.begin_recovery();
    }
}
