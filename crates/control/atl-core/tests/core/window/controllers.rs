//! Reno's and Westwood's decisions step by step, where the source determines them.

use crate::support::sender::{Sender, near};
use atl_core::measure::AckRate;
use atl_core::time::{Span, Time};
use atl_core::window::{
    Ack, ControllerConfig, Counting, Detection, Halving, Start, WindowController, fixed, reno,
    tahoe, westwood,
};

#[test]
fn reno_doubles_in_slow_start_then_gains_one_packet_a_window() {
    let mut sender = Sender::new(&ControllerConfig::from(reno::Config::default()), 2.0, 100);
    sender.deliver(14);
    near(sender.cwnd(), 16.0);
    sender.lose(1, 0, Detection::Acks);
    near(sender.cwnd(), 8.0);
    near(sender.controller.ssthresh(), 8.0);
    sender.deliver(8);
    // Eight steps of 1/cwnd: sqrt(64 + 2 * 8) = 8.94 in the limit of many.
    assert!((8.9..9.0).contains(&sender.cwnd()), "{}", sender.cwnd());
}

#[test]
fn what_beta_takes_its_share_of_is_chosen() {
    let flight = reno::Config { halving: Halving::Flight, ..reno::Config::default() };
    let mut sender = Sender::new(&ControllerConfig::from(flight), 40.0, 100);
    sender.in_flight = 20;
    sender.lose(1, 0, Detection::Acks);
    near(sender.cwnd(), 10.0);
    let mut sender = Sender::new(&ControllerConfig::from(reno::Config::default()), 40.0, 100);
    sender.in_flight = 20;
    sender.lose(1, 0, Detection::Acks);
    near(sender.cwnd(), 20.0);
}

#[test]
fn consecutive_timeouts_shrink_ssthresh_once() {
    let mut sender = Sender::new(&ControllerConfig::from(reno::Config::default()), 40.0, 100);
    sender.lose(40, 0, Detection::Timeout);
    // The loss alone has no effect; the timeout that follows it does.
    near(sender.cwnd(), 40.0);
    for consecutive in 1..=4 {
        sender.expire(consecutive);
        near(sender.cwnd(), 1.0);
        near(sender.controller.ssthresh(), 20.0);
    }
}

#[test]
fn a_stretch_ack_counts_two_packets_or_one_ack() {
    for (counting, gain) in [(Counting::Packets, 2.0), (Counting::Acks, 1.0)] {
        let config = reno::Config { counting, ..reno::Config::default() };
        let mut sender = Sender::new(&ControllerConfig::from(config), 10.0, 100);
        let ack = sender.ack().delivered(6).cumulative(6);
        sender.controller.on_ack(&ack);
        near(sender.cwnd(), 10.0 + gain);
    }
}

#[test]
fn tahoe_starts_slowly_after_each_loss_up_to_half_the_window() {
    let mut sender = Sender::new(&ControllerConfig::from(tahoe::Config::default()), 16.0, 100);
    sender.lose(1, 0, Detection::Acks);
    near(sender.cwnd(), 1.0);
    near(sender.controller.ssthresh(), 8.0);
    // Slow start for seven packets, then one packet a window.
    sender.deliver(7);
    near(sender.cwnd(), 8.0);
    sender.deliver(8);
    assert!((8.9..9.0).contains(&sender.cwnd()), "{}", sender.cwnd());
    // A timeout finds the same loss later; further ones in a row leave ssthresh alone.
    let half = sender.cwnd() / 2.0;
    for consecutive in 1..=3 {
        sender.expire(consecutive);
        near(sender.cwnd(), 1.0);
        near(sender.controller.ssthresh(), half);
    }
}

#[test]
fn a_quench_starts_slowly_as_a_timeout_does() {
    for config in [
        ControllerConfig::from(tahoe::Config::default()),
        ControllerConfig::from(reno::Config::default()),
    ] {
        let mut sender = Sender::new(&config, 16.0, 100);
        sender.quench();
        near(sender.cwnd(), 1.0);
        near(sender.controller.ssthresh(), 8.0);
        sender.deliver(7);
        near(sender.cwnd(), 8.0);
        // The next quench belongs to another window of data, and halves again.
        sender.quench();
        near(sender.controller.ssthresh(), 4.0);
    }
}

#[test]
fn a_fixed_window_stays_as_it_is() {
    let config = ControllerConfig::from(fixed::Config { window: 7 });
    let mut sender = Sender::new(&config, 2.0, 100);
    near(sender.cwnd(), 7.0);
    sender.deliver(20);
    sender.lose(1, 0, Detection::Acks);
    sender.lose(7, 0, Detection::Timeout);
    sender.expire(1);
    sender.quench();
    near(sender.cwnd(), 7.0);
    assert!(ControllerConfig::from(fixed::Config { window: 0 }).check().is_err());
}

#[test]
fn westwood_goes_to_bandwidth_times_least_rtt() {
    let config = ControllerConfig::from(westwood::Config::default());
    let mut sender = Sender::new(&config, 2.0, 100);
    sender.deliver(5000);
    let cwnd = sender.cwnd();
    sender.lose(1, 0, Detection::Acks);
    // One packet each 4 ms is 250 a second; times 100 ms, 25.
    assert!((sender.controller.ssthresh() - 25.0).abs() < 0.01);
    assert!(cwnd > 25.0);
    near(sender.cwnd(), sender.controller.ssthresh());
    sender.expire(1);
    near(sender.cwnd(), 1.0);
    assert!((sender.controller.ssthresh() - 25.0).abs() < 0.01);
    // A loss never raises cwnd to ssthresh.
    sender.lose(1, 0, Detection::Acks);
    near(sender.cwnd(), 1.0);
}

#[test]
fn westwood_counts_what_duplicates_acknowledge_once() {
    // Every packet arrives; the bandwidth is the same whether losses are repaired without SACK or
    // there are none.
    let build = || Sender::new(&ControllerConfig::from(westwood::Config::default()), 2.0, 100);
    let (mut plain, mut repaired) = (build(), build());
    plain.deliver(4000);
    for _ in 0..400 {
        repaired.deliver(4);
        for _ in 0..5 {
            repaired.send();
            let duplicate = repaired.ack().delivered(0).cumulative(0).duplicate(true).rtt(None);
            repaired.controller.on_ack(&duplicate);
        }
        repaired.send();
        let hole = repaired.ack().delivered(6).cumulative(6).in_recovery(true);
        repaired.controller.on_ack(&hole);
    }
    plain.lose(1, 0, Detection::Acks);
    repaired.lose(1, 0, Detection::Acks);
    let (plain, repaired) = (plain.controller.ssthresh(), repaired.controller.ssthresh());
    assert!((plain / repaired - 1.0).abs() < 1e-3, "{plain} {repaired}");
}

#[test]
fn a_fixed_window_has_ten_packets_unless_it_is_told() {
    assert_eq!(fixed::Config::default().window, 10);
}

/// A duplicate ACK counts a packet, which the cumulative one does not count again.
#[test]
fn westwood_counts_each_packet_once_from_the_first_ack_on() {
    let config = westwood::Config::default();
    let mut sender = westwood::Westwood::new(&config, &Start::default());
    let ms = Time::from_millis;
    let mut rate = AckRate::new(Span::from_secs_f64(config.tau), config.m);
    sender.on_ack(&Ack::new(ms(100)).duplicate(true));
    rate.on_delivered(ms(100), 1.0);
    sender.on_ack(&Ack::new(ms(200)).delivered(3).cumulative(3));
    rate.on_delivered(ms(200), 2.0);
    sender.on_ack(&Ack::new(ms(300)).delivered(3).cumulative(3));
    rate.on_delivered(ms(300), 3.0);
    assert!(sender.bandwidth() > 0.0);
    assert_eq!(sender.bandwidth().to_bits(), rate.packets_per_sec().to_bits());
}
