use super::*;
use crate::rate::{Lost, Report};

const RTT: Span = Span::from_millis(100);

fn start() -> RateStart {
    RateStart::default().packet_bytes(1000).target(1000.0).seed(1)
}

fn at(ms: u64) -> Time {
    Time::from_millis(ms)
}

fn give(lda: &mut Lda, now: Time, delivered: u32, report: &Report) {
    lda.on_feedback(&Feedback {
        now,
        delivered,
        losses: &[],
        newest: None,
        rtt: Some(RTT),
        srtt: RTT,
        rtt_min: RTT,
        in_flight: 1,
        rate_limited: true,
        report: Some(report),
    });
}

/// A report at `now` about an interval in which `delivered` packets arrived and the share `loss`
/// did not.
fn tell(lda: &mut Lda, now: Time, delivered: u32, loss: f64) {
    let report = Report { fraction_lost: loss, ..Report::default() };
    give(lda, now, delivered, &report);
}

fn begun(config: &Config) -> Lda {
    let mut lda = Lda::new(config, &start());
    tell(&mut lda, at(0), 1, 0.0);
    lda
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9 * b.abs().max(1.0), "{a} is not {b}");
}

#[test]
fn begins_with_a_packet_per_round_trip() {
    let lda = begun(&Config::default());
    near(lda.rate(), 10.0);
    near(begun(&Config { initial: Some(64.0), ..Config::default() }).rate(), 64.0);
}

#[test]
fn a_small_flow_adds_what_it_added_before_and_nearly_twice_that() {
    let mut lda = begun(&Config { bottleneck: Some(100.0), ..Config::default() });
    // r/R = 0.1. A_exp = 10 (1 - e^-0.9) = 5.93, A_tcp = 51/0.2 = 255: A_add is least.
    tell(&mut lda, at(5000), 50, 0.0);
    near(lda.rate(), 11.25);
    // A_add is now 1.9 * 1.25 = 2.375.
    tell(&mut lda, at(10_000), 56, 0.0);
    near(lda.rate(), 13.625);
    // The next is (2 - 0.1125) * 2.375, still below A_exp = 7.88.
    tell(&mut lda, at(15_000), 68, 0.0);
    near(lda.rate(), 13.625 + 1.8875 * 2.375);
}

#[test]
fn a_flow_at_the_bottlenecks_rate_stays_there() {
    let config = Config {
        bottleneck: Some(100.0),
        initial: Some(80.0),
        increment: 50.0,
        ..Config::default()
    };
    let mut lda = begun(&config);
    // A_exp = 80 (1 - e^-0.2) is the least.
    tell(&mut lda, at(5000), 400, 0.0);
    near(lda.rate(), 80.0 + 80.0 * (1.0 - (-0.2f64).exp()));
    for i in 2..60 {
        tell(&mut lda, at(5000 * i), 480, 0.0);
        assert!(lda.rate() <= 100.0);
    }
    assert!(lda.rate() > 99.9);
}

#[test]
fn no_flow_gains_more_than_a_tcp() {
    let config =
        Config { initial: Some(500.0), increment: 400.0, interval: 0.1, ..Config::default() };
    let mut lda = begun(&config);
    // T = tau: (1 + 1) / 0.2 = 10 packets per second, a packet per round trip.
    tell(&mut lda, at(100), 50, 0.0);
    near(lda.rate(), 510.0);
}

#[test]
fn a_loss_takes_its_root_but_leaves_what_a_tcp_would_have() {
    let config = Config { initial: Some(400.0), ..Config::default() };
    let mut lda = begun(&config);
    // 1 - sqrt(0.04) = 0.8. The model: 1 / (0.1 sqrt(0.08/3) + 0.4 * 3 sqrt(0.015) * 0.04 * 1.0512)
    // = 44.4.
    tell(&mut lda, at(5000), 1920, 0.04);
    near(lda.rate(), 320.0);
    assert_eq!(lda.decreases(), 1);
    // Down to 80 % at each report, until the model's rate stops it.
    for i in 2..30 {
        tell(&mut lda, at(5000 * i), 100, 0.04);
    }
    let model = 1.0 / (0.1 * (0.08f64 / 3.0).sqrt() + 0.4 * 3.0 * 0.015f64.sqrt() * 0.04 * 1.0512);
    near(lda.rate(), model);
}

#[test]
fn below_the_tcp_model_a_loss_leaves_the_growth_unless_told_otherwise() {
    // The model's rate is 44.4 at a loss of 0.04.
    let after = |below_model, reports| {
        let mut lda = begun(&Config { initial: Some(10.0), below_model, ..Config::default() });
        for i in 1..=reports {
            tell(&mut lda, at(5000 * i), 48, 0.04);
        }
        (lda.rate(), lda.decreases())
    };
    let (model, grown) = (after(BelowModel::Leaps, 1), after(BelowModel::Grows, 1));
    assert!((model.0 - 44.4).abs() < 0.1, "{model:?}");
    near(grown.0, 11.25);
    // Up to the model's rate and no further, which is no decrease.
    assert_eq!(after(BelowModel::Grows, 30), (model.0, 0));
    assert_eq!(after(BelowModel::Stays, 30), (10.0, 0));
}

#[test]
fn losses_of_an_interval_whose_report_was_lost_count() {
    let config =
        Config { initial: Some(200.0), below_model: BelowModel::Stays, ..Config::default() };
    let mut lda = begun(&config);
    // Half of 1000 packets are lost, and so is the report of it. The next one covers 1000 more, all
    // of which arrived.
    let losses: Vec<_> = (0..500).map(|i| Lost::new(2 * i, at(5 * i))).collect();
    let report = Report { fraction_lost: 0.0, ..Report::default() };
    lda.on_feedback(&Feedback {
        now: at(10_000),
        delivered: 1500,
        losses: &losses,
        newest: None,
        rtt: Some(RTT),
        srtt: RTT,
        rtt_min: RTT,
        in_flight: 1,
        rate_limited: true,
        report: Some(&report),
    });
    // l is a quarter: half of the rate is lost.
    near(lda.rate(), 100.0);
    assert_eq!(lda.decreases(), 1);
}

#[test]
fn a_loss_begins_the_increase_again() {
    let mut lda = begun(&Config { initial: Some(600.0), ..Config::default() });
    for i in 1..4 {
        tell(&mut lda, at(5000 * i), 3000, 0.0);
    }
    tell(&mut lda, at(20_000), 3000, 0.01);
    let before = lda.rate();
    assert_eq!(lda.decreases(), 1);
    tell(&mut lda, at(25_000), 3000, 0.0);
    near(lda.rate(), before + 1.25);
}

#[test]
fn counts_itself_where_each_packet_is_acknowledged() {
    let mut lda = Lda::new(&Config { initial: Some(400.0), ..Config::default() }, &start());
    let lost = [Lost::new(7, at(7))];
    for i in 0..=500 {
        lda.on_feedback(&Feedback {
            now: at(10 * i),
            delivered: 1,
            losses: if i % 100 == 99 { &lost } else { &[] },
            newest: None,
            rtt: Some(RTT),
            srtt: RTT,
            rtt_min: RTT,
            in_flight: 10,
            rate_limited: true,
            report: None,
        });
    }
    // 5 of 505 after 5 s, and nothing before.
    near(lda.rate(), 400.0 * (1.0 - (5.0f64 / 505.0).sqrt()));
    assert_eq!(lda.decreases(), 1);
}

/// As [`tell`], with a pair's spacing.
fn tell_pair(lda: &mut Lda, now: Time, delivered: u32, bytes_per_second: f64) {
    let report = Report { pair_rate: Some(bytes_per_second), ..Report::default() };
    give(lda, now, delivered, &report);
}

#[test]
fn each_sixteenth_packet_follows_at_once_and_the_rate_is_kept() {
    let mut lda = begun(&Config { initial: Some(100.0), ..Config::default() });
    let (mut now, mut together) = (at(0), 0);
    for seq in 0..160 {
        lda.on_sent(&Sent { now, seq, bytes: 1000, app_limited: false });
        together += u32::from(lda.gap().is_zero());
        now += lda.gap();
    }
    assert_eq!((together, now), (10, at(1600)));
}

#[test]
fn pairs_bound_the_growth_and_what_arrives_bounds_the_pairs() {
    let mut lda = begun(&Config { initial: Some(90.0), increment: 100.0, ..Config::default() });
    tell_pair(&mut lda, at(5000), 450, 100_000.0);
    // R = 100 packets of 1000 bytes.
    near(lda.rate(), 90.0 + 90.0 * (1.0 - (-0.1f64).exp()));
    // 120 a second arrive: R is at least that, whatever the pair showed.
    let before = lda.rate();
    tell(&mut lda, at(10_000), 600, 0.0);
    near(lda.rate(), before + before * (1.0 - (before / 120.0 - 1.0).exp()));
    // A handoff forgets R: the target takes its place.
    lda.on_handoff(&Handoff {
        now: at(10_000),
        end: crate::path::End::Own,
        old_delay: Span::ZERO,
        new_delay: Span::ZERO,
    });
    near(lda.bottleneck(0.0), 1000.0);
}

#[test]
fn the_spacing_of_acks_serves_where_there_are_no_reports() {
    let mut lda = begun(&Config { initial: Some(90.0), increment: 100.0, ..Config::default() });
    for (seq, now, sent) in [(0, 100, 0), (1, 105, 0), (2, 5001, 4900)] {
        lda.on_feedback(&Feedback {
            now: at(now),
            delivered: 1,
            losses: &[],
            newest: Some((seq, at(sent))),
            rtt: Some(RTT),
            srtt: RTT,
            rtt_min: RTT,
            in_flight: 1,
            rate_limited: true,
            report: None,
        });
    }
    near(lda.bottleneck(0.0), 200.0);
}

#[test]
fn silence_halves_it_to_a_packet_a_second_at_the_lowest() {
    let mut lda = begun(&Config { initial: Some(100.0), ..Config::default() });
    // Three intervals without a report.
    assert_eq!(lda.next_timeout(), Some(at(15_000)));
    lda.on_tick(at(14_999));
    near(lda.rate(), 100.0);
    lda.on_tick(at(15_000));
    near(lda.rate(), 50.0);
    for _ in 0..20 {
        let due = lda.next_timeout().expect("in flight");
        lda.on_tick(due);
    }
    near(lda.rate(), 1.0);
    // The rate recovers: by 63 % a report at first.
    let now = lda.next_timeout().expect("in flight");
    for i in 0..40u64 {
        tell(&mut lda, now.saturating_add(Span::from_secs(5) * i), 10, 0.0);
    }
    assert!(lda.rate() > 500.0, "{}", lda.rate());
}

#[test]
fn an_application_that_has_no_more_to_send_gains_nothing() {
    let mut lda = begun(&Config { initial: Some(50.0), ..Config::default() });
    lda.on_feedback(&Feedback {
        now: at(5000),
        delivered: 3,
        losses: &[],
        newest: None,
        rtt: Some(RTT),
        srtt: RTT,
        rtt_min: RTT,
        in_flight: 1,
        rate_limited: false,
        report: Some(&Report::default()),
    });
    near(lda.rate(), 50.0);
}

#[test]
fn parameters_out_of_range_are_named() {
    let wrong = |change: fn(&mut Config)| {
        let mut config = Config::default();
        change(&mut config);
        config.check().unwrap_err()
    };
    assert_eq!(Config::default().check(), Ok(()));
    assert!(wrong(|c| c.interval = 0.0).contains("interval"));
    assert!(wrong(|c| c.increment = f64::NAN).contains("increment"));
    assert!(wrong(|c| c.bottleneck = Some(-1.0)).contains("bottleneck"));
    assert!(wrong(|c| c.initial = Some(f64::INFINITY)).contains("initial"));
}

/// A bottleneck that is believed to be narrow bounds what a flow adds once it is wide again.
#[test]
fn no_flow_adds_more_than_the_bottleneck_had() {
    let mut lda = begun(&Config { initial: Some(500.0), increment: 400.0, ..Config::default() });
    // R = 10 packets of 1000 bytes, as 50 arrive in 5 s: A_exp is 0 and A_add' becomes 10.
    tell_pair(&mut lda, at(5000), 50, 10_000.0);
    near(lda.rate(), 500.0);
    // R = 1000: A_exp = 500 (1 - e^-0.5) = 197, A_tcp = 51/0.2 = 255.
    tell_pair(&mut lda, at(10_000), 50, 1e6);
    near(lda.rate(), 510.0);
}

/// Feedback that measures no round trip leaves the rate of the start.
#[test]
fn the_first_rate_waits_for_a_round_trip() {
    let mut lda = Lda::new(&Config::default(), &start());
    lda.on_feedback(&Feedback::new(at(100)).delivered(1).in_flight(1));
    near(lda.rate(), 1.0);
}

/// Packets of no length count as of one byte.
#[test]
fn packets_without_a_length_have_a_bottleneck() {
    for bytes in [0, 1] {
        let config = Config { initial: Some(90.0), increment: 100.0, ..Config::default() };
        let mut lda = Lda::new(&config, &start().packet_bytes(bytes));
        tell(&mut lda, at(0), 1, 0.0);
        tell_pair(&mut lda, at(5000), 450, 100.0);
        near(lda.rate(), 90.0 + 90.0 * (1.0 - (-0.1f64).exp()));
    }
}
