//! Every controller under arbitrary events in any order.

use crate::support::host::{
    Host, Operation, configs, hosted_configs, most_growth, never_moves, paced_by_its_receiver,
};
use atl_core::time::Span;
use atl_core::window::{Aimd, WindowController};
use proptest::prelude::*;

fn operation() -> impl Strategy<Value = Operation> {
    use Operation::*;
    prop_oneof![
        4 => (any::<u8>(), any::<bool>())
            .prop_map(|(packets, app_limited)| Send { packets, app_limited }),
        8 => (any::<u8>(), any::<u32>(), any::<bool>(), any::<bool>()).prop_map(
            |(delivered, rtt_us, recovery, limited)| Acknowledge {
                delivered, rtt_us, recovery, limited
            }
        ),
        2 => any::<bool>().prop_map(|sack| Duplicate { sack }),
        3 => (any::<u8>(), any::<u8>(), any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
            |(packets, link, new_episode, timeout, old)| Lose {
                packets, link, new_episode, timeout, old
            }
        ),
        1 => any::<u8>().prop_map(|consecutive| Expire { consecutive }),
        1 => Just(Quench),
        1 => Just(Recover),
        2 => (any::<f64>(), any::<u32>(), any::<bool>())
            .prop_map(|(loss, delay_us, peer)| Report { loss, delay_us, peer }),
        2 => (0.0..1.0f64, 0..400_000u32, any::<bool>())
            .prop_map(|(loss, delay_us, peer)| Report { loss, delay_us, peer }),
        1 => (any::<u16>(), any::<u16>(), any::<bool>())
            .prop_map(|(old_ms, new_ms, peer)| Handoff { old_ms, new_ms, peer }),
        3 => (0..400u64, any::<u32>())
            .prop_map(|(number, rtt_us)| Probe { number, rtt_us }),
        1 => (any::<u64>(), any::<u32>())
            .prop_map(|(number, rtt_us)| Probe { number, rtt_us }),
        1 => any::<f64>().prop_map(|packets_per_sec| PeerRate { packets_per_sec }),
        1 => (0.0..1e5f64).prop_map(|packets_per_sec| PeerRate { packets_per_sec }),
        4 => prop_oneof![0..10u64, 0..1_000_000u64, 0..100_000_000_000u64]
            .prop_map(|us| Wait { us }),
    ]
}

proptest! {
    #[test]
    fn no_host_breaks_a_controllers_invariants(
        operations in proptest::collection::vec(operation(), 1..200),
        initial_window in prop_oneof![any::<f64>(), 1.0..100.0f64],
    ) {
        for config in configs() {
            let mut host = Host::new(&config, initial_window);
            for operation in &operations {
                let before = host.controller.window();
                host.apply(operation);
                let controller = &host.controller;
                let (cwnd, ssthresh) = (controller.window(), controller.ssthresh());
                prop_assert!(cwnd.is_finite() && cwnd >= 1.0, "{config:?}: cwnd {cwnd}");
                prop_assert!(ssthresh >= 2.0, "{config:?}: ssthresh {ssthresh}");
                if paced_by_its_receiver(&config) {
                    let wait = controller.release_at().map(|at| at.since(host.now));
                    prop_assert!(wait.is_none_or(|wait| wait <= Span::from_secs(1)), "{wait:?}");
                } else {
                    let most = before + most_growth(&config, operation, host.idle);
                    prop_assert!(cwnd <= most, "{config:?}: {before} -> {cwnd} by {operation:?}");
                }
                if never_moves(&config) {
                    prop_assert_eq!((cwnd, ssthresh), (before, f64::INFINITY));
                } else if let Operation::Expire { .. } | Operation::Quench = operation {
                    prop_assert!(cwnd <= 1.0, "{config:?}: {cwnd} after {operation:?}");
                }
                if let Some(Aimd { alpha, beta }) = controller.aimd() {
                    prop_assert!(alpha.is_finite() && alpha > 0.0, "{config:?}: alpha {alpha}");
                    prop_assert!(beta > 0.0 && beta < 1.0, "{config:?}: beta {beta}");
                }
                if let Some(a) = controller.adaptation() {
                    prop_assert!(a.split.loss.get() < 1.0 && a.split.congestion_loss.get() > 0.0);
                    prop_assert!(a.target <= 240.4, "T_hat above the access link: {a:?}");
                }
            }
        }
    }

    #[test]
    fn a_clone_behaves_like_its_original(
        operations in proptest::collection::vec(operation(), 2..100),
    ) {
        let (first, second) = operations.split_at(operations.len() / 2);
        for config in configs().iter().chain(&hosted_configs()) {
            let mut original = Host::new(config, 2.0);
            first.iter().for_each(|operation| original.apply(operation));
            let mut hosts = [original.clone(), original];
            for operation in second {
                let states = hosts.each_mut().map(|host| {
                    host.apply(operation);
                    let controller = &host.controller;
                    let rate = controller.pacing_rate().map(|rate| rate.bps().to_bits());
                    (controller.window().to_bits(), controller.release_at(), rate)
                });
                prop_assert_eq!(states[0], states[1]);
            }
        }
    }

    #[test]
    fn the_same_operations_give_the_same_trajectory(
        operations in proptest::collection::vec(operation(), 1..100),
    ) {
        for config in configs() {
            let mut hosts = [Host::new(&config, 2.0), Host::new(&config, 2.0)];
            for operation in &operations {
                let windows = hosts.each_mut().map(|host| {
                    host.apply(operation);
                    (host.controller.window().to_bits(), host.controller.ssthresh().to_bits())
                });
                prop_assert_eq!(windows[0], windows[1]);
            }
        }
    }
}
