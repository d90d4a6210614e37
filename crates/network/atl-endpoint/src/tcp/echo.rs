//! The sender's reaction to the marks that its receiver tells of (`ecn`).

use atl_core::time::Time;
use atl_core::window::{Marked, WindowController};

use super::ack::AckInfo;
use super::connection::Phase;
use super::path::Path;
use super::paths::Leg;
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
    pub(super) fn on_echo(&mut self, now: Time, info: &AckInfo, counts: (u32, u32)) {
        let answered = Some((Leg::Here, self.conn.echoed(info.echo_tx)));
        self.on_echo_split(None, now, info, counts, answered);
    }

    /// The same while packets are in flight over two paths: the controller of the one that the ACK
    /// answers reacts. A path that was left has none.
    pub(super) fn on_echo_split(
        &mut self,
        beside: Option<&mut Path>,
        now: Time,
        info: &AckInfo,
        (cumulative, delivered): (u32, u32),
        answered: Option<(Leg, u64)>,
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
        let (here, elsewhere, next) = (conn.in_flight(), conn.board.elsewhere(), conn.next_tx);
        let (path, tx, in_flight) = match (answered, beside) {
            (Some((Leg::Here, tx)), _) => (&mut conn.path, tx, here),
            (Some((Leg::Ahead, tx)), Some(beside)) => (beside, tx, elsewhere),
            _ => return,
        };
        // Once a window of data, losses included (RFC 3168, sec. 6.1.2).
        let begins = conn.phase == Phase::Open && newest >= ecn.answered.max(path.reacted);
        if begins {
            ecn.answered = next;
        }
        // A window that was reduced for a loss meanwhile has been reduced for the mark too.
        ecn.cwr |= !ecn.accurate && (begins || conn.phase != Phase::Open);
        if !begins && !ecn.accurate {
            return;
        }
        let event = Marked::new(now, tx, in_flight)
            .packets(marked)
            .bytes(match bytes {
                // Of payload; a law counts packets with their headers.
                Some(bytes) => u64::from(bytes) + u64::from(marked) * u64::from(conn.header_bytes),
                None => u64::from(marked) * u64::from(conn.packet_bytes),
            })
            .new_episode(begins);
        let controller = &mut path.controller;
        if ecn.as_losses {
            controller.on_loss(&event.as_loss());
        } else {
            controller.on_marked(&event);
        }
        if begins && !controller.mark_response().counts_marks() || ecn.as_losses {
            // Packets sent before this belong to the same window of data: their losses shrink it no
            // further.
            path.reduced = next;
        }
    }
}
