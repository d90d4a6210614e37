use super::*;
use proptest::prelude::*;

const PLAYOUT: Span = Span::from_millis(200);

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

/// Players after frames of two packets, captured every 100 ms, whose packets arrive at these times.
fn seen(arrivals: &[[Option<u64>; 2]]) -> Playout {
    let mut playout = Playout::new(PLAYOUT);
    let mut packets = Vec::new();
    for (i, frame) in (0_u64..).zip(arrivals) {
        playout.on_frame(ms(100 * i), 2 * i, 2 * i + 2);
        packets.extend((2 * i..).zip(frame).filter_map(|(seq, at)| Some(((*at)?, seq))));
    }
    packets.sort_unstable();
    for (at, seq) in packets {
        playout.on_packet(ms(at), seq);
    }
    playout
}

fn counts(result: MediaResult) -> (u64, u64, u64) {
    (result.frames, result.late, result.incomplete)
}

#[test]
fn a_frame_is_on_time_late_or_incomplete() {
    let playout = seen(&[
        [Some(10), Some(200)],  // due at 200: just in time
        [Some(210), Some(301)], // due at 300: late
        [Some(310), None],      // due at 400: a packet was lost
        [None, None],           // due at 500
        [Some(550), Some(560)], // due at 600: on time
        [Some(570), Some(580)], // due at 700
    ]);
    assert_eq!(counts(playout.result(ms(600))), (5, 1, 2));
    assert_eq!(counts(playout.result(ms(10_000))), (6, 1, 2));
}

#[test]
fn the_waiting_player_stalls_for_as_long_as_lateness_grows() {
    let playout = seen(&[
        [Some(100), Some(250)], // due at 200: stalls for 50 ms
        [Some(310), Some(345)], // due at 300, with its delay at 350: no stall
        [Some(410), None],      // never comes: the player skips it
        [Some(500), Some(580)], // due at 500, with its delay at 550: 30 ms more
        [Some(610), Some(620)], // due at 600, with its delay at 680
    ]);
    let result = playout.result(ms(10_000));
    assert_eq!((result.frames, result.late, result.incomplete), (5, 4, 1));
    assert_eq!(result.stalls, 2);
    assert!((result.stalled_s - 0.08).abs() < 1e-12, "{}", result.stalled_s);
}

#[test]
fn a_blackout_shows_as_incomplete_frames_if_it_drops_and_as_a_stall_if_it_delays() {
    let on_time = |i: u64| [Some(100 * i + 50), Some(100 * i + 60)];
    let mut lost: Vec<_> = (0..30).map(on_time).collect();
    let mut held = lost.clone();
    lost[10..20].fill([None, None]);
    held[10..20].fill([Some(2010), Some(2010)]);
    let (lost, held) = (seen(&lost).result(ms(10_000)), seen(&held).result(ms(10_000)));
    assert_eq!(counts(lost), (30, 0, 10));
    assert_eq!(lost.stalls, 0);
    // Frame 10 was due at 1200 ms; frames 18 and 19 are due at 2000 and 2100.
    assert_eq!(counts(held), (30, 9, 0));
    assert_eq!(held.stalls, 1);
    assert!((held.stalled_s - 0.81).abs() < 1e-12, "{}", held.stalled_s);
}

#[test]
fn frames_due_before_the_measurement_do_not_count() {
    let mut playout = Playout::new(PLAYOUT);
    for i in 0..4 {
        playout.on_frame(ms(100 * i), i, i + 1);
    }
    playout.on_packet(ms(240), 0);
    playout.begin_measurement(ms(350));
    // Due at 300, with its delay at 340: 450 ms is late, and 100 ms of the stall count.
    playout.on_packet(ms(450), 1);
    playout.on_packet(ms(451), 2);
    playout.on_packet(ms(452), 3);
    let result = playout.result(ms(10_000));
    assert_eq!(counts(result), (2, 1, 0));
    assert_eq!(result.stalls, 1);
    assert!((result.stalled_s - 0.1).abs() < 1e-12, "{}", result.stalled_s);
}

#[test]
fn frames_dropped_by_the_sender_are_incomplete() {
    let mut playout = Playout::new(PLAYOUT);
    playout.on_frame(ms(0), 0, 2);
    playout.on_abandoned(ms(100));
    playout.on_frame(ms(200), 2, 6);
    playout.on_packet(ms(10), 0);
    playout.on_packet(ms(20), 1);
    playout.on_packet(ms(250), 2);
    // The rest of it is dropped: its other numbers go to the next frame.
    playout.on_abandoned(ms(200));
    playout.on_frame(ms(300), 3, 5);
    for seq in 3..5 {
        playout.on_packet(ms(300 + seq), seq);
    }
    assert_eq!(counts(playout.result(ms(10_000))), (4, 0, 2));
}

#[test]
fn duplicates_and_unannounced_numbers_change_nothing() {
    let mut playout = Playout::new(PLAYOUT);
    playout.on_frame(ms(0), 5, 7);
    for seq in [4, 5, 5, 7, 1000] {
        playout.on_packet(ms(10), seq);
    }
    assert_eq!(counts(playout.result(ms(10_000))), (1, 0, 1));
    playout.on_packet(ms(10), 6);
    assert_eq!(counts(playout.result(ms(10_000))), (1, 0, 0));
}

#[test]
fn memory_stays_bounded_when_nothing_arrives() {
    let mut playout = Playout::new(PLAYOUT);
    for i in 0..3 * KEPT as u64 {
        playout.on_frame(ms(10 * i), i, i + 1);
        playout.on_packet(ms(10 * i), u64::MAX);
    }
    assert!(playout.frames.len() <= KEPT + 21, "{}", playout.frames.len());
    let result = playout.result(Time::MAX);
    assert_eq!(counts(result), (3 * KEPT as u64, 0, 3 * KEPT as u64));
}

/// A frame of a random run: time since the previous capture, number of packets, the lost packet if
/// any, and the transit time after its capture or after the previous frame.
type Random = (u64, u64, Option<u64>, u64);

fn random() -> impl Strategy<Value = Vec<Random>> {
    let lost = prop_oneof![3 => Just(None), 1 => (0_u64..200).prop_map(Some)];
    prop::collection::vec((1_u64..100, 1_u64..200, lost, 0_u64..400), 1..60)
}

/// Frames with their arrival times on a link that keeps order: capture, completion, packets,
/// packets that arrive.
fn in_order(frames: &[Random]) -> Vec<(u64, Option<u64>, u64, Vec<u64>)> {
    let (mut captured, mut free) = (0, 0);
    let one = |&(gap, packets, lost, transit): &Random| {
        captured += gap;
        free = free.max(captured + transit);
        let come: Vec<u64> = (0..packets).filter(|nth| lost != Some(*nth)).collect();
        (captured, (come.len() as u64 == packets).then_some(free), packets, come)
    };
    frames.iter().map(one).collect()
}

proptest! {
    /// Compares with the definitions of both players, evaluated with all arrivals known beforehand.
    #[test]
    fn both_players_see_what_their_definitions_say(
        frames in random(), begin in 0_u64..2000, end in 0_u64..8000,
    ) {
        let frames = in_order(&frames);
        let mut playout = Playout::new(PLAYOUT);
        let mut events = Vec::new();
        let mut first = 0;
        let mut free = 0;
        for (captured, whole, packets, come) in &frames {
            playout.on_frame(ms(*captured), first, first + packets);
            free = whole.unwrap_or(free).max(*captured);
            events.extend(come.iter().map(|nth| (free, first + nth)));
            first += packets;
        }
        events.sort_unstable();
        let mut begun = false;
        for (at, seq) in events.into_iter().filter(|event| event.0 <= end) {
            if at > begin && !begun {
                playout.begin_measurement(ms(begin));
                begun = true;
            }
            playout.on_packet(ms(at), seq);
        }
        if !begun {
            playout.begin_measurement(ms(begin.min(end)));
        }
        let begin = begin.min(end);
        let result = playout.result(ms(end));

        let (mut on_time, mut late, mut incomplete) = (0, 0, 0);
        for (captured, whole, ..) in &frames {
            let due = captured + 200;
            if due > begin && due <= end {
                match whole.filter(|at| *at <= end) {
                    Some(at) if at <= due => on_time += 1,
                    Some(_) => late += 1,
                    None => incomplete += 1,
                }
            }
        }
        prop_assert_eq!(counts(result), (on_time + late + incomplete, late, incomplete));

        // The waiting player, step by step: it waits for the next frame until that frame, or a
        // later one, is complete and due.
        let (mut delay, mut next, mut stalls, mut stalled) = (0, 0, 0, 0);
        for now in 0..=end {
            let there = |i: usize| frames[i].1.is_some_and(|at| at <= now);
            let shown = (next..frames.len())
                .find(|i| there(*i) && frames[*i].0 + 200 + delay <= now);
            if let Some(shown) = shown {
                let due = frames[shown].0 + 200 + delay;
                if now > due {
                    delay += now - due;
                    stalls += u64::from(now > begin);
                    stalled += now.saturating_sub(due.max(begin));
                }
                next = shown + 1;
            }
        }
        prop_assert_eq!(result.stalls, stalls);
        prop_assert!((result.stalled_s - stalled as f64 / 1e3).abs() < 1e-9);
        if late == 0 && begin == 0 && end > 7000 {
            prop_assert_eq!(result.stalls, 0);
        }
    }

    /// Each frame is counted once, whatever packets arrive, in whatever order and however often.
    #[test]
    fn each_frame_is_counted_once_in_any_order(
        sizes in prop::collection::vec(1_u64..5, 1..40),
        packets in prop::collection::vec((0_u64..120, 0_u64..50), 0..300),
    ) {
        let mut playout = Playout::new(PLAYOUT);
        let (mut first, mut now) = (0, 0);
        for (i, size) in (0_u64..).zip(&sizes) {
            playout.on_frame(ms(33 * i), first, first + size);
            first += size;
        }
        for (seq, after) in packets {
            now += after;
            playout.on_packet(ms(now), seq);
        }
        let result = playout.result(Time::MAX);
        prop_assert_eq!(result.frames, sizes.len() as u64);
        prop_assert!(result.late + result.incomplete <= result.frames);
        prop_assert!(result.late > 0 || result.stalls == 0);
    }
}
