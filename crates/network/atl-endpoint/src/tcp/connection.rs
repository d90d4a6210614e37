//! State that a sender shares with its loss recovery: outstanding segments, the current path, loss
//! episode.

use atl_core::time::Time;
use atl_core::window::{Detection, WindowController};

use super::counts::SenderCounts;
use super::path::{Path, loss};
use super::scoreboard::{LostTx, Scoreboard};
use super::timing::Timing;

/// Phase of loss repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Waiting for the answer to the connection request.
    Connecting,
    /// No repair in progress.
    Open,
    /// Fast recovery, until `recover` is acknowledged.
    Recovery,
    /// The timer expired, or Tahoe reacts to a loss as to an expiry: slow start until `recover` is
    /// acknowledged.
    Expired,
}

/// The part of the connection state that losses and their repair change.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) board: Scoreboard,
    /// The path that data takes.
    pub(super) path: Path,
    pub(super) phase: Phase,
    /// The ACK that ends the current or last episode.
    pub(super) recover: u64,
    /// Duplicate ACKs say nothing before `recover` is passed: the last episode began with a
    /// timeout, or like one resent everything, or is the only one of its window.
    pub(super) after_timeout: bool,
    /// Duplicate ACKs in a row.
    pub(super) duplicates: u32,
    /// Without SACK: packets above the first hole that arrived, as duplicate ACKs show.
    pub(super) arrived_above: u32,
    /// Partial ACKs in this recovery.
    pub(super) partial_acks: u32,
    /// Number of the next transmission.
    pub(super) next_tx: u64,
    /// False if the retransmission timer is infinite.
    pub(super) timed: bool,
    /// Bytes of a full packet on the wire.
    pub(super) packet_bytes: u32,
    /// The segment that is timed, if ACKs carry no timestamps.
    pub(super) timing: Option<Box<Timing>>,
    /// Bytes of a packet without data.
    pub(super) header_bytes: u32,
    pub(super) counts: SenderCounts,
}

impl Connection {
    /// Packets that may be in the network.
    #[inline]
    pub(super) fn in_flight(&self) -> u32 {
        self.board.pipe().saturating_sub(self.arrived_above)
    }

    /// Bytes on the wire of a segment with this payload, at most a full packet.
    #[inline]
    pub(super) fn wire_bytes(&self, payload: u32) -> u16 {
        // A full packet has at most as many: see `Sender::new`.
        (payload + self.header_bytes) as u16
    }

    /// The controller's number of the transmission with this low half.
    #[inline]
    pub(super) fn echoed(&self, low: u32) -> u64 {
        self.board.full_tx(low).saturating_sub(self.path.base)
    }

    /// Restarts the retransmission timer, unless it is infinite.
    #[inline]
    pub(super) fn arm_timer(&mut self, now: Time) {
        self.path.rto_due =
            if self.timed { now.saturating_add(self.path.rtt.rto()) } else { Time::MAX };
    }

    /// The segment that is being timed gives no RTT sample.
    #[inline]
    pub(super) fn stop_timing(&mut self) {
        if let Some(timing) = &mut self.timing {
            timing.abandon();
        }
    }

    /// Marks all later transmissions as sent after a reaction to a loss.
    #[inline]
    pub(super) fn react(&mut self) {
        self.path.reacted = self.next_tx;
    }

    /// Starts a loss episode. The controller has reduced the window, and the first lost segment
    /// goes out at once.
    pub(super) fn begin_recovery(&mut self) {
        self.phase = Phase::Recovery;
        self.recover = self.board.next();
        self.path.forced = self.board.waiting() > 0;
        self.after_timeout = false;
        self.partial_acks = 0;
        self.counts.recoveries += 1;
        self.board.begin_episode();
        self.stop_timing();
        self.react();
    }

    /// Marks the first outstanding segment as lost.
    pub(super) fn lose_first(&mut self, now: Time, new_episode: bool) {
        // Counted before the loss, which takes the segment out of flight.
        let in_flight = self.in_flight();
        if let Some(lost) = self.board.mark_lost(self.board.una()) {
            self.notify_loss(now, lost, new_episode, in_flight);
        }
    }

    /// Informs the controller of a loss that ACKs have shown.
    pub(super) fn notify_loss(
        &mut self,
        now: Time,
        lost: LostTx,
        new_episode: bool,
        in_flight: u32,
    ) {
        let base = self.path.base;
        let new_episode = new_episode && lost.tx >= self.path.reduced;
        let loss = loss(now, lost, new_episode, Detection::Acks, in_flight, base);
        self.path.controller.on_loss(&loss);
    }

    /// Resends everything outstanding, the first hole at once. Only the hole counts as lost.
    pub(super) fn resend_from_hole(&mut self, now: Time) {
        let hole = self.board.una();
        let in_flight = self.in_flight();
        let base = self.path.base;
        let controller = &mut self.path.controller;
        self.board.expire(now, |lost| {
            if lost.seq == hole {
                let lost = loss(now, lost, true, Detection::Acks, in_flight, base);
                controller.on_loss(&lost);
            }
        });
        self.arrived_above = 0;
        self.stop_timing();
        self.path.forced = true;
        self.counts.recoveries += 1;
        self.arm_timer(now);
    }
}
