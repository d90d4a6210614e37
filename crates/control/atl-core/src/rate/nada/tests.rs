use super::*;
use crate::rate::Lost;

fn start() -> RateStart {
    RateStart::default().packet_bytes(1000).target(1000.0).seed(1)
}

fn at(ms: u64) -> Time {
    Time::from_millis(ms)
}

fn ms(ms: u64) -> Span {
    Span::from_millis(ms)
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9 * b.abs().max(1.0), "{a} is not {b}");
}

/// The ACK of packet `seq`, which took `rtt`.
fn ack(nada: &mut Nada, now: Time, seq: u64, rtt: Span, losses: &[Lost], rate_limited: bool) {
    nada.on_feedback(&Feedback {
        now,
        delivered: 1,
        losses,
        newest: Some((seq, now - rtt)),
        rtt: Some(rtt),
        srtt: rtt,
        rtt_min: rtt,
        in_flight: 10,
        rate_limited,
        report: None,
    });
}

/// ACKs each 10 ms up to `until` ms, of packets that took `rtt` ms.
fn feed(nada: &mut Nada, from: u64, until: u64, rtt: u64) {
    for now in (from..until).step_by(10) {
        ack(nada, at(now), now / 10, ms(rtt), &[], true);
    }
}

fn begun(initial: f64) -> Nada {
    Nada::new(&Config { initial: Some(initial), ..Config::default() }, &start())
}

#[test]
fn begins_with_the_least_rate_of_the_rfc_or_of_the_flow() {
    let first = |config: &Config, start: &RateStart| Nada::new(config, start).rate();
    // 150 kb/s.
    near(first(&Config::default(), &start()), 18.75);
    near(first(&Config::default(), &RateStart { minimum: 40.0, ..start() }), 40.0);
    near(first(&Config::default(), &RateStart { target: 5.0, ..start() }), 5.0);
    near(first(&Config { rmin: 8.0, ..Config::default() }, &start()), 1.0);
}

#[test]
fn a_free_path_is_ramped_up_by_what_it_queues_at_most() {
    let mut nada = begun(50.0);
    feed(&mut nada, 0, 100, 30);
    near(nada.rate(), 50.0);
    // 100 packets/s arrive. gamma = 50 / (30 + 100 + 120) = 0.2.
    feed(&mut nada, 100, 110, 30);
    near(nada.rate(), 120.0);
    // A receive rate below the rate does not lower it.
    feed(&mut nada, 110, 1000, 30);
    near(nada.rate(), 120.0);
}

#[test]
fn a_ramp_up_never_more_than_gamma_max() {
    let config = Config { initial: Some(50.0), gamma_max: 0.1, ..Config::default() };
    let mut nada = Nada::new(&config, &start());
    feed(&mut nada, 0, 110, 30);
    near(nada.rate(), 110.0);
}

#[test]
fn a_queue_moves_the_rate_by_its_offset_and_its_change() {
    let mut nada = begun(500.0);
    feed(&mut nada, 0, 10, 30);
    // One long delay ends the ramp-up; the filter takes the least, 30 ms + 20 ms.
    feed(&mut nada, 10, 110, 50);
    // The base is still in the filter: x = 0, offset -10 * 1000/500 = -20 ms.
    let first = 500.0 * (1.0 - 0.5 * 0.2 * (-20.0 / 500.0));
    near(nada.rate(), first);
    feed(&mut nada, 110, 210, 50);
    // x = 20 ms now: offset 20 - 10 000/r, change 20.
    let offset = 20.0 - 10_000.0 / first;
    near(nada.rate(), first * (1.0 - 0.1 * offset / 500.0 - 20.0 / 500.0));
}

#[test]
fn it_rests_where_the_queue_is_the_share_of_the_reference_delay() {
    // x = XREF RMAX / r = 20 ms at half of RMAX.
    let mut nada = begun(500.0);
    feed(&mut nada, 0, 10, 30);
    feed(&mut nada, 10, 3000, 50);
    let rate = nada.rate;
    nada.rate = 500.0;
    feed(&mut nada, 3000, 3110, 50);
    near(nada.rate(), 500.0);
    assert!((rate - 500.0).abs() < 25.0, "{rate}");
}

#[test]
fn losses_end_the_ramp_up_and_count_as_delay() {
    let mut nada = begun(500.0);
    let lost = [Lost::new(3, at(0))];
    for i in 0..=10 {
        let losses = if i == 5 { &lost[..] } else { &[] };
        ack(&mut nada, at(10 * i), i, ms(30), losses, true);
    }
    // 1 of 12, smoothed by 0.1: x = 10 (8.33e-3 / 1e-2)^2.
    let x = 10.0 * (0.1 / 12.0 / 0.01f64).powi(2);
    near(nada.congestion, x);
    near(nada.rate(), 500.0 * (1.0 - 0.1 * (x - 20.0) / 500.0 - x / 500.0));
}

/// rfc8698 4.2: Marks count as delay in the congestion signal, and are no losses.
#[test]
fn marks_count_as_delay_and_do_not_end_a_ramp_up() {
    let mut nada = begun(500.0);
    for i in 0..=10 {
        let marked = [Lost::new(i, at(10 * i)).marked(true)];
        let losses = if i == 5 { &marked[..] } else { &[] };
        let told = Feedback::new(at(10 * i)).delivered(u32::from(i != 5)).losses(losses);
        nada.on_feedback(
            &told.newest(Some((i, at(10 * i) - ms(30)))).rtt(Some(ms(30))).srtt(ms(30)),
        );
    }
    // 1 of 11 that arrived, smoothed by 0.1: x = 2 (9.09e-3 / 1e-2)^2.
    near(nada.congestion, 2.0 * (0.1 / 11.0 / 0.01f64).powi(2));
    // Eq. 3 and 4: 10 packets in 100 ms, times 1.2, is below the rate, which a loss would lower.
    near(nada.rate(), 500.0);
    near(nada.losses.expired(7.0), 1.0);
}

#[test]
fn an_application_that_has_no_more_to_send_gains_nothing() {
    let mut nada = begun(50.0);
    for i in 0..100 {
        ack(&mut nada, at(10 * i), i, ms(30), &[], i % 5 != 0);
    }
    near(nada.rate(), 50.0);
}

#[test]
fn silence_halves_and_feedback_brings_it_back() {
    let mut nada = begun(400.0);
    feed(&mut nada, 0, 10, 30);
    // 500 ms, longer than 4 RTTs.
    assert_eq!(nada.next_timeout(), Some(at(500)));
    nada.on_tick(at(500));
    near(nada.rate(), 200.0);
    nada.on_tick(at(1500));
    near(nada.rate(), 100.0);
    feed(&mut nada, 1500, 1700, 30);
    near(nada.rate(), 120.0);
    for _ in 0..20 {
        nada.on_tick(nada.next_timeout().expect("in flight"));
    }
    near(nada.rate(), 18.75);
}

#[test]
fn a_handoff_to_a_longer_path_is_no_queue() {
    let handoff =
        |now| Handoff { now, end: crate::path::End::Own, old_delay: ms(5), new_delay: ms(150) };
    let mut nada = begun(100.0);
    feed(&mut nada, 0, 1000, 30);
    let before = nada.rate();
    nada.on_handoff(&handoff(at(1000)));
    // Late ACKs of the old path, then those of the new one.
    feed(&mut nada, 1000, 1030, 30);
    for now in (1320..3000).step_by(10) {
        ack(&mut nada, at(now), now / 10, ms(320), &[], true);
    }
    assert!(nada.rate() >= before, "{} after {before}", nada.rate());
    // Without it the delay counts as 290 ms of queue.
    let mut deaf = begun(100.0);
    feed(&mut deaf, 0, 1000, 30);
    for now in (1320..3000).step_by(10) {
        ack(&mut deaf, at(now), now / 10, ms(320), &[], true);
    }
    assert!(deaf.rate() < 0.5 * before, "{}", deaf.rate());
}

#[test]
fn parameters_out_of_range_are_named() {
    assert_eq!(Config::default().check(), Ok(()));
    let wrong = |change: fn(&mut Config)| {
        let mut config = Config::default();
        change(&mut config);
        config.check().unwrap_err()
    };
    assert!(wrong(|c| c.prio = 0.0).starts_with("prio"));
    assert!(wrong(|c| c.delta = f64::NAN).starts_with("delta"));
    assert!(wrong(|c| c.logwin = 1e9).starts_with("logwin"));
    assert!(wrong(|c| c.alpha = 0.0).starts_with("alpha"));
    assert!(wrong(|c| c.qth = -1.0).starts_with("qth"));
    assert!(wrong(|c| c.initial = Some(f64::INFINITY)).starts_with("initial"));
}

/// Five packets at one time say nothing of a rate, and neither do five of which only the first is
/// later than it began.
#[test]
fn a_receive_rate_takes_time_and_packets() {
    let rate = |samples: &[(u64, u32)]| {
        let mut history = History::new(ms(500));
        samples.iter().for_each(|&(now, packets)| history.push(at(now), None, [packets, 0, 0]));
        history.receive_rate()
    };
    assert_eq!(rate(&[(100, 3), (100, 3)]), None);
    assert_eq!(rate(&[(100, 3), (200, 1)]), None);
    assert_eq!(rate(&[(100, 5), (200, 0)]), None);
    assert_eq!(rate(&[(100, 3), (200, 2)]), Some(20.0));
    assert_eq!(rate(&[]), None);
}

#[test]
fn a_single_packet_is_all_of_the_window() {
    let shares = |counts| {
        let mut history = History::new(ms(500));
        history.push(at(0), None, counts);
        [history.loss(), history.mark()].map(f64::to_bits)
    };
    assert_eq!(shares([0, 1, 0]), [1f64, 0.0].map(f64::to_bits));
    assert_eq!(shares([1, 0, 1]), [0f64, 1.0].map(f64::to_bits));
}

/// rfc8698 4.3: The ramp-up needs a queueing delay below QEPS over LOGWIN.
#[test]
fn a_queue_of_qeps_ends_the_ramp_up() {
    let after = |queued: u64| {
        let mut nada = begun(50.0);
        for i in 0..=10 {
            let queue = if i == 5 { queued } else { 0 };
            ack(&mut nada, at(10 * i), i, ms(30 + queue), &[], true);
        }
        nada.rate()
    };
    near(after(9), 120.0);
    // Eq. 5 with x_curr = 0: the offset is that of 50 of 1000 packets per second.
    near(after(10), 50.0 * (1.0 + 0.5 * 0.2 * (10.0 * 20.0 / 500.0)));
}

/// Feedback as old as the window is out of it, and delays as old as DFILT are in the filter.
#[test]
fn windows_have_sharp_ends() {
    let mut history = History::new(ms(500));
    history.push(at(0), Some(ms(10)), [0, 3, 0]);
    history.push(at(499), Some(ms(50)), [1, 0, 0]);
    assert_eq!(history.lost(), 3);
    history.push(at(500), Some(ms(60)), [1, 0, 0]);
    assert_eq!((history.lost(), history.largest_rtt()), (0, Some(ms(60))));
    assert_eq!(history.filtered_rtt(at(619), ms(120)), Some(ms(50)));
    assert_eq!(history.filtered_rtt(at(620), ms(120)), Some(ms(60)));
}
