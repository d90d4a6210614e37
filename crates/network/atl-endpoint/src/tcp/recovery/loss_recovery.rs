//! The decisions of a loss recovery.

use atl_core::time::Time;

use crate::tcp::ack::AckInfo;
use crate::tcp::connection::Connection;

/// A processed ACK, as input to the search for losses.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct ProcessedAck<'a> {
    pub(in crate::tcp) info: &'a AckInfo,
    /// The first unacknowledged segment before the ACK.
    pub(in crate::tcp) una_before: u64,
    /// Packets that it newly shows to have arrived.
    pub(in crate::tcp) delivered: u32,
    /// True for a duplicate ACK, as the recovery counts them.
    pub(in crate::tcp) duplicate: bool,
    /// True if the ACK answers data; false if it answers a probe, or nothing.
    pub(in crate::tcp) measures: bool,
}

/// A transmission that was just sent.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Transmission {
    pub(in crate::tcp) seq: u64,
    pub(in crate::tcp) tx: u64,
    /// True for a retransmission.
    pub(in crate::tcp) again: bool,
}

/// The packets that an ACK acknowledges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) struct Delivery {
    /// Packets that it newly shows to have arrived.
    pub(in crate::tcp) delivered: u32,
    /// True for a duplicate ACK.
    pub(in crate::tcp) duplicate: bool,
}

/// The effect of an ACK that covers only part of the data outstanding at a recovery's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) enum Partial {
    /// The recovery goes on to its end (NewReno).
    Continues,
    /// The recovery ends with this ACK (Reno).
    Ends,
}

/// A loss recovery: which packets count as lost, when they are resent, and when a loss episode is
/// over.
///
/// No method has a default, so that the compiler asks each new recovery for each decision. A
/// recovery without SACK implements the shorter [`WithoutSack`](super::without_sack::WithoutSack)
/// instead.
pub(in crate::tcp) trait LossRecovery {
    /// Time at which a timer of the recovery is due; [`Time::MAX`] if none is running.
    fn due(&self) -> Time;
    /// A timer of the recovery may be due.
    fn on_timer(&mut self, c: &mut Connection, now: Time);
    /// A pause is over. Timers that expired during it restart.
    fn after_pause(&mut self, c: &mut Connection, now: Time);
    /// An ACK is about to be processed.
    fn before_ack(&mut self, c: &mut Connection, now: Time, info: &AckInfo, measures: bool);
    /// Processes an ACK whose cumulative part advanced by `cumulative` segments, of which
    /// `acknowledged` were not yet known to have arrived.
    fn process_ack(
        &mut self,
        c: &mut Connection,
        info: &AckInfo,
        cumulative: u32,
        acknowledged: u32,
        measures: bool,
    ) -> Delivery;
    /// True if an ACK that advanced the cumulative point leaves the retransmission timer running
    /// unchanged.
    fn keeps_timer(&self, c: &Connection) -> bool;
    /// An ACK advanced the cumulative point during a recovery, but not to its end.
    fn on_partial_ack(&mut self, c: &mut Connection, now: Time) -> Partial;
    /// A loss episode is over. Losses already known may start the next.
    fn on_episode_end(&mut self, c: &mut Connection, now: Time);
    /// The ACK was processed: looks for losses.
    fn find_losses(&mut self, c: &mut Connection, now: Time, ack: &ProcessedAck<'_>);
    /// The retransmission timer expired. Everything sent up to the returned time is lost.
    fn on_expiry(&mut self, c: &mut Connection, now: Time) -> Time;
    /// A segment to resend although none is known to be lost and no new one may be sent.
    fn next_unproven(&mut self, c: &mut Connection) -> Option<u64>;
    /// True if the retransmission of the first outstanding segment restarts the retransmission
    /// timer.
    fn rearms_on_retransmission(&self) -> bool;
    /// Packets are in flight over two paths from now on. Until [`after_pause`](Self::after_pause)
    /// only `on_sent` and `on_expiry` are called.
    fn on_split(&mut self);
    /// A packet was sent.
    fn on_sent(&mut self, c: &mut Connection, now: Time, sent: Transmission);
}
