//! A rate under fixed AIMD parameters behaves like the sender that the ATL paper's appendix models.

use crate::support::paced;
use atl_core::model::{LossCycles, Reading};
use atl_core::rate::{Feedback, Lost, RateConfig, RateStart, Sent, aimd};
use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use atl_core::window::Aimd;

use aimd::{Config, Growth};

const START: RateStart = RateStart::DEFAULT.packet_bytes(paced::PACKET).target(1e7).seed(1);

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

/// Feedback that one packet arrived, and that those sent at these times are lost; the round-trip
/// time is 100 ms.
fn feedback<'a>(now: Time, losses: &'a [Lost]) -> Feedback<'a> {
    let rtt = Span::from_millis(100);
    Feedback::new(now)
        .delivered(1)
        .losses(losses)
        .rtt(Some(rtt))
        .srtt(rtt)
        .rtt_min(rtt)
        .in_flight(10)
}

fn lost(sent_at: Time) -> [Lost; 1] {
    [Lost::new(0, sent_at)]
}

/// 100 packets/s, 20 more in each RTT, from 100 ms on.
fn sender(growth: Growth) -> Box<dyn atl_core::rate::RateController> {
    let config = Config { alpha: Some(20.0), initial: Some(100.0), growth, ..Config::default() };
    let mut sender = RateConfig::from(config).build(&START);
    sender.on_feedback(&feedback(ms(100), &[]));
    sender
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
}

#[test]
fn a_back_off_begins_to_count_round_trip_times_anew() {
    let mut sender = sender(Growth::PerRound);
    for now in [150, 200] {
        sender.on_feedback(&feedback(ms(now), &[]));
        sender.on_tick(ms(now));
    }
    near(sender.rate(), 120.0);
    sender.on_feedback(&feedback(ms(260), &lost(ms(150))));
    near(sender.rate(), 60.0);
    assert_eq!(sender.next_timeout(), Some(ms(360)));
    // Lost before the back-off, which was the answer to it.
    sender.on_feedback(&feedback(ms(300), &lost(ms(200))));
    sender.on_tick(ms(300));
    near(sender.rate(), 60.0);
    sender.on_tick(ms(360));
    near(sender.rate(), 80.0);
    assert_eq!(sender.decreases(), 1);
}

#[test]
fn a_rate_that_grows_all_the_time_is_eq_21_in_the_middle_of_each_round() {
    let mut sender = sender(Growth::Continuous);
    let sent = |now| Sent::new(now, 0, paced::PACKET);
    sender.on_sent(&sent(ms(150)));
    near(sender.rate(), 110.0);
    sender.on_feedback(&feedback(ms(200), &lost(ms(100))));
    // S is 120 + 10, beta S 65: 55 at first, and 65 half a round-trip time later.
    near(sender.rate(), 55.0);
    sender.on_sent(&sent(ms(250)));
    near(sender.rate(), 65.0);
    // Without feedback it grows for at most one round-trip time.
    sender.on_sent(&sent(ms(290)));
    sender.on_sent(&sent(ms(450)));
    near(sender.rate(), 75.0);
}

/// alpha R p = 0.03 and 0.3 at a loss of 2e-3, where the readings are 6 to 20 % apart.
#[test]
fn each_growth_is_a_reading_of_the_appendix() {
    for (alpha_r_p, beta) in [(0.03, 0.75), (0.3, 0.5)] {
        for (growth, reading) in
            [(Growth::PerRound, Reading::Anywhere), (Growth::Continuous, Reading::Appendix)]
        {
            let config = Config { packets: alpha_r_p / 2e-3, beta, growth, ..Config::default() };
            let path = paced::Path { rate: 1e8, loss: 2e-3, ..paced::Path::default() };
            let mut run = paced::Run::new(&RateConfig::from(config), &START, path);
            run.stretch(10.0);
            let outcome = run.stretch(300.0);
            let measured = outcome.sent as f64 / outcome.secs;

            let rtt = Span::from_millis(100);
            let aimd = Aimd { alpha: config.packets / rtt.secs(), beta };
            let mut state = 1_u64;
            let uniform = || {
                // Knuth's MMIX generator; its upper bits are good enough here.
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 11) as f64 / (1u64 << 53) as f64
            };
            let cycles = LossCycles::new(reading, aimd, rtt).expect("in range");
            let p = Probability::new(outcome.loss()).expect("a loss");
            let expected = cycles.throughput(p, 100_000, uniform).expect("a throughput");
            let off = measured / expected - 1.0;
            assert!(off.abs() < 0.02, "{growth:?} {alpha_r_p} {beta}: {off}");
        }
    }
}

#[test]
fn silence_before_the_first_round_trip_time_leaves_a_rate() {
    for growth in [Growth::PerRound, Growth::Continuous] {
        let config = Config { growth, ..Config::default() };
        let mut sender = RateConfig::from(config).build(&START);
        sender.on_sent(&Sent::new(ms(0), 0, paced::PACKET));
        sender.on_tick(ms(2000));
        near(sender.rate(), 0.5);
    }
}
