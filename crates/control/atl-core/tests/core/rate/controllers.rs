//! Properties of every rate controller, for any events in any order.

use crate::support::rate_host::{Host, Operation, configs, plain};
use atl_core::rate::{Arrived, FeedbackMode, RateStart, Report};
use atl_core::time::{Span, Time};
use proptest::prelude::*;

fn report() -> impl Strategy<Value = Report> {
    let counts = (any::<u64>(), any::<u64>(), any::<i64>(), any::<u64>());
    let times = (any::<u64>(), any::<u64>());
    let rate = || proptest::option::of(any::<f64>());
    let rates = (any::<f64>(), rate(), rate(), rate());
    (counts, times, rates).prop_map(|(counts, times, rates)| {
        Report::default()
            .highest(counts.0)
            .received(counts.1)
            .cumulative_lost(counts.2)
            .fraction_lost(rates.0)
            .jitter(Span::from_nanos(counts.3))
            .echo(Time::from_nanos(times.0))
            .held(Span::from_nanos(times.1))
            .receive_rate(rates.1)
            .loss_event_rate(rates.2)
            .pair_rate(rates.3)
    })
}

fn operation() -> impl Strategy<Value = Operation> {
    use Operation::*;
    let nanos = || prop_oneof![Just(0u64), 0..10_000_000_000u64, any::<u64>()];
    prop_oneof![
        4 => (any::<u8>(), any::<bool>())
            .prop_map(|(packets, app_limited)| Send { packets, app_limited }),
        8 => (0..10u8, any::<u32>(), prop_oneof![0..500_000u32, any::<u32>()])
            .prop_map(|(back, mask, rtt_us)| Ack { back, mask, rtt_us }),
        1 => (prop_oneof![0..300u64, any::<u64>()], any::<u32>(), nanos())
            .prop_map(|(seq, mask, sent_ns)| AckAny { seq, mask, sent_ns }),
        3 => (any::<u8>(), any::<bool>(), prop_oneof![0..500_000u32, any::<u32>()])
            .prop_map(|(packets, marked, rtt_us)| Lose { packets, marked, rtt_us }),
        3 => (any::<u8>(), any::<u32>(), any::<f64>(), any::<f64>()).prop_map(
            |(lost, rtt_us, receive_rate, loss_event_rate)| Report {
                lost, rtt_us, receive_rate, loss_event_rate
            }
        ),
        3 => (0..9u8, 0..500_000u32, 0.0..1e4f64, 0.0..1.0f64).prop_map(
            |(lost, rtt_us, receive_rate, loss_event_rate)| Report {
                lost, rtt_us, receive_rate, loss_event_rate
            }
        ),
        1 => report().prop_map(ReportAny),
        2 => ((any::<u32>(), any::<u8>()), (nanos(), nanos(), nanos()), any::<bool>()).prop_map(
            |((delivered, lost), (at_ns, srtt_ns, rtt_ns), odd)| Feedback {
                delivered, lost, at_ns, srtt_ns, rtt_ns, odd
            }
        ),
        1 => (any::<f64>(), any::<u32>(), any::<bool>())
            .prop_map(|(loss, delay_us, peer)| Link { loss, delay_us, peer }),
        2 => (0.0..1.0f64, 0..400_000u32, any::<bool>())
            .prop_map(|(loss, delay_us, peer)| Link { loss, delay_us, peer }),
        1 => (any::<u16>(), any::<u16>(), any::<bool>())
            .prop_map(|(old_ms, new_ms, peer)| Handoff { old_ms, new_ms, peer }),
        3 => (0..400u64, any::<u32>()).prop_map(|(number, rtt_us)| Probe { number, rtt_us }),
        1 => (any::<u64>(), any::<u32>()).prop_map(|(number, rtt_us)| Probe { number, rtt_us }),
        4 => prop_oneof![0..10u64, 0..1_000_000u64, 0..100_000_000_000u64]
            .prop_map(|us| Wait { us }),
        1 => any::<u16>().prop_map(|secs| Silence { secs }),
    ]
}

fn start() -> impl Strategy<Value = RateStart> {
    let target = prop_oneof![1.0..1e4f64, any::<f64>()];
    let minimum = prop_oneof![Just(0.0), 0.01..10.0f64, any::<f64>()];
    let initial = proptest::option::of(prop_oneof![1.0..1e4f64, any::<f64>()]);
    (target, minimum, any::<u32>(), any::<u64>(), initial).prop_map(
        |(target, minimum, packet_bytes, seed, initial)| {
            RateStart::default()
                .packet_bytes(packet_bytes)
                .target(target)
                .minimum(minimum)
                .seed(seed)
                .initial(initial)
        },
    )
}

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
        // Values that are no measurement.
        for nothing in [Some(0.0), Some(-1.0), Some(f64::NAN), None] {
            let rate = config.build(&start.initial(nothing)).rate();
            assert_eq!(rate.to_bits(), config.build(&start).rate().to_bits(), "{config:?}");
        }
    }
}

proptest! {
    #[test]
    fn no_host_breaks_a_controllers_invariants(
        operations in proptest::collection::vec(operation(), 1..150),
        start in start(),
    ) {
        for (i, config) in configs().iter().enumerate() {
            let mut host = Host::new(config, &start);
            prop_assert_eq!(host.violation(), None, "{:?} at the start", config);
            for operation in &operations {
                host.apply(operation);
                prop_assert_eq!(host.violation(), None, "{:?} by {:?}", config, operation);
                if i < plain().len() {
                    prop_assert_eq!(host.unusable(), None, "{:?} by {:?}", config, operation);
                }
            }
        }
    }

    #[test]
    fn a_clone_behaves_like_its_original(
        operations in proptest::collection::vec(operation(), 2..80),
        start in start(),
    ) {
        let (first, second) = operations.split_at(operations.len() / 2);
        for config in configs() {
            let mut original = Host::new(&config, &start);
            first.iter().for_each(|operation| original.apply(operation));
            let mut hosts = [original.clone(), original];
            for operation in second {
                let states = hosts.each_mut().map(|host| {
                    host.apply(operation);
                    (host.controller.rate().to_bits(), host.controller.next_timeout())
                });
                prop_assert_eq!(states[0], states[1]);
            }
        }
    }

    #[test]
    fn the_same_operations_give_the_same_trajectory(
        operations in proptest::collection::vec(operation(), 1..80),
        start in start(),
    ) {
        for config in configs() {
            let mut hosts = [Host::new(&config, &start), Host::new(&config, &start)];
            for operation in &operations {
                let states = hosts.each_mut().map(|host| {
                    host.apply(operation);
                    let controller = &host.controller;
                    (controller.rate().to_bits(), controller.next_timeout(), controller.decreases())
                });
                prop_assert_eq!(states[0], states[1]);
            }
        }
    }

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
