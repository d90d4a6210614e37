//! Every controller against whatever a confused host may tell it, in any order, for a long time.

use crate::support::host::{
    configs, follows_a_model, most_growth, never_moves, paced_by_its_receiver,
};
use atl_core::conformance::{self, WindowHarness, WindowOperation};
use atl_core::time::Span;
use atl_core::window::{ControllerConfig, WindowController};

#[test]
fn no_transport_breaks_a_controllers_promises() {
    for config in configs() {
        conformance::window_safety(&config, |host, operation, before| {
            let controller = &host.controller;
            let (cwnd, ssthresh) = (controller.window(), controller.ssthresh());
            assert!(ssthresh >= 2.0, "{config:?}: ssthresh {ssthresh}");
            if paced_by_its_receiver(&config) {
                let wait = controller.release_at().map(|at| at.since(host.now));
                assert!(wait.is_none_or(|wait| wait <= Span::from_secs(1)), "{wait:?}");
            } else if !follows_a_model(&config) {
                let most = before + most_growth(&config, operation, host.idle);
                assert!(cwnd <= most, "{config:?}: {before} -> {cwnd} by {operation:?}");
            }
            if never_moves(&config) {
                assert_eq!((cwnd, ssthresh), (before, f64::INFINITY));
            } else if let WindowOperation::Expire { .. } | WindowOperation::Quench = operation {
                assert!(cwnd <= 1.0, "{config:?}: {cwnd} after {operation:?}");
            }
            if let Some(a) = controller.adaptation() {
                assert!(a.split.loss.get() < 1.0 && a.split.congestion_loss.get() > 0.0);
                assert!(a.target <= 240.4, "T_hat above the access link: {a:?}");
            }
        });
    }
}

#[test]
fn a_window_follows_acks_and_grows_again_after_a_silence_of_any_length() {
    let follows = |c: &_| !paced_by_its_receiver(c) && !never_moves(c) && !follows_a_model(c);
    for config in configs().into_iter().filter(|c| c.check().is_ok()).filter(follows) {
        conformance::window(config);
    }
}

#[test]
fn a_window_that_the_application_does_not_fill_stays() {
    let holds = |c: &&ControllerConfig| !paced_by_its_receiver(c) && !follows_a_model(c);
    for config in configs().iter().filter(holds) {
        let mut host = WindowHarness::new(config, 4.0);
        let mut deliver = |app_limited: bool, number| {
            let limited = !app_limited;
            let before = host.controller.window();
            for operation in [
                WindowOperation::Send { packets: 1, app_limited },
                WindowOperation::Wait { us: 4000 },
                WindowOperation::Acknowledge {
                    delivered: 1,
                    rtt_us: 100_000,
                    recovery: false,
                    limited,
                },
                WindowOperation::Probe { number, rtt_us: 100_000 },
            ] {
                host.apply(&operation);
                let cwnd = host.controller.window();
                assert!(limited || cwnd <= before, "{config:?} by {operation:?}");
            }
        };
        (0..100).for_each(|_| deliver(false, u64::MAX));
        (0..2000).for_each(|number| deliver(true, 1_000_000 + number));
    }
}
