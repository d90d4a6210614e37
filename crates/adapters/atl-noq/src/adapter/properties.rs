//! Properties under any sequence of calls, and under the sequences that noq makes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use atl_core::path::{End, Handoff, LinkReport};
use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use atl_core::window::{ControllerConfig, Start, WindowController, atl, reno, vegas};
use noq_proto::congestion::{Controller, ControllerFactory};
use proptest::prelude::*;

use super::Adapter;
use crate::{Factory, Marks};

const MTU: u16 = 1200;

#[derive(Clone, Copy, Debug)]
enum Call {
    Send {
        space: usize,
        skip: u64,
        bytes: u16,
    },
    /// Acknowledges every `every`-th packet of a space, and ends the batch.
    Ack {
        space: usize,
        every: usize,
    },
    /// Loses as many of the oldest packets of a space.
    Lose {
        space: usize,
        count: usize,
        persistent: bool,
        told: bool,
    },
    /// The keys of a space are gone.
    Discard {
        space: usize,
    },
    Mark,
    Limited,
    Mtu(u16),
    Wait(u32),
    Probe(f64),
    Begin(f64),
    Handoff,
    Report(f64),
    Spurious,
}

fn calls() -> impl Strategy<Value = Call> {
    prop_oneof![
        8 => (0..3_usize, 0..3_u64, 30..1400_u16)
            .prop_map(|(space, skip, bytes)| Call::Send { space, skip, bytes }),
        4 => (0..3_usize, 1..4_usize).prop_map(|(space, every)| Call::Ack { space, every }),
        2 => (0..3_usize, 1..5_usize, any::<bool>(), any::<bool>()).prop_map(
            |(space, count, persistent, told)| Call::Lose { space, count, persistent, told }
        ),
        1 => (0..3_usize).prop_map(|space| Call::Discard { space }),
        1 => Just(Call::Mark),
        1 => Just(Call::Limited),
        1 => (1200..1500_u16).prop_map(Call::Mtu),
        4 => (0..200_000_u32).prop_map(Call::Wait),
        1 => (0.0..2000.0).prop_map(Call::Probe),
        1 => (0.0..2000.0).prop_map(Call::Begin),
        1 => Just(Call::Handoff),
        1 => (0.0..1.0).prop_map(Call::Report),
        1 => Just(Call::Spurious),
    ]
}

/// A packet as noq keeps it.
#[derive(Clone, Copy, Debug)]
struct Packet {
    sent: Instant,
    bytes: u16,
}

/// A model of noq's own state of a path.
struct Noq {
    now: Instant,
    spaces: [BTreeMap<u64, Packet>; 3],
    next: [u64; 3],
    largest_acked: [Option<u64>; 3],
    mtu: u16,
}

impl Noq {
    fn bytes(&self) -> u64 {
        self.spaces
            .iter()
            .flat_map(|space| space.values())
            .map(|packet| u64::from(packet.bytes))
            .sum()
    }

    fn end_acks(&self, adapter: &mut Adapter, space: usize) {
        adapter.on_end_acks(self.now, self.bytes(), false, self.largest_acked[space]);
    }

    fn call(&mut self, adapter: &mut Adapter, call: Call) {
        let now = self.now;
        match call {
            Call::Send { space, skip, bytes } => {
                let number = self.next[space] + skip;
                self.next[space] = number + 1;
                self.spaces[space].insert(number, Packet { sent: now, bytes });
                adapter.on_packet_sent(now, bytes, number);
                adapter.on_sent(now, bytes.into(), number);
            }
            Call::Ack { space, every } => {
                let acked: Vec<u64> = self.spaces[space].keys().copied().step_by(every).collect();
                for number in &acked {
                    let packet = self.spaces[space].remove(number).expect("in flight");
                    self.largest_acked[space] = self.largest_acked[space].max(Some(*number));
                    adapter.on_acked(now, packet.sent, *number);
                }
                if !acked.is_empty() {
                    self.end_acks(adapter, space);
                }
            }
            Call::Lose { space, count, persistent, told } => {
                let lost: Vec<u64> = self.spaces[space].keys().copied().take(count).collect();
                let mut last = None;
                for number in lost {
                    let packet = self.spaces[space].remove(&number).expect("in flight");
                    adapter.on_packet_lost(packet.bytes, number, now);
                    last = Some((packet.sent, number));
                }
                if let (Some((sent, number)), true) = (last, told) {
                    adapter.on_congestion_event(now, sent, persistent, false, 1, number);
                } else if persistent {
                    adapter.on_congestion_event(now, now, false, true, 0, 0);
                }
            }
            Call::Discard { space } => self.spaces[space].clear(),
            Call::Mark => {
                let id = adapter.notes.ledger.all_outstanding().next().map(|packet| packet.id);
                let marked = id.map(|id| (adapter.notes.generation, id));
                adapter.shared.on_failed(&Vec::from_iter(marked));
            }
            Call::Limited => adapter.on_cwnd_limited(),
            Call::Mtu(mtu) => {
                self.mtu = mtu;
                adapter.on_mtu_update(mtu);
            }
            Call::Wait(us) => self.now += Duration::from_micros(us.into()),
            Call::Probe(packets) => adapter.handle().probe(packets),
            Call::Begin(window) => {
                let start = adapter.handle().start().initial_window(window);
                adapter.handle().begin(start);
            }
            Call::Handoff => {
                let [old, new] = [5, 80].map(Span::from_millis);
                adapter.handle().on_handoff(Handoff::new(Time::ZERO, End::Own, old, new));
            }
            Call::Report(loss) => {
                let report =
                    LinkReport { loss: Probability::clamped(loss), delay: Span::from_millis(9) };
                adapter.handle().reports().own(report);
            }
            Call::Spurious => adapter.on_spurious_congestion_event(),
        }
    }
}

fn adapter(config: &ControllerConfig) -> (Adapter, Noq) {
    #[allow(clippy::disallowed_methods, reason = "there is no other way to get an Instant")]
    let now = Instant::now();
    let factory = Factory::new(config.clone()).start(Start::default()).marks(Marks::default());
    let adapter = Arc::new(factory).build(now, MTU).into_any().downcast::<Adapter>();
    let spaces = Default::default();
    let noq = Noq { now, spaces, next: [0; 3], largest_acked: [None; 3], mtu: MTU };
    (*adapter.expect("ours"), noq)
}

fn configs() -> impl Strategy<Value = ControllerConfig> {
    prop_oneof![
        Just(ControllerConfig::from(reno::Config::default())),
        Just(ControllerConfig::from(atl::Config::default())),
        Just(ControllerConfig::from(atl::robust::Config::default())),
        Just(ControllerConfig::from(vegas::Config::default())),
    ]
}

/// The sums of the notes themselves.
fn sums(adapter: &Adapter) -> (u32, u64) {
    let noted = adapter.notes.ledger.all_outstanding();
    let (packets, bytes) = noted.fold((0, 0), |(packets, bytes), packet| {
        (packets + 1, bytes + u64::from(packet.bytes - adapter.header_bytes))
    });
    (packets + adapter.notes.aside.len(), bytes + adapter.notes.aside.bytes())
}

proptest! {
    #[test]
    fn in_flight_is_the_sum_of_the_notes_and_nothing_leaks(
        config in configs(),
        calls in prop::collection::vec(calls(), 1..150),
    ) {
        let (mut adapter, mut noq) = adapter(&config);
        for call in calls {
            noq.call(&mut adapter, call);
            let notes = &adapter.notes;
            prop_assert_eq!((notes.in_flight(), notes.bytes_in_flight()), sums(&adapter));
            let window = Controller::window(&adapter);
            prop_assert!(window >= 2 * u64::from(noq.mtu), "{window}");
            prop_assert!(adapter.controller().window().is_finite());
            prop_assert!(Controller::metrics(&adapter).congestion_window == window);
        }
        // Whatever was discarded leaves the flight with the next acknowledgment.
        noq.now += Duration::from_millis(1);
        noq.end_acks(&mut adapter, 2);
        let excess = adapter.notes.bytes_in_flight().saturating_sub(noq.bytes());
        let smallest = adapter.notes.ledger.all_outstanding().map(|packet| packet.bytes).min();
        let smallest = smallest.map_or(u64::MAX, |bytes| u64::from(bytes - adapter.header_bytes));
        prop_assert!(excess == 0 || excess < smallest, "{excess} of {smallest}");
        for space in 0..3 {
            noq.spaces[space].clear();
        }
        noq.end_acks(&mut adapter, 2);
        prop_assert_eq!(sums(&adapter), (0, 0));
    }

    /// Calls that noq would never make: numbers that fall, packets that were never sent,
    /// acknowledgments from the future.
    #[test]
    fn any_calls_at_all_leave_a_sound_window(
        config in configs(),
        calls in prop::collection::vec((0..6_u8, 0..20_u64, any::<u16>(), 0..1000_u64), 1..200),
    ) {
        let (mut adapter, noq) = adapter(&config);
        for (kind, number, bytes, ms) in calls {
            let at = noq.now + Duration::from_millis(ms);
            match kind {
                0 | 1 => adapter.on_packet_sent(at, bytes, number),
                2 => adapter.on_acked(at, noq.now, number),
                3 => adapter.on_end_acks(at, bytes.into(), number > 9, Some(number)),
                4 => adapter.on_packet_lost(bytes, number, at),
                _ => adapter.on_congestion_event(at, noq.now, number > 15, number < 4, 1, number),
            }
            let notes = &adapter.notes;
            prop_assert_eq!((notes.in_flight(), notes.bytes_in_flight()), sums(&adapter));
            prop_assert!(Controller::window(&adapter) >= 2 * u64::from(MTU));
        }
    }
}

/// Initial 0 to 1, Handshake 0 to 1 and Data 0 to 2 are in flight at once: each is found by its
/// send time, or by its size.
#[test]
fn packets_of_three_spaces_with_the_same_numbers_are_told_apart() {
    let (mut adapter, mut noq) = adapter(&ControllerConfig::from(reno::Config::default()));
    let start = noq.now;
    for (at, number, bytes) in [
        (0, 0, 1200),
        (1, 1, 1200),
        (2, 0, 1100),
        (3, 1, 900),
        (4, 0, 1150),
        (5, 1, 1190),
        (6, 2, 1200),
    ] {
        noq.now = start + Duration::from_millis(at);
        adapter.on_packet_sent(noq.now, bytes, number);
    }
    assert_eq!(adapter.notes.in_flight(), 7);
    let now = start + Duration::from_millis(50);
    adapter.on_acked(now, start + Duration::from_millis(4), 0);
    adapter.on_acked(now, start + Duration::from_millis(5), 1);
    adapter.on_end_acks(now, 1200 + 1200 + 1100 + 900 + 1200, false, Some(1));
    let rtt = adapter.observed().srtt;
    assert_eq!(rtt, Some(Span::from_millis(45)), "of Data 1, which left at 5 ms");
    adapter.on_packet_lost(900, 1, now);
    adapter.on_congestion_event(now, start + Duration::from_millis(3), false, false, 900, 1);
    let left: Vec<u32> =
        adapter.notes.ledger.all_outstanding().map(|packet| packet.bytes - 28).collect();
    assert_eq!(left.iter().sum::<u32>(), 1200 + 1200 + 1100 + 1200);
    assert_eq!(adapter.counts.settled, 0);
}

/// A packet counts for the window's growth if the window held something back while it was in
/// flight, whatever noq says when the acknowledgment comes.
#[test]
fn growth_needs_a_sender_that_uses_its_window() {
    let (mut adapter, noq) = adapter(&ControllerConfig::from(reno::Config::default()));
    let at = |ms| noq.now + Duration::from_millis(ms);
    let window = |adapter: &Adapter| adapter.controller().window();
    // The application has one packet each 10 ms.
    adapter.on_end_acks(at(0), 0, true, None);
    for number in 0..10 {
        adapter.on_packet_sent(at(10 * number), 1200, number);
        adapter.on_acked(at(10 * number + 5), at(10 * number), number);
        adapter.on_end_acks(at(10 * number + 5), 0, true, Some(number));
    }
    assert!((window(&adapter) - 10.0).abs() < 1e-9, "grew to {}", window(&adapter));
    // It fills the window, which holds it back, and then has nothing more to send.
    for number in 10..20 {
        adapter.on_packet_sent(at(200), 1200, number);
    }
    adapter.on_cwnd_limited();
    for number in 10..20 {
        adapter.on_acked(at(210), at(200), number);
    }
    adapter.on_end_acks(at(210), 0, true, Some(19));
    assert!((window(&adapter) - 20.0).abs() < 1e-9, "slow start: {}", window(&adapter));
}

/// One loss reduces the window once per round trip; persistent congestion takes it to the minimum.
#[test]
fn losses_count_by_send_time() {
    let (mut adapter, noq) = adapter(&ControllerConfig::from(reno::Config::default()));
    let at = |ms| noq.now + Duration::from_millis(ms);
    for number in 0..20 {
        adapter.on_packet_sent(at(0), 1200, number);
    }
    let lose = |adapter: &mut Adapter, now, numbers: std::ops::Range<u64>, persistent| {
        for number in numbers.clone() {
            adapter.on_packet_lost(1200, number, now);
        }
        adapter.on_congestion_event(now, at(0), persistent, false, 1200, numbers.end - 1);
    };
    lose(&mut adapter, at(100), 0..1, false);
    let halved = adapter.controller().window();
    assert!(halved < 11.0, "{halved}");
    lose(&mut adapter, at(101), 1..4, false);
    assert!((adapter.controller().window() - halved).abs() < 1e-9, "the same round trip");
    // A mark on a packet of the same round trip changes nothing; one on a later packet does.
    adapter.on_congestion_event(at(102), at(50), false, true, 0, 4);
    assert!((adapter.controller().window() - halved).abs() < 1e-9);
    adapter.on_packet_sent(at(103), 1200, 20);
    adapter.on_congestion_event(at(203), at(103), false, true, 0, 20);
    assert!(adapter.controller().window() < halved);
    lose(&mut adapter, at(300), 4..8, true);
    assert!(adapter.controller().window() < 2.0);
    assert_eq!(Controller::window(&adapter), 2 * 1200);
    let counts = adapter.observed().counts;
    assert_eq!((counts.lost, counts.ecn, counts.persistent), (8, 2, 1));
}

/// A controller has its window back once all packets that it was reduced for have arrived after
/// all; not if something else happened to the path meanwhile.
#[test]
fn a_spurious_reduction_is_undone() {
    let lose = |adapter: &mut Adapter, noq: &Noq| {
        let at = |ms| noq.now + Duration::from_millis(ms);
        for number in 0..20 {
            adapter.on_packet_sent(at(number), 1200, number);
        }
        for number in 4..8 {
            adapter.on_acked(at(100 + number), at(number), number);
            adapter.on_end_acks(at(100 + number), (23 - number) * 1200, false, Some(number));
        }
        let before = adapter.controller().window();
        for number in 0..3 {
            adapter.on_packet_lost(1200, number, at(110));
        }
        adapter.on_congestion_event(at(110), at(2), false, false, 3600, 2);
        assert!(adapter.controller().window() < before);
        before
    };
    let same =
        |adapter: &Adapter, window: f64| (adapter.controller().window() - window).abs() < 1e-9;
    for config in [
        ControllerConfig::from(reno::Config::default()),
        ControllerConfig::from(atl::Config::default()),
    ] {
        let (mut adapter, noq) = adapter(&config);
        let before = lose(&mut adapter, &noq);
        adapter.on_spurious_congestion_event();
        assert!(same(&adapter, before), "{config:?}: {}", adapter.controller().window());
        let counts = adapter.observed().counts;
        assert_eq!((counts.spurious, counts.undone), (1, 1));
        // Once: there is nothing more to take back.
        adapter.on_spurious_congestion_event();
        assert_eq!(adapter.observed().counts.undone, 1);
        // It goes on: a loss of packets sent since reduces it again.
        let at = noq.now + Duration::from_millis(120);
        adapter.on_packet_sent(at, 1200, 20);
        adapter.on_packet_lost(1200, 20, at + Duration::from_millis(100));
        adapter.on_congestion_event(at + Duration::from_millis(100), at, false, false, 1200, 20);
        assert!(adapter.controller().window() < before, "{config:?}");
    }
    type Meanwhile = fn(&mut Adapter, &Noq);
    let meanwhile: [Meanwhile; 4] = [
        // A later episode, which an empty one is, costs nothing; that one was spurious.
        |adapter, noq| {
            let at = |ms| noq.now + Duration::from_millis(ms);
            adapter.on_packet_sent(at(120), 1200, 20);
            adapter.on_congestion_event(at(220), at(120), false, false, 0, 20);
        },
        |adapter, noq| {
            let at = noq.now + Duration::from_millis(111);
            adapter.on_congestion_event(at, noq.now, false, true, 0, 0);
        },
        |adapter, noq| {
            let [old, new] = [5, 80].map(Span::from_millis);
            adapter.handle().on_handoff(Handoff::new(Time::ZERO, End::Own, old, new));
            adapter.on_end_acks(noq.now + Duration::from_millis(111), 13 * 1200, false, None);
        },
        |adapter, noq| {
            let at = noq.now + Duration::from_millis(111);
            adapter.on_packet_lost(1200, 3, at);
            adapter.on_congestion_event(at, noq.now, true, false, 1200, 3);
        },
    ];
    for happens in meanwhile {
        let (mut adapter, noq) = adapter(&ControllerConfig::from(reno::Config::default()));
        let before = lose(&mut adapter, &noq);
        happens(&mut adapter, &noq);
        adapter.on_spurious_congestion_event();
        assert!(adapter.controller().window() < before);
        assert_eq!(adapter.observed().counts.undone, 0);
    }
}
