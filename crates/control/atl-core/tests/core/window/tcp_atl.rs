//! TCP-ATL's decisions step by step: the paper's Fig. 4 and the rules that it leaves open.

use crate::support::sender::{Sender, near, report};
use atl_core::model::{AtlInput, tcp_atl};
use atl_core::path::SplitRules;
use atl_core::time::Span;
use atl_core::units::{Probability, Rate};
use atl_core::window::{
    Aimd, ControllerConfig, Detection, End, Handoff, Loss, WindowController, atl,
};

fn tcp_atl_config() -> ControllerConfig {
    ControllerConfig::from(atl::Config::default())
}

#[test]
fn tcp_atl_is_tcp_until_the_first_loss_and_without_a_wireless_link() {
    let mut sender = Sender::new(&tcp_atl_config(), 2.0, 360);
    sender.report(0.01, 150);
    sender.deliver(1000);
    assert_eq!(sender.aimd(), Aimd::TCP);
    let mut wired = Sender::new(&tcp_atl_config(), 2.0, 360);
    wired.deliver(1000);
    wired.lose(10, 0, Detection::Acks);
    assert_eq!(wired.aimd(), Aimd::TCP);
    wired.report(0.0, 0);
    wired.deliver(1000);
    wired.lose(10, 0, Detection::Acks);
    assert_eq!(wired.aimd(), Aimd::TCP);
}

#[test]
fn tcp_atl_follows_figure_4() {
    let mut sender = Sender::new(&tcp_atl_config(), 2.0, 360);
    sender.report(0.5, 150);
    sender.deliver(392);
    let cwnd = sender.cwnd();
    sender.lose(8, 4, Detection::Acks);
    // n = 400, p = 8/400; p_w = 4/400 by the MAC's marks, not the report's 0.5.
    let rules = SplitRules { packets: Some(400), ..SplitRules::default() };
    let p = Probability::share(8, 400);
    let link = report(0.01, 150);
    let expected =
        tcp_atl(p, Span::from_millis(360), link, rules, &AtlInput::default()).expect("in range");
    near(sender.aimd().alpha, expected.aimd.alpha);
    near(sender.aimd().beta, 0.85);
    near(sender.cwnd(), 0.85 * cwnd);
    let found = sender.controller.adaptation().expect("adapted");
    near(found.target, expected.target);
    near(found.split.congestion_loss.get(), 0.01 / 0.99);
}

#[test]
fn tcp_atl_floors_congestion_loss_where_every_loss_is_the_links() {
    let mut sender = Sender::new(&tcp_atl_config(), 2.0, 120);
    sender.report(0.02, 10);
    sender.deliver(98);
    sender.lose(2, 2, Detection::Acks);
    let split = sender.controller.adaptation().expect("adapted").split;
    near(split.congestion_loss.get(), 1.0 / 101.0);
    near(split.loss.get(), 1.0 - 0.98 * (1.0 - 1.0 / 101.0));
    assert!(sender.aimd().alpha > 0.0);
}

#[test]
fn tcp_atl_caps_its_target_at_the_access_link() {
    let rate = Some(Rate::from_mbps(0.4));
    let mut sender = Sender::on(&tcp_atl_config(), 2.0, 40, rate);
    sender.report(0.01, 10);
    sender.deliver(999);
    sender.lose(1, 1, Detection::Acks);
    // 0.4 Mb/s in packets of 1000 bytes.
    near(sender.controller.adaptation().expect("adapted").target, 50.0);
}

#[test]
fn tcp_atl_takes_beta_at_a_timeout_too() {
    let mut sender = Sender::new(&tcp_atl_config(), 40.0, 360);
    sender.report(0.01, 150);
    sender.deliver(100);
    let cwnd = sender.cwnd();
    sender.lose(8, 4, Detection::Timeout);
    near(sender.cwnd(), cwnd);
    sender.expire(1);
    near(sender.controller.ssthresh(), 0.85 * cwnd);
    near(sender.cwnd(), 1.0);
}

/// A handoff from a satellite to a WLAN, with packets of the old path still on the way.
fn satellite_to_wlan() -> Sender {
    let mut sender = Sender::new(&tcp_atl_config(), 2.0, 360);
    sender.report(0.01, 150);
    sender.deliver(392);
    sender.lose(8, 4, Detection::Acks);
    let (old, new) = (Span::from_millis(150), Span::from_millis(10));
    sender.controller.on_handoff(&Handoff::new(sender.now, End::Own, old, new));
    sender.report(0.001, 10);
    sender
}

#[test]
fn a_handoff_shifts_the_rtt_and_keeps_what_is_known_of_the_wired_path() {
    let sender = satellite_to_wlan();
    let found = sender.controller.adaptation().expect("adapted");
    assert_eq!(found.split.rtt, Span::from_millis(80));
    assert_eq!(found.split.congestion_rtt, Span::from_millis(60));
    near(found.split.congestion_loss.get(), 0.01 / 0.99);
    near(found.split.wireless.loss.get(), 0.001);
    // The target belongs to the wired path: T_hat of p_c = .01/.99 and R_c = 60 ms, as before.
    near(found.target, 186.125_238_950_182);
    near(sender.aimd().beta, 0.75);
    assert!((0.1..5.0).contains(&sender.aimd().alpha), "{:?}", sender.aimd());
}

#[test]
fn what_the_old_path_still_tells_after_a_handoff_is_ignored() {
    let mut sender = satellite_to_wlan();
    let before = sender.aimd();
    // ACKs and a loss of packets sent before the handoff, with the satellite's round-trip time.
    for _ in 0..60 {
        sender.now += sender.step;
        let ack = sender.ack();
        sender.controller.on_ack(&ack);
    }
    let loss = Loss::new(sender.now, sender.tx - 1, 30_000, 40).packets(30);
    sender.controller.on_loss(&loss);
    assert_eq!(sender.aimd(), before);
    // ACKs of packets on the new path count.
    sender.rtt = Span::from_millis(90);
    sender.deliver(300);
    let split = sender.controller.adaptation().expect("adapted").split;
    assert!(split.rtt > Span::from_millis(85) && split.rtt <= Span::from_millis(90));
    assert!(split.congestion_loss.get() < 0.005, "{split:?}");
}

#[test]
fn a_handoff_from_a_wired_network_keeps_its_loss_too() {
    let mut sender = Sender::new(&tcp_atl_config(), 2.0, 60);
    sender.report(0.0, 0);
    sender.deliver(99);
    sender.lose(1, 0, Detection::Acks);
    assert_eq!(sender.aimd(), Aimd::TCP);
    let (old, new) = (Span::ZERO, Span::from_millis(150));
    sender.controller.on_handoff(&Handoff::new(sender.now, End::Own, old, new));
    sender.report(0.01, 150);
    let split = sender.controller.adaptation().expect("adapted").split;
    near(split.congestion_loss.get(), 0.01);
    assert_eq!((split.rtt, split.congestion_rtt), (Span::from_millis(360), Span::from_millis(60)));
    assert!(sender.aimd().alpha > 10.0);
}

fn sparing(rtt_ms: u64) -> Sender {
    Sender::new(&ControllerConfig::from(atl::Config::sparing()), 40.0, rtt_ms)
}

#[test]
fn the_sparing_preset_is_spared_what_its_own_link_lost() {
    let mut sender = sparing(360);
    sender.report(0.02, 150);
    sender.deliver(300);
    let cwnd = sender.cwnd();
    sender.lose(8, 8, Detection::Acks);
    near(sender.cwnd(), cwnd);
    // Of the next losses one is not the link's, whichever loss begins the episode.
    sender.deliver(90);
    let cwnd = sender.cwnd();
    sender.lose(2, 1, Detection::Acks);
    near(sender.cwnd(), 0.6 * cwnd);
    let split = sender.controller.adaptation().expect("adapted").split;
    // 1 of the 391 that were not lost on the link.
    near(split.congestion_loss.get(), 1.0 / 391.0);
    near(split.loss.get(), 1.0 / 391.0);
    assert_eq!(
        (split.wireless.loss, split.congestion_rtt),
        (Probability::ZERO, Span::from_millis(60))
    );
}

#[test]
fn the_sparing_preset_reduces_once_for_what_one_window_lost() {
    let mut sender = sparing(360);
    sender.report(0.02, 150);
    sender.deliver(300);
    let before = sender.tx;
    sender.lose(1, 0, Detection::Acks);
    let reduced = sender.cwnd();
    // A second loss of packets sent before the reduction, although the caller reports it as another
    // episode.
    let again = Loss::new(sender.now, before, 1000, 10);
    sender.controller.on_loss(&again);
    near(sender.cwnd(), reduced);
}

#[test]
fn the_sparing_preset_keeps_its_ssthresh_over_a_blackout() {
    let mut sender = sparing(360);
    sender.report(0.02, 150);
    sender.deliver(300);
    let cwnd = sender.cwnd();
    sender.lose(8, 8, Detection::Timeout);
    sender.expire(1);
    near(sender.cwnd(), 1.0);
    near(sender.controller.ssthresh(), cwnd);
    // A timeout that also found another loss means congestion.
    sender.deliver(500);
    let cwnd = sender.cwnd();
    sender.lose(8, 7, Detection::Timeout);
    sender.expire(1);
    assert!(sender.controller.ssthresh() < 0.9 * cwnd);
}

#[test]
fn the_sparing_preset_is_not_spared_a_quench() {
    let mut sender = sparing(360);
    sender.report(0.05, 150);
    sender.deliver(500);
    // The own link lost all lost packets: a timeout would leave ssthresh alone.
    sender.lose(5, 5, Detection::Acks);
    let (cwnd, beta) = (sender.cwnd(), sender.aimd().beta);
    sender.quench();
    near(sender.cwnd(), 1.0);
    let ssthresh = sender.controller.ssthresh();
    assert!(ssthresh < cwnd && ssthresh >= beta.min(0.5) * cwnd, "{cwnd} -> {ssthresh}");
}

#[test]
fn the_sparing_preset_grows_while_the_host_repairs_what_it_was_spared() {
    let mut sender = sparing(360);
    sender.report(0.02, 150);
    sender.deliver(300);
    sender.lose(1, 0, Detection::Acks);
    let reduced = sender.cwnd();
    let repairing = |sender: &mut Sender| {
        sender.send();
        let ack = sender.ack().in_recovery(true).cumulative(0);
        sender.controller.on_ack(&ack);
    };
    // Packets sent after the reduction have arrived: the episode is over, even if repairs go on.
    repairing(&mut sender);
    assert!(sender.cwnd() > reduced);
    let mut faithful = Sender::new(&tcp_atl_config(), 40.0, 360);
    faithful.report(0.02, 150);
    faithful.deliver(300);
    faithful.lose(1, 0, Detection::Acks);
    let reduced = faithful.cwnd();
    repairing(&mut faithful);
    near(faithful.cwnd(), reduced);
}
