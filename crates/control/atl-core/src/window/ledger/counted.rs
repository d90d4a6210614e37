//! For hosts that count and judge for themselves, such as QUIC libraries: what they know better
//! than a ledger does, and what a ledger needs to show them so that both agree.

use super::space::State;
use super::{Ledger, NumberSpace, PacketId};
use crate::time::Time;
use crate::window::{Marked, WindowController};

/// A packet in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outstanding {
    /// Its number.
    pub id: PacketId,
    /// The time at which it was sent.
    pub sent_at: Time,
    /// Bytes on the wire.
    pub bytes: u32,
    /// True if it probes for a larger MTU.
    pub mtu_probe: bool,
}

impl<C: WindowController> Ledger<C> {
    /// The window, or pacing, keeps the host from sending what it has: whatever is in flight now
    /// was sent by a host that uses its window, whatever was known when it was sent. A host that
    /// learns only here whether the application or the window is the limit marks every packet as
    /// limited by the application.
    #[inline]
    pub fn on_window_limited(&mut self) {
        self.limited_tx = self.next_tx;
    }

    /// The network marked `packets` packets, the newest of them sent at `sent_at`, as having met
    /// congestion (CE, RFC 9002, sec. 7.1). A host that does not know how many says one. Nothing is
    /// lost.
    pub fn on_marked(&mut self, now: Time, sent_at: Time, packets: u32) {
        let new_episode = self.recovery_tx == 0 || sent_at > self.recovery_at;
        if new_episode {
            self.recover(now);
        }
        let marked = Marked::new(now, self.newest_acked, self.in_flight);
        self.controller.on_marked(&marked.packets(packets).new_episode(new_episode));
    }

    /// The highest number sent in a space.
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

#[cfg(test)]
mod tests {
    use crate::time::{Span, Time};
    use crate::window::ledger::{Ledger, LedgerConfig, NumberSpace, PacketId, SentPacket};
    use crate::window::{Start, WindowController, reno};

    const BYTES: u32 = 1000;

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    /// Ten packets, one each millisecond from 0 on, of a host that thinks that the application
    /// limits it.
    fn ledger() -> Ledger<reno::Reno> {
        let reno = reno::Reno::new(&reno::Config::default(), &Start::default());
        let mut ledger = Ledger::new(reno, LedgerConfig::default().packet_bytes(BYTES));
        for number in 0..10 {
            let packet = SentPacket::new(ms(number), number, BYTES).app_limited(true);
            ledger.on_sent(&packet.mtu_probe(number == 9));
        }
        ledger
    }

    fn acknowledge(ledger: &mut Ledger<reno::Reno>, last: u64) {
        ledger.on_ack_ranges(ms(100), NumberSpace::Data, [0..=last], Span::ZERO);
    }

    #[test]
    fn what_was_in_flight_when_the_window_was_the_limit_makes_it_grow() {
        let mut idle = ledger();
        acknowledge(&mut idle, 8);
        assert!((idle.controller().window() - 10.0).abs() < 1e-9);
        let mut limited = ledger();
        limited.on_window_limited();
        acknowledge(&mut limited, 8);
        assert!((limited.controller().window() - 19.0).abs() < 1e-9, "slow start");
        limited.on_sent(&SentPacket::new(ms(101), 10, BYTES).app_limited(true));
        limited.on_ack_ranges(ms(200), NumberSpace::Data, [10..=10], Span::ZERO);
        assert!((limited.controller().window() - 19.0).abs() < 1e-9, "sent afterwards");
    }

    /// Flight halves from 10; a mark on a packet of the same round trip has no further effect.
    #[test]
    fn a_mark_counts_once_a_round_trip_and_loses_nothing() {
        let mut ledger = ledger();
        ledger.on_marked(ms(50), ms(3), 1);
        let halved = ledger.controller().window();
        assert!(halved < 10.0 && ledger.in_flight() == 10);
        ledger.on_marked(ms(60), ms(9), 1);
        assert!((ledger.controller().window() - halved).abs() < 1e-9);
        ledger.on_marked(ms(90), ms(55), 1);
        assert!(ledger.controller().window() < halved);
    }

    #[test]
    fn the_host_judges_persistent_congestion() {
        let mut ledger = ledger();
        ledger.on_lost_judged(ms(50), [0, 1], false);
        assert!(ledger.controller().window() >= 2.0);
        ledger.on_lost_judged(ms(60), [2], true);
        assert!(ledger.controller().window() < 2.0);
    }

    #[test]
    fn what_is_outstanding_is_known() {
        let mut ledger = ledger();
        assert_eq!(ledger.last_number(NumberSpace::Data), Some(9));
        assert_eq!(ledger.last_number(NumberSpace::Initial), None);
        acknowledge(&mut ledger, 6);
        let numbers: Vec<u64> = ledger.all_outstanding().map(|packet| packet.id.number).collect();
        assert_eq!(numbers, [7, 8, 9]);
        let probe = ledger.outstanding(9).expect("in flight");
        assert_eq!((probe.sent_at, probe.bytes, probe.mtu_probe), (ms(9), BYTES, true));
        assert_eq!(ledger.outstanding(6), None);
        assert_eq!(ledger.outstanding(PacketId::new(NumberSpace::Initial, 7)), None);
    }
}
