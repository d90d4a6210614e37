//! NewReno: a partial ACK shows the next hole, which is resent at once. Recovery continues until
//! all data outstanding at its start is acknowledged (RFC 6582).

use atl_core::time::Time;

use super::loss_recovery::{Partial, ProcessedAck};
use super::without_sack::{WithoutSack, recover_at_third_duplicate};
use crate::tcp::connection::{Connection, Phase};

/// NewReno; it has no state of its own.
#[derive(Debug)]
pub(in crate::tcp) struct NewReno;

impl WithoutSack for NewReno {
    fn reads_duplicates(&self) -> bool {
        true
    }

    fn counts_duplicate(&self, _: &Connection) -> bool {
        true
    }

    /// RFC 6582, sec. 3.2, step 3: only the first partial ACK resets the timer.
    fn keeps_timer(&self, c: &Connection) -> bool {
        c.phase == Phase::Recovery && c.partial_acks > 0 && c.board.una() < c.recover
    }

    fn on_partial_ack(&mut self, c: &mut Connection, now: Time) -> Partial {
        c.partial_acks += 1;
        c.lose_first(now, false);
        c.path.forced = c.board.waiting() > 0;
        Partial::Continues
    }

    fn find_losses(&mut self, c: &mut Connection, now: Time, ack: &ProcessedAck<'_>) {
        recover_at_third_duplicate(c, now, ack);
    }
}
