//! Dummies of RCS, counted one by one.

use atl_core::rate::rcs::{Config, Rcs, Reading};
use atl_core::rate::{Feedback, Lost, ProbeAck, RateController, RateStart, Sent};
use atl_core::time::{Span, Time};

use crate::support::rates::{is, serve};

const START: RateStart = RateStart::DEFAULT.packet_bytes(1000).target(1000.0).seed(1);
const RTT: Span = Span::from_millis(100);

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

fn rcs(start: RateStart) -> Rcs {
    Rcs::new(&Config { reading: Reading::Robust }, &start)
}

fn hear(rcs: &mut Rcs, at: u64, losses: &[Lost]) {
    let told = Feedback::new(ms(at)).delivered(1).losses(losses).rtt(Some(RTT)).srtt(RTT);
    rcs.on_feedback(&told.newest(Some((0, ms(at) - RTT))).in_flight(1));
}

fn answer(rcs: &mut Rcs, at: u64, number: u64) {
    rcs.on_probe_ack(&ProbeAck::new(ms(at), number, RTT));
}

/// A loss at 100 packets per second leaves 50, and five dummies in the round trip after it, each of
/// which may give ten packets per second back: not the same one all the time.
#[test]
fn as_many_answers_count_as_dummies_left() {
    let mut rcs = rcs(START.initial(Some(100.0)));
    hear(&mut rcs, 100, &[]);
    hear(&mut rcs, 120, &[Lost::new(0, ms(50))]);
    is(&rcs, 50.0);
    assert_eq!(serve(&mut rcs, ms(220)), [140, 160, 180, 200, 220].map(ms));
    for _ in 0..20 {
        answer(&mut rcs, 230, 0);
    }
    is(&rcs, 100.0);
}

/// Six dummies of the initial state had no answer. They are not owed any more.
#[test]
fn unanswered_dummies_of_the_initial_state_are_forgotten() {
    let mut rcs = rcs(START.target(100.0));
    assert!(!rcs.poll_probe(ms(0)));
    assert_eq!(serve(&mut rcs, ms(109)).len(), 10);
    for number in 0..4 {
        answer(&mut rcs, 110, number);
    }
    serve(&mut rcs, ms(210));
    is(&rcs, 40.0);
    hear(&mut rcs, 220, &[Lost::new(0, ms(215))]);
    is(&rcs, 20.0);
    assert_eq!(serve(&mut rcs, ms(320)), [270, 320].map(ms));
    for _ in 0..20 {
        answer(&mut rcs, 330, 10);
    }
    is(&rcs, 40.0);
}

/// Until feedback says otherwise the rate limits the sender.
#[test]
fn an_answer_counts_before_any_feedback() {
    let mut rcs = rcs(START.target(100.0));
    rcs.poll_probe(ms(0));
    serve(&mut rcs, ms(109));
    for number in 0..10 {
        answer(&mut rcs, 110, number);
    }
    serve(&mut rcs, ms(210));
    is(&rcs, 100.0);
    rcs.on_sent(&Sent::new(ms(210), 0, 1000));
    // Two seconds of silence.
    assert_eq!(serve(&mut rcs, ms(2310)).len(), 5);
    is(&rcs, 50.0);
    answer(&mut rcs, 2320, 10);
    is(&rcs, 60.0);
}

#[test]
fn a_round_lasts_for_a_round_trip() {
    let mut rcs = rcs(START.initial(Some(100.0)));
    hear(&mut rcs, 100, &[]);
    rcs.on_tick(Time::from_nanos(199_999_999));
    is(&rcs, 100.0);
    rcs.on_tick(ms(200));
    is(&rcs, 110.0);
    // Nothing came in the next one.
    rcs.on_tick(ms(300));
    is(&rcs, 110.0);
}

/// Down to 0.3 packets per second, a target has its dummies, at its own rate.
#[test]
fn a_slow_target_has_a_single_dummy() {
    let dummies = |target| {
        let mut rcs = rcs(START.target(target));
        rcs.poll_probe(ms(0));
        let dummies = serve(&mut rcs, Time::from_secs_f64(10.0));
        dummies.into_iter().map(|at| (at.secs() * 1e3).round()).collect::<Vec<_>>()
    };
    // Two seconds hold 0.6 packets: one at 1/0.3 s. 1.2 packets are one, at the end of two seconds.
    assert_eq!(dummies(0.3), [3333.0]);
    assert_eq!(dummies(0.6), [2000.0]);
    assert_eq!(dummies(1.0), [1000.0, 2000.0]);
    // One in five seconds is later than the end of the state, which drops it.
    assert_eq!(dummies(0.2), [] as [f64; 0]);
}

#[test]
fn the_initial_state_has_65536_dummies_at_most() {
    let mut rcs = rcs(START.target(1e9));
    rcs.poll_probe(ms(0));
    assert_eq!(serve(&mut rcs, ms(3999)).len(), 65_536);
    serve(&mut rcs, ms(4000));
    is(&rcs, 1.0);
}

/// An answer that took no time at all took a microsecond.
#[test]
fn a_round_trip_has_a_least_length() {
    let mut first = rcs(START.target(1e9));
    first.poll_probe(ms(0));
    serve(&mut first, ms(1));
    first.on_probe_ack(&ProbeAck::new(ms(1), 0, Span::ZERO));
    assert_eq!(first.next_timeout(), Some(Time::from_nanos(1_001_000)));
    serve(&mut first, Time::from_nanos(1_001_000));
    is(&first, 1e6);
    // So does a round.
    let mut steady = rcs(START.initial(Some(100.0)));
    let rtt = Span::from_nanos(1);
    steady.on_feedback(&Feedback::new(ms(1)).delivered(1).rtt(Some(rtt)).srtt(rtt).in_flight(1));
    assert_eq!(steady.next_timeout(), Some(Time::from_nanos(1_001_000)));
}
