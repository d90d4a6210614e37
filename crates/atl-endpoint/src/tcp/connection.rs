//! What a sender and its loss recovery share: what is outstanding, the controller, the timer, the episode.

use atl_core::measure::RttEstimator;
use atl_core::time::Time;
use atl_core::window::{Controller, Detection, Loss, WindowController};

use super::counts::SenderCounts;
use super::scoreboard::{LostTx, Scoreboard};

/// Where the sender is in its repair of losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Waits for the answer to its connection request.
    Connecting,
    /// No loss is being repaired.
    Open,
    /// Fast recovery, until `recover` is acknowledged.
    Recovery,
    /// The timer expired, or Tahoe treats a loss as if it had; slow start until `recover` is acknowledged.
    Expired,
}

/// The state of a connection that losses and their repair change.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) board: Scoreboard,
    pub(super) controller: Controller,
    pub(super) phase: Phase,
    /// The ACK that ends the current or last episode.
    pub(super) recover: u64,
    /// The last episode began with a timeout, or sent everything again as after one.
    pub(super) after_timeout: bool,
    /// Duplicate ACKs in a row.
    pub(super) duplicates: u32,
    /// Without SACK: packets that duplicate ACKs show to have arrived above the first hole.
    pub(super) arrived_above: u32,
    /// Partial ACKs in this recovery.
    pub(super) partial_acks: u32,
    /// The next packet goes out whatever the window is.
    pub(super) forced: bool,
    /// Transmissions from this number on were sent after the last reaction to a loss.
    pub(super) reacted: u64,
    /// Number of the next transmission.
    pub(super) next_tx: u64,
    pub(super) rtt: RttEstimator,
    /// When the retransmission timer expires.
    pub(super) rto_due: Time,
    /// The retransmission timer runs at all.
    pub(super) timed: bool,
    pub(super) packet_bytes: u32,
    pub(super) counts: SenderCounts,
}

impl Connection {
    /// Packets that may be in the network.
    #[inline]
    pub(super) fn in_flight(&self) -> u32 {
        self.board.pipe().saturating_sub(self.arrived_above)
    }

    /// Restarts the retransmission timer, unless it is infinite.
    #[inline]
    pub(super) fn arm_timer(&mut self, now: Time) {
        self.rto_due = if self.timed { now.saturating_add(self.rtt.rto()) } else { Time::MAX };
    }

    /// What is sent from now on is sent after a reaction to a loss.
    #[inline]
    pub(super) fn react(&mut self) {
        self.reacted = self.next_tx;
    }

    /// A loss episode begins: the window is reduced, and the first lost segment goes out at once.
    pub(super) fn begin_recovery(&mut self) {
        self.phase = Phase::Recovery;
        self.recover = self.board.next();
        self.forced = self.board.waiting() > 0;
        self.after_timeout = false;
        self.partial_acks = 0;
        self.counts.recoveries += 1;
        self.board.begin_episode();
        self.react();
    }

    /// The first outstanding segment is lost.
    pub(super) fn lose_first(&mut self, now: Time, new_episode: bool) {
        // As it was before the loss, which takes the segment out of it.
        let in_flight = self.in_flight();
        if let Some(lost) = self.board.mark_lost(self.board.una()) {
            self.report_loss(now, lost, new_episode, in_flight);
        }
    }

    /// Reports a loss that ACKs show to the controller.
    pub(super) fn report_loss(
        &mut self,
        now: Time,
        lost: LostTx,
        new_episode: bool,
        in_flight: u32,
    ) {
        let bytes = self.packet_bytes;
        let loss = loss(now, lost, new_episode, Detection::Acks, in_flight, bytes);
        self.controller.on_loss(&loss);
    }

    /// Everything outstanding is to be sent again, the hole at once. Only the hole counts as lost.
    pub(super) fn send_again_from_the_hole(&mut self, now: Time) {
        let hole = self.board.una();
        let in_flight = self.in_flight();
        let bytes = self.packet_bytes;
        let controller = &mut self.controller;
        self.board.expire(now, |lost| {
            if lost.seq == hole {
                controller.on_loss(&loss(now, lost, true, Detection::Acks, in_flight, bytes));
            }
        });
        self.arrived_above = 0;
        self.forced = true;
        self.counts.recoveries += 1;
        self.arm_timer(now);
    }
}

/// A lost transmission as the event that controllers are given.
pub(super) fn loss(
    now: Time,
    lost: LostTx,
    new_episode: bool,
    detection: Detection,
    in_flight: u32,
    bytes: u32,
) -> Loss {
    Loss::new(now, lost.tx, bytes, in_flight)
        .link_failures(u32::from(lost.link_failed))
        .new_episode(new_episode)
        .detection(detection)
}
