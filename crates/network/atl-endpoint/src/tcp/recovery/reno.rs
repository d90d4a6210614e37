//! Reno: fast retransmit at the third duplicate ACK, and a fast recovery that ends at the first new
//! ACK (RFC 5681, sec. 3.2). With several losses in a window, each further one needs three
//! duplicates of its own, or the timer.

use atl_core::time::Time;

use super::loss_recovery::{Partial, ProcessedAck};
use super::without_sack::{WithoutSack, recover_at_third_duplicate};
use crate::tcp::connection::Connection;

/// Reno; it has no state of its own.
#[derive(Debug)]
pub(in crate::tcp) struct Reno;

impl WithoutSack for Reno {
    fn reads_duplicates(&self) -> bool {
        true
    }

    fn counts_duplicate(&self, _: &Connection) -> bool {
        true
    }

    fn keeps_timer(&self, _: &Connection) -> bool {
        false
    }

    fn on_partial_ack(&mut self, _: &mut Connection, _: Time) -> Partial {
        Partial::Ends
    }

    fn find_losses(&mut self, c: &mut Connection, now: Time, ack: &ProcessedAck<'_>) {
        recover_at_third_duplicate(c, now, ack);
    }
}
