//! An impairment that is off changes nothing, not even a draw.

use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use atl_link::random::Stream;
use atl_link::{
    Blackout, Blockage, Cause, Config, Exit, Jitter, JitterShape, Limit, Link, Loss, QueueConfig,
    Ramp, Reconfiguration, Red, Reorder, Service,
};

use crate::jitter::exits_until;
use crate::support::{EIGHT, Numbered, config, network};

const PACKETS: u64 = 4000;
/// Before which all happens.
const LAST: Time = Time::from_millis(100_000);

fn share(share: f64) -> Probability {
    Probability::clamped(share)
}

/// The fate of packets of 200 to 1500 bytes that come at the link's own rate, on 8 Mb/s and
/// 10 ms with a queue of 20 packets: who is dropped on entry, who comes out, when and how.
fn run(change: impl Fn(&mut Config)) -> Vec<(Time, Exit<Numbered>)> {
    let mut config = config(network(EIGHT, 10));
    config.queue = QueueConfig::DropTail { packets: 20 };
    change(&mut config);
    let mut link = Link::new(Arc::new(config), Stream::new(9, "off"));
    let mut exits = Vec::new();
    for n in 0..PACKETS {
        let now = Time::from_nanos(850_000 * n);
        exits.extend(exits_until(&mut link, now));
        let bytes = 200 + (n * 37 % 1301) as u32;
        if let Err(dropped) = link.offer(now, Numbered(n, bytes)) {
            exits.push((now, Exit::Dropped(dropped, now)));
        }
        while let Some(dropped) = link.next_dropped() {
            exits.push((now, Exit::Dropped(dropped, now)));
        }
    }
    exits.extend(exits_until(&mut link, LAST));
    exits.retain(|(_, exit)| !matches!(exit, Exit::Changed(_)));
    exits
}

type Named = (&'static str, fn(&mut Config));

/// Links whose results hang on draws.
const DRAWING: [Named; 5] = [
    ("none", |_| {}),
    ("independent", |config| config.initial.loss = Loss::Bernoulli(share(0.1))),
    ("per packet", |config| {
        config.initial.loss = Loss::GilbertElliott {
            to_bad: share(0.01),
            to_good: share(0.2),
            loss_good: share(0.001),
            loss_bad: share(0.5),
        };
    }),
    ("per time", |config| {
        config.initial.loss = Loss::Bursts {
            good: Span::from_millis(300),
            bad: Span::from_millis(30),
            loss_good: share(0.01),
            loss_bad: share(0.7),
        };
    }),
    ("red", |config| {
        config.queue = QueueConfig::Red(Red::after_floyd(Limit::Packets(20)));
    }),
];

/// Impairments, each with the value that changes nothing. A change of network does not belong here:
/// it decides anew what becomes of the packet in transmission.
const NEUTRAL: [Named; 9] = [
    ("duplicate", |config| config.initial.duplicate = Probability::ZERO),
    ("ingress, independent", |config| config.initial.ingress = Loss::Bernoulli(Probability::ZERO)),
    ("ingress, in bursts", |config| {
        config.initial.ingress = Loss::Bursts {
            good: Span::from_millis(300),
            bad: Span::from_millis(30),
            loss_good: Probability::ZERO,
            loss_bad: Probability::ZERO,
        };
    }),
    ("jitter", |config| {
        config.initial.jitter =
            Some(Jitter { spread: Span::ZERO, shape: JitterShape::Uniform, in_order: false });
    }),
    ("reorder", |config| {
        config.initial.reorder =
            Some(Reorder { share: Probability::ZERO, by: Span::from_millis(5) });
    }),
    ("reconfiguration", |config| {
        config.initial.reconfiguration = Some(Reconfiguration {
            every: Span::from_millis(500),
            step: Span::ZERO,
            outage: Span::from_millis(60),
            loss: Probability::ZERO,
        });
    }),
    ("blackout after the end", |config| {
        let at = Time::from_millis(90_000);
        config.blackouts.push(Blackout { at, lasts: Span::from_millis(100), hold: false });
    }),
    ("ramp", |config| {
        config.initial.service =
            Service::Ramp(Ramp { from: EIGHT, to: EIGHT, over: Span::from_secs(1) });
    }),
    ("blockage", |config| {
        config.initial.service = Service::Blocked(Blockage {
            clear: EIGHT,
            blocked: EIGHT,
            clear_for: Span::from_millis(100),
            blocked_for: Span::from_millis(100),
        });
    }),
];

#[test]
fn a_neutral_value_changes_no_draw() {
    for (drawing, draws) in DRAWING {
        let plain = run(draws);
        for (neutral, change) in NEUTRAL {
            let with = run(|config| {
                draws(config);
                change(config);
            });
            let first = plain.iter().zip(&with).find(|(a, b)| a != b);
            assert!(first.is_none(), "{drawing} with {neutral}: {first:?}");
            assert_eq!(plain.len(), with.len(), "{drawing} with {neutral}");
        }
    }
}

/// A hash of each exit's time, number and fate (FNV-1a).
fn digest(exits: &[(Time, Exit<Numbered>)]) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |word: u64| {
        for byte in word.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for (at, exit) in exits {
        let (end, packet) = match exit {
            Exit::Delivered(packet) => (0, packet),
            Exit::DeliveredTwice(packet) => (1, packet),
            Exit::Lost(packet, Cause::Error) => (2, packet),
            Exit::Lost(packet, _) => (3, packet),
            Exit::Dropped(packet, _) => (4, packet),
            Exit::Changed(_) => continue,
        };
        add(at.nanos());
        add(packet.0);
        add(end);
    }
    hash
}

/// The draws of today. A new kind of impairment must not change them while it is off: results of
/// the same scenario, seed and version stay the same bytes.
#[test]
fn the_draws_of_links_without_impairments_stay() {
    let today = DRAWING.map(|(name, draws)| (name, digest(&run(draws))));
    let then = [
        ("none", 8_223_746_063_021_146_242),
        ("independent", 18_024_571_999_077_566_078),
        ("per packet", 12_163_064_931_084_946_200),
        ("per time", 312_404_792_237_560_432),
        ("red", 3_153_384_561_174_293_919),
    ];
    assert_eq!(today, then);
}
