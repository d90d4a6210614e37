//! Statements of RFC 5348 about a TFRC receiver (sec. 5 and 6), one by one, and arbitrary input.

use atl_core::rate::tfrc::{Config, Equation, Receiver};
use atl_core::rate::{Arrived, Report, ReportingReceiver};
use atl_core::time::{Span, Time};
use proptest::prelude::*;

const R: Span = Span::from_millis(100);

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

fn packet(seq: u64, at: u64, rtt: Span) -> Arrived {
    Arrived::new(ms(at), seq, ms(at.saturating_sub(50)), 1000).rtt(rtt)
}

/// A receiver whose caller obeys the contract.
struct End {
    receiver: Receiver,
    reports: Vec<(u64, Report)>,
}

impl End {
    fn new(config: &Config) -> Self {
        End { receiver: Receiver::new(config), reports: Vec::new() }
    }

    fn tick(&mut self, until: u64) {
        while let Some(due) = self.receiver.next_timeout().filter(|&due| due <= ms(until)) {
            if self.receiver.on_tick(due) {
                self.report(due.nanos() / 1_000_000);
            }
        }
    }

    fn report(&mut self, at: u64) {
        let report = self.receiver.report(ms(at));
        self.reports.push((at, report));
    }

    fn hears(&mut self, seq: u64, at: u64, rtt: Span) {
        self.tick(at);
        if self.receiver.on_data(&packet(seq, at, rtt)) {
            self.report(at);
        }
    }

    fn times(&self) -> Vec<u64> {
        self.reports.iter().map(|report| report.0).collect()
    }

    fn last(&self) -> (f64, f64) {
        let report = &self.reports.last().expect("one").1;
        (report.loss_event_rate.expect("told"), report.receive_rate.expect("told"))
    }
}

fn near(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-6, "{found} {expected}");
}

/// Packets 10 ms apart from 0 ms on, without those that `lost` names.
fn stream(until: u64, lost: impl Fn(u64) -> bool) -> End {
    let mut end = End::new(&Config::default());
    for seq in (0..until).filter(|&seq| !lost(seq)) {
        end.hears(seq, 10 * seq, if seq < 20 { Span::ZERO } else { R });
    }
    end
}

/// Sec. 6.3: "When the first packet is received: Set p = 0. Set X_recv = 0. Prepare and send a
/// feedback packet"; "if the first data packet does not contain an estimate R_i of the round-trip
/// time, then the receiver sends a feedback packet for every arriving data packet until a data
/// packet arrives containing an estimate".
#[test]
fn every_packet_is_answered_until_one_tells_a_round_trip_time() {
    let mut end = End::new(&Config::default());
    end.hears(0, 10, Span::ZERO);
    assert_eq!(end.last(), (0.0, 0.0));
    assert_eq!(end.receiver.next_timeout(), None);
    end.hears(1, 60, Span::ZERO);
    end.hears(2, 110, R);
    assert_eq!(end.receiver.next_timeout(), Some(ms(210)));
    end.hears(3, 120, R);
    assert_eq!(end.times(), [10, 60, 110]);
    let mut told = End::new(&Config::default());
    told.hears(0, 10, R);
    told.hears(1, 20, R);
    assert_eq!((told.times(), told.last()), (vec![10], (0.0, 0.0)));
}

/// Sec. 6: "Feedback packets SHOULD normally be sent at least once per RTT"; sec. 6.2: "Restart the
/// feedback timer to expire after R_m seconds", "calculate the measured receive rate, X_recv, based
/// on the packets received within the previous R_(m-1) seconds".
#[test]
fn reports_come_once_per_round_trip_with_the_rate_of_that_time() {
    let end = stream(101, |_| false);
    // One for each packet up to the one at 200 ms, which carries R, and by its timer from then on.
    let expected: Vec<u64> = (0..20).map(|i| 10 * i).chain((200..=1000).step_by(100)).collect();
    assert_eq!(end.times(), expected);
    for (_, report) in &end.reports[22..] {
        // 10 packets in 100 ms.
        near(report.receive_rate.expect("told"), 100.0);
        assert_eq!(report.loss_event_rate, Some(0.0));
    }
    let last = end.reports.last().expect("one").1;
    assert_eq!((last.highest, last.received, last.held), (99, 100, Span::from_millis(10)));
}

/// Sec. 6.2: "if no data packets have been received since the last feedback was sent, then no
/// feedback packet is sent"; sec. 6.1: "if p <= p_prev and no feedback packet was sent when the
/// feedback timer last expired, cause the feedback timer to expire". Sec. 6: at "less than one
/// packet per RTT ... a feedback packet SHOULD be sent for every data packet received".
#[test]
fn a_slow_flow_is_answered_packet_by_packet() {
    let mut end = End::new(&Config::default());
    for seq in 0..6 {
        end.hears(seq, 1000 * seq, R);
    }
    assert_eq!(end.times(), [0, 1000, 2000, 3000, 4000, 5000]);
    // "A minimum value for the measured receive rate X_recv of one packet per round-trip time."
    near(end.last().1, 10.0);
    // The timer stops in between.
    end.tick(5999);
    assert_eq!(end.receiver.next_timeout(), None);
}

/// Sec. 6.1: "If p > p_prev, cause the feedback timer to expire". Sec. 6.3.1: the first interval is
/// "the loss interval that would be required to produce the data rate X_target", "the maximum value
/// of X_recv so far".
#[test]
fn the_first_loss_is_reported_at_once_and_gives_the_rate_that_was_received() {
    let end = stream(104, |seq| seq == 100);
    // 100 would have come at 1000 ms; the third above it, 103, came at 1030.
    assert_eq!(end.times().last(), Some(&1030));
    let (p, receive_rate) = end.last();
    let target = Equation::default().throughput(p, R.secs());
    assert!((target / 100.0 - 1.0).abs() < 0.05, "{target}");
    // "The TFRC receiver still reports the measured receive rate X_recv": 13 in the 130 ms since
    // the report at 900 ms, which went out ahead of that time's packet.
    near(receive_rate, 13.0 / 0.13);
}

/// Sec. 6.3.1: "if the first data packet is lost ... the TFRC receiver calculates the loss interval
/// that would be required to produce the target rate X_target of 0.5/R packets per second".
#[test]
fn a_lost_first_packet_gives_half_a_packet_per_round_trip() {
    for known in [Span::ZERO, R] {
        let mut end = End::new(&Config::default());
        for seq in 1..4 {
            end.hears(seq, 10 * seq, known);
        }
        let (p, _) = end.last();
        near(Equation::default().throughput(p, R.secs()), 5.0);
    }
}

/// Sec. 5.2 and 5.3: losses within R of the first are one event; intervals are counted from first
/// to first.
#[test]
fn p_follows_the_loss_intervals() {
    let lost = |seq: u64| seq >= 106 && ([0, 7].contains(&(seq % 53)));
    let end = stream(1001, lost);
    // Eight closed intervals of 53: the synthetic one is out of the history.
    near(end.receiver.loss_event_rate(), 1.0 / 53.0);
    // Losses at 1590, 2120, ... 9540 ms were reported 30 ms later, after timers that began with the
    // loss before: 5 times 100 ms and 30 ms. The second losses of the events caused no report.
    let times = end.times();
    let gaps: Vec<u64> = times.windows(2).filter(|w| w[0] >= 1090).map(|w| w[1] - w[0]).collect();
    let expected: Vec<u64> = (0..gaps.len()).map(|i| if i % 6 == 5 { 30 } else { 100 }).collect();
    assert_eq!(gaps, expected);
    assert_eq!(gaps.iter().filter(|&&gap| gap == 30).count(), 16);
}

/// Sec. 5.5: a long interval without loss lowers p faster than the average of eight does.
#[test]
fn history_is_discounted_unless_that_is_off() {
    let p_after = |config: &Config| {
        let mut end = End::new(config);
        for seq in (0..1400).filter(|seq| seq % 50 != 0 || *seq == 0 || *seq > 1000) {
            end.hears(seq, 10 * seq, R);
        }
        end.receiver.loss_event_rate()
    };
    // I_0 = 1399 - 1000 + 1 = 400, eight of 50: DF = 100/400; (1 + 5/4) / (400 + 250/4).
    near(p_after(&Config::default()), 2.25 / 462.5);
    let plain = Config { history_discounting: false, ..Config::default() };
    near(p_after(&plain), 6.0 / 650.0);
    let half = Config { least_discount: 0.5, ..Config::default() };
    near(p_after(&half), 3.5 / 525.0);
}

/// Sec. 6.3.1: X_target is "the maximum value of X_recv so far", and the loss of a packet after the
/// event began, which is not reported, is no time at which X_recv is measured. 112 is lost as 24
/// packets have come in the 141 ms since 900 ms; the highest report is that at 1130 ms, of the 11
/// that have come since 1030 ms. Late packets take the event back, so that 140 begins the first.
#[test]
fn the_first_interval_is_of_a_rate_that_was_reported() {
    let mut end = stream(104, |seq| seq == 100);
    (104..112).for_each(|seq| end.hears(seq, 1035, R));
    (113..116).for_each(|seq| end.hears(seq, 1041, R));
    end.tick(1130);
    assert_eq!(end.times().last(), Some(&1130));
    near(end.last().1, 110.0);
    end.hears(100, 1150, R);
    end.hears(112, 1155, R);
    assert_eq!((end.times().last(), end.last().0), (Some(&1155), 0.0));
    (116..144).filter(|&seq| seq != 140).for_each(|seq| end.hears(seq, 10 * seq, R));
    assert_eq!(end.times().last(), Some(&1430));
    let target = Equation::default().throughput(end.last().0, R.secs());
    assert!((target / 110.0 - 1.0).abs() < 0.05, "{target}");
}

/// Sec. 6: a report SHOULD be sent "whenever an out-of-order data packet is received that removes a
/// loss event from the history".
#[test]
fn a_late_packet_takes_its_loss_event_back() {
    let mut end = stream(110, |seq| seq == 100);
    assert!(end.last().0 > 0.0);
    end.hears(100, 1095, R);
    assert_eq!((end.times().last(), end.last().0), (Some(&1095), 0.0));
    // The loss event is taken back only once.
    end.hears(100, 1096, R);
    assert_eq!(end.times().last(), Some(&1095));
}

/// Sec. 5.1: reordering by less than three packets is no loss.
#[test]
fn a_little_reordering_is_no_loss() {
    let mut end = End::new(&Config::default());
    for seq in 0..300_u64 {
        // 2 1 0, 5 4 3, ...
        end.hears(seq - seq % 3 + (2 - seq % 3), 10 * seq, R);
    }
    assert!(end.receiver.loss_event_rate() <= 0.0);
}

/// A round-trip time that was far too long does not silence the receiver.
#[test]
fn a_shorter_round_trip_time_brings_the_timer_forward() {
    let mut end = End::new(&Config::default());
    end.hears(0, 0, Span::MAX);
    assert_eq!(end.receiver.next_timeout(), Some(Time::from_millis(64_000)));
    end.hears(1, 10, R);
    assert_eq!(end.receiver.next_timeout(), Some(ms(110)));
}

fn arrivals() -> impl Strategy<Value = Vec<(u64, u64, u64, u32, bool)>> {
    let seq = prop_oneof![8 => 0_u64..64, 2 => 0_u64..100_000, 1 => any::<u64>()];
    let step = prop_oneof![4 => 0_u64..20_000_000, 1 => any::<u64>()];
    let rtt = prop_oneof![1 => Just(0_u64), 4 => 1_u64..1_000_000_000, 1 => any::<u64>()];
    prop::collection::vec((seq, step, rtt, any::<u32>(), any::<bool>()), 1..300)
}

proptest! {
    /// For any arrivals in any order, p is a share, X_recv a rate, and the timer ahead.
    #[test]
    fn any_sequence_of_arrivals_is_survived(arrivals in arrivals(), relative: bool, n in 1_u32..16) {
        let config = Config { intervals: n, ..Config::default() };
        let mut receiver = Receiver::new(&config);
        let (mut now, mut next) = (Time::ZERO, 0_u64);
        for (seq, step, rtt, bytes, tick) in arrivals {
            now = now.saturating_add(Span::from_nanos(step));
            // Numbers of a flow with gaps, or arbitrary ones.
            let seq = if relative { next.saturating_add(seq.saturating_sub(32)) } else { seq };
            next = seq.saturating_add(1);
            let arrived =
                Arrived::new(now, seq, Time::ZERO, bytes).rtt(Span::from_nanos(rtt));
            let mut due = receiver.on_data(&arrived);
            if tick {
                due |= receiver.on_tick(now);
            }
            if due {
                let report = receiver.report(now);
                let p = report.loss_event_rate.expect("told");
                let rate = report.receive_rate.expect("told");
                prop_assert!((0.0..=1.0).contains(&p), "{p}");
                prop_assert!(rate.is_finite() && rate >= 0.0, "{rate}");
                prop_assert!(receiver.next_timeout().is_none_or(|due| due > now || now == Time::MAX));
            }
            prop_assert!((0.0..=1.0).contains(&receiver.loss_event_rate()));
        }
    }

    /// p depends on the losses, not on the number of reports.
    #[test]
    fn reports_do_not_change_what_is_measured(lost in prop::collection::btree_set(1_u64..400, 0..60)) {
        let mut often = Receiver::new(&Config::default());
        let mut seldom = Receiver::new(&Config::default());
        for seq in (0..400).filter(|seq| !lost.contains(seq)) {
            let arrived = packet(seq, 10 * seq, R);
            let first = seldom.loss_event_rate() <= 0.0;
            often.on_data(&arrived);
            seldom.on_data(&arrived);
            if first {
                // The first interval depends on the reported rates: here both report them.
                seldom.report(arrived.now);
            }
            often.report(arrived.now);
        }
        prop_assert_eq!(often.loss_event_rate().to_bits(), seldom.loss_event_rate().to_bits());
    }
}

/// rfc5348 5.1: A marked packet is treated as the loss of a packet is, and a loss event begins with
/// it: p is the same as if the packet were lost.
/// Deviation: the event begins with the marked packet also where one of the two before it is
/// missing and not yet known to be lost.
/// Reason: that one then belongs to the same event, whose interval is two packets longer at most.
#[test]
fn a_mark_counts_as_a_loss() {
    let mut marked = End::new(&Config::default());
    for seq in 0..400 {
        marked.tick(10 * seq);
        let rtt = if seq < 20 { Span::ZERO } else { R };
        let packet = packet(seq, 10 * seq, rtt).marked(seq % 50 == 49);
        if marked.receiver.on_data(&packet) {
            marked.report(10 * seq);
        }
    }
    let lost = stream(400, |seq| seq % 50 == 49);
    // The first intervals differ: the receiver got one packet fewer before the loss. They are the
    // eighth.
    let (with_marks, with_losses) = (marked.last().0, lost.last().0);
    assert!((with_marks / with_losses - 1.0).abs() < 0.02, "{with_marks} {with_losses}");
    assert_eq!(marked.reports.last().map(|(_, report)| report.marked), Some(8));
    // A mark is told at once, in an event of its own, and a copy of the packet takes none back.
    assert!(marked.times().contains(&(10 * 349)));
    let p = marked.receiver.loss_event_rate();
    assert!(!marked.receiver.on_data(&packet(349, 4001, R)));
    near(marked.receiver.loss_event_rate(), p);
}

/// Sec. 6.3.1: "0.5/R packets per second" is the target also where that is less than one, and where
/// the first packet was marked.
#[test]
fn a_lost_first_packet_of_a_long_path_gives_a_low_target() {
    let long = Span::from_secs(4);
    let mut lost = End::new(&Config::default());
    for seq in 1..4 {
        lost.hears(seq, 10 * seq, long);
    }
    let mut marked = End::new(&Config::default());
    let first = packet(0, 0, long).marked(true);
    assert!(marked.receiver.on_data(&first));
    marked.report(0);
    for end in [lost, marked] {
        near(Equation::default().throughput(end.last().0, long.secs()), 0.5 / 4.0);
    }
}

/// Sec. 3.2.1: a sender tells its estimate of the round-trip time; a packet without one leaves that
/// of the packets before.
#[test]
fn a_packet_without_a_round_trip_leaves_the_timer() {
    let mut end = End::new(&Config::default());
    end.hears(0, 0, R);
    end.hears(1, 10, Span::ZERO);
    assert_eq!(end.receiver.next_timeout(), Some(ms(100)));
    end.tick(100);
    assert_eq!((end.times(), end.receiver.next_timeout()), (vec![0, 100], Some(ms(200))));
}

/// A copy of the packet whose mark began the newest event takes nothing back.
#[test]
fn a_copy_of_a_marked_packet_is_no_late_one() {
    let mut end = stream(60, |_| false);
    assert!(end.receiver.on_data(&packet(60, 600, R).marked(true)));
    let p = end.receiver.loss_event_rate();
    assert!(p > 0.0 && !end.receiver.on_data(&packet(60, 601, R)));
    near(end.receiver.loss_event_rate(), p);
}

/// The mark of a packet that has arrived before tells nothing new of the path.
#[test]
fn a_copy_with_a_mark_is_no_mark() {
    let mut end = stream(60, |_| false);
    assert!(!end.receiver.on_data(&packet(59, 595, R).marked(true)));
    assert!(end.receiver.loss_event_rate() <= 0.0);
}

/// A timer that does not run does not expire, whatever has come since the last report.
#[test]
fn no_timer_runs_before_a_round_trip_is_known() {
    let mut receiver = Receiver::new(&Config::default());
    assert!(!receiver.on_tick(ms(0)));
    assert!(receiver.on_data(&packet(0, 10, Span::ZERO)));
    assert!(!receiver.on_tick(ms(10)));
}

/// Packets of one byte are counted as packets.
#[test]
fn the_shortest_packets_have_a_rate() {
    let mut receiver = Receiver::new(&Config::default());
    let mut told = 0.0;
    for seq in 0..40 {
        let at = ms(10 * seq);
        let arrived = Arrived::new(at, seq, at, 1).rtt(R);
        if receiver.on_tick(at) | receiver.on_data(&arrived) {
            told = receiver.report(at).receive_rate.expect("told");
        }
    }
    near(told, 100.0);
}
