//! ARC step by step, with values worked out by hand.

use super::*;

const RTT: Span = Span::from_millis(200);
const START: RateStart = RateStart::DEFAULT.packet_bytes(1000).target(100.0).seed(1);

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

fn sent(now: Time, seq: u64) -> Sent {
    Sent { now, seq, bytes: 1000, app_limited: false }
}

#[track_caller]
fn is(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-9, "{found} instead of {expected}");
}

/// Feedback with an RTT of 200 ms about packet `newest` and losses, by (number, marked), each sent
/// at ten times its number in ms.
fn tell(arc: &mut Arc, now: Time, newest: u64, lost: &[(u64, bool)]) {
    let losses: Vec<Lost> = lost
        .iter()
        .map(|&(seq, link_failure)| Lost::new(seq, ms(10 * seq)).link_failure(link_failure))
        .collect();
    arc.on_feedback(&Feedback {
        now,
        delivered: 1,
        losses: &losses,
        newest: Some((newest, now - RTT)),
        rtt: Some(RTT),
        srtt: RTT,
        rtt_min: RTT,
        in_flight: 0,
        rate_limited: true,
        report: None,
    });
}

/// Serves everything due up to `end`, excluded; returns the times at which probes left.
fn serve(arc: &mut Arc, end: Time) -> Vec<Time> {
    let mut probes = Vec::new();
    while let Some(due) = arc.next_timeout().filter(|&due| due < end) {
        arc.on_tick(due);
        while arc.poll_probe(due) {
            probes.push(due);
        }
    }
    probes
}

/// A flow whose probe period got `acked` answers, at 400 ms.
fn after_probing(config: &Config, acked: u64) -> Arc {
    let mut arc = Arc::new(config, &START);
    arc.on_sent(&sent(Time::ZERO, 0));
    serve(&mut arc, ms(200));
    tell(&mut arc, ms(200), 0, &[]);
    for number in 0..acked {
        arc.on_probe_ack(&ProbeAck { now: ms(210 + number), number, rtt: RTT });
    }
    serve(&mut arc, ms(401));
    arc
}

#[test]
fn a_packet_and_then_probes_at_the_target_for_a_round_trip() {
    let mut arc = Arc::new(&Config::default(), &START);
    assert!(arc.sends_data() && !arc.poll_probe(Time::ZERO));
    arc.on_sent(&sent(Time::ZERO, 0));
    assert!(!arc.sends_data());
    let probes = serve(&mut arc, ms(200));
    // At 100 packets/s: from 10 ms to 190 ms.
    let expected: Vec<Time> = (1..20).map(|k| ms(10 * k)).collect();
    assert_eq!(probes, expected);
    tell(&mut arc, ms(200), 0, &[]);
    for number in 0..12 {
        arc.on_probe_ack(&ProbeAck { now: ms(210 + 10 * number), number, rtt: RTT });
    }
    assert_eq!(serve(&mut arc, ms(400)), []);
    assert!(!arc.sends_data());
    serve(&mut arc, ms(401));
    assert!(arc.sends_data());
    // ARC paper, eq. 22: 12 / 0.2 s.
    is(arc.rate(), 60.0);
    // A late answer has no effect.
    arc.on_probe_ack(&ProbeAck { now: ms(500), number: 12, rtt: RTT });
    is(arc.rate(), 60.0);
}

#[test]
fn where_no_probe_comes_through_there_is_a_packet_a_round_trip() {
    is(after_probing(&Config::default(), 0).rate(), 5.0);
}

#[test]
fn probes_tell_the_round_trip_where_the_data_packet_was_lost() {
    let mut arc = Arc::new(&Config::default(), &START);
    arc.on_sent(&sent(Time::ZERO, 0));
    serve(&mut arc, ms(211));
    for number in 0..20 {
        let now = ms(210 + 10 * number);
        serve(&mut arc, now);
        arc.on_probe_ack(&ProbeAck { now, number, rtt: RTT });
    }
    serve(&mut arc, ms(401));
    is(arc.rate(), 100.0);
}

#[test]
fn an_unanswered_probe_period_begins_anew_with_an_answer() {
    let mut arc = Arc::new(&Config::default(), &START);
    arc.on_sent(&sent(Time::ZERO, 0));
    let probes = serve(&mut arc, ms(2000));
    assert_eq!(probes.len(), 199);
    serve(&mut arc, ms(2001));
    assert!(arc.sends_data());
    arc.on_sent(&sent(ms(2001), 1));
    // The next data packet goes after twice the time, and no probe before it.
    assert_eq!(serve(&mut arc, ms(6000)), []);
    assert!(!arc.sends_data());
    serve(&mut arc, ms(6001));
    assert!(arc.sends_data());
    arc.on_sent(&sent(ms(6001), 2));
    tell(&mut arc, ms(6201), 2, &[]);
    let probes = serve(&mut arc, ms(6402));
    assert_eq!(probes.len(), 20);
    for number in 199..209 {
        arc.on_probe_ack(&ProbeAck { now: ms(6450), number, rtt: RTT });
    }
    serve(&mut arc, ms(6602));
    is(arc.rate(), 50.0);
}

#[test]
fn eq_21_follows_the_intervals_between_congestion_events() {
    // 50 packets/s, 10 a round trip: ((4 * 10 - 3)^2 - 25) / 24 = 56 packets to the seeded
    // interval.
    let mut arc = after_probing(&Config::default(), 10);
    is(arc.rate(), 50.0);
    tell(&mut arc, ms(1000), 83, &[(80, false)]);
    is(arc.congestion_loss().get(), 1.0 / 56.0);
    is(arc.rate(), 50.0);
    assert_eq!(arc.decreases(), 0);
    // Sent less than a round trip later, so of the same event, but one more lost packet.
    tell(&mut arc, ms(1200), 93, &[(90, false)]);
    is(arc.rate(), 50.0);
    // The second event, 24 packets after the first: 3 lost of 56 + 24.
    tell(&mut arc, ms(1240), 107, &[(104, false)]);
    is(arc.congestion_loss().get(), 3.0 / 80.0);
    // (3 + sqrt(25 + 24 * 80 / 3)) / (4 * 0.2) = (3 + sqrt(665)) / 0.8.
    is(arc.rate(), (3.0 + 665f64.sqrt()) / 0.8);
    assert_eq!(arc.decreases(), 1);
}

#[test]
fn counting_events_takes_the_losses_of_a_round_trip_as_one() {
    let mut arc = after_probing(&Config { count: Counting::Events, ..Config::default() }, 10);
    tell(&mut arc, ms(1000), 83, &[(80, false), (90, false)]);
    tell(&mut arc, ms(1240), 107, &[(104, false)]);
    is(arc.congestion_loss().get(), 2.0 / 80.0);
}

#[test]
fn what_the_mac_marked_slows_nothing_down() {
    let mut arc = after_probing(&Config::default(), 10);
    for n in 1..20 {
        tell(&mut arc, ms(400 + 400 * n), 40 * n, &[(40 * n - 5, true)]);
    }
    assert!(arc.rate() >= 50.0);
    assert_eq!(arc.decreases(), 0);
    // Without marks the same losses count.
    let mut arc = after_probing(&Config::default(), 10);
    for n in 1..20 {
        tell(&mut arc, ms(400 + 400 * n), 40 * n, &[(40 * n - 5, false)]);
    }
    // 40 packets to an interval: (3 + sqrt(25 + 960)) / 0.8.
    is(arc.rate(), (3.0 + 985f64.sqrt()) / 0.8);
}

#[test]
fn ten_quiet_round_trips_raise_a_rate_that_is_used() {
    let mut arc = after_probing(&Config::default(), 10);
    let begun = ms(400);
    tell(&mut arc, ms(1000), 100, &[]);
    assert_eq!(arc.next_timeout(), Some(ms(2400)));
    serve(&mut arc, begun + RTT * 10);
    is(arc.rate(), 50.0);
    serve(&mut arc, ms(2401));
    // 101 packets without a loss: (3 + sqrt(25 + 24 * 101)) / 0.8.
    is(arc.rate(), ((3.0 + 2449f64.sqrt()) / 0.8).min(100.0));
    // The target bounds it.
    tell(&mut arc, ms(2500), 10_000, &[]);
    serve(&mut arc, ms(6000));
    is(arc.rate(), 100.0);
}

#[test]
fn a_rate_that_is_not_used_does_not_grow() {
    let mut arc = after_probing(&Config::default(), 10);
    arc.on_feedback(&Feedback {
        now: ms(1000),
        delivered: 1,
        losses: &[],
        newest: Some((1000, ms(800))),
        rtt: Some(RTT),
        srtt: RTT,
        rtt_min: RTT,
        in_flight: 0,
        rate_limited: false,
        report: None,
    });
    serve(&mut arc, ms(2500));
    is(arc.rate(), 50.0);
}

#[test]
fn silence_halves_the_rate_and_an_answer_brings_it_back() {
    let mut arc = after_probing(&Config::default(), 10);
    tell(&mut arc, ms(1000), 10, &[]);
    arc.on_sent(&sent(ms(1000), 11));
    serve(&mut arc, ms(1801));
    is(arc.rate(), 25.0);
    serve(&mut arc, ms(3401));
    is(arc.rate(), 12.5);
    // Evaluations without feedback do not raise it.
    assert!(arc.next_timeout().is_some_and(|due| due < ms(6601)));
    serve(&mut arc, ms(6601));
    is(arc.rate(), 6.25);
    tell(&mut arc, ms(7000), 11, &[]);
    is(arc.rate(), 50.0);
}

#[test]
fn reports_may_be_far_apart() {
    let mut arc = after_probing(&Config::default(), 10);
    let report = crate::rate::Report::default();
    for n in 0..5 {
        arc.on_sent(&sent(ms(500 + 5000 * n), n));
        let now = ms(1000 + 5000 * n);
        arc.on_feedback(&Feedback {
            now,
            delivered: 200,
            losses: &[],
            newest: Some((200 * (n + 1), now)),
            rtt: Some(RTT),
            srtt: RTT,
            rtt_min: RTT,
            in_flight: 10,
            rate_limited: true,
            report: Some(&report),
        });
        serve(&mut arc, ms(6000 + 5000 * n));
        assert!(arc.rate() >= 50.0, "{}", arc.rate());
    }
    assert_eq!(arc.decreases(), 0);
    // Three intervals without a report are silence.
    serve(&mut arc, ms(36_001));
    assert_eq!(arc.decreases(), 1);
}

#[test]
fn a_handoff_of_its_own_changes_the_round_trip_at_once() {
    let mut arc = after_probing(&Config::default(), 10);
    tell(&mut arc, ms(1000), 83, &[(80, false)]);
    let handoff = |end, old, new| Handoff {
        now: ms(1100),
        end,
        old_delay: Span::from_millis(old),
        new_delay: Span::from_millis(new),
    };
    arc.on_handoff(&handoff(End::Peer, 10, 110));
    is(arc.rate(), 50.0);
    // 200 + 2 * 100 ms: half the rate.
    arc.on_handoff(&handoff(End::Own, 10, 110));
    is(arc.rate(), 25.0);
}

#[test]
fn a_claim_explains_losses_up_to_its_gain() {
    let claim = |share| LinkReport { loss: Probability::clamped(share), delay: Span::ZERO };
    let run = |share: f64, gain: f64| {
        let mut arc = after_probing(&Config { claim_gain: gain, ..Config::default() }, 10);
        for n in 1..200 {
            arc.on_peer_report(ms(400 + 400 * n), &claim(share));
            tell(&mut arc, ms(400 + 400 * n), 40 * n, &[(40 * n - 5, false)]);
        }
        arc.rate()
    };
    let without = (3.0 + 985f64.sqrt()) / 0.8;
    is(run(0.0, 4.0), without);
    // All losses are the link's; the rate is then limited by 100.
    is(run(0.025, 1000.0), 100.0);
    // A false claim gains this factor, and no more than a true one.
    is(run(1.0, 1.5), 1.5 * without);
    is(run(1.0, 1.0), without);
    assert!(run(0.0125, 1000.0) < 80.0);
}

#[test]
fn a_claim_that_is_taken_back_leaves_its_bound() {
    let claim = |share| LinkReport { loss: Probability::clamped(share), delay: Span::ZERO };
    let run = |claims: bool| {
        let mut arc = after_probing(&Config { claim_gain: 1.5, ..Config::default() }, 10);
        for n in 1..200 {
            let now = ms(400 + 400 * n);
            if claims {
                arc.on_peer_report(now, &claim(1.0));
            }
            tell(&mut arc, now, 40 * n, &[(40 * n - 5, false)]);
        }
        if claims {
            arc.on_peer_report(ms(400 + 400 * 200), &claim(0.0));
        }
        // The rate is evaluated without a claim, with losses that were attributed to the link.
        tell(&mut arc, ms(400 + 400 * 200), 40 * 200, &[(40 * 200 - 5, false)]);
        arc.rate()
    };
    is(run(true), 1.5 * run(false));
}

/// A marked packet met a queue, whatever the sender's own link reports of its losses.
#[test]
fn a_mark_is_congestion_whatever_links_report() {
    let told = |marked: bool| {
        let mut arc = after_probing(&Config::default(), 10);
        let report = LinkReport { loss: Probability::clamped(0.5), delay: Span::ZERO };
        arc.on_link_report(ms(400), &report);
        for n in 1..20 {
            let (now, seq) = (ms(400 + 400 * n), 40 * n - 5);
            let lost = [Lost::new(seq, ms(10 * seq)).marked(marked)];
            let news = Feedback::new(now).delivered(1).losses(&lost).rtt(Some(RTT)).srtt(RTT);
            arc.on_feedback(&news.newest(Some((40 * n, now - RTT))));
        }
        (arc.rate(), arc.decreases())
    };
    let (rate, decreases) = told(true);
    // 40 packets to an interval, as without a wireless link.
    is(rate, (3.0 + 985f64.sqrt()) / 0.8);
    assert!(decreases > 0 && told(false).0 >= 50.0);
}
