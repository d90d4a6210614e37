//! Evidence of hand-made queues.

use super::*;

fn ms(ms: u64) -> Span {
    Span::from_millis(ms)
}

/// Round trips of a path of 100 ms, with the packets' numbers: a queue that grows to 100 ms and
/// drains, again and again.
fn sawtooth(rounds: u64) -> impl Iterator<Item = (u64, u64)> {
    (0..rounds)
        .flat_map(|_| (100..200).chain((100..200).rev()))
        .enumerate()
        .map(|(n, rtt)| (n as u64, rtt))
}

/// Takes in these round trips, a packet a millisecond, with a loss after each where `lost` says so.
fn seen(trips: impl Iterator<Item = (u64, u64)>, lost: impl Fn(u64, u64) -> bool) -> Evidence {
    let mut evidence = Evidence::new();
    for (number, rtt) in trips {
        evidence.on_rtt(Time::ZERO + ms(number), ms(rtt), ms(100));
        if lost(number, rtt) {
            evidence.on_loss();
        }
    }
    evidence
}

#[test]
fn losses_on_short_queues_are_the_links_and_losses_on_full_queues_are_not() {
    assert!((seen(sawtooth(100), |_, rtt| rtt == 110).share() - 1.0).abs() < 1e-12);
    // L is 1 but for what is left of the start, and a sixth of the packets find the queue full.
    let share = seen(sawtooth(100), |_, rtt| rtt == 198).share();
    assert!(share < 0.08, "{share}");
}

#[test]
fn losses_at_any_queue_leave_the_claim_as_it_is() {
    let mut least = 1.0f64;
    for rounds in 20..200 {
        let evidence = seen(sawtooth(rounds), |number, _| number % 37 == 0);
        least = least.min(evidence.share());
    }
    assert!(least > 0.8, "{least}");
}

#[test]
fn half_of_the_losses_at_a_full_queue_leave_half() {
    // Every other loss is the queue's, the rest come at any length.
    let lost = |number: u64, rtt: u64| rtt == 199 || number % 200 == 37;
    let share = seen(sawtooth(200), lost).share();
    assert!((0.35..0.75).contains(&share), "{share}");
}

#[test]
fn without_losses_nothing_is_held_against_a_claim() {
    assert!((seen(sawtooth(50), |_, _| false).share() - 1.0).abs() < 1e-12);
}

#[test]
fn losses_at_a_queue_that_is_always_full_are_not_the_links() {
    let full = |losses: bool| {
        seen((0..20_000).map(|n| (n, 150)), move |n, _| losses && n % 100 == 0).share()
    };
    assert!(full(true) < 1e-12, "{}", full(true));
    assert!(full(false) < 1e-12, "{}", full(false));
}

#[test]
fn a_path_without_queues_holds_nothing_against_a_claim() {
    let share = seen((0..20_000).map(|n| (n, 100)), |n, _| n % 50 == 0).share();
    assert!((share - 1.0).abs() < 1e-12, "{share}");
}

#[test]
fn a_few_acks_held_back_do_not_hide_the_full_queue() {
    let held = sawtooth(100).map(|(n, rtt)| (n, if n % 50 < 3 { 900 } else { rtt }));
    let share = seen(held, |_, rtt| rtt == 198).share();
    assert!(share < 0.2, "{share}");
}

#[test]
fn what_one_path_held_against_a_claim_the_next_does_not() {
    let mut evidence = seen(sawtooth(100), |_, rtt| rtt == 198);
    evidence.restart();
    // The queues are new, too: 150 ms were half a queue, and are all of it now.
    for n in 0..8 {
        evidence.on_rtt(Time::ZERO + ms(n), ms(150), ms(100));
    }
    evidence.on_loss();
    let full_packets = 1.0 - libm::pow(1.0 - 1.0 / PACKET_GAIN, 5.0);
    let expected = (15.0 / 16.0 + DOUBT) / (1.0 - full_packets + DOUBT);
    assert!((evidence.share() - expected).abs() < 1e-9, "{} {expected}", evidence.share());
}
