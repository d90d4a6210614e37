//! The sender's reaction to the marks that its receiver tells of (`ecn`).

use atl_core::time::Time;
use atl_core::window::{Marked, WindowController};

use super::ack::AckInfo;
use super::connection::Phase;
use super::sender::Sender;

impl Sender {
    /// The ACK that [`on_ack`](Self::on_ack) gets next has an AccECN option with this counter of
    /// bytes that arrived marked (RFC 9768, sec. 3.2.3: ECEB, 24 bits).
    pub fn on_ecn_option(&mut self, marked_bytes: u32) {
        if let Some(ecn) = &mut self.ecn {
            ecn.on_option(marked_bytes);
        }
    }

    /// An ACK that was processed acknowledged `cumulative` packets cumulatively and showed
    /// `delivered` to have arrived; what it tells of marks comes after that.
    #[inline(never)]
    pub(super) fn on_echo(
        &mut self,
        now: Time,
        info: &AckInfo,
        (cumulative, delivered): (u32, u32),
    ) {
        let Some(ecn) = &mut self.ecn else { return };
        let conn = &mut self.conn;
        let segment = conn.packet_bytes - conn.header_bytes;
        let newest = conn.board.full_tx(info.echo_tx);
        // The counter of an ACK that was overtaken is older than the one that is known.
        if !ecn.accepts(newest, cumulative) && ecn.accurate {
            return;
        }
        let (marked, bytes) = ecn.take(info.ecn_flags, delivered, segment);
        if marked == 0 {
            return;
        }
        // Once a window of data, losses included (RFC 3168, sec. 6.1.2).
        let begins = conn.phase == Phase::Open && newest >= ecn.answered.max(conn.path.reacted);
        if begins {
            ecn.answered = conn.next_tx;
        }
        // A window that was reduced for a loss meanwhile has been reduced for the mark too.
        ecn.cwr |= !ecn.accurate && (begins || conn.phase != Phase::Open);
        if !begins && !ecn.accurate {
            return;
        }
        let tx = conn.echoed(info.echo_tx);
        let event = Marked::new(now, tx, conn.in_flight())
            .packets(marked)
            .bytes(match bytes {
                // Of payload; a law counts packets with their headers.
                Some(bytes) => u64::from(bytes) + u64::from(marked) * u64::from(conn.header_bytes),
                None => u64::from(marked) * u64::from(conn.packet_bytes),
            })
            .new_episode(begins);
        let controller = &mut conn.path.controller;
        if ecn.as_losses {
            controller.on_loss(&event.as_loss());
        } else {
            controller.on_marked(&event);
        }
        if begins && !controller.mark_response().counts_marks() || ecn.as_losses {
            // Packets sent before this belong to the same window of data: their losses shrink it no
            // further.
            conn.path.reduced = conn.next_tx;
        }
    }
}
