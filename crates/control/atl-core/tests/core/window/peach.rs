//! TCP-Peach's and TCP-Peach+'s decisions: by hand, and on a path that serves probes after data.

#![expect(clippy::float_cmp, reason = "windows worked out by hand, exact in binary")]

use crate::support::sender::Sender;
use crate::support::two_bands::Path;
use atl_core::time::{Span, Time};
use atl_core::window::{
    Controller, ControllerConfig, Detection, Probe, ProbeAck, Start, WindowController, peach,
    peach_plus,
};

fn configs() -> [ControllerConfig; 2] {
    [
        ControllerConfig::from(peach::Config::default()),
        ControllerConfig::from(peach_plus::Config(peach::Config::default())),
    ]
}

/// TCP-Peach+ without a Jump Start, so that only its answer to a loss shows.
fn without_start() -> ControllerConfig {
    let config = peach::Config { start_window: 1, ..peach::Config::default() };
    ControllerConfig::from(peach_plus::Config(config))
}

/// Takes all probes that the controller wants to send, and returns their times.
fn take_all(controller: &mut Controller) -> Vec<Time> {
    let mut times = Vec::new();
    while let Some(due) = controller.next_timeout() {
        controller.on_tick(due);
        assert!(controller.poll_probe(due).is_some());
        times.push(due);
    }
    times
}

fn answer(controller: &mut Controller, now: Time, probes: u64) {
    for number in 0..probes {
        controller.on_probe_ack(&ProbeAck::new(now, number, Span::from_millis(400)));
    }
}

#[test]
fn the_first_ack_begins_a_start_of_one_probe_less_than_the_window_over_one_rtt() {
    for config in configs() {
        // Of the receive window of 10 000 packets only 64 count.
        let mut sender = Sender::new(&config, 1.0, 400);
        assert!(sender.controller.next_timeout().is_none());
        sender.deliver(1);
        let begun = sender.now;
        let times = take_all(&mut sender.controller);
        assert_eq!(times.len(), 63);
        let gap = times[0].since(begun);
        assert!((gap.secs() - 0.4 / 63.0).abs() < 1e-6, "{gap:?}");
        assert!(times.windows(2).all(|t| t[1].since(t[0]) == gap));
        assert!(times[62].since(begun) <= Span::from_millis(400));
        // Each answer adds a packet, and there is no slow start besides.
        let before = sender.cwnd();
        assert_eq!(before, 2.0);
        answer(&mut sender.controller, begun, 63);
        assert_eq!(sender.cwnd(), 65.0);
        sender.deliver(65);
        assert!((65.9..66.0).contains(&sender.cwnd()), "{}", sender.cwnd());
        assert_eq!(sender.controller.ssthresh(), f64::INFINITY);
    }
}

#[test]
fn a_small_receive_window_bounds_the_start() {
    for (receive_window, probes) in [(20, 19), (1, 0), (0, 0), (10_000, 63)] {
        let start =
            Start::default().initial_window(1.0).packet_bytes(1040).receive_window(receive_window);
        let mut sender = Sender::new(&configs()[0], 1.0, 400);
        sender.controller = configs()[0].build(&start);
        sender.deliver(1);
        assert_eq!(take_all(&mut sender.controller).len(), probes);
    }
}

#[test]
fn what_probes_carry_tells_the_two_apart() {
    for (config, kind) in configs().iter().zip([Probe::Dummy, Probe::Unacknowledged]) {
        let mut sender = Sender::new(config, 1.0, 400);
        sender.deliver(1);
        let due = sender.controller.next_timeout().expect("probes");
        assert_eq!(sender.controller.poll_probe(due), Some(kind));
    }
}

#[test]
fn a_loss_sends_as_many_probes_as_the_window_was_and_half_of_their_answers_pass() {
    let mut sender = Sender::new(&without_start(), 40.0, 400);
    sender.deliver(1);
    let window = sender.cwnd();
    assert_eq!(window, 40.0 + 1.0 / 40.0);
    sender.lose(1, 0, Detection::Acks);
    let (lost_at, half) = (sender.now, window / 2.0);
    assert_eq!((sender.cwnd(), sender.controller.ssthresh()), (half, half));
    let times = take_all(&mut sender.controller);
    assert_eq!(times.len(), 40);
    assert_eq!(times[0].since(lost_at), Span::from_millis(10));
    assert_eq!(times[39].since(lost_at), Span::from_millis(400));
    // After congestion about half of the probes pass, and have no effect.
    answer(&mut sender.controller, lost_at, 20);
    assert_eq!(sender.cwnd(), half);
    // After a loss of the link all of them pass: the window is restored.
    answer(&mut sender.controller, lost_at, 20);
    assert_eq!(sender.cwnd(), half + 20.0);
    // Answers beyond the probes sent have no effect.
    answer(&mut sender.controller, lost_at, 20);
    assert_eq!(sender.cwnd(), half + 20.0);
}

#[test]
fn an_odd_window_is_not_exceeded_by_its_own_probes() {
    let mut sender = Sender::new(&without_start(), 7.0, 400);
    sender.deliver(1);
    let window = sender.cwnd();
    sender.lose(1, 0, Detection::Acks);
    assert_eq!(take_all(&mut sender.controller).len(), 7);
    answer(&mut sender.controller, sender.now, 7);
    // 3.57 + 3: four of the seven passed.
    assert!(sender.cwnd() <= window && sender.cwnd() > window - 1.0, "{}", sender.cwnd());
}

#[test]
fn a_second_loss_begins_anew_with_the_window_of_then() {
    let mut sender = Sender::new(&without_start(), 40.0, 400);
    sender.deliver(1);
    sender.lose(1, 0, Detection::Acks);
    for _ in 0..5 {
        let due = sender.controller.next_timeout().expect("probes");
        assert!(sender.controller.poll_probe(due).is_some());
    }
    sender.lose(1, 0, Detection::Acks);
    // Only 20: the 35 probes not sent yet are given up.
    assert_eq!(take_all(&mut sender.controller).len(), 20);
    let quarter = sender.cwnd();
    // The five probes of the first loss are among the 20 that pass; of the second loss's, ten pass.
    answer(&mut sender.controller, sender.now, 25);
    assert_eq!(sender.cwnd(), quarter + 10.0);
}

#[test]
fn the_probes_of_two_losses_restore_the_window_and_no_more() {
    let mut sender = Sender::new(&without_start(), 40.0, 400);
    sender.deliver(1);
    let window = sender.cwnd();
    sender.lose(1, 0, Detection::Acks);
    assert_eq!(take_all(&mut sender.controller).len(), 40);
    // A round trip later, before the first answer.
    sender.lose(1, 0, Detection::Acks);
    assert_eq!(take_all(&mut sender.controller).len(), 20);
    answer(&mut sender.controller, sender.now, 60);
    assert_eq!(sender.cwnd(), window / 4.0 + 20.0 + 10.0);
    assert!(sender.cwnd() <= window);
}

#[test]
fn a_timeout_makes_the_probes_on_their_way_meaningless() {
    let mut sender = Sender::new(&without_start(), 40.0, 400);
    sender.deliver(1);
    sender.lose(1, 0, Detection::Acks);
    assert_eq!(take_all(&mut sender.controller).len(), 40);
    sender.expire(1);
    answer(&mut sender.controller, sender.now, 40);
    assert_eq!(sender.cwnd(), 1.0);
}

#[test]
fn a_dead_link_is_probed_once() {
    for config in configs() {
        let mut sender = Sender::new(&config, 30.0, 400);
        sender.deliver(1);
        take_all(&mut sender.controller);
        sender.expire(1);
        assert_eq!((sender.cwnd(), sender.controller.ssthresh()), (1.0, (30.0 + 1.0 / 30.0) / 2.0));
        assert_eq!(take_all(&mut sender.controller).len(), 63);
        for consecutive in 2..=5 {
            sender.expire(consecutive);
            assert_eq!(take_all(&mut sender.controller).len(), 0);
        }
        // The first ACK starts probes that measure the capacity again.
        sender.deliver(1);
        assert_eq!(take_all(&mut sender.controller).len(), 63);
    }
}

#[test]
fn a_timeout_before_the_first_rtt_is_known_probes_nothing() {
    let mut sender = Sender::new(&configs()[0], 1.0, 400);
    sender.expire(1);
    assert!(take_all(&mut sender.controller).is_empty());
}

/// 250 packets/s and 400 ms: 100 packets fill it.
const PATH: Path = Path {
    rate: 250,
    rtt: Span::from_millis(396),
    queue: 10,
    priority: true,
    others: 0,
    lost: &[],
    initial_window: 1.0,
};

/// The window two round trips after the first sample, and the packets delivered in a round trip
/// then.
fn after_start(path: Path) -> (f64, u64) {
    let mut run = path.start(&configs()[1]);
    run.until(Time::from_millis(400 + 810));
    let window = run.controller.window();
    let before = run.counts.delivered;
    run.until(Time::from_millis(400 + 810 + 400));
    assert!(run.counts.probes.len() == 63);
    (window, run.counts.delivered - before)
}

#[test]
fn jump_start_reaches_what_is_free_within_two_round_trips() {
    // Without other traffic all probes pass. Slow start would be at 4.
    let (window, delivered) = after_start(PATH);
    assert!((64.0..68.0).contains(&window), "{window}");
    assert!((60..68).contains(&delivered), "{delivered}");
    // Six packets in ten belong to others: 40 packets are free in a round trip, and the queue holds
    // some more.
    let (window, delivered) = after_start(Path { others: 6, ..PATH });
    assert!((38.0..54.0).contains(&window), "{window}");
    assert!((36..=42).contains(&delivered), "{delivered}");
    // Without free capacity no probe passes.
    let (window, _) = after_start(Path { others: 10, ..PATH });
    assert!(window < 3.0, "{window}");
}

#[test]
fn a_queue_without_priorities_overestimates() {
    // The same deep queue; in a FIFO all 63 probes come through beside the others' packets, the
    // last ones late.
    let path = Path { others: 6, queue: 50, ..PATH };
    let [high, fifo] = [true, false].map(|priority| {
        let mut run = Path { priority, ..path }.start(&configs()[1]);
        run.until(Time::from_millis(400 + 950));
        run.controller.window()
    });
    assert!(fifo > 64.0, "{fifo} of 40 free");
    assert!(high < 54.0, "{high}");
}

#[test]
fn a_loss_of_the_link_costs_the_window_of_two_round_trips_only() {
    let path = Path { initial_window: 60.0, queue: 100, lost: &[30], ..PATH };
    let mut run = path.start(&without_start());
    run.until(Time::from_millis(600));
    assert_eq!(run.counts.episodes, 1);
    let halved = run.controller.window();
    assert!((29.0..33.0).contains(&halved), "{halved}");
    // Detected at about 535 ms; the probes take a round trip to be sent, and another to come back.
    // A round trip takes up to 640 ms here: the 60 packets of the first window queued behind each
    // other.
    run.until(Time::from_millis(535 + 1000));
    assert_eq!(run.counts.probes.len(), 60);
    assert_eq!(run.counts.answered, 60);
    let window = run.controller.window();
    assert!((59.0..64.0).contains(&window), "{window}");
}

#[test]
fn a_loss_by_congestion_halves_the_window_for_longer() {
    // 100 packets fill the path and 11 the queue: one more each round trip overflows it.
    let config = peach::Config { start_window: 105, ..peach::Config::default() };
    let mut run = PATH.start(&ControllerConfig::from(peach_plus::Config(config)));
    while run.counts.episodes == 0 {
        let next = run.now() + Span::from_millis(4);
        run.until(next);
        assert!(next < Time::from_millis(60_000), "no loss");
    }
    let (at, halved) = (run.now(), run.controller.window());
    let (sent, answered) = (run.counts.probes.len(), run.counts.answered);
    assert!((55.0..58.0).contains(&halved), "{halved}");
    run.until(at + Span::from_millis(3 * 450));
    assert_eq!(run.counts.episodes, 1);
    // Of about 111 probes half pass: as many as the reduction freed, with those that the queue
    // holds.
    let (sent, answered) = (run.counts.probes.len() - sent, run.counts.answered - answered);
    assert!((110..=113).contains(&sent) && (45..=70).contains(&answered), "{sent}, {answered}");
    let window = run.controller.window();
    assert!(window < halved + 15.0, "{halved} -> {window}");
}
