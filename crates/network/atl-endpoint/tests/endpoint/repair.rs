//! Duration of repairs on a path with an RTT of 100 ms and scripted losses.

mod quic;

use std::collections::BTreeMap;

use atl_core::time::{Span, Time};
use atl_core::window::{ControllerConfig, Start, WindowController, reno};
use atl_endpoint::app::{App, Source};
use atl_endpoint::tcp::{
    AckInfo, Arrival, Outgoing, Receiver, Recovery, Sender, SenderCounts, Tcp,
};
use atl_link::random::Stream;

const ONE_WAY: Span = Span::from_millis(50);

/// The result of a transfer.
struct Outcome {
    counts: SenderCounts,
    /// For each segment, the time at which the receiver had it and all before it.
    arrived: Vec<Time>,
    /// Transmissions: time and segment.
    sent: Vec<(Time, u64)>,
    window: f64,
}

impl Outcome {
    /// Time at which the segment could be delivered to the application, in ms.
    fn ready(&self, seq: usize) -> f64 {
        self.arrived[seq].secs() * 1e3
    }

    /// Number of the first retransmission of this segment.
    fn retransmission(&self, seq: u64) -> u64 {
        let of = self.sent.iter().enumerate().filter(|(_, sent)| sent.1 == seq);
        of.map(|(tx, _)| tx as u64).nth(1).expect("it was retransmitted")
    }
}

/// Transfers `segments` segments, all within the initial window. The transmissions in `lost` are
/// lost; those in `late` arrive later than the others by the given number of ms.
fn carry(
    recovery: Recovery,
    segments: u64,
    window: f64,
    lost: &[u64],
    late: &[(u64, u64)],
) -> Outcome {
    let tcp = Tcp { initial_window: window, ..Tcp::default() };
    let controller = ControllerConfig::from(reno::Config::default()).build(
        &Start::default()
            .initial_window(window)
            .packet_bytes(tcp.segment + tcp.header)
            .receive_window(tcp.receive_window)
            .seed(1),
    );
    let source = Source::Fixed { bytes: segments * u64::from(tcp.segment) };
    let app = App::new(&source, tcp.segment, Time::ZERO, Stream::new(1, "app"));
    let mut sender = Sender::new(recovery, controller, &tcp, app);
    let mut receiver = Receiver::of(recovery, &Tcp::default());
    let mut data: BTreeMap<(Time, u64), Arrival> = BTreeMap::new();
    let mut acks: BTreeMap<(Time, u64), AckInfo> = BTreeMap::new();
    let (mut now, mut sent, mut arrived, mut serial) = (Time::ZERO, Vec::new(), Vec::new(), 0);
    while sender.finished().is_none() {
        while let Some(out) = sender.poll_send(now) {
            let Outgoing::Data { seq, tx, bytes, .. } = out else {
                panic!("only data is sent here")
            };
            sent.push((now, seq));
            if !lost.contains(&tx) {
                let delay = late.iter().find(|l| l.0 == tx).map_or(0, |l| l.1);
                let at = now + ONE_WAY + Span::from_millis(delay);
                let payload = bytes - Tcp::default().header;
                data.insert((at, tx), Arrival { seq, tx: tx as u32, sent_at: now, payload });
            }
        }
        let first = |at: Option<Time>| at.unwrap_or(Time::MAX);
        let next_data = first(data.keys().next().map(|k| k.0));
        let next_ack = first(acks.keys().next().map(|k| k.0));
        let timer = sender.next_timer(now);
        now = next_data.min(next_ack).min(timer);
        assert!(now < Time::MAX, "the transfer stalled");
        if next_data == now {
            let (_, arrival) = data.pop_first().expect("a packet is due");
            if let Some(ack) = receiver.on_segment(now, arrival) {
                serial += 1;
                acks.insert((now + ONE_WAY, serial), ack);
            }
            arrived.resize(receiver.next() as usize, now);
        } else if next_ack == now {
            let (_, ack) = acks.pop_first().expect("a packet is due");
            sender.on_ack(now, &ack);
        } else {
            sender.on_timer(now);
        }
    }
    Outcome { counts: sender.counts(), arrived, sent, window: sender.controller().window() }
}

/// Segment 0 is lost, and so is its retransmission, which is sent at 100 ms. At 200 ms the ACKs of
/// later transmissions arrive, but its own does not.
#[test]
fn a_lost_retransmission_is_repeated_after_a_round_trip() {
    // If it is lost once, both repair it in the same way.
    let (rack, sack) =
        (carry(Recovery::Rack, 60, 20.0, &[0], &[]), carry(Recovery::Sack, 60, 20.0, &[0], &[]));
    assert_eq!((rack.ready(0), &rack.sent), (sack.ready(0), &sack.sent));
    assert_eq!(rack.sent[rack.retransmission(0) as usize].0, Time::from_millis(100));
    let lost = [0, rack.retransmission(0)];
    let rack = carry(Recovery::Rack, 60, 20.0, &lost, &[]);
    assert_eq!((rack.counts.timeouts, rack.counts.recoveries), (0, 2));
    assert!((rack.ready(0) - 250.0).abs() < 1e-6, "{}", rack.ready(0));
    // SACK waits for the timer: an RTT plus 0.2 s after the retransmission.
    let sack = carry(Recovery::Sack, 60, 20.0, &lost, &[]);
    assert_eq!((sack.counts.timeouts, sack.counts.recoveries), (1, 1));
    assert!(sack.ready(0) >= 450.0, "{}", sack.ready(0));
}

/// Two indications of congestion (RFC 5681, sec. 4.3): the window is reduced twice, and not more.
#[test]
fn a_lost_retransmission_halves_the_window_again() {
    let once = carry(Recovery::Rack, 60, 20.0, &[5], &[]);
    let twice = carry(Recovery::Rack, 60, 20.0, &[5, once.retransmission(5)], &[]);
    assert!(twice.window < 0.75 * once.window, "{} {}", once.window, twice.window);
    // Two lost first transmissions of one window are one indication, and so are two lost
    // retransmissions of one.
    let two = carry(Recovery::Rack, 60, 20.0, &[5, 9], &[]);
    assert_eq!((once.counts.recoveries, two.counts.recoveries), (1, 1));
    let lost = [5, 9, two.retransmission(5), two.retransmission(9)];
    let again = carry(Recovery::Rack, 60, 20.0, &lost, &[]);
    assert_eq!((again.counts.recoveries, again.counts.timeouts), (2, 0));
}

/// The last packet of ten is lost. The last ACK arrives at 100 ms. The probe is sent two RTTs
/// later, before the timer, which would have expired at 400 ms.
#[test]
fn a_lost_tail_is_found_after_two_round_trips() {
    let rack = carry(Recovery::Rack, 10, 10.0, &[9], &[]);
    assert_eq!((rack.counts.timeouts, rack.counts.retransmissions), (0, 1));
    assert_eq!(rack.sent.last(), Some(&(Time::from_millis(300), 9)));
    // One of ten packets is lost: half of the window remains.
    assert_eq!(rack.counts.recoveries, 1);
    let clean = carry(Recovery::Rack, 10, 10.0, &[], &[]);
    assert!(rack.window < 0.6 * clean.window, "{} {}", rack.window, clean.window);
    let sack = carry(Recovery::Sack, 10, 10.0, &[9], &[]);
    assert_eq!((sack.counts.timeouts, sack.sent.last()), (1, Some(&(Time::from_millis(400), 9))));
    // If three are lost, the probe reveals the first two.
    let rack = carry(Recovery::Rack, 10, 10.0, &[7, 8, 9], &[]);
    assert_eq!((rack.counts.timeouts, rack.counts.recoveries), (0, 1));
    assert!((rack.ready(9) - 450.0).abs() < 1e-6, "{}", rack.ready(9));
    assert_eq!(rack.counts.retransmissions, 3);
    // If six are lost: the probe arrives at 350 ms, its SACK at 400 ms.
    let rack = carry(Recovery::Rack, 10, 10.0, &[4, 5, 6, 7, 8, 9], &[]);
    assert_eq!((rack.counts.timeouts, rack.counts.recoveries), (0, 1));
}

/// The tail is only late: the probe was unnecessary, as the reported duplicate shows.
#[test]
fn a_late_tail_is_not_a_loss() {
    let late = carry(Recovery::Rack, 10, 10.0, &[], &[(9, 275)]);
    assert_eq!((late.counts.retransmissions, late.counts.recoveries), (1, 0));
}

/// Packets that arrive 20 ms after their successors are within the window of a quarter of the RTT.
/// Once one was seen that only two packets had overtaken, three duplicates no longer prove a loss
/// to RACK; to SACK they do.
#[test]
fn a_reordered_packet_does_not_count_as_lost() {
    let late = [(37, 20), (60, 20), (100, 20)];
    let (rack, sack) = (
        carry(Recovery::Rack, 200, 40.0, &[], &late),
        carry(Recovery::Sack, 200, 40.0, &[], &late),
    );
    assert_eq!((rack.counts.retransmissions, rack.counts.recoveries), (0, 0));
    assert!(sack.counts.retransmissions >= 2 && sack.counts.recoveries >= 1, "{:?}", sack.counts);
}
