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

/// Four packets a second after the last ones, `gap` apart, in these times in nanoseconds.
fn row(evidence: &mut Evidence, start: Time, gap: Span, rtt: u64, least: Span) -> Time {
    let mut now = start;
    for _ in 0..4 {
        now = now.saturating_add(gap);
        evidence.on_rtt(now, Span::from_nanos(rtt), least);
    }
    now
}

const MS: u64 = 1_000_000;

/// True if packets that came through in `rtt` found a queue full that `longest` of them had shown,
/// both in nanoseconds.
fn found_full(longest: u64, rtt: u64, least: Span, gap: Span) -> bool {
    let mut evidence = Evidence::new();
    let now = row(&mut evidence, Time::ZERO + Span::from_secs(10), gap, longest, least);
    row(&mut evidence, now, gap, rtt, least);
    evidence.full
}

#[test]
fn a_queue_is_full_within_an_eighth_of_the_longest() {
    // 200 ms on a path of 100 ms: a queue of 100 ms, of which the last 12.5 ms are the top.
    let full = |rtt| found_full(200 * MS, rtt, ms(100), Span::from_micros(10));
    assert!(full(187_500_000));
    assert!(!full(187_499_999));
    // A queue longer than all before is full, too.
    assert!(full(300 * MS));
}

#[test]
fn a_queue_shows_beyond_twice_the_jitter_of_hosts_and_links() {
    let shows = |queue: u64, least: u64, gap: Span| {
        let rtt = least * MS + queue;
        found_full(rtt, rtt, ms(least), gap)
    };
    let quick = Span::from_micros(10);
    // A fiftieth of 100 ms; a millisecond at least; packets that follow each other after 3 ms.
    for (least, gap, jitter) in [(100, quick, 2 * MS), (10, quick, MS), (10, ms(3), 3 * MS)] {
        assert!(!shows(2 * jitter, least, gap), "{least} ms");
        assert!(shows(2 * jitter + 1, least, gap), "{least} ms");
    }
}

#[test]
fn the_shortest_gap_between_packets_is_remembered() {
    let (start, rtt) = (Time::ZERO + Span::from_secs(10), 15 * MS);
    let mut evidence = Evidence::new();
    let now = row(&mut evidence, start, ms(3), rtt, ms(10));
    // The first packets have no row before them.
    assert_eq!(evidence.packet, 2_500_750_000, "a quarter of the time since zero");
    let now = row(&mut evidence, now, ms(3), rtt, ms(10));
    assert_eq!(evidence.packet, 3 * MS);
    row(&mut evidence, now, ms(7), rtt, ms(10));
    assert_eq!(evidence.packet, 3 * MS);
    assert!(!evidence.full, "5 ms of queue hide behind 2 * 3 ms");
}

#[test]
fn the_longest_queue_is_forgotten_after_one_to_two_periods_of_32_round_trips() {
    let mut evidence = Evidence::new();
    let (start, gap) = (Time::ZERO + Span::from_secs(10), Span::from_micros(10));
    // The period is that of the first round trip: 32 of 100 ms.
    evidence.on_rtt(start, ms(100), ms(100));
    row(&mut evidence, start, gap, 200 * MS, ms(100));
    let at = |millis: u64| start + ms(millis);
    let mut full = |millis: u64| {
        row(&mut evidence, at(millis), gap, 110 * MS, ms(100));
        evidence.full
    };
    assert!(!full(3_100), "the queue was 100 ms");
    assert!(!full(3_300), "it was in the period before");
    assert!(!full(6_700), "that one lasts 32 of 110 ms");
    assert!(full(3_300 + 3_530), "10 ms are the longest now");
}

#[test]
fn three_packets_that_are_late_together_are_no_queue_and_four_are() {
    let (start, gap) = (Time::ZERO + Span::from_secs(10), Span::from_micros(10));
    for (late, longest) in [(3, 150 * MS), (4, 900 * MS)] {
        let mut evidence = Evidence::new();
        let mut now = row(&mut evidence, start, gap, 150 * MS, ms(100));
        for _ in 0..late {
            now += gap;
            evidence.on_rtt(now, ms(900), ms(100));
        }
        row(&mut evidence, now, gap, 150 * MS, ms(100));
        assert_eq!(evidence.longest[0], longest, "{late} late packets");
    }
}

#[test]
fn one_packet_of_a_row_that_found_the_queue_full_is_enough() {
    let (mut now, gap) = (Time::ZERO + Span::from_secs(10), Span::from_micros(10));
    let mut evidence = Evidence::new();
    now = row(&mut evidence, now, gap, 200 * MS, ms(100));
    now = row(&mut evidence, now, gap, 120 * MS, ms(100));
    for (rtt, full) in [(195, true), (120, true), (120, true), (120, true), (120, false)] {
        now += gap;
        evidence.on_rtt(now, ms(rtt), ms(100));
        assert_eq!(evidence.full, full);
    }
}

#[test]
fn the_share_follows_from_the_losses_and_packets_at_full_queues() {
    let share = |full_losses: f64, full_packets: f64| {
        Evidence { full_losses, full_packets, ..Evidence::new() }.share()
    };
    for (losses, packets, expected) in [
        (0.0, 0.0, 1.0),
        // (1 - .5 + .05) / (1 - .2 + .05)
        (0.5, 0.2, 0.647_058_823_529_411_8),
        // .05 / 1.05
        (1.0, 0.0, 0.047_619_047_619_047_6),
        // More than all is all.
        (0.1, 0.4, 1.0),
        // .1 / .55
        (0.95, 0.5, 0.181_818_181_818_181_8),
        // .3 / .5, and half of it, as the queue is full in .55 of the time.
        (0.75, 0.55, 0.3),
        (0.75, 0.6, 0.0),
        (0.75, 0.9, 0.0),
    ] {
        let found = share(losses, packets);
        assert!((found - expected).abs() < 1e-12, "{losses}, {packets}: {found}");
    }
}

#[test]
fn a_loss_moves_the_share_of_losses_by_a_sixteenth_and_a_packet_that_of_packets_by_a_2048th() {
    let mut evidence = Evidence { full: true, ..Evidence::new() };
    evidence.on_loss();
    evidence.on_loss();
    // 1/16, then 1/16 + (15/16)/16 = 31/256.
    assert!((evidence.full_losses - 31.0 / 256.0).abs() < 1e-15);
    evidence.full = false;
    evidence.on_loss();
    assert!((evidence.full_losses - 31.0 / 256.0 * 15.0 / 16.0).abs() < 1e-15);
    let mut evidence = Evidence { full_packets: 0.5, ..Evidence::new() };
    let start = Time::ZERO + Span::from_secs(10);
    evidence.on_rtt(start, ms(100), ms(100));
    assert!((evidence.full_packets - 0.5 * 2047.0 / 2048.0).abs() < 1e-15);
}

#[test]
fn an_absurd_round_trip_counts_as_an_hour() {
    let mut evidence = Evidence::new();
    row(&mut evidence, Time::ZERO + Span::from_secs(10), ms(1), u64::MAX, ms(100));
    assert_eq!(evidence.longest[0], 3_600_000_000_000);
}
