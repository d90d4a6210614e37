//! Undoing a reduction of the window after spurious losses.

use super::Ledger;
use crate::time::Time;
use crate::window::{Sent, WindowController};

/// A controller, and the ledger's view of recovery, before a reduction: [`Ledger::on_spurious`].
#[derive(Clone, Debug)]
pub struct Checkpoint<C> {
    controller: C,
    recovery_tx: u64,
    in_recovery: bool,
    recovery_at: Time,
}

impl<C: WindowController + Clone> Ledger<C> {
    /// The state now, to come back to.
    pub fn checkpoint(&self) -> Checkpoint<C> {
        Checkpoint {
            controller: self.controller.clone(),
            recovery_tx: self.recovery_tx,
            in_recovery: self.in_recovery,
            recovery_at: self.recovery_at,
        }
    }

    /// Every packet whose loss reduced the window has been acknowledged after all (RFC 4015 for
    /// TCP; QUIC's packet numbers make it certain): the controller takes back what it did by itself
    /// ([`WindowController::on_spurious`]), or returns to its state before. It then forgets its
    /// measurements since, some round trips at most; in flight and the RTT are not touched. Returns
    /// false, and changes nothing, if its window is no smaller than before.
    pub fn on_spurious(&mut self, now: Time, before: Checkpoint<C>) -> bool {
        let window = self.controller.window();
        if self.controller.on_spurious(now) {
            return self.controller.window() > window;
        }
        if self.controller.window() >= before.controller.window() {
            return false;
        }
        self.controller = before.controller;
        self.recovery_tx = before.recovery_tx;
        self.in_recovery = before.in_recovery;
        self.recovery_at = before.recovery_at;
        // It has not seen the packets that left since.
        if let Some(newest) = self.next_tx.checked_sub(1) {
            let bytes = self.packet_bytes();
            self.controller.on_sent(&Sent::new(now, newest, bytes, self.in_flight));
        }
        true
    }
}
