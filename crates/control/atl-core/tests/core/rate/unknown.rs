//! Before a round trip is known, and after feedback that measures none.

use atl_core::rate::{
    Feedback, RateConfig, RateStart, Report, Sent, aimd, arc, lda, nada, rcp_atl, rcs,
};
use atl_core::time::{Span, Time};

const START: RateStart = RateStart::DEFAULT.packet_bytes(1000).target(1000.0).seed(1);

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

/// The wait for the first feedback, of two seconds, is the wait for the next one too.
#[test]
fn feedback_without_a_round_trip_leaves_the_first_wait() {
    let controllers: [(&str, RateConfig); 5] = [
        ("aimd", aimd::Config::default().into()),
        ("lda", lda::Config::default().into()),
        ("nada", nada::Config::default().into()),
        ("rcp-atl", rcp_atl::Config::default().into()),
        ("rcs", rcs::Config::default().into()),
    ];
    for (name, config) in controllers {
        let mut sender = config.build(&START.initial(Some(100.0)));
        sender.on_sent(&Sent::new(ms(0), 0, 1000));
        assert_eq!(sender.next_timeout(), Some(ms(2000)), "{name}");
        let told = Feedback::new(ms(300)).delivered(1).newest(Some((0, ms(0))));
        sender.on_feedback(&told.in_flight(1));
        assert_eq!(sender.next_timeout(), Some(ms(2300)), "{name}");
    }
}

/// ARC knows the rate of a path that was measured, and so the time of four packets.
#[test]
fn arc_waits_for_four_packets_where_it_knows_no_round_trip() {
    let mut arc = RateConfig::from(arc::Config::default()).build(&START.initial(Some(100.0)));
    arc.on_sent(&Sent::new(ms(0), 0, 1000));
    assert_eq!(arc.next_timeout(), Some(ms(2000)));
    arc.on_feedback(&Feedback::new(ms(300)).delivered(1).in_flight(1));
    assert_eq!(arc.next_timeout(), Some(ms(340)));
}

/// A first feedback that shows no arrival begins a round in which nothing was used.
#[test]
fn a_round_without_an_arrival_does_not_raise_the_rate() {
    let rtt = Span::from_millis(100);
    for config in [aimd::Config::default().into(), rcp_atl::Config::default().into()] {
        let config: RateConfig = config;
        let mut sender = config.build(&START.initial(Some(100.0)));
        sender.on_sent(&Sent::new(ms(0), 0, 1000));
        let told = Feedback::new(ms(100)).rtt(Some(rtt)).srtt(rtt).rtt_min(rtt).in_flight(9);
        sender.on_feedback(&told.newest(Some((0, ms(0)))));
        sender.on_tick(ms(200));
        assert_eq!(sender.rate().to_bits(), 100f64.to_bits(), "{sender:?}");
        let told = Feedback::new(ms(250)).rtt(Some(rtt)).srtt(rtt).rtt_min(rtt).in_flight(9);
        sender.on_feedback(&told.newest(Some((1, ms(150)))).delivered(1));
        sender.on_tick(ms(300));
        assert_eq!(sender.rate().to_bits(), 110f64.to_bits(), "{sender:?}");
    }
}

/// A packet per second, until a round trip says what a packet per round trip is.
#[test]
fn the_first_rate_waits_for_a_round_trip() {
    let rtt = Span::from_millis(100);
    for config in [aimd::Config::default().into(), rcp_atl::Config::default().into()] {
        let config: RateConfig = config;
        let mut sender = config.build(&START);
        sender.on_sent(&Sent::new(ms(0), 0, 1000));
        sender.on_feedback(&Feedback::new(ms(100)).newest(Some((0, ms(0)))).in_flight(1));
        assert_eq!(sender.rate().to_bits(), 1f64.to_bits(), "{sender:?}");
        let told = Feedback::new(ms(200)).rtt(Some(rtt)).srtt(rtt).rtt_min(rtt);
        sender.on_feedback(&told.newest(Some((1, ms(100)))));
        assert_eq!(sender.rate().to_bits(), 10f64.to_bits(), "{sender:?}");
    }
}

/// Reports a hundred seconds apart count as 64 s apart, and alpha is for that long.
#[test]
fn an_interval_between_reports_has_a_largest_length() {
    let (rtt, report) = (Span::from_millis(100), Report::default());
    let mut sender = RateConfig::from(rcp_atl::Config::default()).build(&START);
    for (seq, at) in [(0, 100), (1, 100_100)] {
        sender.on_sent(&Sent::new(ms(at) - rtt, seq, 1000));
        let told = Feedback::new(ms(at)).rtt(Some(rtt)).srtt(rtt).rtt_min(rtt).delivered(1);
        sender.on_feedback(&told.newest(Some((seq, ms(at) - rtt))).report(Some(&report)));
    }
    sender.on_tick(ms(100_100));
    let alpha = sender.aimd().expect("a round trip is known").alpha;
    assert!((alpha / (64.0 / 0.1 / 0.1) - 1.0).abs() < 1e-9, "{alpha}");
}
