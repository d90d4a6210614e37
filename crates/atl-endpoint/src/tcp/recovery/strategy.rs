//! What a loss recovery decides, and the one place that tells one from another.

use atl_core::time::{Span, Time};

use super::go_back_n::GoBackN;
use super::kind::Recovery;
use super::newreno::NewReno;
use super::rack::Rack;
use super::reno::Reno;
use super::sack::Sack;
use super::tahoe::Tahoe;
use super::unrepaired::Unrepaired;
use crate::tcp::ack::AckInfo;
use crate::tcp::connection::Connection;

/// An ACK that was taken in, as a recovery looks for losses after it.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Taken<'a> {
    pub(in crate::tcp) info: &'a AckInfo,
    /// The first unacknowledged segment before it.
    pub(in crate::tcp) una_before: u64,
    /// Packets that it newly shows to have arrived.
    pub(in crate::tcp) delivered: u32,
    /// A duplicate, as the recovery counts them.
    pub(in crate::tcp) duplicate: bool,
    /// It answers data; otherwise a probe, or nothing.
    pub(in crate::tcp) measures: bool,
}

/// A transmission that went out.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Transmission {
    pub(in crate::tcp) seq: u64,
    pub(in crate::tcp) tx: u64,
    /// It repeats an earlier one.
    pub(in crate::tcp) again: bool,
}

/// What an ACK shows to have arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) struct News {
    /// Packets that it newly shows to have arrived.
    pub(in crate::tcp) delivered: u32,
    /// A duplicate ACK.
    pub(in crate::tcp) duplicate: bool,
}

/// How a recovery takes an ACK that covers only part of what was outstanding when the recovery began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) enum Partial {
    /// The recovery goes on.
    Continues,
    /// The recovery is over.
    Ends,
}

/// A loss recovery: which packets count as lost, when they are sent again, and when an episode is over.
///
/// No method has a default, so that the compiler asks every new recovery for each decision. A recovery without
/// SACK implements the shorter [`WithoutSack`](super::without_sack::WithoutSack) instead.
pub(in crate::tcp) trait LossRecovery {
    /// When a timer of its own is due; [`Time::MAX`] if it has none running.
    fn due(&self) -> Time;
    /// One of its own timers may be due.
    fn on_timer(&mut self, c: &mut Connection, now: Time);
    /// A pause is over: timers that ran out in it start anew.
    fn after_pause(&mut self, c: &mut Connection, now: Time);
    /// An ACK is about to be taken in.
    fn before_ack(&mut self, c: &mut Connection, now: Time, info: &AckInfo, measures: bool);
    /// Reads the ACK whose cumulative part moved the board by `cumulative` segments and newly showed
    /// `acknowledged` of them to have arrived.
    fn take_in(
        &mut self,
        c: &mut Connection,
        info: &AckInfo,
        cumulative: u32,
        acknowledged: u32,
        measures: bool,
    ) -> News;
    /// True if an ACK that moved the cumulative point leaves the retransmission timer as it is.
    fn keeps_timer(&self, c: &Connection) -> bool;
    /// An ACK moved the cumulative point during a recovery, but not to its end.
    fn on_partial_ack(&mut self, c: &mut Connection, now: Time) -> Partial;
    /// An episode is over. Losses that are known by then may begin the next.
    fn on_episode_end(&mut self, c: &mut Connection, now: Time);
    /// The ACK was taken in: looks for losses.
    fn find_losses(&mut self, c: &mut Connection, now: Time, ack: &Taken<'_>);
    /// The retransmission timer expired: everything sent up to the returned time is lost.
    fn on_expiry(&mut self, c: &mut Connection, now: Time) -> Time;
    /// A segment to send again although none is known to be lost and no new one may be sent.
    fn doubtful(&mut self, c: &mut Connection) -> Option<u64>;
    /// True if the retransmission of the first outstanding segment restarts the retransmission timer.
    fn rearms_on_retransmission(&self) -> bool;
    /// A transmission went out.
    fn on_sent(&mut self, c: &mut Connection, now: Time, sent: Transmission);
}

/// The recovery of one sender. An enum rather than a box: nearly every ACK asks it several times.
#[derive(Debug)]
pub(in crate::tcp) enum Strategy {
    Reno(Reno),
    NewReno(NewReno),
    Sack(Sack),
    Rack(Box<Rack>),
    Tahoe(Tahoe),
    GoBackN(GoBackN),
    Unrepaired(Unrepaired),
}

/// The same call for each variant.
macro_rules! each {
    ($strategy:expr, $recovery:ident => $call:expr) => {
        match $strategy {
            Strategy::Reno($recovery) => $call,
            Strategy::NewReno($recovery) => $call,
            Strategy::Sack($recovery) => $call,
            Strategy::Rack($recovery) => $call,
            Strategy::Tahoe($recovery) => $call,
            Strategy::GoBackN($recovery) => $call,
            Strategy::Unrepaired($recovery) => $call,
        }
    };
}

impl Strategy {
    /// The state of this recovery at the start. The receiver delays ACKs by at most `ack_delay`.
    pub(in crate::tcp) fn new(recovery: Recovery, ack_delay: Option<Span>) -> Self {
        match recovery {
            Recovery::Reno => Strategy::Reno(Reno),
            Recovery::NewReno => Strategy::NewReno(NewReno),
            Recovery::Sack => Strategy::Sack(Sack::default()),
            Recovery::Rack => Strategy::Rack(Box::new(Rack::new(ack_delay))),
            Recovery::Tahoe => Strategy::Tahoe(Tahoe),
            Recovery::GoBackN => Strategy::GoBackN(GoBackN),
            Recovery::None => Strategy::Unrepaired(Unrepaired),
        }
    }
}

impl LossRecovery for Strategy {
    #[inline]
    fn due(&self) -> Time {
        each!(self, recovery => recovery.due())
    }

    #[inline]
    fn on_timer(&mut self, c: &mut Connection, now: Time) {
        each!(self, recovery => recovery.on_timer(c, now));
    }

    fn after_pause(&mut self, c: &mut Connection, now: Time) {
        each!(self, recovery => recovery.after_pause(c, now));
    }

    #[inline]
    fn before_ack(&mut self, c: &mut Connection, now: Time, info: &AckInfo, measures: bool) {
        each!(self, recovery => recovery.before_ack(c, now, info, measures));
    }

    #[inline]
    fn take_in(
        &mut self,
        c: &mut Connection,
        info: &AckInfo,
        cumulative: u32,
        acknowledged: u32,
        measures: bool,
    ) -> News {
        each!(self, recovery => recovery.take_in(c, info, cumulative, acknowledged, measures))
    }

    #[inline]
    fn keeps_timer(&self, c: &Connection) -> bool {
        each!(self, recovery => recovery.keeps_timer(c))
    }

    fn on_partial_ack(&mut self, c: &mut Connection, now: Time) -> Partial {
        each!(self, recovery => recovery.on_partial_ack(c, now))
    }

    fn on_episode_end(&mut self, c: &mut Connection, now: Time) {
        each!(self, recovery => recovery.on_episode_end(c, now));
    }

    #[inline]
    fn find_losses(&mut self, c: &mut Connection, now: Time, ack: &Taken<'_>) {
        each!(self, recovery => recovery.find_losses(c, now, ack));
    }

    fn on_expiry(&mut self, c: &mut Connection, now: Time) -> Time {
        each!(self, recovery => recovery.on_expiry(c, now))
    }

    #[inline]
    fn doubtful(&mut self, c: &mut Connection) -> Option<u64> {
        each!(self, recovery => recovery.doubtful(c))
    }

    #[inline]
    fn rearms_on_retransmission(&self) -> bool {
        each!(self, recovery => recovery.rearms_on_retransmission())
    }

    #[inline]
    fn on_sent(&mut self, c: &mut Connection, now: Time, sent: Transmission) {
        each!(self, recovery => recovery.on_sent(c, now, sent));
    }
}
