//! For hosts that count and judge for themselves, such as QUIC libraries: what they know better than a ledger does, and
//! what a ledger needs to show them so that both agree.

use super::space::State;
use super::{Ledger, NumberSpace, PacketId};
use crate::time::Time;
use crate::window::{Loss, WindowController};

/// A packet in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outstanding {
    /// Its number.
    pub id: PacketId,
    /// When it was sent.
    pub sent_at: Time,
    /// Bytes on the wire.
    pub bytes: u32,
    /// It probes for a larger MTU.
    pub mtu_probe: bool,
}

impl<C: WindowController> Ledger<C> {
    /// The window, or pacing, keeps the host from sending what it has: whatever is in flight now was sent by a host that
    /// uses its window, whatever was known when it was sent. A host that learns only here whether the application or the
    /// window is the limit marks every packet as limited by the application.
    #[inline]
    pub fn on_window_limited(&mut self) {
        self.limited_tx = self.next_tx;
    }

    /// The network marked a packet that was sent at `sent_at` as having met congestion (CE, RFC 9002, sec. 7.1): it counts
    /// as the loss of one packet to congestion, though nothing is lost.
    pub fn on_congestion_mark(&mut self, now: Time, sent_at: Time) {
        let new_episode = self.recovery_tx == 0 || sent_at > self.recovery_at;
        if new_episode {
            self.recover(now);
        }
        let loss = Loss::new(now, self.newest_acked, 0, self.in_flight).new_episode(new_episode);
        self.controller.on_loss(&loss);
    }

    /// The highest number that was sent in a space.
    #[inline]
    pub fn last_number(&self, space: NumberSpace) -> Option<u64> {
        self.spaces[space as usize].last_number()
    }

    /// The packet with this number, if it is in flight.
    #[inline]
    pub fn outstanding(&self, packet: impl Into<PacketId>) -> Option<Outstanding> {
        let PacketId { space, number } = packet.into();
        let entry = self.spaces[space as usize].get(number)?;
        (entry.state == State::InFlight).then_some(Outstanding {
            id: PacketId::new(entry.space, entry.number),
            sent_at: entry.sent_at,
            bytes: entry.bytes,
            mtu_probe: entry.mtu_probe,
        })
    }

    /// All packets in flight, each space's in the order of their numbers.
    pub fn all_outstanding(&self) -> impl Iterator<Item = Outstanding> {
        let entries = self.spaces.iter().flat_map(|space| space.entries());
        entries.filter(|entry| entry.state == State::InFlight).map(|entry| Outstanding {
            id: PacketId::new(entry.space, entry.number),
            sent_at: entry.sent_at,
            bytes: entry.bytes,
            mtu_probe: entry.mtu_probe,
        })
    }
}
