//! The effect of a receiver's claims on TCP-ATL: p_w, d_w and handoffs that arrive in ACKs.

use crate::support::sender::{Sender, near, report};
use atl_core::model::TcpModel;
use atl_core::path::PathSplit;
use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use atl_core::window::{Aimd, ControllerConfig, Detection, End, Handoff, WindowController, atl};

fn ms(ms: u64) -> Span {
    Span::from_millis(ms)
}

fn sender(config: atl::Config, rtt_ms: u64) -> Sender {
    Sender::new(&ControllerConfig::from(config), 2.0, rtt_ms)
}

fn unchecked() -> atl::Config {
    atl::Config { check_claims: false, ..atl::Config::default() }
}

fn claim(sender: &mut Sender, loss: f64, delay_ms: u64) {
    sender.controller.on_peer_report(sender.now, &report(loss, delay_ms));
}

fn split(sender: &Sender) -> PathSplit {
    sender.controller.adaptation().expect("adapted").split
}

/// TCP's own throughput with the model's T_0 = 4 R.
fn tcp(p: f64, rtt: Span) -> f64 {
    let model = TcpModel::default();
    model.throughput(Aimd::TCP, Probability::clamped(p), rtt, rtt * 4).expect("in range")
}

#[test]
fn a_true_claim_is_taken_as_it_is() {
    let mut sender = sender(atl::Config::default(), 200);
    claim(&mut sender, 0.005, 50);
    sender.deliver(196);
    sender.lose(4, 0, Detection::Acks);
    let split = split(&sender);
    near(split.wireless.loss.get(), 0.005);
    assert_eq!((split.wireless.delay, split.congestion_rtt), (ms(50), ms(100)));
    // p = 4/200: (0.02 - 0.005) / 0.995.
    near(split.congestion_loss.get(), 0.015 / 0.995);
    near(sender.aimd().beta, 0.80);
}

#[test]
fn a_claimed_loss_is_at_most_the_loss_seen() {
    for config in [atl::Config::default(), unchecked()] {
        let mut sender = sender(config, 200);
        claim(&mut sender, 0.9, 50);
        sender.deliver(196);
        sender.lose(4, 0, Detection::Acks);
        near(split(&sender).wireless.loss.get(), 0.02);
        near(split(&sender).congestion_loss.get(), 1.0 / 201.0);
    }
}

/// An empty path of 100 ms whose queue then grows to 300 ms, and a claim of the whole delay.
fn behind_a_queue(config: atl::Config) -> PathSplit {
    let mut sender = sender(config, 100);
    claim(&mut sender, 0.0, 10_000);
    sender.deliver(10);
    sender.rtt = ms(300);
    sender.deliver(486);
    sender.lose(4, 0, Detection::Acks);
    split(&sender)
}

#[test]
fn a_claimed_delay_is_at_most_half_the_least_rtt() {
    let checked = behind_a_queue(atl::Config::default());
    assert_eq!(checked.wireless.delay, ms(50));
    let queueing = checked.congestion_rtt;
    assert!(queueing > ms(199) && queueing <= ms(200), "{queueing:?}");
    // Without checks the queue's delay counts as the link's too, and R_c is at its floor.
    let believed = behind_a_queue(unchecked());
    assert!(believed.wireless.delay > ms(149), "{believed:?}");
    assert_eq!(believed.congestion_rtt, ms(1));
}

/// alpha at beta = 0.8 of p and R, with T_hat of p_c and R_c.
fn alpha(p: f64, rtt: Span, p_c: f64, congestion_rtt: Span) -> f64 {
    let (model, p) = (TcpModel::default(), Probability::clamped(p));
    model.alpha(0.8, tcp(p_c, congestion_rtt), p, rtt, rtt * 4).expect("in range")
}

#[test]
fn a_claim_gains_at_most_its_factor() {
    let lie = |config| {
        let mut sender = sender(config, 200);
        claim(&mut sender, 1.0, 10_000);
        sender.deliver(196);
        sender.lose(4, 0, Detection::Acks);
        // d_w is half of R.
        near(sender.aimd().beta, 0.8);
        sender.aimd().alpha
    };
    // p = 4/200; if the link explains all of it, p_c is its floor of 1/201.
    let floor = 1.0 / 201.0;
    let without = alpha(0.02, ms(200), 0.02, ms(200));
    let by_loss = alpha(0.02 + floor - 0.02 * floor, ms(200), floor, ms(200));
    for gain in [1.0, 4.0, 20.0] {
        let found = lie(atl::Config { claim_gain: gain, ..atl::Config::default() });
        near(found, gain * by_loss.min(gain * without));
    }
    assert!(lie(unchecked()) > 1000.0 * without);
}

#[test]
fn what_the_sender_knows_of_its_own_link_is_not_limited() {
    let config = atl::Config { claim_gain: 1.0, beta: Some(0.8), ..atl::Config::default() };
    let mut sender = sender(config, 340);
    sender.report(0.05, 150);
    sender.deliver(380);
    sender.lose(20, 19, Detection::Acks);
    let own = sender.controller.adaptation().expect("adapted").target;
    assert!(own > 10.0 * tcp(0.05, ms(340)), "{own}");
    // A claim on top of it is bounded by the alpha that the own link alone gives.
    claim(&mut sender, 1.0, 10_000);
    sender.deliver(100);
    sender.lose(0, 0, Detection::Acks);
    // 500 packets, 20 lost, 19 of them on the own link, R_c = 340 - 300 ms.
    let p_c = (1.0 / 500.0) / (1.0 - 19.0 / 500.0);
    near(sender.aimd().alpha, alpha(20.0 / 500.0, ms(340), p_c, ms(40)));
}

/// Rounds of a queue that grows and drains, with one loss each round, at the given RTT.
fn rounds(loss_at: u64) -> Sender {
    rounds_with(atl::Config::default(), loss_at, (1.0, 20))
}

fn rounds_with(config: atl::Config, loss_at: u64, (loss, delay_ms): (f64, u64)) -> Sender {
    let mut sender = sender(config, 100);
    for _ in 0..60 {
        claim(&mut sender, loss, delay_ms);
        for rtt in (100..200).chain((100..200).rev()).step_by(4) {
            sender.rtt = ms(rtt);
            sender.deliver(1);
            if rtt == loss_at {
                sender.lose(1, 0, Detection::Acks);
            }
        }
    }
    sender
}

#[test]
fn losses_that_come_with_full_queues_are_congestion_whatever_is_claimed() {
    let seen = split(&rounds(196)).loss.get();
    let believed = split(&rounds(196)).wireless.loss.get();
    assert!(believed < 0.005 && believed < 0.2 * seen, "{believed} of {seen}");
    // The same losses on short queues support the claim.
    let sender = rounds(108);
    let split = split(&sender);
    assert!(split.wireless.loss.get() > 0.015 && split.congestion_loss.get() < 0.004, "{split:?}");
}

#[test]
fn a_claimed_delay_gains_nothing_where_losses_come_with_full_queues() {
    // A short wireless link before a long wire: the liar claims all of the path.
    let alpha = |gain, loss_at| {
        let config = atl::Config { claim_gain: gain, ..atl::Config::default() };
        rounds_with(config, loss_at, (0.0, 10_000)).aimd().alpha
    };
    let (full, short) = (alpha(4.0, 196), alpha(4.0, 108));
    // Of sixty losses (15/16)^60 are the link's, and the doubt leaves 1/20.
    assert!(full < 1.2 * alpha(1.0, 196), "{full}");
    near(short / alpha(1.0, 108), 4.0);
    let blind = atl::Config { claim_evidence: false, ..atl::Config::default() };
    let blind = rounds_with(blind, 196, (0.0, 10_000)).aimd().alpha;
    assert!(blind > 3.3 * full, "{blind} {full}");
}

#[test]
fn wireless_links_at_both_ends_follow_eq_14_to_17() {
    let mut sender = sender(atl::Config { claim_gain: 100.0, ..atl::Config::default() }, 300);
    sender.report(0.0, 50);
    claim(&mut sender, 0.01, 10);
    sender.deliver(480);
    sender.lose(20, 10, Detection::Acks);
    let found = sender.controller.adaptation().expect("adapted");
    // p = 20/500, p_w^s = 10/500 by the marks, p_w^r = 0.01, R = 300 ms, d_w = 50 + 10 ms. By hand:
    // p_c = 1 - 0.96 / (0.98 * 0.99), R_c = 180 ms, T_hat by the ATL paper's eq. 7, alpha by eq. 9
    // at beta = 0.8.
    near(found.split.wireless.loss.get(), 1.0 - 0.98 * 0.99);
    near(found.split.congestion_loss.get(), 0.010_513_296_227_581_903);
    assert_eq!(found.split.congestion_rtt, ms(180));
    near(found.target, 60.604_890_133_346_56);
    near(found.aimd.beta, 0.80);
    near(found.aimd.alpha, 6.213_050_210_349_488);
}

#[test]
fn a_receiver_that_says_nothing_leaves_plain_tcp() {
    let mut sender = sender(atl::Config::default(), 200);
    sender.deliver(500);
    sender.lose(10, 0, Detection::Acks);
    sender.deliver(500);
    assert_eq!(sender.aimd(), Aimd::TCP);
    assert_eq!(sender.controller.adaptation(), None);
    // A claim of a link that neither loses nor delays changes nothing either.
    claim(&mut sender, 0.0, 0);
    sender.deliver(500);
    assert_eq!(sender.aimd(), Aimd::TCP);
}

#[test]
fn a_claim_grows_old() {
    let mut sender = sender(atl::Config::default(), 200);
    claim(&mut sender, 0.005, 50);
    sender.deliver(100);
    sender.lose(10, 0, Detection::Acks);
    assert_ne!(sender.aimd(), Aimd::TCP);
    // 4 ms a packet: 9.6 s, and then 10.4 s after the claim.
    sender.deliver(2300);
    assert_ne!(sender.aimd(), Aimd::TCP);
    sender.deliver(200);
    assert_eq!(sender.aimd(), Aimd::TCP);
    claim(&mut sender, 0.005, 50);
    sender.lose(10, 0, Detection::Acks);
    assert_ne!(sender.aimd(), Aimd::TCP);
}

#[test]
fn a_claim_outlives_its_age_on_a_path_of_long_round_trips() {
    let config = atl::Config { claim_age: Some(0.1), ..atl::Config::default() };
    let mut sender = sender(config, 200);
    claim(&mut sender, 0.005, 50);
    sender.deliver(100);
    sender.lose(10, 0, Detection::Acks);
    // 8 SRTT are 1.6 s; 0.4 s have passed.
    assert_ne!(sender.aimd(), Aimd::TCP);
    sender.deliver(400);
    assert_eq!(sender.aimd(), Aimd::TCP);
}

fn peer_handoff(sender: &mut Sender, old_ms: u64, new_ms: u64) {
    let (now, end) = (sender.now, End::Peer);
    let (old_delay, new_delay) = (ms(old_ms), ms(new_ms));
    sender.controller.on_handoff(&Handoff::new(now, end, old_delay, new_delay));
}

#[test]
fn a_handoff_of_the_receiver_is_measured_and_not_believed() {
    let mut sender = sender(atl::Config::default(), 60);
    claim(&mut sender, 0.0, 10);
    sender.deliver(490);
    sender.lose(10, 0, Detection::Acks);
    let before = sender.aimd();
    peer_handoff(&mut sender, 10, 5000);
    claim(&mut sender, 0.0, 5000);
    assert_eq!(sender.aimd(), before, "nothing was measured on the new path");
    // ACKs of packets sent before the handoff do not count.
    let late = sender.ack();
    sender.controller.on_ack(&late);
    assert_eq!(sender.aimd(), before);
    // The new path really takes 100 ms: that is R, and half of it the largest d_w.
    sender.rtt = ms(100);
    sender.deliver(2);
    let split = split(&sender);
    assert_eq!((split.rtt, split.wireless.delay), (ms(100), ms(50)));
    // p_c is that of the wired path, as before: 10 of the 160 packets of 10 SRTT.
    near(split.congestion_loss.get(), 10.0 / 160.0);
}

#[test]
fn handoffs_without_end_do_not_keep_losses_from_counting() {
    let mut sender = sender(atl::Config::default(), 100);
    claim(&mut sender, 1.0, 50);
    sender.deliver(999);
    sender.lose(1, 0, Detection::Acks);
    let before = split(&sender).congestion_loss.get();
    for _ in 0..100 {
        peer_handoff(&mut sender, 50, 50);
        claim(&mut sender, 0.0, 50);
        sender.deliver(9);
        sender.lose(1, 0, Detection::Acks);
    }
    let after = split(&sender).congestion_loss.get();
    assert!(before < 0.005 && after > 0.03, "{before} {after}");
}

#[test]
fn a_claim_before_anything_is_measured_changes_nothing() {
    let mut sender = sender(atl::Config::default(), 100);
    sender.controller.on_peer_report(Time::ZERO, &report(1.0, 10_000));
    peer_handoff(&mut sender, 0, 10_000);
    assert_eq!((sender.aimd(), sender.cwnd().to_bits()), (Aimd::TCP, 2.0f64.to_bits()));
}
