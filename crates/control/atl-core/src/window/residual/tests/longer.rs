//! Paths that have become longer, and others' queues that look alike.

use super::super::Residual;
use super::super::rounds::Round;
use super::{alone, is, ms};

/// Alone, with half of the window in flight after each of these rounds, in seconds of a queue.
fn after(queues: &[f64], limited: bool) -> Residual {
    let mut sender = alone();
    let mut packets = 100.0;
    for (i, queue) in queues.iter().enumerate() {
        let low = 0.1 + queue;
        let round = Round { secs: low, delivered: packets, low, limited, ..Round::NONE };
        sender.alone.wait = 0;
        sender.on_round_alone(ms(100 * i as u64), &round, *queue, false);
        packets *= 0.5;
    }
    sender
}

#[test]
fn a_delay_that_half_of_the_packets_do_not_change_begins_the_path_anew() {
    let longer = after(&[0.03; 3], true);
    assert!(longer.search.is_some() && longer.base.secs().is_none());
    for same in [after(&[0.03; 2], true), after(&[0.03; 3], false), after(&[0.03, 0.0, 0.03], true)]
    {
        assert!(same.search.is_none());
        is(same.base.secs().expect("measured"), 0.1);
    }
}

/// Beside others, whose queue tests for being alone leave at these round-trip times.
fn tested(rtts: &[f64]) -> Residual {
    tested_at(1000.0, rtts, f64::INFINITY)
}

/// The same at a rate in packets per second, and with rounds between the tests that have this least
/// round-trip time.
fn tested_at(rate: f64, rtts: &[f64], between: f64) -> Residual {
    let mut sender = alone();
    sender.rates = [rate; 4];
    sender.enter_beside(ms(0), true);
    for (i, rtt) in rtts.iter().enumerate() {
        let round = Round { low: between, ..Round::NONE };
        sender.on_round_beside(ms(10), &round, 0.0, false);
        let start = 5000 * (1 + i as u64);
        sender.begin_drain(ms(start), 0.1);
        for now in [start, start + 151] {
            sender.on_ack_draining(ms(now), 9, *rtt, 2);
        }
        assert!(sender.drain.is_none());
    }
    sender
}

#[test]
fn what_two_tests_leave_alike_is_the_path() {
    for (second, alike) in [(0.1819, true), (0.1781, true), (0.1821, false), (0.1779, false)] {
        let sender = tested(&[0.18, second]);
        assert_eq!(sender.beside.is_none(), alike, "{second}");
        is(sender.base.secs().expect("measured"), if alike { second } else { 0.1 });
        if alike {
            is(sender.cwnd, 1000.0 * second + 0.2 * 1000f64.sqrt());
            assert_eq!(sender.left_beside, Some((ms(10_151), sender.cwnd)));
        }
    }
    assert!(tested(&[0.18]).beside.is_some());
    // A quarter of the path is the least; the last test counts, not an earlier one.
    assert!(tested(&[0.1249, 0.1249]).beside.is_some());
    assert!(tested(&[0.1251, 0.1251]).beside.is_none());
    assert!(tested(&[0.18, 0.2, 0.18]).beside.is_some());
}

/// Packets that come 20 ms apart cannot tell a queue of 80 ms from one of 60 ms.
#[test]
fn few_packets_cannot_tell_a_longer_path_from_a_full_queue() {
    for (rate, alike) in [(51.0, true), (49.0, false)] {
        assert_eq!(tested_at(rate, &[0.18; 2], 0.2).beside.is_none(), alike, "{rate}");
    }
}

#[test]
fn a_path_that_was_shorter_between_two_tests_has_not_become_longer() {
    for (between, alike) in [(0.1781, true), (0.1779, false)] {
        assert_eq!(tested_at(1000.0, &[0.18; 2], between).beside.is_none(), alike, "{between}");
    }
}
