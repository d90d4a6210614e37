//! ARC's probe period, and round trips so short that they vanish.

use atl_core::path::{End, Handoff};
use atl_core::rate::arc::{Arc, Config};
use atl_core::rate::{Feedback, ProbeAck, RateController, RateStart, Sent};
use atl_core::time::{Span, Time};

use crate::support::rates::{is, serve};

const START: RateStart = RateStart::DEFAULT.packet_bytes(1000).target(100.0).seed(1);

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

fn arc(start: RateStart) -> Arc {
    Arc::new(&Config::default(), &start)
}

/// The ACK of packet `seq`, which took `rtt`.
fn ack(arc: &mut Arc, now: Time, seq: u64, rtt: Span) {
    let told = Feedback::new(now).delivered(1).newest(Some((seq, now - rtt))).rtt(Some(rtt));
    arc.on_feedback(&told.srtt(rtt).rtt_min(rtt).in_flight(1));
}

/// A flow at 40 packets per second whose first packet had no answer and whose second one has one
/// after `rtt`: the probes after that one.
fn late_probes(rtt: Span) -> Vec<Span> {
    let mut arc = arc(START.target(40.0));
    arc.on_sent(&Sent::new(ms(0), 0, 1000));
    serve(&mut arc, ms(2000));
    arc.on_sent(&Sent::new(ms(2000), 1, 1000));
    let began = ms(2000) + rtt;
    ack(&mut arc, began, 1, rtt);
    let probes = serve(&mut arc, began + rtt * 2);
    is(&arc, f64::min(40.0, 1.0 / rtt.secs()));
    probes.into_iter().map(|at| at.since(began)).collect()
}

/// As many probes as fit into a round trip, one at least, in two round trips.
#[test]
fn one_probe_leaves_where_the_round_trip_is_shorter_than_its_gap() {
    let gap = Span::from_millis(25);
    // 0.8, 1.5 and 2.4 packets in a round trip.
    assert_eq!(late_probes(Span::from_millis(20)), [gap]);
    assert_eq!(late_probes(Span::from_micros(37_500)), [gap]);
    assert_eq!(late_probes(Span::from_millis(60)), [gap, gap * 2]);
    // It would leave after the end of the period.
    assert_eq!(late_probes(Span::from_micros(12_500)), [] as [Span; 0]);
}

#[test]
fn a_period_has_10000_probes_at_most() {
    let mut arc = arc(START.target(1e9));
    arc.on_sent(&Sent::new(ms(0), 0, 1000));
    assert_eq!(serve(&mut arc, ms(1999)).len(), 10_000);
}

/// An answer that took no time measures nothing: the period goes on until one does.
#[test]
fn an_answer_in_no_time_measures_no_round_trip() {
    let mut arc = arc(START);
    arc.on_sent(&Sent::new(ms(0), 0, 1000));
    serve(&mut arc, ms(100));
    arc.on_probe_ack(&ProbeAck::new(ms(100), 0, Span::ZERO));
    assert_eq!(serve(&mut arc, ms(199)).len(), 9);
    assert!(!arc.sends_data());
    ack(&mut arc, ms(200), 0, Span::from_millis(200));
    for number in 1..10 {
        arc.on_probe_ack(&ProbeAck::new(ms(300), number, Span::from_millis(200)));
    }
    serve(&mut arc, ms(400));
    // All ten answers count.
    is(&arc, 50.0);
}

/// 200 ms and 2 * 10 ms more, less 2 * 110 ms: nothing is left, and a microsecond counts, in which
/// eq. 21 allows any rate.
#[test]
fn a_handoff_leaves_a_microsecond_of_a_round_trip() {
    let start = START.initial(Some(50.0));
    for (old, expected) in [(109, 100.0), (110, 100.0), (400, 100.0), (10, 50.0)] {
        let mut arc = arc(start);
        arc.on_sent(&Sent::new(ms(0), 0, 1000));
        ack(&mut arc, ms(200), 0, Span::from_millis(200));
        ack(&mut arc, ms(210), 1, Span::from_millis(200));
        is(&arc, 50.0);
        let delays = (Span::from_millis(old), Span::from_millis(10));
        arc.on_handoff(&Handoff::new(ms(220), End::Own, delays.0, delays.1));
        is(&arc, expected);
    }
}

/// However few round trips are quiet: the next evaluation is later than the last.
#[test]
fn evaluations_are_a_microsecond_apart_at_least() {
    let config = Config { quiet_rtts: 1e-12, ..Config::default() };
    let mut arc = Arc::new(&config, &START.initial(Some(50.0)));
    ack(&mut arc, ms(200), 0, Span::from_millis(200));
    let mut due = ms(200);
    for _ in 0..3 {
        due += Span::from_micros(1);
        assert_eq!(arc.next_timeout(), Some(due));
        arc.on_tick(due);
    }
}

/// A probe was answered after 1.5 s, and the period lasts for 3 s: the two seconds of silence mean
/// nothing.
#[test]
fn a_known_round_trip_ends_the_wait_for_the_first_answer() {
    let mut arc = arc(START);
    arc.on_sent(&Sent::new(ms(0), 0, 1000));
    serve(&mut arc, ms(1510));
    arc.on_probe_ack(&ProbeAck::new(ms(1510), 0, Span::from_millis(1500)));
    serve(&mut arc, ms(2500));
    assert!(!arc.sends_data());
    serve(&mut arc, ms(3000));
    assert!(arc.sends_data());
}

/// Its end is not part of a period, also for a host that fetches a probe before it is woken.
#[test]
fn no_probe_leaves_at_the_end_of_a_period() {
    let poll = |at: Time| {
        let rtt = Span::from_micros(12_500);
        let mut arc = arc(START.target(40.0));
        arc.on_sent(&Sent::new(ms(0), 0, 1000));
        serve(&mut arc, ms(2000));
        arc.on_sent(&Sent::new(ms(2000), 1, 1000));
        ack(&mut arc, ms(2000) + rtt, 1, rtt + Span::from_nanos(1));
        arc.poll_probe(at)
    };
    // Two round trips last for 25 ms and two nanoseconds, and a gap for 25 ms.
    let end = Time::from_nanos(2_037_500_002);
    assert!(poll(end - Span::from_nanos(1)) && poll(end - Span::from_nanos(2)));
    assert!(!poll(end) && !poll(end - Span::from_nanos(3)));
}

/// Of no packet at all every packet may be lost.
#[test]
fn nothing_bounds_the_loss_before_the_first_packet() {
    assert_eq!(arc(START).congestion_loss().get().to_bits(), 1f64.to_bits());
}
