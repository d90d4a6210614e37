//! QUIC's recovery (RFC 9002).

use super::*;

fn quic(segments: u64, window: f64, lost: &[u64], late: &[(u64, u64)]) -> Outcome {
    carry(Recovery::Quic, segments, window, lost, late)
}

/// Times at which the transmissions of this segment were sent, in ms.
fn sent(outcome: &Outcome, seq: u64) -> Vec<f64> {
    outcome.sent.iter().filter(|sent| sent.1 == seq).map(|sent| sent.0.secs() * 1e3).collect()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 0.1
}

/// Segment 0 is lost; three later ones arrive at 50 ms, and their ACKs at 100 ms. A lost
/// retransmission is found at 200 ms by the ACKs of what was sent after it, and is an event of its
/// own. By then ACKs have let new packets go, and the window, halved once more, has room again at
/// 300 ms.
#[test]
fn three_later_packets_reveal_a_loss_and_the_loss_of_its_repair() {
    let once = quic(60, 20.0, &[0], &[]);
    assert_eq!((sent(&once, 0), once.ready(0)), (vec![0.0, 100.0], 150.0));
    assert_eq!((once.counts.recoveries, once.counts.timeouts), (1, 0));
    let twice = quic(60, 20.0, &[0, once.retransmission(0)], &[]);
    assert_eq!((sent(&twice, 0), twice.ready(0)), (vec![0.0, 100.0, 300.0], 350.0));
    assert_eq!((twice.counts.recoveries, twice.counts.timeouts), (2, 0));
    assert!(twice.window < 0.75 * once.window, "{} {}", once.window, twice.window);
}

/// Two losses of one flight are one event.
#[test]
fn a_recovery_period_has_one_reduction() {
    let (one, two) = (quic(60, 20.0, &[5], &[]), quic(60, 20.0, &[5, 9, 17], &[]));
    assert_eq!((one.counts.recoveries, two.counts.recoveries), (1, 1));
    assert_eq!(two.counts.retransmissions, 3);
}

/// Segment 0 and its retransmission are lost: events at 100 and 200 ms. What is sent at 300 ms is
/// no part of the second, so its loss is the third.
#[test]
fn the_loss_of_a_packet_sent_later_is_an_event_of_its_own() {
    let first = quic(200, 20.0, &[0], &[]);
    let lost = [0, first.retransmission(0)];
    let two = quic(200, 20.0, &lost, &[]);
    let fourth = two.sent.iter().position(|sent| sent.0 >= Time::from_millis(300));
    let later = fourth.expect("packets of the fourth flight") as u64 + 1;
    let three = quic(200, 20.0, &[lost[0], lost[1], later], &[]);
    assert_eq!((two.counts.recoveries, three.counts.recoveries), (2, 3));
}

/// Nine samples of 100 ms: SRTT 100 ms, RTTVAR 50 ms * 0.75^8 = 5.0 ms. The PTO is 120 ms after the
/// last packet was sent. The ACK of the probe shows that the packet before it was lost, which
/// halves the window.
#[test]
fn a_lost_tail_is_found_by_a_probe() {
    let tail = quic(10, 10.0, &[9], &[]);
    let at = sent(&tail, 9);
    assert!(at.len() == 2 && close(at[1], 120.0), "{at:?}");
    assert_eq!((tail.counts.timeouts, tail.counts.recoveries), (0, 1));
    let clean = quic(10, 10.0, &[], &[]);
    assert!(tail.window < 0.6 * clean.window, "{} {}", clean.window, tail.window);
    // The second PTO runs from the first, twice as long. Its two probes have one segment to send,
    // which goes once.
    let twice = quic(10, 10.0, &[9, 10], &[]);
    let at = sent(&twice, 9);
    assert!(at.len() == 3 && close(at[2], 120.0 + 240.1), "{at:?}");
}

/// Only two packets overtake segment 7, so that only the time threshold finds it: 9/8 of 100 ms.
#[test]
fn a_packet_that_few_overtake_is_lost_by_time() {
    let late = quic(10, 10.0, &[], &[(7, 10)]);
    assert_eq!((late.counts.retransmissions, late.counts.recoveries), (0, 0));
    let late = quic(10, 10.0, &[], &[(7, 20)]);
    assert_eq!((late.counts.retransmissions, late.counts.recoveries), (1, 1));
    assert!(close(sent(&late, 7)[1], 112.5), "{:?}", sent(&late, 7));
}

/// Everything sent at 100 ms is lost, and the probes at about 215, 445 and 900 ms too: losses in a
/// row over 0.8 s, where three PTOs are 0.35 s. Up to the first probe they are a congestion event
/// and no more.
#[test]
fn losses_over_three_probe_timeouts_are_persistent_congestion() {
    let lost: Vec<u64> = (10..36).collect();
    let long = quic(100, 10.0, &lost, &[]);
    assert_eq!((long.counts.timeouts, long.counts.recoveries), (1, 1));
    let short = quic(100, 10.0, &lost[..22], &[]);
    assert_eq!((short.counts.timeouts, short.counts.recoveries), (0, 1));
    // From one packet it takes longer to send the rest.
    assert!(long.window < short.window, "{} {}", long.window, short.window);
}

/// Without an RTT sample nothing is known about how long is long (sec. 7.6.2): the first flight and
/// three pairs of probes.
#[test]
fn losses_before_the_first_sample_are_not_persistent_congestion() {
    let lost: Vec<u64> = (0..16).collect();
    let first = quic(100, 10.0, &lost, &[]);
    assert_eq!(first.counts.timeouts, 0);
    assert!(close(first.sent[10].0.secs() * 1e3, 999.0), "{:?}", first.sent[10]);
}
