//! No error control (AAL-T paper, sec. 5.1): the retransmission timer is infinite, duplicate ACKs
//! are ignored, and nothing is ever resent. The layer below repairs every loss.

use atl_core::time::Time;

use super::loss_recovery::{Partial, ProcessedAck};
use super::without_sack::WithoutSack;
use crate::tcp::connection::Connection;

/// No error control; it has no state.
#[derive(Debug)]
pub(in crate::tcp) struct Unrepaired;

impl WithoutSack for Unrepaired {
    fn reads_duplicates(&self) -> bool {
        false
    }

    fn counts_duplicate(&self, _: &Connection) -> bool {
        false
    }

    fn keeps_timer(&self, _: &Connection) -> bool {
        false
    }

    fn on_partial_ack(&mut self, _: &mut Connection, _: Time) -> Partial {
        Partial::Continues
    }

    fn find_losses(&mut self, _: &mut Connection, _: Time, _: &ProcessedAck<'_>) {}
}
