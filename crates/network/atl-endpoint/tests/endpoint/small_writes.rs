//! An application that writes little at a time, over a path that loses and delays packets.

use std::collections::BTreeMap;

use atl_core::time::{Span, Time};
use atl_core::window::{ControllerConfig, Start, reno};
use atl_endpoint::app::{App, Source};
use atl_endpoint::tcp::{AckInfo, Arrival, Nagle, Outgoing, Receiver, Recovery, Sender, Tcp};
use atl_link::random::Stream;
use proptest::prelude::*;

/// Segments of one run, and the state of its receiver at the end.
struct Seen {
    /// Bytes on the wire of each segment, when it was first sent.
    first: Vec<u32>,
    receiver: Receiver,
    /// Bytes that the application had written when the run ended.
    written: u64,
}

/// Writes `bytes` every 7 ms for three seconds, and lets the path repair what it has lost. The path
/// takes 20 to 30 ms each way, loses `loss` in both directions, and reorders.
fn run(recovery: Recovery, nagle: Nagle, bytes: u64, loss: f64, seed: u64) -> Seen {
    let tcp = Tcp { segment: 1000, header: 40, nagle, ..Tcp::default() };
    let start = Start::default().packet_bytes(1040).seed(1);
    let controller = ControllerConfig::from(reno::Config::default()).build(&start);
    let source = Source::Files { bytes, every: Span::from_millis(7), exponential: false };
    let app = |start| App::new(&source, tcp.segment, start, Stream::new(seed, "app"));
    let mut sender = Sender::new(recovery, controller, &tcp, app(Time::ZERO));
    let mut receiver = Receiver::of(recovery, &tcp);
    let mut stream = Stream::new(seed, "path");
    let mut data: BTreeMap<(Time, u64), Arrival> = BTreeMap::new();
    let mut acks: BTreeMap<(Time, u64), AckInfo> = BTreeMap::new();
    let (mut now, mut serial, mut first) = (Time::ZERO, 0, Vec::new());
    let end = Time::from_millis(3_000);
    let mut passes = |now: Time| {
        let delay = Span::from_micros(20_000 + stream.below(10_000));
        (!stream.chance(loss)).then(|| now + delay)
    };
    loop {
        while let Some(out) = sender.poll_send(now) {
            let Outgoing::Data { seq, tx, bytes, .. } = out else { panic!("only data is sent") };
            if seq == first.len() as u64 {
                first.push(bytes);
            }
            assert_eq!(bytes, first[seq as usize], "segment {seq} keeps its bytes");
            let arrival = Arrival { seq, tx: tx as u32, sent_at: now, payload: bytes - tcp.header };
            data.extend(passes(now).map(|at| ((at, tx), arrival)));
        }
        let next_data = data.keys().next().map_or(Time::MAX, |key| key.0);
        let next_ack = acks.keys().next().map_or(Time::MAX, |key| key.0);
        now = next_data.min(next_ack).min(sender.next_timer(now));
        if now >= end {
            break;
        }
        if next_data == now {
            let (_, arrival) = data.pop_first().expect("a packet is due");
            if let Some(ack) = receiver.on_segment(now, arrival) {
                serial += 1;
                acks.extend(passes(now).map(|at| ((at, serial), ack)));
            }
        } else if next_ack == now {
            let (_, ack) = acks.pop_first().expect("an ACK is due");
            sender.on_ack(now, &ack);
        } else {
            sender.on_timer(now);
        }
    }
    Seen { first, receiver, written: app(Time::ZERO).written(end) }
}

/// Payload of the first `segments` segments.
fn payload(seen: &Seen, segments: u64) -> u64 {
    seen.first[..segments as usize].iter().map(|bytes| u64::from(bytes - 40)).sum()
}

#[test]
fn each_write_takes_its_own_bytes_on_the_wire() {
    let seen = run(Recovery::Sack, Nagle::Off, 100, 0.0, 1);
    assert!(seen.first.iter().all(|bytes| *bytes == 140), "{:?}", seen.first);
    assert_eq!(seen.first.len() as u64 * 100, seen.written);
    // A round trip of some 50 ms: seven writes leave together. 60 of them in three seconds.
    for nagle in [Nagle::Rfc896, Nagle::Minshall] {
        let seen = run(Recovery::Sack, nagle, 100, 0.0, 1);
        assert!((50..75).contains(&seen.first.len()), "{nagle:?}: {}", seen.first.len());
        assert!(payload(&seen, seen.first.len() as u64) + 1_000 > seen.written);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn bytes_are_delivered_once_and_in_order_whatever_is_lost(
        recovery in prop::sample::select(Recovery::ALL.to_vec()),
        nagle in prop::sample::select(Nagle::ALL.to_vec()),
        bytes in 1u64..3_000,
        loss in prop_oneof![Just(0.0), 0.01..0.2],
        seed in any::<u64>(),
    ) {
        let seen = run(recovery, nagle, bytes, loss, seed);
        let next = seen.receiver.next();
        prop_assert_eq!(seen.receiver.delivered_bytes(), payload(&seen, next));
        prop_assert!(payload(&seen, seen.first.len() as u64) <= seen.written);
        prop_assert!(seen.first.iter().all(|bytes| (41..=1040).contains(bytes)));
        // With losses the first packet may be lost twice, and the next timeout be after the end.
        prop_assert!(next > 0 || loss > 0.0);
    }
}
