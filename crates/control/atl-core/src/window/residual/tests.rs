//! Single steps by hand, from states that a path seldom leads to. In each a path of 100 ms carries
//! 1000 packets per second, unless it says otherwise.

use super::rounds::Round;
use super::state::Dip;
use super::{Alone, Base, Config, Falls, Hidden, Jitter, Judge, Reach, Residual, Search};
use crate::path::{End, Handoff, LinkReport};
use crate::time::{Span, Time};
use crate::units::Probability;
use crate::window::{Ack, Start, WindowController};

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

/// Alone, with a window of 100 packets.
fn alone() -> Residual {
    let mut sender = new();
    sender.base.replace(Time::ZERO, 0.1);
    (sender.search, sender.rates, sender.cwnd) = (None, [1000.0; 4], 100.0);
    sender.alone = Alone { wait: 0, ..Alone::new(0) };
    sender
}

/// Before it has measured anything.
fn new() -> Residual {
    Residual::new(&Config::default(), &Start::default())
}

#[track_caller]
fn is(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9 * expected.max(1.0), "{found}, not {expected}");
}

#[track_caller]
fn same(found: impl std::fmt::Debug, expected: impl std::fmt::Debug) {
    assert_eq!(format!("{found:?}"), format!("{expected:?}"));
}

/// Falls of `secs` in each round.
fn falls(secs: f64) -> Falls {
    let mut falls = Falls::new();
    (0..2).for_each(|_| falls.on_round(secs));
    falls
}

/// Steps of 8 ms.
fn jitter() -> Jitter {
    let mut jitter = Jitter::new();
    (0..200).for_each(|i| jitter.on_low(if i % 2 == 0 { 0.05 } else { 0.058 }, 0.0));
    jitter
}

#[test]
fn jitter_counts_up_to_twice_the_least_round_trip_time() {
    let mut sender = alone();
    sender.jitter = jitter();
    is(sender.swing(), 0.04);
    sender.base.replace(Time::ZERO, 0.015);
    is(sender.swing(), 0.03);
    // And nothing where none is measured.
    sender.base = Base::new();
    is(sender.swing(), 0.0);
}

#[test]
fn falls_are_jitter_from_a_share_of_the_path_and_eight_packets_on() {
    let haze = |secs, rate| {
        let mut sender = alone();
        (sender.falls, sender.rates) = (falls(secs), [rate; 4]);
        sender.haze()
    };
    // A fiftieth of 100 ms; eight packets at 4000 per second.
    is(haze(0.002, 10_000.0), 0.005);
    is(haze(0.001_9, 10_000.0), 0.0);
    is(haze(0.002, 4000.0), 0.005);
    is(haze(0.002, 3999.0), 0.0);
    is(haze(0.2, 4000.0), 0.2);
    // A millisecond at least, and no more than twice the path.
    let mut short = alone();
    short.base.replace(Time::ZERO, 0.001);
    (short.falls, short.rates) = (falls(0.001), [10_000.0; 4]);
    is(short.haze(), 0.002);
    short.falls = falls(0.000_9);
    is(short.haze(), 0.0);
}

#[test]
fn delays_tell_nothing_beyond_twice_the_path() {
    let mut sender = alone();
    sender.unrest = jitter();
    assert!(!sender.is_blind(0.0201) && sender.is_blind(0.0199));
    let mut fast = alone();
    (fast.falls, fast.rates) = (falls(0.02), [10_000.0; 4]);
    assert!(!fast.is_blind(0.0251) && fast.is_blind(0.0249));
    fast.rates = [100.0; 4];
    assert!(!fast.is_blind(0.0249), "two packets");
}

#[test]
fn noise_is_a_packet_at_least() {
    let noise = |rate| {
        let mut sender = alone();
        sender.rates = [rate; 4];
        sender.noise(0.001)
    };
    is(noise(1000.0), 0.001);
    is(noise(500.0), 0.002);
    is(noise(0.4), 2.5);
    is(noise(0.0), 0.001);
    is(alone().trace(0.1), 0.002);
    is(alone().trace(0.01), 0.001);
    let mut slow = alone();
    slow.rates = [0.1, 0.4, 0.2, 0.0];
    is(slow.best_rate(), 0.4);
}

/// Half of what it keeps itself, 0.2 sqrt(1000) packets, and 0.3 ms.
#[test]
fn a_queue_is_near_empty_with_half_of_the_senders_own() {
    is(alone().near(1000.0), 0.5 * 0.2 * 1000f64.sqrt() / 1000.0 + 0.000_3);
    is(alone().near(1.0), 1.000_3);
    is(alone().near(0.0), 0.001);
}

#[test]
fn an_own_handoff_forgets_all_that_was_measured() {
    let mut sender = alone();
    (sender.jitter, sender.unrest, sender.falls) = (jitter(), jitter(), falls(0.01));
    sender.reach.on_rate(1000.0);
    sender.hidden.held = true;
    sender.alone.failures = 3;
    sender.begin_drain(ms(50), 0.05);
    let lossy = Round { delivered: 9.0, lost: 9.0, ..Round::NONE };
    sender.judge.on_round(&lossy, (0.0, 1.0), false, false, (0.02, 3.0));
    sender.enter_beside(ms(60), true);
    (sender.round, sender.rounds) = (40, super::Rounds::new());
    sender.rounds.on_sent(76, ms(61));
    sender.on_handoff(&Handoff::new(ms(70), End::Own, Span::ZERO, Span::ZERO));
    same(sender.jitter, Jitter::new());
    same(sender.unrest, Jitter::new());
    same(sender.falls, Falls::new());
    same(sender.reach, Reach::new());
    same(sender.hidden, Hidden::new());
    same(sender.judge, Judge::new());
    same(sender.base, Base::new());
    same(sender.alone, Alone::new(0));
    same(sender.search, Some(Search::new()));
    assert!(sender.drain.is_none() && sender.beside.is_none());
    assert_eq!((sender.first, sender.earlier, sender.rounds_here()), (77, 40, 0));
}

/// The receiver's word counts once in five seconds.
#[test]
fn claimed_handoffs_are_heard_now_and_then() {
    let mut sender = alone();
    let mut moves = |at| {
        sender.base.replace(Time::ZERO, 0.1);
        sender.on_handoff(&Handoff::new(ms(at), End::Peer, Span::ZERO, Span::ZERO));
        sender.base.secs().is_none()
    };
    assert!(moves(1000) && !moves(5999) && moves(6000) && !moves(10_999) && moves(11_000));
}

/// Rests of 16 rounds, doubled four times at most; the share of alpha falls to a quarter.
#[test]
fn growth_that_meets_losses_rests_for_longer_each_time() {
    let mut sender = alone();
    sender.loss = 0.01;
    for (failures, rest) in [(0, 16), (1, 32), (2, 64), (3, 128), (4, 256), (5, 256), (6, 256)] {
        sender.round += 50;
        assert_eq!(sender.alone.failures, failures);
        (sender.alone.calm, sender.alone.empty) = (0, 9);
        sender.on_round_alone(ms(1000), &Round { secs: 0.1, ..Round::NONE }, 0.0, true);
        assert_eq!(sender.alone.rest, sender.round + rest);
        assert_eq!((sender.alone.empty, sender.alone.wait), (0, 2));
    }
    is(sender.alone.scale, 0.25);
}

/// On a path without losses of its own a round with some counts, six rounds after the last that
/// did, and the second of 200 betrays others.
#[test]
fn losses_behind_a_queue_betray_others() {
    let lossy = Round { lost: 1.0, unexplained: 1.0, secs: 0.1, ..Round::NONE };
    let beside = |first: u64, second: u64| {
        let mut sender = alone();
        for round in [first, second] {
            (sender.round, sender.alone.calm) = (round, 9);
            sender.on_round_alone(ms(1000), &lossy, 0.0, false);
        }
        sender.beside.is_some()
    };
    assert!(!beside(300, 305) && beside(300, 306) && beside(300, 500) && !beside(300, 501));
    let mut sender = alone();
    (sender.round, sender.alone.calm, sender.alone.empty) = (300, 0, 9);
    sender.on_round_alone(ms(1000), &lossy, 0.0, false);
    assert_eq!((sender.alone.rest, sender.alone.failures, sender.alone.empty), (316, 1, 0));
    is(sender.alone.scale, 0.5);
}

/// After three rounds with an empty queue the step doubles each time, 16 times at most; never more
/// than a quarter of the window.
#[test]
fn room_is_taken_faster_and_faster() {
    let mut sender = alone();
    (sender.rates, sender.cwnd) = ([1e12; 4], 1e6);
    sender.config.least_backlog = 1.0;
    sender.config.backlog = 0.0;
    let calm = Round { secs: 0.1, delivered: 100.0, low: 0.1, ..Round::NONE };
    let mut step = |empty| {
        (sender.cwnd, sender.alone.empty, sender.alone.calm) = (1e6, empty, 9);
        sender.on_round_alone(ms(1), &calm, 0.0, false);
        assert_eq!(sender.alone.calm, 0);
        sender.cwnd - 1e6
    };
    for (empty, packets) in [(0, 1.0), (2, 1.0), (3, 2.0), (4, 4.0), (18, 65_536.0), (60, 65_536.0)]
    {
        is(step(empty), packets);
    }
    sender.alone.empty = 60;
    sender.cwnd = 1000.0;
    sender.on_round_alone(ms(1), &calm, 0.0, false);
    is(sender.cwnd, 1250.0);
}

#[test]
fn a_drain_keeps_half_of_what_the_path_holds() {
    let mut sender = alone();
    sender.begin_drain(ms(500), 0.05);
    let drain = sender.drain.expect("begun");
    is(drain.window, 50.0);
    same(drain.sample, super::sample::Sample::new(25));
    // 400 packets, of which every sixth is kept.
    (sender.rates, sender.cwnd) = ([8000.0; 4], 900.0);
    sender.begin_drain(ms(500), 0.05);
    same(sender.drain.expect("begun").sample, super::sample::Sample::new(200));
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

/// An eighth of 62.5 ms is no more than a start takes for no queue.
#[test]
fn runs_are_spared_up_to_an_eighth_of_the_path() {
    let mut sender = new();
    sender.base.replace(Time::ZERO, 0.0625);
    sender.last_rtt = 0.070_312_5;
    assert!(sender.spares_runs());
    sender.last_rtt = 0.070_312_6;
    assert!(!sender.spares_runs());
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
    sender.on_ack(&ack.delivered(2));
    assert_ne!(curve(&sender), before);
}

/// Three seconds, half as much again as its patience, without the end of the queue.
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

/// Beside others, of whom the link's own report of 10 % explains the losses.
fn beside() -> Residual {
    let mut sender = alone();
    sender.links.on_own(&LinkReport { loss: Probability::clamped(0.1), delay: Span::ZERO });
    sender.calm_window = 100.0;
    sender.enter_beside(Time::ZERO, true);
    sender.round = 10;
    sender
}

/// A round whose longest queue was this, in seconds.
fn round(queue: f64, lost: f64) -> Round {
    Round { high: 0.1 + queue, lost, delivered: 100.0, secs: 0.1, ..Round::NONE }
}

fn cuts(sender: &mut Residual, queue: f64, lost: f64, bad: bool) -> bool {
    let before = sender.cwnd;
    sender.on_round_beside(ms(100), &round(queue, lost), 0.0, bad);
    sender.cwnd < before
}

#[test]
fn a_fall_from_the_longest_queue_is_anothers_cut() {
    for (low, cut) in [(0.0449, true), (0.0451, false)] {
        let mut sender = beside();
        assert!(!cuts(&mut sender, 0.05, 0.0, false));
        assert_eq!(cuts(&mut sender, low, 0.0, false), cut, "{low}");
    }
    // A longest queue of 3 % of the path shows nothing.
    for (high, cut) in [(0.0029, false), (0.0031, true)] {
        let mut sender = beside();
        cuts(&mut sender, high, 0.0, false);
        assert_eq!(cuts(&mut sender, 0.0, 0.0, false), cut, "{high}");
    }
    let mut short = beside();
    short.base.replace(Time::ZERO, 0.02);
    let mut at = |queue| {
        let before = short.cwnd;
        let round = Round { high: 0.02 + queue, ..round(0.0, 0.0) };
        short.on_round_beside(ms(100), &round, 0.0, false);
        short.cwnd < before
    };
    assert!(!at(0.0019) && !at(0.0), "nor does one of 2 ms");
    assert!(!at(0.0021) && at(0.0));
}

/// Without a round-trip time it goes by a tenth of a second: 3 % of it.
#[test]
fn a_path_that_is_not_measured_yet_counts_as_a_tenth_of_a_second() {
    for (high, cut) in [(0.0029, false), (0.0031, true)] {
        let mut sender = beside();
        sender.base = Base::new();
        cuts(&mut sender, high, 0.0, false);
        assert_eq!(cuts(&mut sender, 0.0, 0.0, false), cut, "{high}");
    }
    for (rtt, gone) in [(0.1019, true), (0.1021, false)] {
        let mut sender = beside();
        sender.base = Base::new();
        sender.begin_drain(ms(1000), 0.05);
        for now in [1000, 1151] {
            sender.on_ack_draining(ms(now), 9, rtt, 2);
        }
        assert_eq!((sender.drain.is_none(), sender.beside.is_none()), (true, gone), "{rtt}");
    }
}

#[test]
fn losses_that_stay_at_the_longest_queue_are_answered_after_eight_rounds() {
    let mut sender = beside();
    for round in 0..7 {
        assert!(!cuts(&mut sender, 0.05, 1.0, false), "{round}");
    }
    assert!(!cuts(&mut sender, 0.05, 0.0, false), "without losses");
    assert!(cuts(&mut sender, 0.0451, 1.0, false));
    let mut shorter = beside();
    cuts(&mut shorter, 0.05, 0.0, false);
    for _ in 0..20 {
        assert!(!cuts(&mut shorter, 0.0451, 0.0, false));
    }
    assert_eq!(shorter.beside.expect("still").stay, 0);
}

#[test]
fn residual_loss_cuts_two_rounds_after_the_last_cut() {
    let mut sender = beside();
    assert!(cuts(&mut sender, 0.05, 9.0, true));
    for (rounds, cut) in [(1, false), (2, true)] {
        let mut sender = beside();
        assert!(cuts(&mut sender, 0.05, 9.0, true));
        sender.round += rounds;
        assert_eq!(cuts(&mut sender, 0.05, 9.0, true), cut, "{rounds}");
    }
    // Sixty rounds are remembered.
    let mut sender = beside();
    cuts(&mut sender, 0.05, 0.0, false);
    sender.round = 0;
    (0..59).for_each(|_| _ = cuts(&mut sender, 0.01, 0.0, false));
    is(sender.beside.as_ref().expect("still").top(), 0.05);
    cuts(&mut sender, 0.01, 0.0, false);
    is(sender.beside.as_ref().expect("still").top(), 0.01);
}

#[test]
fn tests_for_being_alone_are_put_off_up_to_twelve_times_the_first() {
    let mut sender = beside();
    is(sender.check, 6.0);
    for check in [12.0, 24.0, 24.0] {
        sender.put_off_test(ms(1000));
        is(sender.check, check);
        let at = ms(1000).saturating_add(Span::from_secs_f64(check));
        assert_eq!(sender.beside.as_ref().expect("still").test_at, at);
    }
    sender.srtt = 2.0;
    sender.put_off_test(ms(1000));
    is(sender.check, 40.0);
    let mut far = alone();
    far.srtt = 1.0;
    far.enter_beside(Time::ZERO, true);
    is(far.check, 20.0);
}

/// Within four seconds the window of before comes back.
#[test]
fn who_left_in_error_returns_to_the_same_window() {
    for (at, window) in [(5999, 80.0), (6000, 0.7 * 40.0)] {
        let mut sender = alone();
        (sender.left_beside, sender.calm_window) = (Some((ms(2000), 80.0)), 40.0);
        sender.enter_beside(ms(at), true);
        is(sender.cwnd, window);
    }
    let mut sender = alone();
    (sender.calm_window, sender.cwnd) = (40.0, 35.0);
    sender.enter_beside(ms(0), false);
    is(sender.cwnd, 35.0);
    assert!(sender.beside.expect("entered").catch_up);
}

#[test]
fn a_round_without_a_length_has_no_rate() {
    is(Round { delivered: 9.0, ..Round::NONE }.rate(0.0), 0.0);
    let round = Round { delivered: 90.0, lost: 10.0, marked: 5.0, secs: 0.5, ..Round::NONE };
    is(round.rate(0.0), 190.0);
    is(round.rate(0.04), 2.0 * (90.0 / 0.96 + 5.0));
    is(round.rate(0.9), 210.0);
}
