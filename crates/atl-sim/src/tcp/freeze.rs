//! A sender that is told to pause: Freeze-TCP.
//!
//! Source: Goff, Moronski, Phatak, Gupta (INFOCOM 2000). A mobile receiver that is about to lose its link
//! advertises a window of zero: the sender stops its retransmission timer and keeps cwnd, ssthresh and RTO as
//! they are. Back on the link the receiver repeats its last ACK three times with an open window. In case these
//! are lost, the sender asks by itself (the persist timer of RFC 9293, sec. 3.8.6.1). A mobile sender that sees
//! its own link go freezes and thaws itself, and needs no persist timer.

use atl_core::time::{Span, Time};

use super::sender::{Phase, Sender};

/// Longest time between two window probes (RFC 9293 lets it back off like the retransmission timer).
const MAX_PERSIST: Span = Span::from_secs(60);

/// Who froze a sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrozenBy {
    /// Its own host.
    Host,
    /// The receiver, by a window of zero.
    Peer,
}

/// A sender's pause.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frozen {
    /// When it asks whether the window is open again.
    pub(super) persist_due: Time,
    interval: Span,
    /// The packet that asks is to go out.
    pub(super) asking: bool,
}

impl Sender {
    /// Stops sending; what is known of the path stays as it is.
    pub fn freeze(&mut self, now: Time, by: FrozenBy) {
        if self.phase == Phase::Connecting || self.frozen.is_some() {
            return;
        }
        let interval = self.rtt.rto();
        let persist_due = match by {
            FrozenBy::Host => Time::MAX,
            FrozenBy::Peer => now.saturating_add(interval),
        };
        self.frozen = Some(Box::new(Frozen { persist_due, interval, asking: false }));
    }

    /// Goes on where it stopped. The time in between does not count for the retransmission timer.
    pub fn thaw(&mut self, now: Time) {
        if self.frozen.take().is_some() && !self.board.is_empty() {
            self.rto_due = now.saturating_add(self.rtt.rto());
        }
    }

    /// Whether it is frozen.
    pub fn is_frozen(&self) -> bool {
        self.frozen.is_some()
    }

    /// The persist timer.
    pub(super) fn on_persist_timer(&mut self, now: Time) {
        if let Some(frozen) = &mut self.frozen
            && frozen.persist_due <= now
        {
            frozen.asking = true;
            frozen.interval = (frozen.interval * 2).min(MAX_PERSIST);
            frozen.persist_due = now.saturating_add(frozen.interval);
        }
    }

    /// Whether to ask now if the window is open. The question carries no data: data that the interruption swallows
    /// would be a loss to react to.
    pub(super) fn ask(&mut self) -> bool {
        self.frozen.as_mut().is_some_and(|frozen| core::mem::take(&mut frozen.asking))
    }
}
