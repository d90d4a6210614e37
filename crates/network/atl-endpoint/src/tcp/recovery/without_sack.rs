//! Shared by the recoveries without SACK, which learn of arrivals above a hole only by counting
//! duplicate ACKs.

use atl_core::time::Time;

use super::loss_recovery::{Delivery, LossRecovery, Partial, ProcessedAck, Transmission};
use crate::tcp::ack::AckInfo;
use crate::tcp::connection::{Connection, Phase};
use crate::tcp::scoreboard::DUP_THRESH;

/// A recovery without SACK. No method has a default: see [`LossRecovery`].
pub(super) trait WithoutSack {
    /// False if it ignores duplicate ACKs.
    fn reads_duplicates(&self) -> bool;
    /// True if a duplicate ACK that arrives now shows that a packet has left the network.
    fn counts_duplicate(&self, c: &Connection) -> bool;
    /// As [`LossRecovery::keeps_timer`].
    fn keeps_timer(&self, c: &Connection) -> bool;
    /// As [`LossRecovery::on_partial_ack`].
    fn on_partial_ack(&mut self, c: &mut Connection, now: Time) -> Partial;
    /// As [`LossRecovery::find_losses`].
    fn find_losses(&mut self, c: &mut Connection, now: Time, ack: &ProcessedAck<'_>);
}

impl<R: WithoutSack> LossRecovery for R {
    fn due(&self) -> Time {
        Time::MAX
    }

    fn on_timer(&mut self, _: &mut Connection, _: Time) {}

    fn after_pause(&mut self, _: &mut Connection, _: Time) {}

    #[inline]
    fn before_ack(&mut self, _: &mut Connection, _: Time, _: &AckInfo, _: bool) {}

    /// A duplicate ACK shows that some packet above the hole arrived. A later cumulative ACK shows
    /// which ones did. RFC 5681, sec. 3.2, inflates the window to the same effect.
    #[inline]
    fn process_ack(
        &mut self,
        c: &mut Connection,
        _: &AckInfo,
        cumulative: u32,
        _: u32,
        measures: bool,
    ) -> Delivery {
        let duplicate =
            measures && cumulative == 0 && !c.board.is_empty() && self.reads_duplicates();
        if duplicate {
            if !self.counts_duplicate(c) {
                return Delivery { delivered: 0, duplicate };
            }
            // At least the hole itself has not arrived.
            let room = c.board.pipe().saturating_sub(c.arrived_above + 1);
            let delivered = room.min(1);
            c.arrived_above += delivered;
            return Delivery { delivered, duplicate };
        }
        // Everything that the ACK covers, except the hole, may have been counted before.
        let counted = c.arrived_above.min(cumulative.saturating_sub(1));
        c.arrived_above -= counted;
        Delivery { delivered: cumulative - counted, duplicate }
    }

    #[inline]
    fn keeps_timer(&self, c: &Connection) -> bool {
        WithoutSack::keeps_timer(self, c)
    }

    fn on_partial_ack(&mut self, c: &mut Connection, now: Time) -> Partial {
        WithoutSack::on_partial_ack(self, c, now)
    }

    fn on_episode_end(&mut self, _: &mut Connection, _: Time) {}

    #[inline]
    fn find_losses(&mut self, c: &mut Connection, now: Time, ack: &ProcessedAck<'_>) {
        WithoutSack::find_losses(self, c, now, ack);
    }

    /// Everything is resent: go-back-N.
    fn on_expiry(&mut self, _: &mut Connection, now: Time) -> Time {
        now
    }

    fn next_unproven(&mut self, _: &mut Connection) -> Option<u64> {
        None
    }

    fn rearms_on_retransmission(&self) -> bool {
        false
    }

    fn on_split(&mut self) {}

    #[inline]
    fn on_sent(&mut self, _: &mut Connection, _: Time, _: Transmission) {}
}

/// Counts duplicates. Returns true at the third in a row outside a loss episode: the first
/// outstanding segment is lost.
#[inline]
pub(super) fn is_third_duplicate(c: &mut Connection, duplicate: bool) -> bool {
    c.duplicates += u32::from(duplicate);
    c.phase == Phase::Open && duplicate && c.duplicates == DUP_THRESH && is_fresh(c)
}

/// RFC 6582, sec. 3.2, step 2: duplicates caused by packets resent after a timeout say nothing.
#[inline]
pub(super) fn is_fresh(c: &Connection) -> bool {
    c.board.una() > c.recover || !c.after_timeout
}

/// Starts fast retransmit and fast recovery at the third duplicate (RFC 5681, sec. 3.2).
#[inline]
pub(super) fn recover_at_third_duplicate(c: &mut Connection, now: Time, ack: &ProcessedAck<'_>) {
    if is_third_duplicate(c, ack.duplicate) {
        c.lose_first(now, true);
        c.begin_recovery();
        c.arm_timer(now);
    }
}
