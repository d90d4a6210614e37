//! Looks for the end of the queue: drains and dips.

use super::super::rounds::Round;
use super::super::sample::Sample;
use super::super::state::Dip;
use super::super::{Base, Falls, Residual};
use super::{alone, falls, is, ms, same};
use crate::path::LinkReport;
use crate::time::{Span, Time};
use crate::window::{Ack, WindowController};

#[test]
fn a_drain_keeps_half_of_what_the_path_holds() {
    let mut sender = alone();
    sender.begin_drain(ms(500), 0.05);
    let drain = sender.drain.expect("begun");
    is(drain.window, 50.0);
    same(drain.sample, Sample::new(25));
    // 400 packets, of which every sixth is kept.
    (sender.rates, sender.cwnd) = ([8000.0; 4], 900.0);
    sender.begin_drain(ms(500), 0.05);
    same(sender.drain.expect("begun").sample, Sample::new(200));
    // Without a round-trip time it goes by a tenth of a second.
    let mut unknown = alone();
    unknown.base = Base::new();
    unknown.begin_drain(ms(500), 0.05);
    is(unknown.drain.expect("begun").window, 50.0);
    // Two packets, whatever the window.
    (sender.rates, sender.cwnd) = ([1.0; 4], 1.0);
    sender.begin_drain(ms(500), 0.0);
    is(sender.drain.expect("begun").window, 2.0);
    let mut beside = alone();
    beside.enter_beside(ms(0), true);
    beside.cwnd = 90.0;
    beside.begin_drain(ms(500), 0.05);
    is(beside.drain.expect("begun").window, 0.95 * 90.0 * 0.1 / 0.15);
}

/// Eight times 200 ms and a second.
#[test]
fn a_drain_that_shows_nothing_is_given_up() {
    let mut sender = alone();
    sender.begin_drain(Time::ZERO, 0.1);
    let mut ends = |at| {
        sender.on_ack_draining(ms(at), 0, 0.2, 99);
        sender.drain.is_none()
    };
    assert!(!ends(2600) && ends(2601));
    // The path is what it was.
    let mut old = alone();
    old.begin_drain(ms(8000), 0.1);
    old.on_ack_draining(ms(10_601), 0, 0.2, 99);
    assert!(old.drain.is_none());
    is(old.base.secs().expect("measured"), 0.1);
    let mut unknown = alone();
    unknown.base = Base::new();
    unknown.begin_drain(Time::ZERO, 0.1);
    unknown.on_ack_draining(ms(2600), 0, 0.2, 99);
    assert!(unknown.drain.is_some());
    unknown.on_ack_draining(ms(2601), 0, 0.2, 99);
    assert!(unknown.drain.is_none());
}

/// Its packets come a round trip after the volume in flight has fallen, and are looked at for half
/// as long again.
#[test]
fn a_drain_measures_the_path_anew_each_ten_seconds() {
    for (at, base) in [(9900, 0.1), (10_000, 0.104)] {
        let mut sender = alone();
        sender.rounds.on_sent(9, Time::ZERO);
        sender.begin_drain(ms(at - 151), 0.1);
        sender.on_ack_draining(ms(at - 151), 9, 0.3, 50);
        sender.on_ack_draining(ms(at - 100), 9, 0.001, 50);
        sender.on_ack_draining(ms(at - 2), 10, 0.104, 50);
        assert!(sender.drain.is_some());
        sender.on_ack_draining(ms(at), 11, 0.104, 50);
        assert!(sender.drain.is_none() && sender.beside.is_none());
        is(sender.base.secs().expect("measured"), base);
        assert_eq!(sender.alone.wait, 2);
    }
}

/// Beside others a drain that leaves no more than a fiftieth of the path shows that none is there.
#[test]
fn a_drain_beside_others_tells_if_any_are_there() {
    for (rtt, gone) in [(0.1019, true), (0.1021, false)] {
        let mut sender = alone();
        sender.enter_beside(Time::ZERO, true);
        let check = sender.check;
        sender.begin_drain(ms(1000), 0.05);
        for now in [1000, 1151] {
            sender.on_ack_draining(ms(now), 9, rtt, 2);
        }
        assert!(sender.drain.is_none());
        assert_eq!(sender.beside.is_none(), gone, "{rtt}");
        if gone {
            is(sender.cwnd, 100.0 + 0.2 * 1000f64.sqrt());
            is(sender.calm_window, sender.cwnd);
            is(sender.calm_rate, 1000.0);
            assert_eq!(sender.emptied_at, ms(1151));
        } else {
            is(sender.check, 2.0 * check);
        }
    }
}

/// Behind a queue of more than half the path the window comes back by a climb.
#[test]
fn a_drain_that_leaves_a_deep_queue_begins_a_climb() {
    for (rtt, climbs) in [(0.15, false), (0.151, true)] {
        let mut sender = alone();
        sender.enter_beside(Time::ZERO, true);
        sender.begin_drain(ms(1000), 0.05);
        for now in [1000, 1151] {
            sender.on_ack_draining(ms(now), 9, rtt, 2);
        }
        assert_eq!(sender.beside.expect("still").climb.is_some(), climbs, "{rtt}");
    }
    // A drain that was given up says nothing of a queue.
    let mut sender = alone();
    sender.enter_beside(Time::ZERO, true);
    sender.begin_drain(Time::ZERO, 0.1);
    sender.on_ack_draining(ms(2601), 0, 0.2, 99);
    assert!(sender.beside.expect("still").climb.is_none());
}

/// A link that has lost a hundredth, and a dip for its losses.
fn looking(before: f64) -> (Residual, Dip) {
    let mut sender = alone();
    (0..2).for_each(|_| sender.links.on_short_queue(1.0, 99.0, 100.0));
    sender.cwnd = 0.75 * before;
    (sender, Dip { window: before, queue: 0.0, back: before, losses: true })
}

#[test]
fn losses_that_go_in_dips_are_a_queues() {
    let (mut sender, dip) = looking(100.0);
    let clean = Round { delivered: 200.0, secs: 0.1, ..Round::NONE };
    sender.alone.dip = Some(dip);
    assert!(sender.on_round_dips(ms(100), &clean, 0.0, 2.0));
    is(sender.cwnd, 100.0);
    assert!(sender.beside.is_none() && sender.alone.dip.is_none() && sender.alone.wait == 1);
    assert!(sender.links.inferred().is_some());
    let many = Round { delivered: 800.0, ..clean };
    sender.alone.dip = Some(dip);
    assert!(sender.on_round_dips(ms(200), &many, 0.0, 2.0));
    assert!(sender.beside.is_some() && sender.links.inferred().is_none() && sender.hidden.held);
    // With nothing inferred none are expected, so that none are missed.
    let (mut sender, dip) = looking(100.0);
    sender.links.retract();
    sender.alone.dip = Some(dip);
    sender.on_round_dips(ms(200), &many, 0.0, 2.0);
    assert!(sender.beside.is_none() && !sender.hidden.held);
}

/// From half of its patience of two seconds on, unless the queue is as good as empty.
#[test]
fn a_dip_looks_for_the_end_of_a_queue() {
    let near = alone().near(1000.0);
    for (at, queue, dips) in
        [(1500, near, false), (1500, near + 1e-6, true), (1000, 0.05, false), (1001, 0.05, true)]
    {
        let mut sender = alone();
        let round = Round { secs: 0.1, delivered: 100.0, low: 0.1 + queue, ..Round::NONE };
        assert_eq!(sender.on_round_dips(ms(at), &round, queue, 2.0), dips, "{at} ms, {queue} s");
        assert_eq!(sender.alone.dip.is_some(), dips);
    }
    let mut sender = alone();
    let round = Round { secs: 0.1, delivered: 100.0, low: 0.15, ..Round::NONE };
    sender.on_round_dips(ms(1001), &round, 0.05, 8.0);
    // Two thirds of the window are on the path; 8 / 4 packets less than that, and back with 8.
    is(sender.cwnd, 100.0 / 1.5 - 2.0);
    is(sender.alone.dip.expect("begun").back, 100.0 / 1.5 + 8.0);
}

/// Losses are looked at by a dip where jitter hides any queue and nobody tells of the link.
#[test]
fn a_dip_looks_at_losses_that_jitter_hides() {
    let look = |change: fn(&mut Residual)| {
        let (mut sender, _) = looking(100.0);
        (sender.falls, sender.rates) = (falls(0.01), [4000.0; 4]);
        (sender.links.unseen, sender.emptied_at) = (true, ms(2000));
        change(&mut sender);
        let round = Round { secs: 0.1, delivered: 100.0, low: 0.1, ..Round::NONE };
        let dips = sender.on_round_dips(ms(2000), &round, 0.0, 2.0);
        (dips, sender.alone.dip.is_some_and(|dip| dip.losses))
    };
    assert_eq!(look(|_| {}), (true, true));
    assert_eq!(look(|sender| sender.links.unseen = false), (false, false));
    assert_eq!(look(|sender| sender.falls = Falls::new()), (false, false));
    assert_eq!(look(|sender| sender.links.on_marks()), (false, false));
    assert_eq!(look(|sender| sender.links.retract()), (false, false));
}

/// 34 packets less at 4000 a second should have shortened a queue by 8.5 ms. Jitter of 10 ms
/// explains a rise of 50 ms that is still there.
#[test]
fn a_rise_that_a_dip_does_not_change_is_jitters() {
    let was = |window, before, after| {
        let mut sender = alone();
        (sender.falls, sender.rates, sender.cwnd) = (falls(0.01), [4000.0; 4], 66.0);
        let round = Round { secs: 0.1, delivered: 100.0, low: 0.1 + after, ..Round::NONE };
        sender.alone.dip = Some(Dip { window, queue: before, back: 60.0, losses: false });
        assert!(sender.on_round_dips(ms(100), &round, after, 2.0));
        let base = sender.base.secs().expect("measured");
        assert_eq!(base > 0.1, sender.cwnd > 60.0, "the path is longer, and the window back");
        base > 0.1
    };
    assert!(was(100.0, 0.02, 0.0158) && !was(100.0, 0.02, 0.0157));
    assert!(was(100.0, 0.05, 0.05) && !was(100.0, 0.0502, 0.0501));
    // Nothing was taken: nothing shows.
    assert!(!was(66.0, 0.02, 0.0199) && !was(60.0, 0.02, 0.0199));
}

/// It takes up its share as any sender does that starts here, by what arrives.
#[test]
fn an_ack_of_nothing_does_not_move_a_window_beside_others() {
    let mut sender = alone();
    sender.reach.on_rate(3000.0);
    sender.enter_beside(Time::ZERO, false);
    let curve = |sender: &Residual| format!("{:?}", sender.beside.as_ref().map(|b| b.curve));
    let before = curve(&sender);
    let ack = Ack::new(ms(500)).newest(Some((3, ms(300)))).rtt(Some(Span::from_millis(200)));
    sender.on_ack(&ack.delivered(0));
    assert_eq!(curve(&sender), before);
    sender.on_ack(&ack.delivered(2).window_limited(false));
    assert_eq!(curve(&sender), before);
    // Nor does one where less than half of the window is in flight.
    sender.on_ack(&ack.delivered(2).in_flight(47));
    assert_eq!(curve(&sender), before);
    sender.on_ack(&ack.delivered(2).in_flight(48));
    assert_ne!(curve(&sender), before);
}

/// Three seconds, half as much again as its patience, without the end of the queue.
/// A link that owns up to the 20 ms that a round trip is longer than the least one.
#[test]
fn a_delay_that_the_own_link_explains_is_no_queue_to_look_for() {
    for (ms, none) in [(25, true), (5, false)] {
        let mut sender = alone();
        sender.links.on_own(&LinkReport { delay: Span::from_millis(5), ..LinkReport::NONE });
        sender.links.on_own(&LinkReport { delay: Span::from_millis(ms), ..LinkReport::NONE });
        let round = Round { secs: 0.12, delivered: 100.0, low: 0.12, ..Round::NONE };
        sender.on_round(super::ms(3000), &round);
        assert_eq!(sender.emptied_at == super::ms(3000), none, "{ms} ms");
    }
}

#[test]
fn a_queue_that_no_dip_empties_is_others() {
    let after = |at, queue, limited| {
        let mut sender = alone();
        let dip = Dip { window: 100.0, queue: 0.05, back: 90.0, losses: false };
        sender.alone.dip = Some(dip);
        let round = Round { secs: 0.1, delivered: 100.0, low: 0.1 + queue, limited, ..Round::NONE };
        assert!(sender.on_round_dips(ms(at), &round, queue, 2.0));
        sender
    };
    let others = after(3001, 0.003, true);
    assert!(others.beside.is_some());
    for still in [after(3000, 0.003, true), after(3001, 0.002, true), after(3001, 0.003, false)] {
        assert!(still.beside.is_none() && still.alone.wait == 1);
        is(still.cwnd, 90.0);
    }
    // Without a round-trip time its patience is that of a tenth of a second: 15 times.
    let mut unknown = alone();
    unknown.base = Base::new();
    unknown.config.drain_every = 0.1;
    let dip = Dip { window: 100.0, queue: 0.05, back: 90.0, losses: false };
    unknown.alone.dip = Some(dip);
    unknown.on_round_dips(ms(2251), &Round { secs: 0.1, ..Round::NONE }, 0.003, 2.0);
    assert!(unknown.beside.is_some());
}
