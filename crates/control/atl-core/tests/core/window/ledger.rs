//! The ledger between packet numbers and a window controller.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use atl_core::time::{Span, Time};
use atl_core::window::ledger::{Ledger, LedgerConfig, NumberSpace, PacketId, SentPacket};
use atl_core::window::{
    Ack, ControllerConfig, Detection, End, Handoff, Loss, Sent, Start, Timeout, WindowController,
    atl,
};
use proptest::prelude::*;

mod recorded;

use crate::support::host::configs;

const BYTES: u32 = 1200;
const NO_DELAY: Span = Span::ZERO;

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

/// A controller that records its events, and checks the guarantees that every controller gets.
#[derive(Clone, Debug)]
struct Recorder {
    window: f64,
    sent: Vec<Sent>,
    acks: Vec<Ack>,
    losses: Vec<Loss>,
    timeouts: Vec<Timeout>,
    recovered: u32,
    /// Number of the next transmission at the start of the last episode.
    episode: u64,
}

impl Recorder {
    fn new(window: f64) -> Self {
        Recorder {
            window,
            sent: Vec::new(),
            acks: Vec::new(),
            losses: Vec::new(),
            timeouts: Vec::new(),
            recovered: 0,
            episode: 0,
        }
    }

    fn delivered(&self) -> u32 {
        self.acks.iter().map(|ack| ack.delivered).sum()
    }
}

impl WindowController for Recorder {
    fn on_sent(&mut self, sent: &Sent) {
        assert_eq!(sent.tx, self.sent.len() as u64, "transmissions are numbered without gaps");
        self.sent.push(*sent);
    }
    fn on_ack(&mut self, ack: &Ack) {
        assert!(ack.delivered <= 2, "events of at most ack_limit packets: {ack:?}");
        let (tx, sent_at) = ack.newest.expect("every event names its newest packet");
        assert_eq!(self.sent[tx as usize].now, sent_at);
        self.acks.push(*ack);
    }
    fn on_loss(&mut self, loss: &Loss) {
        assert_eq!((loss.packets, self.sent[loss.tx as usize].bytes), (1, loss.bytes));
        if loss.new_episode {
            assert!(loss.tx >= self.episode, "two episodes in one round trip: {loss:?}");
            self.episode = self.sent.len() as u64;
        }
        self.losses.push(*loss);
    }
    fn on_timeout(&mut self, timeout: &Timeout) {
        self.episode = self.sent.len() as u64;
        self.timeouts.push(*timeout);
    }
    fn on_recovered(&mut self, _now: Time) {
        self.recovered += 1;
    }
    fn window(&self) -> f64 {
        self.window
    }
    fn ssthresh(&self) -> f64 {
        f64::INFINITY
    }
    fn ack_limit(&self) -> Option<NonZeroU32> {
        NonZeroU32::new(2)
    }
}

fn ledger() -> Ledger<Recorder> {
    Ledger::new(Recorder::new(100.0), LedgerConfig::default().packet_bytes(BYTES))
}

/// Sends packet `number` at `number` milliseconds.
fn send(ledger: &mut Ledger<Recorder>, numbers: std::ops::Range<u64>) {
    for number in numbers {
        let sent = ledger.on_sent(&SentPacket::new(ms(number), number, BYTES));
        assert!(sent.is_some(), "packet {number} refused");
    }
}

fn numbers(lost: &[PacketId]) -> Vec<u64> {
    lost.iter().map(|id| id.number).collect()
}

#[test]
fn acks_of_many_packets_are_split_and_the_last_event_carries_the_rtt() {
    let mut ledger = ledger();
    send(&mut ledger, 0..10);
    // As a QUIC frame has them: the newest first.
    let ranges = [8..=9, 5..=6, 0..=3];
    let acked = ledger.on_ack_ranges(ms(109), NumberSpace::Data, ranges, NO_DELAY);
    assert_eq!((acked.packets, acked.bytes), (8, 8 * 1200));
    let acks = &ledger.controller().acks;
    let seen: Vec<_> =
        acks.iter().map(|a| (a.delivered, a.newest.map(|n| n.0), a.in_flight, a.rtt)).collect();
    assert_eq!(
        seen,
        [
            (2, Some(1), 8, None),
            (2, Some(3), 6, None),
            (2, Some(6), 4, None),
            (2, Some(9), 2, Some(Span::from_millis(100))),
        ]
    );
    assert_eq!((ledger.in_flight(), ledger.bytes_in_flight()), (2, 2400));
    // QUIC repeats ranges: nothing is new.
    let again = ledger.on_ack_ranges(ms(110), NumberSpace::Data, [0..=9], NO_DELAY);
    assert_eq!((again.packets, again.rtt), (2, None));
    assert_eq!(ledger.controller().delivered(), 10);
}

#[test]
fn the_peers_delay_is_subtracted_within_its_bounds() {
    let mut ledger = ledger();
    send(&mut ledger, 0..5);
    let mut rtt = |number: u64, now: u64, delay: u64| {
        let range = [number..=number];
        ledger.on_ack_ranges(ms(now), NumberSpace::Data, range, Span::from_millis(delay)).rtt
    };
    // The first sample: ack delay never takes it below the minimum measured.
    assert_eq!(rtt(0, 100, 10), Some(Span::from_millis(100)));
    assert_eq!(rtt(1, 121, 15), Some(Span::from_millis(105)));
    // No more than max_ack_delay, 25 ms.
    assert_eq!(rtt(2, 202, 90), Some(Span::from_millis(175)));
    // Not below the minimum.
    assert_eq!(rtt(3, 113, 20), Some(Span::from_millis(100)));
}

#[test]
fn losses_of_one_round_trip_are_one_episode() {
    let mut ledger = ledger();
    send(&mut ledger, 0..20);
    ledger.on_lost(ms(100), [3, 1]);
    assert!(ledger.in_recovery());
    ledger.on_lost(ms(101), [12]);
    send(&mut ledger, 20..30);
    ledger.on_lost(ms(102), [19]);
    let recorder = ledger.controller();
    let seen: Vec<_> = recorder.losses.iter().map(|l| (l.tx, l.new_episode, l.in_flight)).collect();
    assert_eq!(seen, [(1, true, 20), (3, false, 19), (12, false, 18), (19, false, 27)]);
    // ACKs of packets from before the loss neither end the recovery nor grow the window.
    ledger.on_ack_ranges(ms(110), NumberSpace::Data, [0..=18], NO_DELAY);
    assert!(ledger.in_recovery() && ledger.controller().acks.iter().all(|ack| ack.in_recovery));
    // The ACK of a packet sent after the loss does both.
    ledger.on_ack_ranges(ms(130), NumberSpace::Data, [18..=20], NO_DELAY);
    assert!(!ledger.in_recovery() && !ledger.controller().acks.last().expect("acked").in_recovery);
    assert_eq!(ledger.controller().recovered, 1);
    ledger.on_lost(ms(131), [21]);
    assert!(ledger.controller().losses.last().expect("lost").new_episode);
}

#[test]
fn an_ack_across_the_end_of_a_recovery_is_split_there() {
    let mut ledger = ledger();
    send(&mut ledger, 0..4);
    ledger.on_lost(ms(100), [0]);
    send(&mut ledger, 4..8);
    ledger.on_ack_ranges(ms(140), NumberSpace::Data, [1..=7], NO_DELAY);
    let recorder = ledger.controller();
    let seen: Vec<_> = recorder.acks.iter().map(|a| (a.delivered, a.in_recovery)).collect();
    assert_eq!(seen, [(2, true), (1, true), (2, false), (2, false)]);
}

#[test]
fn a_packet_resolves_once() {
    let mut ledger = ledger();
    send(&mut ledger, 0..6);
    ledger.on_lost(ms(50), [2]);
    ledger.on_lost(ms(50), [2]);
    ledger.on_discarded(2);
    // The discarded packet was only late.
    let late = ledger.on_ack_ranges(ms(60), NumberSpace::Data, [0..=2], NO_DELAY);
    assert_eq!(late.packets, 2);
    ledger.on_lost(ms(70), [0, 1, 99]);
    assert_eq!((ledger.in_flight(), ledger.controller().losses.len()), (3, 1));
}

#[test]
fn discarded_packets_and_lost_mtu_probes_leave_the_flight_unreported() {
    let mut ledger = ledger();
    send(&mut ledger, 0..3);
    ledger.on_sent(&SentPacket::new(ms(3), 3, 1500).mtu_probe(true));
    assert_eq!((ledger.in_flight(), ledger.bytes_in_flight()), (4, 5100));
    ledger.on_discarded(1);
    ledger.on_lost(ms(100), [3]);
    assert_eq!((ledger.in_flight(), ledger.bytes_in_flight()), (2, 2400));
    assert!(ledger.controller().losses.is_empty() && !ledger.in_recovery());
    // A probe that arrives counts like any packet.
    ledger.on_sent(&SentPacket::new(ms(101), 4, 1400).mtu_probe(true));
    assert_eq!(ledger.on_ack_ranges(ms(150), NumberSpace::Data, [4..=4], NO_DELAY).packets, 1);
}

#[test]
fn numbers_of_different_spaces_do_not_collide() {
    let mut ledger = ledger();
    for (i, space) in
        [NumberSpace::Initial, NumberSpace::Handshake, NumberSpace::Data].iter().enumerate()
    {
        let id = PacketId::new(*space, 0);
        assert_eq!(ledger.on_sent(&SentPacket::new(ms(0), id, BYTES)), Some(i as u64));
    }
    ledger.on_ack_ranges(ms(40), NumberSpace::Handshake, [0..=0], NO_DELAY);
    ledger.on_space_discarded(NumberSpace::Initial);
    assert_eq!(ledger.in_flight(), 1);
    ledger.on_space_discarded(NumberSpace::Initial);
    ledger.on_lost(ms(41), [PacketId::new(NumberSpace::Initial, 0)]);
    assert_eq!((ledger.in_flight(), ledger.controller().losses.len()), (1, 0));
    assert_eq!(ledger.controller().acks[0].newest, Some((1, ms(0))));
}

#[test]
fn numbers_that_do_not_rise_are_refused() {
    let mut ledger = ledger();
    assert_eq!(ledger.on_sent(&SentPacket::new(ms(0), 5, BYTES)), Some(0));
    assert_eq!(ledger.on_sent(&SentPacket::new(ms(0), 5, BYTES)), None);
    assert_eq!(ledger.on_sent(&SentPacket::new(ms(0), 4, BYTES)), None);
    assert_eq!(ledger.on_sent(&SentPacket::new(ms(0), 900, BYTES)), Some(1));
    assert_eq!((ledger.in_flight(), ledger.transmissions()), (2, 2));
}

#[test]
fn whether_the_window_limited_is_judged_when_the_packet_was_sent() {
    let mut ledger = ledger();
    for number in 0..4 {
        let packet = SentPacket::new(ms(0), number, BYTES).app_limited(number >= 2);
        ledger.on_sent(&packet);
    }
    ledger.on_ack_ranges(ms(50), NumberSpace::Data, [0..=3], NO_DELAY);
    let limited: Vec<_> = ledger.controller().acks.iter().map(|ack| ack.window_limited).collect();
    assert_eq!(limited, [true, false]);
}

#[test]
fn the_macs_marks_reach_the_controller() {
    let mut ledger = ledger();
    send(&mut ledger, 0..4);
    ledger.on_link_failure(1);
    ledger.on_lost(ms(50), [1, 2]);
    let marks: Vec<_> = ledger.controller().losses.iter().map(|loss| loss.link_failures).collect();
    assert_eq!(marks, [1, 0]);
}

/// SRTT 50 ms, RTTVAR next to nothing, so that three probe timeouts with the peer's delay are some
/// 240 ms.
fn measured() -> Ledger<Recorder> {
    let mut ledger = ledger();
    for number in 0..200 {
        ledger.on_sent(&SentPacket::new(ms(50 * number), number, BYTES));
        let range = [number..=number];
        ledger.on_ack_ranges(ms(50 * number + 50), NumberSpace::Data, range, NO_DELAY);
    }
    ledger
}

#[test]
fn losses_over_three_probe_timeouts_are_persistent_congestion() {
    let base = 10_000;
    for (gap, acked, persistent) in [(30, None, true), (20, None, false), (30, Some(205), false)] {
        let mut ledger = measured();
        for i in 0..10 {
            ledger.on_sent(&SentPacket::new(ms(base + gap * i), 200 + i, BYTES));
        }
        if let Some(number) = acked {
            ledger.on_ack_ranges(ms(base + 400), NumberSpace::Data, [number..=number], NO_DELAY);
        }
        // In two calls, and in arbitrary order.
        ledger.on_lost(ms(base + 500), [203, 202, 201, 200]);
        assert!(ledger.controller().timeouts.is_empty());
        ledger.on_lost(ms(base + 501), (204..210).rev());
        let recorder = ledger.controller();
        assert_eq!(recorder.timeouts.len(), usize::from(persistent), "{gap} ms, {acked:?}");
        assert_eq!(ledger.in_flight(), 0);
        if persistent {
            let how: Vec<_> = recorder.losses.iter().map(|loss| loss.detection).collect();
            assert_eq!(how, [[Detection::Acks; 4].as_slice(), &[Detection::Timeout; 6]].concat());
            let timeout = recorder.timeouts[0];
            assert_eq!((timeout.in_flight, timeout.consecutive), (6, 1));
            // It has been answered: the next losses are the first of another run.
            for i in 0..3 {
                ledger.on_sent(&SentPacket::new(ms(base + 510 + i), 210 + i, BYTES));
            }
            ledger.on_lost(ms(base + 520), 210..213);
            assert_eq!(ledger.controller().timeouts.len(), 1);
        }
    }
}

#[test]
fn a_retransmission_timeout_loses_everything_once() {
    let mut ledger = measured();
    for number in 200..205 {
        ledger.on_sent(&SentPacket::new(ms(20_000), number, BYTES));
    }
    let rto = ledger.rtt().rto();
    assert_eq!(numbers(ledger.on_retransmission_timeout(ms(21_000))), [200, 201, 202, 203, 204]);
    assert_eq!(numbers(ledger.on_retransmission_timeout(ms(21_001))), [0; 0]);
    assert_eq!((ledger.in_flight(), ledger.rtt().rto()), (0, rto * 2));
    ledger.on_sent(&SentPacket::new(ms(21_002), 205, BYTES));
    ledger.on_retransmission_timeout(ms(22_000));
    let recorder = ledger.controller();
    assert!(recorder.losses.iter().all(|loss| loss.detection == Detection::Timeout));
    let timeouts: Vec<_> = recorder.timeouts.iter().map(|t| (t.in_flight, t.consecutive)).collect();
    assert_eq!(timeouts, [(5, 1), (1, 2)]);
    // An ACK of new data ends the run.
    ledger.on_sent(&SentPacket::new(ms(22_001), 206, BYTES));
    ledger.on_ack_ranges(ms(22_051), NumberSpace::Data, [206..=206], NO_DELAY);
    ledger.on_sent(&SentPacket::new(ms(22_060), 207, BYTES));
    ledger.on_retransmission_timeout(ms(23_000));
    assert_eq!(ledger.controller().timeouts.last().expect("expired").consecutive, 1);
}

#[test]
fn losses_are_detected_by_packets_and_by_time() {
    let mut ledger = measured();
    let base = 10_000;
    for i in 0..5 {
        ledger.on_sent(&SentPacket::new(ms(base + i), 200 + i, BYTES));
    }
    ledger.on_ack_ranges(ms(base + 53), NumberSpace::Data, [203..=203], NO_DELAY);
    // Three packets above it arrived.
    assert_eq!(numbers(ledger.detect_losses(ms(base + 53))), [200]);
    // The others are lost 9/8 of the RTT after they were sent, 201 first.
    let due = ledger.next_timeout().expect("packets are overtaken");
    let wait = due.since(ms(base + 1)).secs();
    assert!((wait - 0.050 * 9.0 / 8.0).abs() < 1e-4, "{wait}");
    assert!(!ledger.on_timeout(due), "no probe is due");
    assert_eq!(numbers(ledger.detect_losses(due)), [201]);
    assert_eq!(numbers(ledger.detect_losses(due + Span::from_millis(1))), [202]);
    // 204 was sent last: it is covered only by the probe timeout.
    let due = ledger.next_timeout().expect("a packet is in flight");
    assert!(due > ms(base + 4 + 50 + 25), "{due:?}");
    assert!(!ledger.on_timeout(due - Span::from_nanos(1)));
    assert!(ledger.on_timeout(due));
    assert!(ledger.detect_losses(due).is_empty());
    let twice = ledger.next_timeout().expect("still in flight");
    let span = due.since(ms(base + 4));
    assert_eq!(twice.since(due), span * 2);
    ledger.on_ack_ranges(twice, NumberSpace::Data, [204..=204], NO_DELAY);
    assert_eq!(ledger.next_timeout(), None);
}

#[test]
fn a_handoff_of_the_sender_moves_srtt() {
    let mut ledger = measured();
    let (old, new) = (Span::from_millis(10), Span::from_millis(150));
    ledger.on_handoff(&Handoff::new(ms(20_000), End::Own, old, new));
    let srtt = ledger.rtt().srtt().expect("measured");
    assert!(srtt.abs_diff(Span::from_millis(330)) < Span::from_micros(10), "{srtt}");
    ledger.on_handoff(&Handoff::new(ms(20_001), End::Peer, new, old));
    assert_eq!(ledger.rtt().srtt(), Some(srtt));
}

#[test]
fn a_controller_that_does_not_pace_gets_a_pacing_rate() {
    let start = Start::default().packet_bytes(BYTES);
    let controller = ControllerConfig::from(atl::Config::default()).build(&start);
    let mut ledger = Ledger::new(controller, LedgerConfig::default().packet_bytes(BYTES));
    assert_eq!(ledger.pacing_rate(), None);
    ledger.on_sent(&SentPacket::new(ms(0), 0, BYTES));
    ledger.on_ack_ranges(ms(100), NumberSpace::Data, [0..=0], NO_DELAY);
    let window = ledger.controller().window();
    let rate = ledger.pacing_rate().expect("measured").bytes_per_sec();
    assert!((rate - 1.25 * window * 1200.0 / 0.1).abs() < 1.0, "{rate} of {window}");
}

#[derive(Clone, Debug)]
enum Call {
    Send { space: u8, skip: u8, bytes: u16, app_limited: bool, mtu_probe: bool },
    Again { space: u8, back: u8 },
    Ack { space: u8, ranges: Vec<(u8, u8)>, delay_us: u32, forged: bool },
    Lose { packets: Vec<(u8, u8)> },
    Mark { space: u8, back: u8 },
    Discard { space: u8, back: u8 },
    DiscardSpace { space: u8 },
    Expire,
    Detect,
    Tick,
    Handoff { old_ms: u16, new_ms: u16, peer: bool },
    Wait { us: u32 },
}

fn call() -> impl Strategy<Value = Call> {
    use Call::*;
    let space = || prop_oneof![8 => Just(2u8), 1 => Just(0u8), 1 => Just(1u8)];
    let packets = || proptest::collection::vec((space(), any::<u8>()), 0..12);
    let ranges = proptest::collection::vec((0..40u8, 0..20u8), 0..6);
    prop_oneof![
        12 => (space(), prop_oneof![4 => Just(0u8), 1 => any::<u8>()], any::<u16>(), any::<bool>(),
            prop::bool::weighted(0.1))
            .prop_map(|(space, skip, bytes, app_limited, mtu_probe)| Send {
                space, skip, bytes, app_limited, mtu_probe
            }),
        1 => (space(), any::<u8>()).prop_map(|(space, back)| Again { space, back }),
        6 => (space(), ranges, any::<u32>(), prop::bool::weighted(0.1))
            .prop_map(|(space, ranges, delay_us, forged)| Ack { space, ranges, delay_us, forged }),
        3 => packets().prop_map(|packets| Lose { packets }),
        1 => (space(), any::<u8>()).prop_map(|(space, back)| Mark { space, back }),
        1 => (space(), any::<u8>()).prop_map(|(space, back)| Discard { space, back }),
        1 => (0..3u8).prop_map(|space| DiscardSpace { space }),
        1 => Just(Expire),
        3 => Just(Detect),
        3 => Just(Tick),
        1 => (any::<u16>(), any::<u16>(), any::<bool>())
            .prop_map(|(old_ms, new_ms, peer)| Handoff { old_ms, new_ms, peer }),
        6 => prop_oneof![0..2_000u32, 0..200_000u32, any::<u32>()].prop_map(|us| Wait { us }),
    ]
}

/// A sender with arbitrary calls, and the state of its packets.
struct Host<C> {
    ledger: Ledger<C>,
    now: Time,
    next: [u64; 3],
    open: BTreeMap<PacketId, u32>,
    acked: u64,
    removed: u64,
}

const SPACES: [NumberSpace; 3] = [NumberSpace::Initial, NumberSpace::Handshake, NumberSpace::Data];

impl<C: WindowController> Host<C> {
    fn new(controller: C) -> Self {
        let ledger = Ledger::new(controller, LedgerConfig::default().packet_bytes(BYTES));
        let open = BTreeMap::new();
        Host { ledger, now: ms(0), next: [0; 3], open, acked: 0, removed: 0 }
    }

    fn id(&self, space: u8, back: u8) -> PacketId {
        let newest = self.next[usize::from(space)];
        PacketId::new(SPACES[usize::from(space)], newest.saturating_sub(u64::from(back) % 64))
    }

    fn remove(&mut self, id: PacketId) {
        self.removed += u64::from(self.open.remove(&id).is_some());
    }

    fn apply(&mut self, call: &Call) {
        let now = self.now;
        match *call {
            Call::Send { space, skip, bytes, app_limited, mtu_probe } => {
                let next = &mut self.next[usize::from(space)];
                let id = PacketId::new(SPACES[usize::from(space)], *next + u64::from(skip));
                *next = id.number + 1;
                let bytes = u32::from(bytes);
                let packet =
                    SentPacket::new(now, id, bytes).app_limited(app_limited).mtu_probe(mtu_probe);
                assert!(self.ledger.on_sent(&packet).is_some());
                self.open.insert(id, bytes);
            }
            Call::Again { space, back } => {
                let id = self.id(space, 1 + back % 63);
                if self.next[usize::from(space)] > 0 {
                    assert_eq!(self.ledger.on_sent(&SentPacket::new(now, id, 99)), None);
                }
            }
            Call::Ack { space, ref ranges, delay_us, forged } => {
                let newest = self.next[usize::from(space)];
                let above = if forged { u64::MAX - newest } else { 0 };
                let ranges: Vec<_> = ranges
                    .iter()
                    .map(|&(back, length)| {
                        let last = newest.saturating_sub(u64::from(back));
                        last.saturating_sub(u64::from(length))..=last + above
                    })
                    .collect();
                let space = SPACES[usize::from(space)];
                let delay = Span::from_micros(u64::from(delay_us));
                let acked = self.ledger.on_ack_ranges(now, space, ranges.clone(), delay);
                let before = self.open.len();
                self.open.retain(|id, _| {
                    id.space != space || !ranges.iter().any(|range| range.contains(&id.number))
                });
                assert_eq!(acked.packets as usize, before - self.open.len());
                self.acked += u64::from(acked.packets);
            }
            Call::Lose { ref packets } => {
                let lost: Vec<_> =
                    packets.iter().map(|&(space, back)| self.id(space, back)).collect();
                self.ledger.on_lost(now, lost.iter().copied());
                lost.into_iter().for_each(|id| self.remove(id));
            }
            Call::Mark { space, back } => self.ledger.on_link_failure(self.id(space, back)),
            Call::Discard { space, back } => {
                let id = self.id(space, back);
                self.ledger.on_discarded(id);
                self.remove(id);
            }
            Call::DiscardSpace { space } => {
                let space = SPACES[usize::from(space)];
                self.ledger.on_space_discarded(space);
                let gone: Vec<_> =
                    self.open.keys().filter(|id| id.space == space).copied().collect();
                gone.into_iter().for_each(|id| self.remove(id));
            }
            Call::Expire => {
                let lost = self.ledger.on_retransmission_timeout(now).to_vec();
                assert_eq!(lost.len(), self.open.len());
                lost.into_iter().for_each(|id| self.remove(id));
            }
            Call::Detect => {
                let lost = self.ledger.detect_losses(now).to_vec();
                assert!(lost.iter().all(|id| self.open.contains_key(id)), "lost twice: {lost:?}");
                lost.into_iter().for_each(|id| self.remove(id));
                assert!(self.ledger.detect_losses(now).is_empty());
            }
            Call::Tick => {
                if let Some(at) = self.ledger.next_timeout() {
                    self.now = self.now.max(at);
                }
                // Everything due at one time ends: a caller that only serves its timer is not kept
                // busy.
                let due =
                    |ledger: &Ledger<C>, now| ledger.next_timeout().is_some_and(|at| at <= now);
                for round in 0.. {
                    if !due(&self.ledger, self.now) {
                        break;
                    }
                    assert!(round < 4, "a timeout that does not pass");
                    let probe = self.ledger.on_timeout(self.now);
                    assert!(!probe || !self.open.is_empty(), "a probe with nothing in flight");
                    self.apply(&Call::Detect);
                }
            }
            Call::Handoff { old_ms, new_ms, peer } => {
                let end = if peer { End::Peer } else { End::Own };
                let [old, new] = [old_ms, new_ms].map(|ms| Span::from_millis(u64::from(ms)));
                self.ledger.on_handoff(&Handoff::new(now, end, old, new));
            }
            Call::Wait { us } => self.now += Span::from_micros(u64::from(us)),
        }
        self.check();
    }

    /// The packets in flight are those sent and not resolved, in number and in bytes.
    fn check(&self) {
        let bytes: u64 = self.open.values().map(|&bytes| u64::from(bytes)).sum();
        assert_eq!(self.ledger.in_flight() as usize, self.open.len());
        assert_eq!(self.ledger.bytes_in_flight(), bytes);
        let resolved = self.acked + self.removed;
        assert_eq!(self.ledger.transmissions(), resolved + self.open.len() as u64);
    }
}

proptest! {
    #[test]
    fn nothing_leaks_whatever_a_host_reports(
        calls in proptest::collection::vec(call(), 1..300),
    ) {
        let mut host = Host::new(Recorder::new(1000.0));
        for call in &calls {
            host.apply(call);
            let recorder = host.ledger.controller();
            prop_assert_eq!(u64::from(recorder.delivered()), host.acked);
            prop_assert!(recorder.losses.len() as u64 <= host.removed);
            // Each transmission is reported lost at most once.
            let mut lost: Vec<_> = recorder.losses.iter().map(|loss| loss.tx).collect();
            lost.sort_unstable();
            prop_assert!(lost.windows(2).all(|pair| pair[0] < pair[1]));
        }
        // In the end every packet is resolved, and no state is left.
        host.apply(&Call::Expire);
        prop_assert_eq!((host.ledger.in_flight(), host.ledger.bytes_in_flight()), (0, 0));
        prop_assert!(host.ledger.may_send(Time::MAX, u32::MAX));
    }

    #[test]
    fn every_controller_works_behind_a_ledger(
        calls in proptest::collection::vec(call(), 1..150),
    ) {
        for config in configs() {
            let start = Start::default().packet_bytes(BYTES);
            let mut host = Host::new(config.build(&start));
            for call in &calls {
                host.apply(call);
                let window = host.ledger.controller().window();
                prop_assert!(window.is_finite() && window >= 1.0, "{config:?}: {window}");
            }
        }
    }
}
