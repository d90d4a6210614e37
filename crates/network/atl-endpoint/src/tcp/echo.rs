//! The sender's reaction to the marks that its receiver tells of (`ecn`).

use atl_core::time::Time;
use atl_core::window::{Marked, WindowController};

use super::ack::AckInfo;
use super::connection::Phase;
use super::ecn::EcnSender;
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
    pub(super) fn on_echo(
        &mut self,
        now: Time,
        info: &AckInfo,
        (cumulative, delivered): (u32, u32),
    ) {
        let Some(echo) = self.read_echo(info, cumulative, delivered) else { return };
        let Some(ecn) = &mut self.ecn else { return };
        let (tx, in_flight) = (self.conn.echoed(info.echo_tx), self.conn.in_flight());
        let host = Host { phase: self.conn.phase, next: self.conn.next_tx };
        host.react(&mut self.conn.path, ecn, &echo, Marked::new(now, tx, in_flight));
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
        let Some(echo) = self.read_echo(info, cumulative, delivered) else { return };
        let Some(ecn) = &mut self.ecn else { return };
        let conn = &mut self.conn;
        let host = Host { phase: conn.phase, next: conn.next_tx };
        let (path, tx, in_flight) = match (answered, beside) {
            (Some((Leg::Here, tx)), _) => {
                let in_flight = conn.in_flight();
                (&mut conn.path, tx, in_flight)
            }
            (Some((Leg::Ahead, tx)), Some(beside)) => (beside, tx, conn.board.elsewhere()),
            _ => return,
        };
        host.react(path, ecn, &echo, Marked::new(now, tx, in_flight));
    }

    /// Marks that an ACK newly shows; `None` if there are none.
    fn read_echo(&mut self, info: &AckInfo, cumulative: u32, delivered: u32) -> Option<Echo> {
        let ecn = self.ecn.as_mut()?;
        let conn = &self.conn;
        let newest = conn.board.full_tx(info.echo_tx);
        // The counter of an ACK that was overtaken is older than the one that is known.
        if !ecn.accepts(newest, cumulative) && ecn.accurate {
            return None;
        }
        let segment = conn.packet_bytes - conn.header_bytes;
        let (marked, bytes) = ecn.take(info.ecn_flags, delivered, segment);
        let bytes = match bytes {
            // Of payload; a law counts packets with their headers.
            Some(bytes) => u64::from(bytes) + u64::from(marked) * u64::from(conn.header_bytes),
            None => u64::from(marked) * u64::from(conn.packet_bytes),
        };
        (marked > 0).then_some(Echo { newest, marked, bytes })
    }
}

/// Marks that an ACK newly shows, and the transmission that it echoes.
struct Echo {
    newest: u64,
    marked: u32,
    bytes: u64,
}

/// The state of the sender, whichever path is marked.
struct Host {
    phase: Phase,
    /// The next transmission.
    next: u64,
}

impl Host {
    fn react(&self, path: &mut Path, ecn: &mut EcnSender, echo: &Echo, event: Marked) {
        // Once a window of data, losses included (RFC 3168, sec. 6.1.2).
        let begins = self.phase == Phase::Open && echo.newest >= ecn.answered.max(path.reacted);
        if begins {
            ecn.answered = self.next;
        }
        // A window that was reduced for a loss meanwhile has been reduced for the mark too.
        ecn.cwr |= !ecn.accurate && (begins || self.phase != Phase::Open);
        if !begins && !ecn.accurate {
            return;
        }
        let event = event.packets(echo.marked).bytes(echo.bytes).new_episode(begins);
        let controller = &mut path.controller;
        if ecn.as_losses {
            controller.on_loss(&event.as_loss());
        } else {
            controller.on_marked(&event);
        }
        if begins && !controller.mark_response().counts_marks() || ecn.as_losses {
            // Packets sent before this belong to the same window of data: their losses shrink it no
            // further.
            path.reduced = self.next;
        }
    }
}
