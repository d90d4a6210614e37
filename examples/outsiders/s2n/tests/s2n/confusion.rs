//! The hosted baselines against whatever a confused host may tell them.

use crate::events::{ack, loss};
use atl_core::time::{Span, Time};
use atl_core::window::{BuildController, Detection, Sent, Start, Timeout, WindowController};
use proptest::prelude::*;
use s2n::{bbr2, cubic};

const PACKET: u32 = 1040;
const START: Start = Start::DEFAULT.initial_window(2.0).packet_bytes(PACKET).receive_window(10_000);

/// Something that a host, sane or not, may tell a controller.
#[derive(Clone, Debug)]
enum Operation {
    Wait(u64),
    Send {
        count: u8,
        gap: bool,
        in_flight: u32,
        app_limited: bool,
    },
    Ack {
        delivered: u32,
        back: u64,
        newest: bool,
        rtt: Option<u64>,
        in_flight: u32,
        duplicate: bool,
    },
    Lose {
        packets: u32,
        back: u64,
        timeout: bool,
        in_flight: u32,
    },
    Timeout {
        in_flight: u32,
    },
    GoBack(u64),
}

fn count() -> impl Strategy<Value = u32> {
    prop_oneof![6 => 0..20u32, 2 => 0..2000u32, 1 => any::<u32>()]
}

fn operation() -> impl Strategy<Value = Operation> {
    let wait = prop_oneof![8 => 0..200_000_000u64, 1 => 0..100_000_000_000_000u64, 1 => 0..2000u64];
    let rtt = prop_oneof![6 => 1_000_000..600_000_000u64, 1 => any::<u64>(), 1 => 0..3000u64];
    prop_oneof![
        4 => wait.prop_map(Operation::Wait),
        6 => (any::<u8>(), prop::bool::weighted(0.05), count(), prop::bool::weighted(0.2))
            .prop_map(|(count, gap, in_flight, app_limited)| Operation::Send { count, gap, in_flight, app_limited }),
        6 => (count(), 0..300u64, prop::bool::weighted(0.9), prop::option::weighted(0.8, rtt), count(), any::<bool>())
            .prop_map(|(delivered, back, newest, rtt, in_flight, duplicate)| Operation::Ack {
                delivered, back, newest, rtt, in_flight, duplicate
            }),
        2 => (count(), 0..300u64, prop::bool::weighted(0.2), count())
            .prop_map(|(packets, back, timeout, in_flight)| Operation::Lose { packets, back, timeout, in_flight }),
        1 => count().prop_map(|in_flight| Operation::Timeout { in_flight }),
        1 => (0..1_000_000_000u64).prop_map(Operation::GoBack),
    ]
}

fn tell(
    controller: &mut dyn WindowController,
    now: &mut Time,
    tx: &mut u64,
    operation: &Operation,
) {
    match *operation {
        Operation::Wait(ns) => *now += Span::from_nanos(ns),
        Operation::GoBack(ns) => *now = *now - Span::from_nanos(ns),
        Operation::Send { count, gap, in_flight, app_limited } => {
            *tx += u64::from(gap);
            for _ in 0..count {
                let sent = Sent::new(*now, *tx, PACKET, in_flight).app_limited(app_limited);
                controller.on_sent(&sent);
                *tx += 1;
            }
        }
        Operation::Ack { delivered, back, newest, rtt, in_flight, duplicate } => {
            let newest = newest.then(|| (tx.saturating_sub(back), *now));
            let ack = ack(*now, delivered, newest, rtt.map(Span::from_nanos), in_flight);
            controller.on_ack(&ack.duplicate(duplicate));
        }
        Operation::Lose { packets, back, timeout, in_flight } => {
            let detection = if timeout { Detection::Timeout } else { Detection::Acks };
            controller.on_loss(&loss(*now, tx.saturating_sub(back), packets, in_flight, detection));
        }
        Operation::Timeout { in_flight } => {
            controller.on_timeout(&Timeout::new(*now, in_flight));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn nothing_that_a_host_says_breaks_a_controller(
        operations in prop::collection::vec(operation(), 1..400),
        packet_bytes in prop_oneof![4 => 500..1600u32, 1 => any::<u32>()],
        initial_window in prop_oneof![4 => 1.0..100.0f64, 1 => any::<f64>()],
        seed in any::<u64>(),
    ) {
        let start = START.initial_window(initial_window).packet_bytes(packet_bytes);
        let bbr2 = bbr2::Config { seed }.build(&start);
        for mut controller in [cubic::Config::default().build(&start), bbr2] {
            let (mut now, mut tx) = (Time::ZERO, 0);
            for operation in &operations {
                tell(&mut *controller, &mut now, &mut tx, operation);
                let window = controller.window();
                prop_assert!(window.is_finite() && window >= 1.0, "cwnd {window}");
                prop_assert!(controller.ssthresh() > 0.0);
                // May lie far ahead: a pacer counts on, however often a host ignores it.
                controller.release_at();
            }
        }
    }
}
