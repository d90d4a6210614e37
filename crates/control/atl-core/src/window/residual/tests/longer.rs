//! Paths that have become longer, and others' queues that look alike.

use super::super::Residual;
use super::super::rounds::Round;
use super::{alone, is, ms};

/// Alone, and a round each tenth of a second has had these queues, in seconds.
fn after(queues: &[f64]) -> Residual {
    let mut sender = alone();
    sender.in_flight = 99.0;
    for (i, queue) in queues.iter().enumerate() {
        let low = 0.1 + queue;
        let delivered = sender.cwnd * 0.1 / low;
        let round = Round { secs: 0.1, delivered, low, ..Round::NONE };
        sender.low = low;
        sender.on_round_alone(ms(100 * i as u64), &round, *queue, false);
    }
    sender
}

#[test]
fn a_delay_that_two_reductions_do_not_change_is_left_to_the_mode_beside_others() {
    // Each reduction rests for a round.
    let persistent = after(&[0.08; 5]);
    let beside = persistent.beside.as_ref().expect("beside others");
    assert!(beside.climb.is_some(), "nothing told of others' losses");
    is(beside.floor.expect("no reduction has changed it"), 0.18);
    for own in [&[0.08; 4][..], &[0.2, 0.2, 0.1, 0.1, 0.1], &[0.08, 0.08, 0.049, 0.08, 0.08, 0.08]]
    {
        assert!(after(own).beside.is_none(), "{own:?}");
    }
    // One that others brought has no floor to go by.
    let mut sender = alone();
    sender.enter_beside(ms(0), true);
    assert!(sender.beside.is_some_and(|beside| beside.floor.is_none()));
}

/// Beside others, whose queue tests for being alone leave at these round-trip times.
fn tested(rtts: &[f64]) -> Residual {
    let mut sender = alone();
    sender.enter_beside(ms(0), true);
    for (i, rtt) in rtts.iter().enumerate() {
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
