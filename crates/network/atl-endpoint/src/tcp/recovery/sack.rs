//! Selective acknowledgments: a segment is lost when three segments above it have arrived (RFC
//! 2018, RFC 6675).

use atl_core::time::Time;
use atl_core::window::{Detection, WindowController};

use super::loss_recovery::{Delivery, LossRecovery, Partial, ProcessedAck, Transmission};
use super::selective::begin_next_episode;
use crate::tcp::ack::AckInfo;
use crate::tcp::connection::{Connection, Phase};
use crate::tcp::path::loss;

/// Recovery by SACK blocks.
#[derive(Debug, Default)]
pub(in crate::tcp) struct Sack {
    /// Number of the episode whose rescue retransmission has been sent (RFC 6675, NextSeg rule 4).
    rescued: u64,
}

impl LossRecovery for Sack {
    fn due(&self) -> Time {
        Time::MAX
    }

    fn on_timer(&mut self, _: &mut Connection, _: Time) {}

    fn after_pause(&mut self, _: &mut Connection, _: Time) {}

    #[inline]
    fn before_ack(&mut self, _: &mut Connection, _: Time, _: &AckInfo, _: bool) {}

    #[inline]
    fn process_ack(
        &mut self,
        c: &mut Connection,
        info: &AckInfo,
        cumulative: u32,
        acknowledged: u32,
        _: bool,
    ) -> Delivery {
        let mut delivered = acknowledged;
        if info.sack[0].len != 0 || c.board.sacked() != 0 {
            delivered += c.board.select(info.ack, &info.sack);
        }
        Delivery { delivered, duplicate: cumulative == 0 && delivered > 0 }
    }

    #[inline]
    fn keeps_timer(&self, _: &Connection) -> bool {
        false
    }

    fn on_partial_ack(&mut self, _: &mut Connection, _: Time) -> Partial {
        Partial::Continues
    }

    fn on_episode_end(&mut self, c: &mut Connection, now: Time) {
        begin_next_episode(c, now);
    }

    #[inline]
    fn find_losses(&mut self, c: &mut Connection, now: Time, _: &ProcessedAck<'_>) {
        if c.board.sacked() == 0 {
            return;
        }
        let may_begin = c.phase == Phase::Open;
        let (in_flight, base, reduced) = (c.in_flight(), c.path.base, c.path.reduced);
        let controller = &mut c.path.controller;
        let mut begins = may_begin;
        let mut any = false;
        c.board.find_lost(|lost| {
            let shrinks = begins && lost.tx >= reduced;
            controller.on_loss(&loss(now, lost, shrinks, Detection::Acks, in_flight, base));
            begins = false;
            any = true;
        });
        if may_begin && any {
            c.begin_recovery();
            c.arm_timer(now);
        }
    }

    /// Only transmissions that could already have been acknowledged are lost; later ones are still
    /// in flight. RFC 8985 also judges by time.
    fn on_expiry(&mut self, c: &mut Connection, now: Time) -> Time {
        c.path.rtt.srtt().map_or(now, |srtt| now - srtt)
    }

    /// Instead of idling, resends segments that may be lost (rule 3), and once per episode the very
    /// last segment, whose ACK shows what was lost before it (rule 4).
    fn next_unproven(&mut self, c: &mut Connection) -> Option<u64> {
        if c.phase != Phase::Recovery {
            return None;
        }
        if let Some(seq) = c.board.next_unproven() {
            return Some(seq);
        }
        if self.rescued == c.counts.recoveries {
            return None;
        }
        self.rescued = c.counts.recoveries;
        let seq = c.board.last_missing()?;
        (!c.board.repeated(seq)).then_some(seq)
    }

    /// RFC 6675, sec. 6, lets a retransmission restart the timer. As in Linux, that of the first
    /// outstanding segment does, because a hole may be found long after the ACK that set the timer.
    fn rearms_on_retransmission(&self) -> bool {
        true
    }

    fn on_split(&mut self) {}

    #[inline]
    fn on_sent(&mut self, _: &mut Connection, _: Time, _: Transmission) {}
}
