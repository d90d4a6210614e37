//! Statements of RFC 5348 about a TFRC sender (sec. 4), one by one.

use atl_core::rate::tfrc::{Config, Equation, Tfrc};
use atl_core::rate::{Feedback, RateController, RateStart, Report, Sent};
use atl_core::time::{Span, Time};

const R: Span = Span::from_millis(100);

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

/// A sender whose caller passes it every event.
struct Sender {
    tfrc: Tfrc,
    seq: u64,
    rtt: Span,
}

fn sender_of(config: &Config, packet_bytes: u32) -> Sender {
    let start = RateStart::default().packet_bytes(packet_bytes).target(0.0);
    Sender { tfrc: Tfrc::new(config, &start), seq: 0, rtt: R }
}

fn sender() -> Sender {
    sender_of(&Config::default(), 1460)
}

impl Sender {
    fn sends(&mut self, at: Time, app_limited: bool) {
        self.tfrc.on_sent(&Sent::new(at, self.seq, 1460).app_limited(app_limited));
        self.seq += 1;
    }

    /// A report comes that covers packets up to one sent an RTT ago.
    fn hears(&mut self, at: Time, p: f64, receive_rate: f64) {
        let report = Report::default()
            .highest(self.seq.saturating_sub(1))
            .received(self.seq)
            .echo(at - self.rtt)
            .receive_rate(Some(receive_rate))
            .loss_event_rate(Some(p));
        self.tfrc.on_feedback(
            &Feedback::new(at)
                .delivered(1)
                .newest(Some((report.highest, report.echo)))
                .rtt(Some(self.rtt))
                .srtt(self.rtt)
                .rtt_min(self.rtt)
                .in_flight(1)
                .report(Some(&report)),
        );
    }

    /// Sends at 0 ms, gets feedback at 100 ms, and goes on sending each 10 ms up to `until`.
    fn started(mut self, until: u64) -> Self {
        self.sends(ms(0), false);
        self.hears(ms(100), 0.0, 0.0);
        for at in (100..=until).step_by(10) {
            self.sends(ms(at), false);
        }
        self
    }

    fn is(&self, expected: f64) {
        let rate = self.tfrc.rate();
        assert!((rate / expected - 1.0).abs() < 1e-9, "{rate} {expected}");
    }
}

fn x_calc(p: f64) -> f64 {
    Equation::default().throughput(p, R.secs())
}

/// Sec. 4.2: "the value of X is set to s bytes per second, ... the nofeedback timer is set to
/// expire after two seconds".
#[test]
fn begins_at_a_packet_per_second_and_waits_for_two() {
    let mut sender = sender();
    sender.is(1.0);
    assert_eq!(sender.tfrc.next_timeout(), None);
    sender.sends(ms(300), false);
    assert_eq!(sender.tfrc.next_timeout(), Some(ms(2300)));
}

/// Sec. 4.2: "initial_rate = W_init/R; W_init = min(4*MSS, max(2*MSS, 4380))".
#[test]
fn the_first_feedback_gives_the_initial_window_of_rfc_3390() {
    for (bytes, packets) in [(1460, 3.0), (1000, 4.0), (500, 4.0), (3000, 2.0)] {
        let sender = sender_of(&Config::default(), bytes).started(100);
        sender.is(packets / 0.1);
    }
    let config = Config { initial_window: Some(10.0), ..Config::default() };
    sender_of(&config, 1460).started(100).is(100.0);
}

/// Sec. 4.3: "In this initial slow-start phase, the sender can approximately double the sending
/// rate each round-trip time", at most to "2 * max (X_recv_set)"; "recv_limit is set to Infinity
/// for the first two round-trip times".
#[test]
fn slow_start_doubles_up_to_twice_what_was_received() {
    let mut sender = sender().started(600);
    sender.is(30.0);
    // Infinity is still in the set.
    sender.hears(ms(200), 0.0, 5.0);
    sender.is(60.0);
    // Less than an R since the rate was doubled.
    sender.hears(ms(290), 0.0, 30.0);
    sender.is(60.0);
    sender.hears(ms(301), 0.0, 50.0);
    sender.is(100.0);
    sender.hears(ms(402), 0.0, 90.0);
    sender.is(180.0);
    // "2*X": the set would allow 400.
    sender.hears(ms(503), 0.0, 200.0);
    sender.is(360.0);
    assert_eq!(sender.tfrc.decreases(), 0);
}

/// "X = max(min(2*X, recv_limit), initial_rate)".
#[test]
fn slow_start_does_not_fall_below_the_initial_rate() {
    let mut sender = sender().started(1000);
    for at in [200, 301, 402, 503, 604] {
        sender.hears(ms(at), 0.0, 10.0);
    }
    sender.is(30.0);
}

/// "If (p > 0) ... X = max(min(X_Bps, recv_limit), s/t_mbi)".
#[test]
fn after_a_loss_the_equation_decides_and_the_receive_rate_limits() {
    let mut sender = sender().started(2000);
    sender.hears(ms(200), 0.0, 100.0);
    sender.is(60.0);
    // Infinity counts for two round-trip times.
    sender.hears(ms(300), 0.01, 100.0);
    sender.is(x_calc(0.01));
    sender.hears(ms(301), 0.002, 60.0);
    sender.is(200.0);
    // The set's 100 expires at 500 ms.
    sender.hears(ms(501), 0.002, 60.0);
    sender.is(120.0);
    sender.hears(ms(502), 0.9999, 60.0);
    sender.is(x_calc(0.9999));
    assert_eq!(sender.tfrc.decreases(), 1);
}

/// "The term s/t_mbi ensures that when p > 0, the sender is allowed to send at least one packet
/// every 64 seconds."
#[test]
fn a_packet_in_64_seconds_is_the_least() {
    let mut sender = sender();
    sender.rtt = Span::from_secs(10);
    sender.sends(ms(0), false);
    sender.hears(ms(10_000), 0.0, 0.0);
    sender.hears(ms(20_000), 1.0, 0.1);
    sender.is(1.0 / 64.0);
}

/// "R = q*R + (1-q)*R_sample", "a default value of 0.9 is RECOMMENDED".
#[test]
fn the_round_trip_time_is_smoothed() {
    let mut sender = sender().started(300);
    assert_eq!(sender.tfrc.rtt(), R);
    sender.rtt = Span::from_millis(200);
    sender.hears(ms(200), 0.0, 10.0);
    assert_eq!(sender.tfrc.rtt(), Span::from_millis(110));
    let config = Config { rtt_weight: 0.5, ..Config::default() };
    let mut sender = sender_of(&config, 1460).started(300);
    sender.rtt = Span::from_millis(200);
    sender.hears(ms(200), 0.0, 10.0);
    assert_eq!(sender.tfrc.rtt(), Span::from_millis(150));
}

/// A sender that goes data-limited at 1000 ms at 80 packets/s, having received 70.
fn data_limited() -> Sender {
    let mut sender = sender().started(1000);
    for at in (200..=1000).step_by(100) {
        sender.hears(ms(at), 0.001, 70.0);
    }
    sender.is(140.0);
    for at in (1010..=3000).step_by(50) {
        sender.sends(ms(at), true);
    }
    sender
}

/// Sec. 4.3: in a data-limited interval "Maximize X_recv_set(); recv_limit = 2 * max (X_recv_set)":
/// this "prevents a sender from having to reduce its sending rate as a result of a feedback packet
/// reporting the receive rate from a data-limited period".
#[test]
fn a_data_limited_interval_does_not_lower_the_rate() {
    let mut sender = data_limited();
    for at in (1210..=2800).step_by(100) {
        sender.hears(ms(at), 0.001, 20.0);
    }
    sender.is(140.0);
    // Without that rule the same reports lower it, as they do where the interval was only partly
    // data-limited.
    let mut filled = data_limited();
    for at in (1010..=3000).step_by(50) {
        filled.sends(ms(at), false);
    }
    for at in (1210..=2800).step_by(100) {
        filled.hears(ms(at), 0.001, 20.0);
    }
    filled.is(40.0);
}

/// "Halve entries in X_recv_set; X_recv = 0.85 * X_recv; Maximize X_recv_set(); recv_limit = max
/// (X_recv_set)".
#[test]
fn a_loss_in_a_data_limited_interval_lowers_what_the_sender_may() {
    let mut sender = data_limited();
    sender.hears(ms(1210), 0.001, 20.0);
    sender.is(140.0);
    // 70 / 2 is above 0.85 20.
    sender.hears(ms(1310), 0.0011, 20.0);
    sender.is(35.0);
    // 0.85 40 is above 35 / 2.
    sender.hears(ms(1410), 0.0012, 40.0);
    sender.is(34.0);
    sender.hears(ms(1510), 0.0012, 40.0);
    sender.is(80.0);
}

/// "If the feedback packet reports a receive rate X_recv of zero ..., the sender does not consider
/// that the entire interval covered by the feedback packet was a data-limited interval." Maximizing
/// would take Infinity out of the set.
#[test]
fn a_receive_rate_of_zero_is_of_no_data_limited_interval() {
    let mut sender = sender();
    sender.sends(ms(0), true);
    sender.hears(ms(100), 0.0, 0.0);
    sender.sends(ms(100), true);
    sender.hears(ms(200), 0.0, 0.0);
    sender.is(60.0);
}

/// Sec. 4.4, first case: "We do not have X_Bps or recover_rate yet. Halve the allowed sending
/// rate."
#[test]
fn without_any_feedback_the_rate_is_halved_down_to_a_packet_in_64_seconds() {
    let mut sender = sender();
    sender.sends(ms(0), false);
    let mut expected = 1.0;
    for _ in 0..10 {
        let due = sender.tfrc.next_timeout().expect("it sent");
        sender.tfrc.on_tick(due);
        expected = f64::max(expected / 2.0, 1.0 / 64.0);
        sender.is(expected);
        sender.sends(due, false);
    }
    assert_eq!(sender.tfrc.decreases(), 6);
}

/// Sec. 4.3 and 4.4: the timer "to expire after max(4*R, 2*s/X) seconds".
#[test]
fn the_timer_waits_for_four_round_trips_or_two_packets() {
    let mut sender = sender().started(100);
    // The interval follows from the X of before, a packet per second.
    assert_eq!(sender.tfrc.next_timeout(), Some(ms(2100)));
    sender.hears(ms(200), 0.0, 100.0);
    assert_eq!(sender.tfrc.next_timeout(), Some(ms(600)));
    // p = 1: X = 1/(0.1 243.3159) = 0.0411 packets/s, 2/X = 48.66 s.
    sender.hears(ms(300), 1.0, 100.0);
    let due = sender.tfrc.next_timeout().expect("running");
    assert!((due.secs() - 0.3 - 2.0 / x_calc(1.0)).abs() < 1e-6, "{due:?}");
}

/// "Else if (p==0) ... X = max(X/2, s/t_mbi)": in slow start.
#[test]
fn silence_in_slow_start_halves_the_rate() {
    let mut sender = sender().started(300);
    sender.hears(ms(200), 0.0, 100.0);
    sender.hears(ms(301), 0.0, 100.0);
    sender.is(120.0);
    sender.sends(ms(310), false);
    sender.tfrc.on_tick(ms(700));
    sender.is(120.0);
    sender.tfrc.on_tick(ms(701));
    sender.is(60.0);
    assert_eq!(sender.tfrc.next_timeout(), Some(ms(1101)));
    // "Allows the sender to slow-start, doubling its sending rate each RTT, if feedback messages
    // resume".
    sender.hears(ms(1000), 0.0, 100.0);
    sender.is(120.0);
}

/// "If (X_Bps > 2*X_recv) ... 2*X_recv was already limiting the sending rate.
/// Update_Limits(X_recv)", and else "Update_Limits(X_Bps/2)".
#[test]
fn silence_after_a_loss_halves_the_rate() {
    let mut limited = data_limited();
    limited.is(140.0);
    limited.tfrc.on_tick(ms(1400));
    limited.is(70.0);
    limited.sends(ms(1450), false);
    limited.tfrc.on_tick(ms(1800));
    limited.is(35.0);
    assert_eq!(limited.tfrc.decreases(), 2);

    let mut sender = sender().started(1000);
    for at in (200..=1000).step_by(100) {
        sender.hears(ms(at), 0.01, 100.0);
    }
    let calculated = x_calc(0.01);
    sender.is(calculated);
    sender.sends(ms(1010), false);
    sender.tfrc.on_tick(ms(1400));
    sender.is(calculated / 2.0);
    // The received rate counts again: "doubling its sending rate each RTT".
    sender.hears(ms(1450), 0.01, 40.0);
    sender.is(80.0);
    sender.hears(ms(1550), 0.01, 80.0);
    sender.is(calculated);
}

/// "If the TFRC sender has been idle ever since the nofeedback timer was set, the allowed sending
/// rate is not reduced below the recover_rate": "(p==0 && X < 2 * recover_rate)".
#[test]
fn an_idle_sender_keeps_its_initial_rate_in_slow_start() {
    let mut sender = sender().started(300);
    for (at, rate) in [(200, 60.0), (301, 120.0), (402, 240.0)] {
        sender.hears(ms(at), 0.0, 1000.0);
        sender.is(rate);
    }
    for rate in [120.0, 60.0, 30.0, 30.0] {
        if let Some(due) = sender.tfrc.next_timeout() {
            sender.tfrc.on_tick(due);
        }
        sender.is(rate);
    }
    // The timer stops, and starts again with the next packet.
    assert_eq!(sender.tfrc.next_timeout(), None);
    sender.sends(ms(9000), false);
    assert_eq!(sender.tfrc.next_timeout(), Some(ms(9400)));
    sender.tfrc.on_tick(ms(9400));
    sender.is(15.0);
}

/// "(p>0 && X_recv < recover_rate)": initial_rate is 30, "not reduced to less than half the
/// recover_rate".
#[test]
fn an_idle_sender_keeps_half_its_initial_rate_after_a_loss() {
    let mut sender = sender().started(1000);
    for at in (200..=1000).step_by(100) {
        sender.hears(ms(at), 0.01, 100.0);
    }
    let mut seen = Vec::new();
    while let Some(due) = sender.tfrc.next_timeout() {
        sender.tfrc.on_tick(due);
        seen.push(sender.tfrc.rate());
    }
    // 112.3: half of it, with X_recv = 28.1 in the set, which is below 30.
    assert_eq!(seen.len(), 2, "{seen:?}");
    sender.is(x_calc(0.01) / 2.0);
}

/// Sec. 4.5: "X_inst = X * R_sqmean / sqrt(R_sample)"; "when the current RTT sample R_sample is
/// twice as large as the long-term average, ... the allowed transmit rate will be reduced by a
/// factor of roughly 0.7".
#[test]
fn oscillations_are_reduced_where_that_is_wanted() {
    let config = Config { reduce_oscillations: true, ..Config::default() };
    let mut damped = sender_of(&config, 1460).started(1000);
    let mut plain = sender().started(1000);
    for sender in [&mut damped, &mut plain] {
        for at in (200..=900).step_by(100) {
            sender.hears(ms(at), 0.05, 100.0);
        }
        sender.is(x_calc(0.05));
        sender.rtt = Span::from_millis(200);
        sender.hears(ms(1000), 0.05, 100.0);
    }
    plain.is(Equation::default().throughput(0.05, 0.11));
    // R_sqmean = 0.9 sqrt(0.1) + 0.1 sqrt(0.2), over sqrt(0.2): 0.9/sqrt(2) + 0.1 = 0.7364.
    let factor = 0.9 / 2.0_f64.sqrt() + 0.1;
    damped.is(plain.tfrc.rate() * factor);
    assert!((factor - 0.7).abs() < 0.05);
}

#[test]
fn the_target_is_never_exceeded() {
    let start = RateStart::default().packet_bytes(1460).target(50.0).minimum(5.0);
    let tfrc = Tfrc::new(&Config::default(), &start);
    let mut sender = Sender { tfrc, seq: 0, rtt: R };
    sender.is(5.0);
    sender = sender.started(1000);
    for at in [200, 301, 402] {
        sender.hears(ms(at), 0.0, 1e6);
    }
    sender.is(50.0);
    sender.hears(ms(503), 1.0, 1e6);
    sender.is(5.0);
}

/// Values out of range have no effect.
#[test]
fn reports_of_nonsense_are_survived() {
    let mut sender = sender().started(5000);
    sender.hears(ms(200), 0.01, 100.0);
    let wild = [f64::NAN, -1.0, f64::INFINITY, f64::NEG_INFINITY, 1.5, f64::MAX, 0.0, 1e-300];
    let mut at = 300;
    for p in wild {
        for rate in wild {
            sender.hears(ms(at), p, rate);
            let rate = sender.tfrc.rate();
            assert!(rate.is_finite() && rate >= 1.0 / 64.0, "{rate}");
            at += 50;
        }
    }
    // Afterwards it works as before. The nonsensical receive rates expire.
    for _ in 0..6 {
        at += 100;
        sender.sends(ms(at - 100), false);
        sender.hears(ms(at), 0.01, 100.0);
    }
    let rate = sender.tfrc.rate();
    assert!((rate / x_calc(0.01) - 1.0).abs() < 1e-6, "{rate}");
    sender.rtt = Span::MAX;
    sender.hears(ms(at + 100), 0.01, 100.0);
    assert!(sender.tfrc.rtt() <= Span::from_secs(10));
}
