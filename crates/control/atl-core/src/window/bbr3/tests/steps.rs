//! Single steps of the machine, from states that a path seldom leads to.

use super::super::memory::Undo;
use super::super::state::{AckPhase, State};
use super::super::{Acked, Bbr3, Config};
use crate::measure::{RateSample, SentState};
use crate::time::{Span, Time};
use crate::window::{Ack, Sent, Start, WindowController};

/// In the cycle of probes, with a window of 100 packets.
fn cycling(state: State) -> Bbr3 {
    let mut bbr = Bbr3::new(&Config::default(), &Start::default().packet_bytes(1000));
    (bbr.full_pipe.reached, bbr.state, bbr.cwnd) = (true, state, 100.0);
    (bbr.model.rate, bbr.least_rtt.secs) = (1000.0, 0.05);
    bbr.model.max.update(1000.0);
    bbr
}

/// A packet arrived that left with `at_sending` in flight; `in_flight` are left.
fn acked(at_sending: u32, in_flight: f64) -> Acked {
    let sent = SentState {
        sent_at: Time::ZERO,
        first_sent_at: Time::ZERO,
        delivered_at: Time::ZERO,
        delivered: 0,
        lost: 0,
        in_flight: at_sending,
        app_limited: false,
    };
    let interval = Span::from_millis(50);
    Acked {
        now: Time::from_millis(100),
        sample: RateSample { rate: 1000.0, interval, delivered: 1, lost: 0, sent },
        packets: 1.0,
        in_flight,
        rtt: Some(0.05),
        cwnd_limited: false,
    }
}

#[track_caller]
fn is(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9 * expected.max(1.0), "{found} instead of {expected}");
}

/// A packet more in the first round, two in the next: 2^12 packets are acknowledged for each, then
/// half of them, down to one.
#[test]
fn the_slope_doubles_in_each_round_up_to_the_thirtieth() {
    let mut bbr = cycling(State::Up);
    bbr.cwnd = 4096.0;
    for round in 0..70 {
        bbr.raise_slope();
        let expected = if round < 12 { f64::from(4096 >> round) } else { 1.0 };
        is(bbr.cycle.acked_per_packet, expected);
        assert_eq!(bbr.cycle.up_rounds, (round + 1).min(30));
    }
}

#[test]
fn after_losses_a_probe_stops_where_they_came() {
    for (in_flight, goes_down) in [(49.0, false), (50.0, true)] {
        let mut bbr = cycling(State::Up);
        (bbr.cycle.too_high, bbr.model.long_volume) = (true, 50.0);
        bbr.update_cycle(&acked(40, in_flight));
        assert_eq!(bbr.state == State::Down, goes_down, "{in_flight} in flight");
        assert_eq!(bbr.cycle.precautionary, goes_down);
        assert_eq!(bbr.cycle.too_high, !goes_down);
    }
}

/// A probe that stopped as a precaution and lost nothing goes on.
#[test]
fn a_precaution_in_vain_is_followed_by_the_next_probe() {
    let after = |state, precautionary, too_high, round_start| {
        let mut bbr = cycling(state);
        bbr.cycle.phase = AckPhase::ProbeStopping;
        bbr.cycle.wait = 60.0;
        (bbr.cycle.precautionary, bbr.cycle.too_high) = (precautionary, too_high);
        bbr.model.round_start = round_start;
        bbr.model.long_volume = 10.0;
        bbr.update_cycle(&acked(10, 99.0));
        bbr
    };
    for state in [State::Down, State::Cruise] {
        let again = after(state, true, false, true);
        assert_eq!((again.state, again.cycle.precautionary), (State::Refill, false));
        assert_eq!(after(state, true, true, true).state, state);
        assert_eq!(after(state, false, false, true).state, state);
        assert_eq!(after(state, true, false, false).state, state);
    }
    assert_eq!(after(State::ProbeRtt, true, false, true).state, State::ProbeRtt);
}

/// It counts if the window is the limit, not the path: a packet more each `acked_per_packet`.
#[test]
fn the_long_term_bound_grows_by_whole_packets_while_the_window_is_there() {
    let mut bbr = cycling(State::Up);
    (bbr.model.long_volume, bbr.cycle.acked_per_packet, bbr.cycle.up_rounds) = (100.0, 4.0, 3);
    let mut step = |packets: f64, limited: bool, round_start: bool| {
        bbr.model.round_start = round_start;
        bbr.update_cycle(&Acked { packets, cwnd_limited: limited, ..acked(10, 90.0) });
        (bbr.model.long_volume, bbr.cycle.up_acked, bbr.cycle.up_rounds)
    };
    assert_eq!(step(3.0, true, false), (100.0, 3.0, 3));
    assert_eq!(step(3.0, false, false), (100.0, 3.0, 3), "not the limit");
    assert_eq!(step(1.0, true, false), (101.0, 0.0, 3));
    assert_eq!(step(9.0, true, false), (101.0, 0.0, 3), "the window is below the bound");
    bbr.cwnd = 101.0;
    let mut step = |packets: f64, round_start: bool| {
        bbr.model.round_start = round_start;
        bbr.update_cycle(&Acked { packets, cwnd_limited: true, ..acked(10, 90.0) });
        (bbr.model.long_volume, bbr.cycle.up_acked, bbr.cycle.up_rounds)
    };
    assert_eq!(step(9.0, false), (103.0, 1.0, 3));
    bbr.cwnd = 103.0;
    bbr.model.round_start = true;
    bbr.update_cycle(&Acked { packets: 1.0, cwnd_limited: true, ..acked(10, 90.0) });
    assert_eq!((bbr.model.long_volume, bbr.cycle.up_rounds), (103.0, 4));
    is(bbr.cycle.acked_per_packet, 103.0 / 8.0);
}

#[test]
fn losses_are_taken_back_once() {
    let mut bbr = cycling(State::Down);
    bbr.undo = Undo {
        state: Some(State::Up),
        short_rate: 900.0,
        short_volume: 80.0,
        long_volume: f64::INFINITY,
    };
    (bbr.model.long_volume, bbr.in_recovery, bbr.prior) = (30.0, true, 120.0);
    assert!(bbr.on_spurious(Time::ZERO));
    assert_eq!((bbr.state, bbr.in_recovery), (State::Refill, false));
    assert!(bbr.model.long_volume.is_infinite());
    is(bbr.window(), 120.0);
    bbr.state = State::Cruise;
    assert!(bbr.on_spurious(Time::ZERO));
    assert_eq!(bbr.state, State::Cruise);
    for state in [State::Up, State::ProbeRtt] {
        let mut bbr = cycling(state);
        bbr.undo.state = Some(State::Up);
        bbr.on_spurious(Time::ZERO);
        assert_eq!(bbr.state, state);
    }
    let mut looking = cycling(State::ProbeRtt);
    looking.undo.state = Some(State::Startup);
    looking.on_spurious(Time::ZERO);
    assert_eq!((looking.state, looking.full_pipe.reached), (State::ProbeRtt, false));
}

#[test]
fn starts_have_a_packet_at_least() {
    let window = |initial| {
        let start = Start::default().initial_window(initial);
        Bbr3::new(&Config::default(), &start).window()
    };
    is(window(1.0), 1.0);
    is(window(0.25), 1.0);
    is(window(f64::NAN), 1.0);
    is(window(1e9), 1e7);
    let empty = Bbr3::new(&Config::default(), &Start::default().packet_bytes(0));
    is(empty.packet_bytes, 1.0);
}

/// Two packets of 40 000 bytes are more than 65 536 bytes.
#[test]
fn a_quantum_has_two_packets_at_least() {
    for bytes in [40_000, 1_000_000] {
        let mut bbr = cycling(State::Cruise);
        (bbr.packet_bytes, bbr.pacing_rate) = (f64::from(bytes), 1e9);
        is(bbr.inflight(0.0, 1.0), 4.0);
    }
    let mut bbr = cycling(State::Cruise);
    bbr.pacing_rate = 1e9;
    is(bbr.inflight(0.0, 1.0), 65.536);
    bbr.state = State::Up;
    is(bbr.inflight(0.0, 1.0), 67.536);
}

/// After a timeout an ACK that lets nothing grow leaves the one packet; any other gives four.
#[test]
fn a_window_of_a_packet_stays_until_it_may_grow() {
    let mut bbr = cycling(State::Cruise);
    bbr.cwnd = 1.0;
    bbr.set_cwnd(0.0);
    is(bbr.cwnd, 1.0);
    bbr.set_cwnd(1.0);
    is(bbr.cwnd, 4.0);
}

#[test]
fn rates_have_bounds_and_volumes_wait_for_a_round_trip() {
    is(Bbr3::first_rate(1.0, 0.5), 2.0 * 2.77);
    is(Bbr3::first_rate(1.0, 1e7), 1e-3);
    is(Bbr3::first_rate(10.0, 1e-12), 1e9);
    let mut bbr = cycling(State::Cruise);
    is(bbr.bdp(2.0), 100.0);
    bbr.least_rtt.secs = f64::INFINITY;
    is(bbr.bdp(2.0), 10.0);
}

/// Ten packets and one of them in flight: a tenth would have had room.
#[test]
fn an_application_with_room_for_a_packet_is_the_limit() {
    for (in_flight, limited) in [(9, true), (10, false)] {
        let mut bbr = Bbr3::new(&Config::default(), &Start::default().initial_window(10.0));
        let sent = |tx| Sent::new(Time::ZERO, tx, 1500, in_flight);
        bbr.on_sent(&sent(0).app_limited(true));
        bbr.on_ack(&Ack::new(Time::from_millis(50)).in_flight(in_flight));
        assert_eq!(bbr.delivery.is_app_limited(), limited, "{in_flight} in flight");
    }
}
