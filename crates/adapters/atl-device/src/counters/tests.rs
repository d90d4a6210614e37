use super::*;

fn sample(ms: u64, packets: u64, failed: u64) -> Sample {
    Sample {
        at: Time::from_millis(ms),
        packets: Some(packets),
        failed: Some(failed),
        retries: Some(2 * failed),
        air_us: None,
        bytes: Some(1000 * packets),
        width: Width::Bits32,
        bytes_width: Width::Bits64,
    }
}

fn window(samples: &[Sample]) -> CounterWindow {
    let mut window = CounterWindow::new(Span::from_secs(10), PacketCount::All);
    for sample in samples {
        window.add(*sample);
    }
    window
}

fn counts(window: &CounterWindow) -> (u64, u64) {
    let estimate = window.loss().expect("packets in the window");
    let packets = estimate.packets.expect("a count");
    (packets, (estimate.value.get() * packets as f64).round() as u64)
}

#[test]
fn one_sample_says_nothing_and_two_say_what_happened_between_them() {
    assert!(window(&[sample(0, 5000, 400)]).loss().is_none());
    assert_eq!(counts(&window(&[sample(0, 5000, 400), sample(1000, 6000, 420)])), (1000, 20));
}

#[test]
fn packets_that_a_driver_counts_when_delivered_are_added_to_those_that_failed() {
    let mut window = CounterWindow::new(Span::from_secs(10), PacketCount::Delivered);
    window.add(sample(0, 0, 0));
    window.add(sample(1000, 980, 20));
    assert_eq!(counts(&window), (1000, 20));
}

#[test]
fn old_differences_leave_the_window_but_the_last_one_stays() {
    let mut window = window(&[sample(0, 0, 0), sample(1000, 100, 50), sample(5000, 200, 50)]);
    assert_eq!(counts(&window), (200, 50));
    window.add(sample(11_000, 300, 50));
    assert_eq!(counts(&window), (200, 0));
    window.add(sample(100_000, 400, 60));
    assert_eq!(counts(&window), (100, 10));
}

#[test]
fn counters_that_stand_still_are_no_estimate() {
    let window = window(&[sample(0, 700, 7), sample(1000, 700, 7), sample(2000, 700, 7)]);
    assert!(window.loss().is_none());
    assert!(window.activity().is_none());
    assert_eq!(window.resets(), 0);
}

#[test]
fn a_32_bit_counter_that_wraps_goes_on() {
    let top = 1 << 32;
    let bytes = |total: u64, sample: Sample| Sample { bytes: Some(total), ..sample };
    let retries = |total: u64, sample: Sample| Sample { retries: Some(total), ..sample };
    let window = window(&[
        retries(top - 1, bytes(1 << 40, sample(0, top - 300, top - 5))),
        retries(99, bytes((1 << 40) + 1_500_000, sample(1000, 700, 15))),
    ]);
    assert_eq!(counts(&window), (1000, 20));
    assert_eq!(window.resets(), 0);
    let activity = window.activity().unwrap();
    assert!((activity.retries_per_packet - 0.1).abs() < 1e-12);
    assert!((activity.packet_bytes - 1500.0).abs() < 1e-9);
}

#[test]
fn a_counter_that_is_set_back_starts_the_window_anew() {
    let mut window = window(&[sample(0, 50_000, 600), sample(1000, 51_000, 700)]);
    // A new association: 2^32 packets cannot have passed in a second.
    window.add(sample(2000, 40, 0));
    assert_eq!(window.resets(), 1);
    assert!(window.loss().is_none());
    window.add(sample(3000, 140, 1));
    assert_eq!(counts(&window), (100, 1));
}

#[test]
fn a_64_bit_counter_never_wraps() {
    let wide = |ms, packets| Sample { width: Width::Bits64, ..sample(ms, packets, 0) };
    let window = window(&[wide(0, (1 << 32) - 1), wide(1000, 3)]);
    assert_eq!(window.resets(), 1);
}

#[test]
fn one_counter_set_back_sets_back_all() {
    let window = window(&[sample(0, 50_000, 600), sample(1000, 51_000, 3)]);
    assert_eq!(window.resets(), 1);
    assert!(window.loss().is_none());
}

#[test]
fn without_a_counter_of_failures_there_is_no_loss_but_there_are_retries() {
    let without = |ms, packets, retries| Sample {
        failed: None,
        retries: Some(retries),
        ..sample(ms, packets, 0)
    };
    let window = window(&[without(0, 0, 0), without(1000, 200, 30)]);
    assert!(window.loss().is_none());
    let activity = window.activity().unwrap();
    assert!((activity.retries_per_packet - 0.15).abs() < 1e-12);
    assert!((activity.packet_bytes - 1000.0).abs() < 1e-9);
}

#[test]
fn a_failure_counted_after_its_packet_is_not_more_than_certain() {
    let window = window(&[sample(0, 100, 0), sample(1000, 101, 3)]);
    assert_eq!(counts(&window), (1, 1));
}

#[test]
fn samples_that_come_too_often_take_no_memory() {
    let mut window = CounterWindow::new(Span::from_secs(1), PacketCount::All);
    for ms in 0..100_000 {
        window.add(sample(ms, ms, 0));
    }
    assert!(window.steps.len() as u64 <= MOST_STEPS, "{}", window.steps.len());
    // The limit costs no coverage: the window still has a second of one packet per millisecond.
    assert!((990..=1005).contains(&counts(&window).0), "{:?}", counts(&window));
}
