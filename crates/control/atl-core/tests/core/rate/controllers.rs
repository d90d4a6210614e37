//! Properties of every rate controller, for any events in any order.

use crate::support::rate_host::{configs, plain, wild};
use atl_core::conformance;
use atl_core::rate::{Arrived, FeedbackMode, RateStart};
use atl_core::time::{Span, Time};
use proptest::prelude::*;

/// On a path that a probe has measured, no controller probes, waits or doubles.
#[test]
fn a_measured_path_is_used_at_its_rate_from_the_start() {
    let start = RateStart::default().packet_bytes(1000).target(1000.0).seed(1);
    for config in plain() {
        for (measured, expected) in [(400.0, 400.0), (5000.0, 1000.0)] {
            let mut controller = config.build(&start.initial(Some(measured)));
            assert_eq!(controller.rate().to_bits(), f64::to_bits(expected), "{config:?}");
            assert!(controller.sends_data() && !controller.poll_probe(Time::ZERO), "{config:?}");
        }
        // Nothing was measured.
        for nothing in [Some(0.0), Some(-1.0), Some(f64::NAN), None] {
            let rate = config.build(&start.initial(nothing)).rate();
            assert_eq!(rate.to_bits(), config.build(&start).rate().to_bits(), "{config:?}");
        }
    }
}

#[test]
fn no_transport_breaks_a_controllers_promises() {
    for config in wild() {
        conformance::rate_safety(&config, |_, _| {});
    }
    for config in plain() {
        conformance::rate_safety(&config, |host, operation| {
            assert_eq!(host.unusable(), None, "{config:?} by {operation:?}");
        });
        conformance::rate(config);
    }
}

proptest! {
    #[test]
    fn a_receiver_reports_what_a_sender_can_use_whatever_arrives(
        packets in proptest::collection::vec(
            (prop_oneof![0..1000u64, any::<u64>()], any::<u64>(), any::<u32>(), 0..100_000_000_000u64),
            1..100,
        ),
    ) {
        let every = Span::from_millis(100);
        for config in configs() {
            for mode in [config.feedback(), FeedbackMode::Own, FeedbackMode::Reports { every }] {
                let Some(mut receiver) = config.build_receiver(mode) else { continue };
                let mut now = Time::ZERO;
                for &(seq, sent_ns, bytes, wait_ns) in &packets {
                    now += Span::from_nanos(wait_ns);
                    let rtt = Span::from_nanos(sent_ns % 7_000_000_000);
                    let arrived =
                        Arrived::new(now, seq, Time::from_nanos(sent_ns), bytes).rtt(rtt);
                    let mut reports = u32::from(receiver.on_data(&arrived));
                    let mut ticks = 0;
                    while receiver.next_timeout().is_some_and(|at| at <= now) {
                        reports += u32::from(receiver.on_tick(now));
                        ticks += 1;
                        prop_assert!(ticks < 8, "timeouts without end: {receiver:?}");
                    }
                    for _ in 0..reports {
                        let report = receiver.report(now);
                        let share = |x: f64| (0.0..=1.0).contains(&x);
                        prop_assert!(share(report.fraction_lost), "{report:?}");
                        prop_assert!(report.loss_event_rate.is_none_or(share), "{report:?}");
                        let usable = |rate: f64| rate.is_finite() && rate >= 0.0;
                        prop_assert!(report.receive_rate.is_none_or(usable), "{report:?}");
                    }
                }
            }
        }
    }
}
