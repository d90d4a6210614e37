//! The robust TCP-ATL's decisions step by step.

use crate::support::sender::{Sender, near, report};
use atl_core::time::Span;
use atl_core::window::atl::robust::Config;
use atl_core::window::{ControllerConfig, Detection, End, Handoff, Loss, WindowController};

/// A sender that left slow start by a loss, without a queue: steps of 4 ms, 100 ms round trips.
fn sender() -> Sender {
    with(Config::default())
}

/// The same without the brake.
fn without_brake() -> Sender {
    with(Config { queue_share: None, ..Config::default() })
}

fn with(config: Config) -> Sender {
    let mut sender = Sender::new(&ControllerConfig::from(config), 10.0, 100);
    sender.in_flight = 2;
    sender.deliver(40);
    sender.lose(1, 0, Detection::Acks);
    // The round trip that shows the path's capacity, and a few more.
    sender.deliver(150);
    sender
}

#[test]
fn a_loss_without_a_queue_leaves_75_percent() {
    let mut sender = sender();
    let cwnd = sender.cwnd();
    sender.lose(1, 0, Detection::Acks);
    near(sender.cwnd(), 0.75 * cwnd);
    near(sender.aimd().beta, 0.75);
}

#[test]
fn a_loss_on_a_deep_queue_leaves_70_percent_as_cubic_does() {
    let mut sender = without_brake();
    sender.rtt = Span::from_millis(300);
    sender.deliver(3);
    let cwnd = sender.cwnd();
    sender.lose(1, 0, Detection::Acks);
    near(sender.cwnd(), 0.7 * cwnd);
}

#[test]
fn between_them_beta_empties_the_queue() {
    let mut sender = without_brake();
    sender.rtt = Span::from_millis(138);
    sender.deliver(3);
    let cwnd = sender.cwnd();
    sender.lose(1, 0, Detection::Acks);
    near(sender.cwnd(), 100.0 / 138.0 * cwnd);
}

#[test]
fn what_the_own_link_lost_costs_nothing() {
    let mut sender = sender();
    let cwnd = sender.cwnd();
    sender.lose(8, 8, Detection::Acks);
    near(sender.cwnd(), cwnd);
    sender.lose(8, 7, Detection::Acks);
    near(sender.cwnd(), 0.75 * cwnd);
}

#[test]
fn one_window_is_reduced_once() {
    let mut sender = sender();
    let before = sender.tx;
    sender.lose(1, 0, Detection::Acks);
    let cwnd = sender.cwnd();
    sender.controller.on_loss(&Loss::new(sender.now, before, 1000, 10));
    near(sender.cwnd(), cwnd);
}

#[test]
fn a_standing_queue_is_drained_and_no_more() {
    let mut sender = sender();
    sender.rtt = Span::from_millis(200);
    let cwnd = sender.cwnd();
    let mut low = cwnd;
    for _ in 0..120 {
        sender.deliver(1);
        low = low.min(sender.cwnd());
        if low < cwnd {
            break;
        }
    }
    // R is twice that of the path without a queue: half of the window waited.
    assert!((0.45..0.6).contains(&(low / cwnd)), "{cwnd} -> {low}");
    // The queue is gone.
    sender.rtt = Span::from_millis(100);
    sender.deliver(300);
    assert!(sender.cwnd() >= low);
}

#[test]
fn a_queue_that_others_keep_full_is_left_to_them_for_a_while() {
    let mut sender = sender();
    let cwnd = sender.cwnd();
    sender.rtt = Span::from_millis(400);
    sender.deliver(400);
    // Giving way had no effect: it took its window back, and grows.
    assert!(sender.cwnd() >= 0.9 * cwnd, "{cwnd} -> {}", sender.cwnd());
}

#[test]
fn without_the_brake_only_losses_reduce_the_window() {
    let mut sender = without_brake();
    let cwnd = sender.cwnd();
    sender.rtt = Span::from_millis(400);
    sender.deliver(400);
    assert!(sender.cwnd() >= cwnd);
}

#[test]
fn a_timeout_keeps_70_percent_and_one_that_only_the_own_link_caused_keeps_all() {
    let mut sender = sender();
    let cwnd = sender.cwnd();
    sender.lose(8, 0, Detection::Timeout);
    sender.expire(1);
    near(sender.cwnd(), 1.0);
    near(sender.controller.ssthresh(), 0.7 * cwnd);
    let mut blackout = self::sender();
    let cwnd = blackout.cwnd();
    blackout.lose(8, 8, Detection::Timeout);
    blackout.expire(1);
    near(blackout.controller.ssthresh(), cwnd);
}

#[test]
fn a_timeout_while_the_path_still_delivers_is_a_loss_and_no_more() {
    let mut sender = sender();
    let cwnd = sender.cwnd();
    let last = sender.send();
    sender.lose(2, 0, Detection::Timeout);
    sender.expire(1);
    // The first ACKs are of packets sent before the timer expired: the window grows although the
    // transport repairs losses.
    for tx in [last - 1, last] {
        let ack = sender.ack().newest(Some((tx, sender.now))).in_recovery(true).cumulative(0);
        sender.controller.on_ack(&ack);
    }
    assert!(sender.cwnd() >= 2.0, "{cwnd} -> {}", sender.cwnd());
    // An ACK of a retransmission proves nothing, and neither do late ones after it.
    let mut sender = self::sender();
    let last = sender.send();
    sender.lose(2, 0, Detection::Timeout);
    sender.expire(1);
    let sent = sender.send();
    for tx in [sent, last] {
        let ack = sender.ack().newest(Some((tx, sender.now))).in_recovery(true).cumulative(0);
        sender.controller.on_ack(&ack);
    }
    assert!(sender.cwnd() <= 2.0, "{}", sender.cwnd());
}

#[test]
fn an_own_handoff_probes_the_new_network_and_a_claimed_one_does_not() {
    let (old, new) = (Span::from_millis(5), Span::from_millis(20));
    let mut sender = sender();
    sender.controller.on_handoff(&Handoff::new(sender.now, End::Own, old, new));
    assert!(sender.controller.ssthresh().is_infinite());
    let mut claimed = self::sender();
    claimed.controller.on_handoff(&Handoff::new(claimed.now, End::Peer, old, new));
    assert!(claimed.controller.ssthresh().is_finite());
}

#[test]
fn the_first_report_after_a_handoff_counts_at_once() {
    for peer in [false, true] {
        let mut sender = sender();
        sender.controller.on_peer_report(sender.now, &report(0.05, 20));
        sender.lose(1, 0, Detection::Acks);
        let (old, new) = (Span::from_millis(5), Span::from_millis(20));
        sender.controller.on_handoff(&Handoff::new(sender.now, End::Own, old, new));
        let delay = |sender: &Sender| {
            sender.controller.adaptation().expect("a claimed loss").split.wireless.delay
        };
        assert_eq!(delay(&sender), Span::from_millis(40));
        if peer {
            sender.controller.on_peer_report(sender.now, &report(0.05, 10));
        } else {
            sender.report(0.0, 10);
        }
        assert_eq!(delay(&sender), Span::from_millis(30));
    }
}

#[test]
fn packets_leave_at_a_fifth_more_than_the_window_per_round_trip() {
    let mut sender = sender();
    sender.send();
    let gap = sender.controller.release_at().expect("paces").since(sender.now);
    assert!((gap.secs() - 0.1 / (1.2 * sender.cwnd())).abs() < 2e-9, "{gap:?}");
    let rate = sender.controller.pacing_rate().expect("measured");
    near(rate.bytes_per_sec(), 1.2 * sender.cwnd() / 0.1 * 1000.0);
}

#[test]
fn no_faster_than_the_access_link() {
    use atl_core::units::Rate;
    let config = ControllerConfig::from(Config::default());
    let mut sender = Sender::on(&config, 10.0, 100, Some(Rate::from_mbps(0.8)));
    sender.send();
    let gap = sender.controller.release_at().expect("paces").since(sender.now);
    assert_eq!(gap, Span::from_millis(10), "1000 bytes at 0.8 Mb/s");
}

#[test]
fn parameters_out_of_range_are_refused() {
    use atl_core::window::BuildController;
    let wrong = [
        Config { cubic: 0.0, ..Config::default() },
        Config { least_beta: 0.4, ..Config::default() },
        Config { largest_beta: 0.6, ..Config::default() },
        Config { largest_beta: 1.0, ..Config::default() },
        Config { queue_share: Some(-1.0), ..Config::default() },
        Config { least_queue: f64::NAN, ..Config::default() },
        Config { pace: Some(0.5), ..Config::default() },
        Config { start_pace: f64::INFINITY, ..Config::default() },
        Config { window_srtts: 0.0, ..Config::default() },
        Config { claim_gain: 0.5, ..Config::default() },
    ];
    for config in wrong {
        assert!(config.check().is_err(), "{config:?}");
    }
    assert!(Config::default().check().is_ok());
}
