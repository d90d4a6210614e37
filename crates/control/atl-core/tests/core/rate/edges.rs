//! Seldom met by a flow are reports of nothing, clocks that lie, packets without a length, and
//! losses before anything arrives.

use atl_core::rate::rcs::{self, Rcs};
use atl_core::rate::tfrc::{self, Tfrc};
use atl_core::rate::{
    Arrived, Feedback, Ledger, Lost, PeriodicReports, RateConfig, RateController, RateStart,
    Report, ReportingReceiver, Sent, aimd, arc, nada, rap,
};
use atl_core::time::{Span, Time};

const START: RateStart = RateStart::DEFAULT.packet_bytes(1000).target(1000.0).seed(1);
const RTT: Span = Span::from_millis(100);

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

/// Feedback with a round trip of 100 ms.
fn told(now: Time) -> Feedback<'static> {
    Feedback::new(now).rtt(Some(RTT)).srtt(RTT).rtt_min(RTT).in_flight(9)
}

/// A receiver that has received nothing has nothing to say of packet 0.
#[test]
fn a_report_of_nothing_changes_nothing() {
    let mut ledger = Ledger::new();
    ledger.on_sent(ms(0), false);
    let report = Report::default().highest(0).received(0).echo(ms(0));
    assert_eq!(ledger.on_report(ms(100), &report), None);
    let feedback = ledger.feedback(ms(100), None, None, None);
    assert_eq!((feedback.losses.len(), feedback.delivered, feedback.in_flight), (0, 0, 1));
    assert_eq!(feedback.srtt, Span::ZERO);
}

/// One mark among the packets of a report is told of one of them.
#[test]
fn a_single_mark_is_not_lost() {
    let mut ledger = Ledger::new();
    for at in 0..3 {
        ledger.on_sent(ms(at), false);
    }
    ledger.on_report(ms(100), &Report::default().highest(2).received(3).marked(1).echo(ms(2)));
    let feedback = ledger.feedback(ms(100), None, None, None);
    assert_eq!(feedback.losses, [Lost::new(2, ms(2)).marked(true)]);
    assert_eq!(feedback.delivered, 2);
}

/// A sender whose clock jumps by centuries: D counts as 2^64 / 32 ns at most, and J as a sixteenth.
#[test]
fn jitter_has_a_largest_value() {
    let mut receiver = PeriodicReports::new(Span::from_secs(1));
    receiver.on_data(&Arrived::new(ms(0), 0, Time::from_nanos(u64::MAX), 1000));
    receiver.on_data(&Arrived::new(ms(1), 1, ms(0), 1000));
    let jitter = receiver.report(ms(1)).jitter;
    assert_eq!(jitter.nanos(), u64::MAX / 32 / 16);
}

/// Packets of no length count as of one byte, whether or not the flow has a least rate in bits.
#[test]
fn packets_without_a_length_have_a_least_rate() {
    let config = nada::Config { rmin: 0.008, ..nada::Config::default() };
    let first = |bytes| config.build_for(&START.packet_bytes(bytes));
    assert_eq!(first(0).to_bits(), 1.0f64.to_bits());
    assert_eq!(first(1).to_bits(), first(0).to_bits());
}

/// The first rate of a controller.
trait First {
    fn build_for(&self, start: &RateStart) -> f64;
}

impl<T: Clone + Into<RateConfig>> First for T {
    fn build_for(&self, start: &RateStart) -> f64 {
        self.clone().into().build(start).rate()
    }
}

/// RAP begins at a packet per assumed round trip, within the flow's limits.
#[test]
fn rap_begins_within_its_limits() {
    let rap = |initial_rtt| rap::Config { initial_rtt, ..rap::Config::default() };
    for (config, start, expected) in [
        (rap(2.0), START, 0.5),
        (rap(2.0), START.minimum(3.0), 3.0),
        (rap(1e-6), START, 1000.0),
        (rap(2.0), START.initial(Some(70.0)), 70.0),
        (rap(2.0), START.initial(Some(7000.0)), 1000.0),
    ] {
        assert_eq!(config.build_for(&start).to_bits(), f64::to_bits(expected), "{start:?}");
    }
}

/// An arrival that only its mark tells of is an arrival: a loss long before it has expired, as it
/// has if the packet is the newest.
#[test]
fn nada_takes_a_mark_for_an_arrival() {
    let rate = |newest: bool| {
        let config = nada::Config { initial: Some(300.0), qth: 5.0, ..nada::Config::default() };
        let mut nada = RateConfig::from(config).build(&START);
        let loss = [Lost::new(10, ms(0))];
        nada.on_feedback(&told(ms(100)).delivered(9).losses(&loss));
        for step in 2..9_u64 {
            let mark = [Lost::new(1000 + step, ms(100 * step)).marked(true)];
            let late = Feedback::new(ms(100 * step)).rtt(Some(RTT * 2)).srtt(RTT).losses(&mark);
            let seq = newest.then_some((1000 + step, ms(100 * step)));
            nada.on_feedback(&late.delivered(9).newest(seq));
        }
        nada.rate()
    };
    assert_eq!(rate(true).to_bits(), rate(false).to_bits());
    assert!(rate(true) < 300.0);
}

/// A loss before any round trip is known tells of no rate: its interval is a packet.
#[test]
fn arc_begins_with_an_interval_of_a_packet_where_it_knows_no_round_trip() {
    let mut arc = arc::Arc::new(&arc::Config::default(), &START.initial(Some(50.0)));
    arc.on_feedback(&Feedback::new(ms(100)).losses(&[Lost::new(0, ms(0))]));
    assert_eq!(arc.congestion_loss().get().to_bits(), 1.0f64.to_bits());
}

/// A probe rate below a packet per second is one: a probe leaves in the two seconds at once.
#[test]
fn arc_probes_as_slowly_as_it_is_told() {
    let probes = |probe_rate| {
        let config = arc::Config { probe_rate, ..arc::Config::default() };
        let mut arc = arc::Arc::new(&config, &START.target(40.0));
        arc.on_sent(&Sent::new(ms(0), 0, 1000));
        let mut probes = 0;
        while let Some(due) = arc.next_timeout().filter(|due| *due < ms(2000)) {
            arc.on_tick(due);
            probes += u32::from(arc.poll_probe(due));
        }
        probes
    };
    // Those of the last gap of two seconds leave later.
    assert_eq!([Some(0.5), Some(2.0), Some(40.0)].map(probes), [0, 3, 79]);
    // No rate at all is the target.
    assert_eq!([Some(0.0), Some(-1.0), Some(f64::NAN), None].map(probes), [79; 4]);
}

/// Three reports must be missing, and of their interval nothing is known before the second.
#[test]
fn arc_waits_for_three_reports_of_five_seconds_at_first() {
    let mut arc = arc::Arc::new(&arc::Config::default(), &START.initial(Some(50.0)));
    let report = Report::default();
    let mut tell = |at| {
        arc.on_feedback(&told(ms(at)).delivered(1).report(Some(&report)));
        // The silence is the timer that is not the evaluation's, of ten round trips.
        let mut now = ms(at);
        while arc.decreases() == 0 && now < ms(at + 40_000) {
            now = arc.clone().next_timeout().expect("a timer");
            arc.on_tick(now);
        }
        now
    };
    assert_eq!(tell(1000), ms(16_000));
}

/// The loss of packet 0 begins the first interval, of a rate of half a packet per round trip: of a
/// second, as long as none is known, which is short where a timeout takes half a minute.
#[test]
fn tfrc_counts_from_packet_0() {
    let config = tfrc::Config { min_rto: 30.0, ..tfrc::Config::default() };
    let mut tfrc = Tfrc::new(&config, &START);
    tfrc.on_feedback(&told(ms(100)).losses(&[Lost::new(0, ms(0))]));
    let expected = config.equation().loss_event_rate(0.5, 1.0);
    assert!((tfrc.loss_event_rate() - expected).abs() < 1e-12, "{}", tfrc.loss_event_rate());
}

/// A receiver that reported p and X_recv and acknowledges packets from then on: at the first of
/// these ACKs nothing has been received, and nothing from long before counts.
#[test]
fn tfrc_knows_of_no_arrival_before_the_first_ack() {
    let mut tfrc = Tfrc::new(&tfrc::Config::default(), &START);
    let report = Report::default().receive_rate(Some(80.0)).loss_event_rate(Some(0.01));
    for at in [100, 200] {
        tfrc.on_feedback(&told(ms(at)).delivered(8).report(Some(&report)));
    }
    assert!(tfrc.rate() > 50.0, "{}", tfrc.rate());
    let lost = [Lost::new(20, ms(9000))];
    tfrc.on_feedback(&told(ms(10_000)).newest(Some((30, ms(9900)))).losses(&lost));
    assert_eq!(tfrc.rate().to_bits(), (1.0f64 / 64.0).to_bits());
}

/// Packets of unknown fate are remembered up to a number, and so is the time of the oldest.
#[test]
fn rap_remembers_65536_packets() {
    let mut rap = RateConfig::from(rap::Config::default()).build(&START);
    let timeout = |rap: &dyn RateController| rap.next_timeout().expect("packets are in flight");
    for seq in 0..65_536 {
        rap.on_sent(&Sent::new(Time::from_nanos(seq), seq, 1000));
    }
    assert_eq!(timeout(&*rap), Time::from_nanos(2_000_000_000));
    for seq in 65_536..65_540 {
        rap.on_sent(&Sent::new(Time::from_nanos(seq), seq, 1000));
        assert_eq!(timeout(&*rap), Time::from_nanos(2_000_000_000 + seq - 65_535));
    }
}

#[test]
fn a_flow_has_the_bounds_that_it_asks_for() {
    for (target, minimum, expected) in [
        (0.5, 0.25, (0.25, 0.5)),
        (0.5, 0.75, (0.5, 0.5)),
        (0.5, 0.0, (1.0 / 64.0, 0.5)),
        (0.001, -1.0, (0.001, 0.001)),
        (0.0, f64::NAN, (1.0 / 64.0, 1e9)),
        (f64::NAN, f64::INFINITY, (1e9, 1e9)),
        (1e10, 2.0, (2.0, 1e9)),
    ] {
        let bounds = START.target(target).minimum(minimum).bounds();
        assert_eq!(bounds, expected, "{target} {minimum}");
    }
    let start = START.target(4.0).minimum(0.5);
    for (rate, bounded) in [(0.4, 0.5), (0.5, 0.5), (4.0, 4.0), (4.1, 4.0), (f64::NAN, 0.5)] {
        assert_eq!(start.bounded(rate).to_bits(), f64::to_bits(bounded), "{rate}");
    }
}

/// A rate that was measured is kept, also below a packet per round trip; otherwise the first round
/// trip raises it to that.
#[test]
fn rcs_keeps_a_measured_rate() {
    let first = |start: RateStart| {
        let mut rcs = Rcs::new(&rcs::Config::default(), &start);
        rcs.on_sent(&Sent::new(ms(0), 0, 1000));
        rcs.on_feedback(&told(ms(100)).delivered(1).newest(Some((0, ms(0)))));
        rcs.rate()
    };
    assert_eq!(first(START.initial(Some(4.0))).to_bits(), 4.0f64.to_bits());
}

/// However fast it grows: no time is no growth, and no rate is lost.
#[test]
fn aimd_may_grow_without_bounds() {
    let config = aimd::Config {
        packets: f64::MAX,
        growth: aimd::Growth::Continuous,
        ..aimd::Config::default()
    };
    let mut aimd = RateConfig::from(config).build(&START);
    for (seq, at) in (0..).zip([0, 100, 150, 150, 150, 200]) {
        aimd.on_sent(&Sent::new(ms(at), seq, 1000));
        aimd.on_feedback(&told(ms(at)).delivered(1).newest(Some((seq, ms(at)))));
    }
    assert_eq!(aimd.rate().to_bits(), 1000f64.to_bits());
}
