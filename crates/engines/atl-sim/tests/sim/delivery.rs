//! Whatever the network does (lose, repeat, reorder, delay, in both directions), the receiver
//! delivers every segment once and in order, and the sender finishes.

use std::collections::BTreeMap;

use atl_core::time::{Span, Time};
use atl_endpoint::tcp::{AckInfo, Arrival, Outgoing};
use atl_link::random::Stream;
use atl_scenario::protocol::catalogue;
use proptest::prelude::*;

use crate::support::{papers_tcp, transfer_bytes};

/// Probabilities of a network that loses, repeats and delays packets.
#[derive(Clone, Copy, Debug)]
struct Hostile {
    loss: f64,
    repeat: f64,
    /// Largest extra delay, in ms: packets overtake each other.
    jitter: u64,
    seed: u64,
}

#[derive(Clone, Copy)]
enum Parcel {
    Data(Arrival),
    Ack(AckInfo),
    /// It copies a segment, or carries nothing.
    Probe(bool, Arrival),
    ProbeAck(AckInfo),
}

/// A packet that left the sender at `sent_at`, as it arrives.
fn arrival(seq: u64, tx: u64, bytes: u32, sent_at: Time) -> Arrival {
    Arrival { seq, tx: tx as u32, sent_at, payload: bytes - papers_tcp().header }
}

/// Carries a transfer over a hostile network. Returns the time that it took, if it finished.
fn transfer(
    name: &str,
    segments: u64,
    network: Hostile,
    delayed: bool,
) -> Result<Time, TestCaseError> {
    let (mut sender, mut receiver) =
        crate::support::transfer_ends(&crate::support::tcp(name), segments, delayed);
    let mut stream = Stream::new(network.seed, "network");
    let mut parcels: BTreeMap<(Time, u64), Parcel> = BTreeMap::new();
    let mut serial = 0;
    let mut now = Time::ZERO;
    let mut handed_over = 0;
    // Far more steps than any of these transfers needs: an endless exchange must not hang the test.
    for _ in 0..2_000_000 {
        while let Some(out) = sender.poll_send(now) {
            let parcel = match out {
                Outgoing::Data { seq, tx, bytes, .. } => {
                    prop_assert!(seq < segments, "sent what was never written");
                    Parcel::Data(arrival(seq, tx, bytes, now))
                }
                Outgoing::Probe { number, segment, bytes, .. } => {
                    prop_assert!(
                        segment.is_none_or(|seq| seq < segments),
                        "a copy of what was never written"
                    );
                    let probe = arrival(segment.unwrap_or(0), number, bytes, now);
                    Parcel::Probe(segment.is_some(), probe)
                }
                Outgoing::Syn { .. } | Outgoing::WindowProbe | Outgoing::Challenge { .. } => {
                    return Err(TestCaseError::fail("it is connected and not frozen"));
                }
            };
            post(&mut parcels, &mut serial, now, network, &mut stream, parcel);
        }
        if let Some(at) = sender.finished() {
            prop_assert_eq!(receiver.next(), segments);
            prop_assert_eq!(receiver.delivered_bytes(), transfer_bytes(segments));
            prop_assert!(receiver.held_back().is_empty());
            return Ok(at);
        }
        let timer = sender.next_timer(now).min(receiver.ack_due().unwrap_or(Time::MAX));
        let next = parcels.first_key_value().map_or(Time::MAX, |(k, _)| k.0);
        prop_assert!(timer.min(next) < Time::MAX, "nothing more will ever happen");
        now = now.max(timer.min(next));
        let mut answers = Vec::new();
        if next <= timer {
            let (_, parcel) = parcels.pop_first().expect("there is one");
            match parcel {
                Parcel::Data(arrival) => answers.extend(receiver.on_segment(now, arrival)),
                Parcel::Ack(info) => {
                    sender.on_ack(now, &info);
                }
                Parcel::Probe(copies, probe) => {
                    let answer = receiver.on_probe(copies, probe);
                    let parcel = Parcel::ProbeAck(answer);
                    post(&mut parcels, &mut serial, now, network, &mut stream, parcel);
                }
                Parcel::ProbeAck(info) => sender.on_probe_ack(now, &info),
            }
        } else {
            answers.extend(receiver.on_timer(now));
            sender.on_timer(now);
        }
        // In order, without a gap, never twice: the count only grows, one segment after the other.
        prop_assert!(receiver.next() >= handed_over);
        handed_over = receiver.next();
        for (start, end) in receiver.held_back() {
            prop_assert!(handed_over < start && start < end && end <= segments);
        }
        for answer in answers {
            prop_assert_eq!(answer.ack, handed_over);
            post(&mut parcels, &mut serial, now, network, &mut stream, Parcel::Ack(answer));
        }
    }
    Err(TestCaseError::fail("the transfer does not end"))
}

fn post(
    parcels: &mut BTreeMap<(Time, u64), Parcel>,
    serial: &mut u64,
    now: Time,
    network: Hostile,
    stream: &mut Stream,
    parcel: Parcel,
) {
    let copies = 1 + u32::from(stream.chance(network.repeat));
    for _ in 0..copies {
        if stream.chance(network.loss) {
            continue;
        }
        let delay = Span::from_millis(20) + Span::from_millis(stream.below(network.jitter + 1));
        *serial += 1;
        parcels.insert((now + delay, *serial), parcel);
    }
}

fn hostile() -> impl Strategy<Value = Hostile> {
    (0.0..0.4, 0.0..0.3, 0u64..80, any::<u64>()).prop_map(|(loss, repeat, jitter, seed)| Hostile {
        loss,
        repeat,
        jitter,
        seed,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_segment_is_handed_over_once_and_in_order(
        network in hostile(),
        segments in 1u64..300,
        delayed in any::<bool>(),
        name in prop::sample::select(
            catalogue().iter().filter(|p| p.recovery().is_some()).map(|p| p.name)
                .chain(["reno/tahoe", "tcp-atl/tahoe", "cubic/tahoe", "reno/rack", "tcp-atl/rack", "cubic/rack", "bbr3/rack"])
                .chain(["reno/go-back-n", "tcp-atl/go-back-n", "cubic/go-back-n", "fixed-window/sack"])
                .collect::<Vec<_>>()
        ),
    ) {
        transfer(name, segments, network, delayed)?;
    }
}

#[test]
fn a_clean_network_needs_no_retransmission() {
    let network = Hostile { loss: 0.0, repeat: 0.0, jitter: 0, seed: 1 };
    for name in [
        "reno",
        "newreno",
        "sack",
        "westwood",
        "tcp-atl",
        "cubic",
        "sack/rack",
        "cubic/rack",
        "sack/none",
        "cubic/none",
    ] {
        let took = transfer(name, 250, network, false).expect("it ends");
        // 2, 4, 8, ... 128: 250 segments fit into seven round trips of 40 ms; CUBIC's slow start
        // (RFC 9406) may leave the doubling earlier.
        assert!(took <= Time::from_millis(600), "{name}: {took:?}");
    }
}

proptest! {
    #[test]
    fn without_error_control_a_network_that_loses_nothing_needs_none(
        repeat in 0.0..0.3,
        jitter in 0u64..80,
        seed in any::<u64>(),
        segments in 1u64..300,
        delayed in any::<bool>(),
        name in prop::sample::select(vec!["tahoe/none", "sack/none", "vegas/none", "fixed-window/none"]),
    ) {
        transfer(name, segments, Hostile { loss: 0.0, repeat, jitter, seed }, delayed)?;
    }
}
