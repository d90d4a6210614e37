//! Shared by the recoveries with SACK.

use atl_core::time::Time;
use atl_core::window::{Loss, WindowController};

use crate::tcp::connection::Connection;

/// An episode is over. If segments sent during it are known to be lost, they start the next one.
/// The controller was informed of these losses when they were found.
pub(super) fn begin_next_episode(c: &mut Connection, now: Time) {
    if c.board.lost() > 0 {
        let loss =
            Loss::new(now, c.board.newest_tx().saturating_sub(c.path.base), 0, c.in_flight())
                .packets(0);
        c.path.controller.on_loss(&loss);
        c.begin_recovery();
    }
}
