//! A sender whose packets may take one path or another: what it does when a host moves.

use atl_core::measure::RttConfig;
use atl_core::path::{PathId, PathSignal};
use atl_core::time::Time;
use atl_core::window::{ControllerConfig, Start};

use super::sender::Sender;
use crate::handoff::{Guard, Key, NewPath, Notice};

/// What only senders with several paths need.
#[derive(Debug)]
pub(super) struct Roaming {
    pub(super) how: NewPath,
    pub(super) config: ControllerConfig,
    pub(super) start: Start,
    pub(super) rtt: RttConfig,
    pub(super) guard: Guard,
    /// The path that the mobile host last said it is on.
    pub(super) announced: PathId,
}

impl Sender {
    /// Lets the sender move between paths, and sets what it does with one that is new to it. On a path of its own a
    /// controller of `config` begins as `start` says.
    #[must_use]
    pub fn with_new_path(mut self, how: NewPath, config: ControllerConfig, start: Start) -> Self {
        self.roaming = Some(Box::new(Roaming {
            how,
            config,
            start,
            rtt: self.conn.rtt.config(),
            guard: Guard::new(None),
            announced: self.path,
        }));
        self
    }

    /// Admits only notices with the tags of this key.
    #[must_use]
    pub fn with_key(mut self, key: Key) -> Self {
        if let Some(roaming) = &mut self.roaming {
            roaming.guard = Guard::new(Some(key));
        }
        self
    }

    /// The path that data takes now.
    #[inline]
    pub fn path(&self) -> PathId {
        self.path
    }

    /// The lower layers of the sender's own host signal what becomes of a path. Call [`poll_send`](Self::poll_send)
    /// afterwards.
    pub fn on_path_signal(&mut self, now: Time, signal: PathSignal) {
        self.take_signal(now, signal);
    }

    /// A notice of a mobile receiver arrived over this path, of `bytes` bytes on the wire. One that is forged or a replay
    /// does nothing. Call [`poll_send`](Self::poll_send) afterwards.
    pub fn on_notice(&mut self, now: Time, notice: &Notice, arrived_on: PathId, bytes: u32) {
        let Some(roaming) = &mut self.roaming else { return };
        if roaming.guard.admit(notice, arrived_on, bytes).is_ok() {
            self.take_signal(now, notice.signal);
        }
    }

    fn take_signal(&mut self, _now: Time, signal: PathSignal) {
        let Some(roaming) = &mut self.roaming else { return };
        if let PathSignal::Done(path) = signal {
            if roaming.announced != path {
                roaming.announced = path;
                self.conn.counts.handoffs += 1;
            }
            self.path = path;
        }
    }
}
