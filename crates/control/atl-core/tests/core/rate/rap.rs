//! RAP worked out by hand, and on a path.

use crate::support::paced::{Path, Run};
use crate::support::rates::is;
use atl_core::rate::rap::{Config, Rap};
use atl_core::rate::{Feedback, Lost, RateConfig, RateController, RateStart, Report, Sent};
use atl_core::time::{Span, Time};

const START: RateStart = RateStart::DEFAULT.packet_bytes(1040).target(1000.0);

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

fn rap(config: Config) -> Rap {
    Rap::new(&config, &START)
}

fn send(rap: &mut Rap, seq: u64, at: u64) {
    rap.on_sent(&Sent::new(ms(at), seq, 1040));
}

/// The ACK of `seq`, `rtt` milliseconds after it left.
fn ack(now: u64, seq: u64, rtt: u64, losses: &[Lost]) -> Feedback<'_> {
    Feedback::new(ms(now))
        .delivered(1)
        .losses(losses)
        .newest(Some((seq, ms(now - rtt))))
        .rtt(Some(Span::from_millis(rtt)))
        .srtt(Span::from_millis(rtt))
        .rtt_min(Span::from_millis(rtt))
        .in_flight(1)
}

fn lost(seq: u64, sent: u64) -> Lost {
    Lost::new(seq, ms(sent))
}

#[test]
fn begins_with_a_packet_in_two_seconds_and_goes_on_with_one_per_rtt() {
    let mut r = rap(Config::default());
    is(&r, 0.5);
    assert_eq!((r.aimd(), r.next_timeout()), (None, None));
    send(&mut r, 0, 0);
    r.on_feedback(&ack(100, 0, 100, &[]));
    is(&r, 10.0);
    // The rate grows by alpha / SRTT in each SRTT, while ACKs come.
    for round in 1..=3 {
        assert_eq!(r.next_timeout(), Some(ms(100 + 100 * round)));
        r.on_tick(ms(100 + 100 * round));
        is(&r, 10.0 * (round + 1) as f64);
        r.on_feedback(&ack(150 + 100 * round, 0, 100, &[]));
    }
    let aimd = r.aimd().expect("measured");
    assert!((aimd.alpha - 10.0).abs() + (aimd.beta - 0.5).abs() < 1e-9, "{aimd:?}");
}

#[test]
fn grows_only_where_the_rate_was_used_and_something_came_back() {
    let mut r = rap(Config::default());
    send(&mut r, 0, 0);
    r.on_feedback(&ack(100, 0, 100, &[]));
    r.on_tick(ms(200));
    is(&r, 20.0);
    r.on_tick(ms(300));
    is(&r, 20.0);
    r.on_feedback(&ack(350, 0, 100, &[]).rate_limited(false));
    r.on_tick(ms(400));
    is(&r, 20.0);
    r.on_feedback(&ack(450, 0, 100, &[]));
    r.on_tick(ms(500));
    is(&r, 30.0);
}

#[test]
fn losses_of_a_cluster_cut_once_and_the_next_increase_is_an_srtt_away() {
    let mut r = rap(Config { initial_rtt: 0.1, ..Config::default() });
    for seq in 0..8 {
        send(&mut r, seq, 10 * seq);
    }
    r.on_feedback(&ack(100, 0, 100, &[]));
    is(&r, 10.0);
    r.on_feedback(&ack(140, 4, 100, &[lost(1, 10)]));
    is(&r, 5.0);
    // Of the packets in flight two more are lost.
    send(&mut r, 8, 145);
    r.on_feedback(&ack(170, 7, 100, &[lost(2, 20), lost(3, 30)]));
    is(&r, 5.0);
    // The previous round would end at 200.
    r.on_tick(ms(200));
    is(&r, 5.0);
    r.on_tick(ms(240));
    is(&r, 15.0);
    // A loss of a packet sent after the reduction is another cluster.
    r.on_feedback(&ack(260, 11, 100, &[lost(8, 145)]));
    is(&r, 7.5);
    assert_eq!(r.decreases(), 2);
}

#[test]
fn what_is_late_is_lost_once_for_all_that_was_in_flight() {
    let mut r = rap(Config::default());
    send(&mut r, 0, 0);
    r.on_feedback(&ack(100, 0, 100, &[]));
    // SRTT 100, V 0: 1.2 SRTT.
    send(&mut r, 1, 110);
    send(&mut r, 2, 115);
    r.on_tick(ms(200));
    is(&r, 20.0);
    assert_eq!(r.next_timeout(), Some(ms(230)));
    r.on_tick(ms(229));
    is(&r, 20.0);
    r.on_tick(ms(230));
    is(&r, 10.0);
    // The other loss is of the same cluster; only the end of the round remains due.
    assert_eq!(r.next_timeout(), Some(ms(330)));
    r.on_feedback(&ack(300, 5, 100, &[lost(1, 110), lost(2, 115)]));
    is(&r, 10.0);
    // SRTT 120, V 20: 144 + 80.
    send(&mut r, 6, 305);
    r.on_feedback(&ack(310, 5, 140, &[]));
    assert_eq!(r.next_timeout(), Some(ms(330)));
    r.on_tick(ms(330));
    r.on_tick(ms(450));
    assert_eq!(r.next_timeout(), Some(ms(305 + 224)));
    assert_eq!(r.decreases(), 1);
}

#[test]
fn a_lost_ack_is_no_late_packet() {
    let mut r = rap(Config::default());
    for seq in 0..4 {
        send(&mut r, seq, 10 * seq);
    }
    r.on_feedback(&ack(100, 0, 100, &[]));
    // The ACKs of 1 and 2 were lost; that of 3 acknowledges them.
    r.on_feedback(&ack(130, 3, 100, &[]).delivered(3));
    assert_eq!(r.next_timeout(), Some(ms(200)), "the end of the round");
    r.on_tick(ms(200));
    is(&r, 20.0);
    // 4 and 5 are still unknown when 6 has arrived.
    for seq in 4..7 {
        send(&mut r, seq, 180 + seq);
    }
    r.on_feedback(&ack(286, 6, 100, &[]));
    r.on_tick(ms(300));
    assert_eq!(r.next_timeout(), Some(ms(184 + 120)));
}

#[test]
fn the_fine_grain_gives_way_while_the_rtt_grows() {
    let mut coarse = rap(Config::default());
    let mut fine = rap(Config { fine_grain: true, ..Config::default() });
    for r in [&mut coarse, &mut fine] {
        send(r, 0, 0);
        r.on_feedback(&ack(100, 0, 100, &[]));
        r.on_feedback(&ack(200, 0, 200, &[]));
    }
    is(&coarse, 10.0);
    // Long 101 ms, short 190 ms.
    is(&fine, 10.0 * 101.0 / 190.0);
    fine.on_feedback(&ack(300, 0, 100, &[]));
    is(&fine, 10.0 * 100.99 / 109.0);
}

#[test]
fn reports_are_waited_for() {
    let mut r = rap(Config::default());
    let report = Report::default();
    let mut next = 0;
    for at in 1..=40 {
        for seq in next..next + 10 {
            send(&mut r, seq, 1000 * at + 100 * (seq - next));
        }
        next += 10;
        let now = 1000 * at + 999;
        while r.next_timeout().is_some_and(|due| due <= ms(now)) {
            r.on_tick(r.next_timeout().expect("some"));
        }
        let feedback = ack(now, next - 1, 99, &[]);
        r.on_feedback(&feedback.delivered(10).report(Some(&report)));
    }
    assert_eq!(r.decreases(), 0);
    assert!(r.rate() > 100.0, "{}", r.rate());
}

#[test]
fn a_flow_that_begins_late_does_not_wait_for_as_long_as_it_was_not_there() {
    let mut r = rap(Config::default());
    let report = Report::default();
    send(&mut r, 0, 300_000);
    r.on_feedback(&ack(300_100, 0, 100, &[]).report(Some(&report)));
    is(&r, 10.0);
    // Feedback ends, before the interval between reports was known.
    send(&mut r, 1, 300_100);
    while r.next_timeout().is_some_and(|due| due <= ms(310_000)) {
        r.on_tick(r.next_timeout().expect("some"));
    }
    assert_eq!(r.decreases(), 1);
}

/// RAP on this path, with this target in packets per second.
fn on(path: Path, target: f64) -> Run {
    Run::new(&RateConfig::from(Config::default()), &START.target(target), path)
}

/// With a sawtooth that halves, and losses that hit all packets alike, the mean is 1.31 / sqrt(p)
/// packets per RTT (Ott, Kemperman, Mathis 1996).
#[test]
fn rate_follows_the_root_of_the_loss() {
    for rtt in [50, 120] {
        for p in [1e-3, 3e-3, 1e-2, 3e-2f64] {
            let delay = Span::from_millis(rtt) / 2;
            let mut run = on(Path { rate: 1e5, delay, loss: p, ..Path::default() }, 1e5);
            run.stretch(30.0);
            let packets = run.stretch(800.0).rate * rtt as f64 / 1e3;
            let law = 1.31 / p.sqrt();
            assert!((packets / law - 1.0).abs() < 0.1, "{packets} and not {law} at {p}, {rtt} ms");
        }
    }
}

/// The sawtooth of a single source: it overruns the queue, halves once, and grows again by a packet
/// per RTT.
#[test]
fn a_bottleneck_sees_one_cut_for_each_overrun() {
    let mut run = on(Path { rate: 250.0, queue: 50, ..Path::default() }, 1e4);
    run.stretch(30.0);
    let (mut low, mut high, mut cuts, mut carried) = (f64::MAX, 0f64, 0, 0);
    for _ in 0..27_000 {
        let outcome = run.stretch(0.01);
        low = low.min(outcome.rate);
        high = high.max(outcome.rate);
        cuts += outcome.decreases;
        carried += outcome.delivered;
    }
    assert!(high > 250.0 && high < 350.0, "{high}");
    assert!(low > 0.4 * high && low < 0.55 * high, "{low} after {high}");
    // From half the peak to 250 in some 11 RTT of 100 ms, and on in steps of up to 300 ms until 50
    // packets wait.
    assert!((70..140).contains(&cuts), "{cuts} cuts");
    assert!(carried as f64 > 0.85 * 250.0 * 270.0, "{carried}");
}

#[test]
fn a_dead_path_slows_it_down_and_an_open_one_brings_it_back() {
    let mut run = on(Path::default(), 50.0);
    run.stretch(30.0);
    assert!(run.sender.rate() > 49.0);
    run.path.loss = 1.0;
    run.stretch(30.0);
    assert!(run.sender.rate() < 0.2, "{}", run.sender.rate());
    run.path.loss = 0.0;
    run.stretch(90.0);
    assert!(run.sender.rate() > 49.0, "{}", run.sender.rate());
}
