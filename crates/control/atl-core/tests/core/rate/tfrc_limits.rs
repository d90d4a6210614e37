//! Least and largest values of a TFRC sender, and what it takes for them where nothing is known
//! (RFC 5348, sec. 4).

use atl_core::rate::tfrc::{Config, Equation, Tfrc};
use atl_core::rate::{Feedback, Lost, RateController, RateStart, Report, Sent};
use atl_core::time::{Span, Time};

const START: RateStart = RateStart::DEFAULT.packet_bytes(1460).target(0.0);
const R: Span = Span::from_millis(100);

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

fn tfrc() -> Tfrc {
    Tfrc::new(&Config::default(), &START)
}

/// A report comes that covers packets up to one sent a round trip ago.
fn hear(tfrc: &mut Tfrc, at: u64, rtt: Span, p: f64, receive_rate: f64) {
    let report = Report::default()
        .echo(ms(at) - rtt)
        .receive_rate(Some(receive_rate))
        .loss_event_rate(Some(p));
    let told = Feedback::new(ms(at)).delivered(1).rtt(Some(rtt)).srtt(rtt).rtt_min(rtt);
    tfrc.on_feedback(&told.in_flight(1).report(Some(&report)));
}

#[track_caller]
fn is(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} is not {expected}");
}

/// "p = 0" at the start, and where the first report has no number for it.
#[test]
fn no_loss_is_known_before_a_report_tells_of_one() {
    let mut tfrc = tfrc();
    assert_eq!(tfrc.loss_event_rate().to_bits(), 0f64.to_bits());
    hear(&mut tfrc, 100, R, f64::NAN, 0.0);
    assert_eq!(tfrc.loss_event_rate().to_bits(), 0f64.to_bits());
    // W_init/R: three packets of 1460 bytes.
    is(tfrc.rate(), 30.0);
    // Later ones leave p as it was.
    hear(&mut tfrc, 200, R, 0.02, 100.0);
    hear(&mut tfrc, 300, R, 1.5, 100.0);
    assert_eq!(tfrc.loss_event_rate().to_bits(), 0.02f64.to_bits());
}

/// "s/t_mbi" is the least X however little the caller asks for, if the target is not below that.
#[test]
fn a_packet_in_64_seconds_is_the_least_of_any_flow() {
    let least = |start: RateStart| {
        let mut tfrc = Tfrc::new(&Config::default(), &start);
        for seq in 0..14 {
            let due = tfrc.next_timeout().unwrap_or(ms(0));
            tfrc.on_tick(due);
            tfrc.on_sent(&Sent::new(due, seq, 1460));
        }
        tfrc.rate()
    };
    is(least(START.minimum(0.001)), 1.0 / 64.0);
    is(least(START.minimum(0.5)), 0.5);
    is(least(START.minimum(0.001).target(0.004)), 0.004);
}

/// W_init of packets without a length is that of the shortest ones: four.
#[test]
fn packets_without_a_length_have_an_initial_window() {
    for bytes in [0, 1, 1095] {
        let mut tfrc = Tfrc::new(&Config::default(), &START.packet_bytes(bytes));
        hear(&mut tfrc, 100, R, 0.0, 0.0);
        is(tfrc.rate(), 40.0);
    }
}

/// Round trips are a microsecond long at least, and 64 s at most.
#[test]
fn a_round_trip_has_its_bounds() {
    for (sample, expected) in [
        (Span::from_nanos(1), Span::from_micros(1)),
        (Span::from_nanos(1001), Span::from_nanos(1001)),
        (Span::from_secs(63), Span::from_secs(63)),
        (Span::from_secs(65), Span::from_secs(64)),
    ] {
        let mut tfrc = tfrc();
        hear(&mut tfrc, 100_000, sample, 0.0, 0.0);
        assert_eq!(tfrc.rtt(), expected);
    }
}

/// "If the feedback packet reports a receive rate X_recv of zero": half a packet per second is
/// more, and its interval was data-limited. "Halve entries in X_recv_set; X_recv = 0.85 * X_recv;
/// Maximize X_recv_set()" forgets Infinity.
#[test]
fn a_receive_rate_below_a_packet_per_second_is_not_zero() {
    let second = Span::from_secs(1);
    let after = |receive_rate| {
        let mut tfrc = tfrc();
        for (at, seq) in [(0, 0), (1000, 1)] {
            tfrc.on_sent(&Sent::new(ms(at), seq, 1460).app_limited(true));
            let rate = if seq == 0 { 0.0 } else { receive_rate };
            hear(&mut tfrc, at + 1000, second, 0.001 * seq as f64, rate);
        }
        tfrc.rate()
    };
    is(after(0.5), 0.85 * 0.5);
    is(after(0.0), Equation::default().throughput(0.001, 1.0));
}

/// "(p>0 && X_recv < recover_rate)": a sender at 17.7 packets per second that had 100 received is
/// not spared, although X is below twice the initial rate of 30.
#[test]
fn an_idle_sender_is_cut_where_much_was_received() {
    let mut tfrc = tfrc();
    tfrc.on_sent(&Sent::new(ms(0), 0, 1460));
    for at in (100..=1000).step_by(100) {
        let p = if at == 100 { 0.0 } else { 0.1 };
        hear(&mut tfrc, at, R, p, 100.0);
    }
    let calculated = Equation::default().throughput(0.1, 0.1);
    is(tfrc.rate(), calculated);
    assert!(calculated < 30.0);
    let due = tfrc.next_timeout().expect("it runs");
    assert_eq!(due, ms(1400));
    tfrc.on_tick(due);
    is(tfrc.rate(), calculated / 2.0);
    // X_recv is now a quarter of that.
    tfrc.on_tick(tfrc.next_timeout().expect("it runs"));
    is(tfrc.rate(), calculated / 2.0);
    assert_eq!(tfrc.next_timeout(), None);
}

/// A receiver that is not TFRC's reports at intervals, which the timer waits for twice. ACKs have
/// none, however far apart they are.
#[test]
fn intervals_between_acks_do_not_count() {
    let due = |report: Option<&Report>| {
        let mut tfrc = tfrc();
        for (seq, at) in [(0, 100), (1, 1100)] {
            tfrc.on_sent(&Sent::new(ms(at) - R, seq, 1460));
            let told = Feedback::new(ms(at)).delivered(1).newest(Some((seq, ms(at) - R)));
            tfrc.on_feedback(&told.rtt(Some(R)).srtt(R).in_flight(1).report(report));
        }
        tfrc.next_timeout()
    };
    assert_eq!(due(None), Some(ms(1500)));
    assert_eq!(due(Some(&Report::default())), Some(ms(3100)));
}

/// A sender that the application has limited at some of its packets, with R = 1 s: the rate after
/// p has risen to 0.001 at an X_recv of 0.5. It is 0.85 times that where the interval up to `echo`
/// was data-limited, and the equation's where it was not.
fn after(packets: impl IntoIterator<Item = (u64, bool)>, at: u64, echo: u64) -> f64 {
    let second = Span::from_secs(1);
    let mut tfrc = tfrc();
    let (mut first, mut second_due) = (true, true);
    for (seq, (sent, limited)) in (0..).zip(packets) {
        if first && sent >= 1000 {
            hear(&mut tfrc, 1000, second, 0.0, 0.0);
            first = false;
        }
        if second_due && sent >= 1500 {
            hear(&mut tfrc, 1500, second, 0.0, 0.0);
            second_due = false;
        }
        tfrc.on_sent(&Sent::new(ms(sent), seq, 1460).app_limited(limited));
    }
    let report = Report::default().echo(ms(echo)).receive_rate(Some(0.5));
    let report = report.loss_event_rate(Some(0.001));
    let told = Feedback::new(ms(at)).delivered(1).rtt(Some(second)).srtt(second).in_flight(1);
    tfrc.on_feedback(&told.report(Some(&report)));
    tfrc.rate()
}

/// A sending time to come counts as now: the interval is the last second.
#[test]
fn an_echo_of_times_to_come_is_of_now() {
    let packets = [(0, true), (1000, true), (1600, false), (1700, true)];
    is(after(packets, 2500, 2500), Equation::default().throughput(0.001, 1.0));
    is(after(packets, 2500, 3500), Equation::default().throughput(0.001, 1.0));
    is(after(packets, 2700, 2700), 0.85 * 0.5);
}

/// Of the runs of packets behind which there was more to send, those before the last interval are
/// not needed any more. Sixteen later ones are told apart.
#[test]
fn runs_that_a_report_has_covered_are_forgotten() {
    let later = (0..16).flat_map(|i| [(1600 + 20 * i, false), (1610 + 20 * i, true)]);
    let packets = [(0, false), (1, true), (1000, true), (1550, true)].into_iter().chain(later);
    is(after(packets, 2500, 1500), 0.85 * 0.5);
}

/// Sec. 6.3.1: where the first packet is lost X_target is "0.5 packets per RTT", also on a path of
/// four seconds on which a packet has arrived.
#[test]
fn the_loss_of_packet_0_tells_of_no_rate() {
    let rtt = Span::from_secs(4);
    let mut tfrc = tfrc();
    let lost = [Lost::new(0, ms(900))];
    for (seq, losses) in [(1, &lost[..0]), (3, &lost)] {
        let at = ms(5000 + 10 * seq);
        let told = Feedback::new(at).delivered(1).newest(Some((seq, at - rtt))).losses(losses);
        tfrc.on_feedback(&told.rtt(Some(rtt)).srtt(rtt).in_flight(1));
    }
    is(tfrc.loss_event_rate(), Equation::default().loss_event_rate(0.5 / 4.0, 4.0));
}
