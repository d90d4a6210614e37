//! The loss recovery of a sender: the only file that distinguishes the schemes.

use atl_core::time::{Span, Time};

use super::go_back_n::GoBackN;
use super::kind::Recovery;
use super::loss_recovery::{Delivery, LossRecovery, Partial, ProcessedAck, Transmission};
use super::newreno::NewReno;
use super::once_a_window::OnceAWindow;
use super::quic::Quic;
use super::rack::Rack;
use super::reno::Reno;
use super::sack::Sack;
use super::tahoe::Tahoe;
use super::unrepaired::Unrepaired;
use crate::tcp::ack::AckInfo;
use crate::tcp::connection::Connection;

/// The loss recovery of a sender. An enum rather than a box, because nearly every ACK calls it
/// several times.
#[derive(Debug)]
pub(in crate::tcp) enum Strategy {
    Reno(Reno),
    NewReno(NewReno),
    Sack(Sack),
    Rack(Box<Rack>),
    Quic(Box<Quic>),
    Tahoe(Tahoe),
    TahoeNs2(OnceAWindow<Tahoe>),
    RenoNs2(OnceAWindow<Reno>),
    NewRenoNs2(OnceAWindow<NewReno>),
    GoBackN(GoBackN),
    Unrepaired(Unrepaired),
}

/// Calls the same method of each variant.
macro_rules! each {
    ($strategy:expr, $recovery:ident => $call:expr) => {
        match $strategy {
            Strategy::Reno($recovery) => $call,
            Strategy::NewReno($recovery) => $call,
            Strategy::Sack($recovery) => $call,
            Strategy::Rack($recovery) => $call,
            Strategy::Quic($recovery) => $call,
            Strategy::Tahoe($recovery) => $call,
            Strategy::TahoeNs2($recovery) => $call,
            Strategy::RenoNs2($recovery) => $call,
            Strategy::NewRenoNs2($recovery) => $call,
            Strategy::GoBackN($recovery) => $call,
            Strategy::Unrepaired($recovery) => $call,
        }
    };
}

impl Strategy {
    /// The initial state. The receiver delays ACKs by at most `ack_delay`.
    pub(in crate::tcp) fn new(recovery: Recovery, ack_delay: Option<Span>) -> Self {
        match recovery {
            Recovery::Reno => Strategy::Reno(Reno),
            Recovery::NewReno => Strategy::NewReno(NewReno),
            Recovery::Sack => Strategy::Sack(Sack::default()),
            Recovery::Rack => Strategy::Rack(Box::new(Rack::new(ack_delay))),
            Recovery::Quic => Strategy::Quic(Box::new(Quic::new(ack_delay))),
            Recovery::Tahoe => Strategy::Tahoe(Tahoe),
            Recovery::TahoeNs2 => Strategy::TahoeNs2(OnceAWindow(Tahoe)),
            Recovery::RenoNs2 => Strategy::RenoNs2(OnceAWindow(Reno)),
            Recovery::NewRenoNs2 => Strategy::NewRenoNs2(OnceAWindow(NewReno)),
            Recovery::GoBackN => Strategy::GoBackN(GoBackN),
            Recovery::None => Strategy::Unrepaired(Unrepaired),
        }
    }

    /// True if what lies below a hole does not matter: QUIC acknowledges packets, and has no
    /// cumulative point that a hole could stop.
    #[inline]
    pub(in crate::tcp) fn counts_each_packet(&self) -> bool {
        matches!(self, Strategy::Quic(_))
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
    fn process_ack(
        &mut self,
        c: &mut Connection,
        info: &AckInfo,
        cumulative: u32,
        acknowledged: u32,
        measures: bool,
    ) -> Delivery {
        each!(self, recovery => recovery.process_ack(c, info, cumulative, acknowledged, measures))
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
    fn find_losses(&mut self, c: &mut Connection, now: Time, ack: &ProcessedAck<'_>) {
        each!(self, recovery => recovery.find_losses(c, now, ack));
    }

    fn on_expiry(&mut self, c: &mut Connection, now: Time) -> Time {
        each!(self, recovery => recovery.on_expiry(c, now))
    }

    #[inline]
    fn next_unproven(&mut self, c: &mut Connection) -> Option<u64> {
        each!(self, recovery => recovery.next_unproven(c))
    }

    #[inline]
    fn rearms_on_retransmission(&self) -> bool {
        each!(self, recovery => recovery.rearms_on_retransmission())
    }

    fn on_split(&mut self) {
        each!(self, recovery => recovery.on_split());
    }

    #[inline]
    fn on_sent(&mut self, c: &mut Connection, now: Time, sent: Transmission) {
        each!(self, recovery => recovery.on_sent(c, now, sent));
    }
}
