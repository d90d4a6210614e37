//! The adapter's books.

use std::collections::VecDeque;

use proptest::prelude::*;
use s2n_quic_core::recovery::bbr::BbrCongestionController;
use s2n_quic_core::recovery::cubic::CubicCongestionController;

use super::adapter::{Adapter, Library, Traits};
use super::notes::MOST;
use atl_core::time::{Span, Time};
use atl_core::window::{Ack, Detection, Loss, Marked, Sent, Start, Timeout, WindowController};

const START: Start = Start::DEFAULT.initial_window(10.0).packet_bytes(1040).receive_window(10_000);
const TRAITS: Traits = Traits { paces: true, has_ssthresh: true, seed: 3 };
const RTT: Span = Span::from_millis(100);

fn cubic() -> Adapter<CubicCongestionController> {
    Adapter::new(CubicCongestionController::new(1040, Default::default()), &START, TRAITS)
}

fn bbr() -> Adapter<BbrCongestionController> {
    Adapter::new(BbrCongestionController::new(1040, Default::default()), &START, TRAITS)
}

/// A host that keeps its own books: what it sent and neither saw arrive nor found lost.
struct Host<C: Library> {
    adapter: Adapter<C>,
    now: Time,
    next_tx: u64,
    outstanding: VecDeque<(u64, Time)>,
}

impl<C: Library> Host<C> {
    fn new(adapter: Adapter<C>) -> Self {
        Host { adapter, now: Time::ZERO, next_tx: 0, outstanding: VecDeque::new() }
    }

    fn in_flight(&self) -> u32 {
        self.outstanding.len() as u32
    }

    fn send(&mut self, packets: usize) {
        for _ in 0..packets {
            self.outstanding.push_back((self.next_tx, self.now));
            self.adapter.on_sent(&Sent::new(self.now, self.next_tx, 1040, self.in_flight()));
            self.next_tx += 1;
        }
    }

    /// The packets at `index` and after it arrive; `late` ones that were found lost arrive with
    /// them.
    fn acknowledge(&mut self, index: usize, packets: usize, late: u32) {
        let index = index.min(self.outstanding.len());
        let end = index.saturating_add(packets).min(self.outstanding.len());
        let newest = self.outstanding.drain(index..end).next_back();
        let delivered = (end - index) as u32 + late;
        self.adapter.on_ack(
            &Ack::new(self.now)
                .delivered(delivered)
                .cumulative(delivered)
                .newest(newest)
                .rtt(newest.map(|(_, sent)| self.now.since(sent)))
                .srtt(RTT)
                .rtt_min(RTT)
                .in_flight(self.in_flight()),
        );
    }

    fn lose(&mut self, index: usize, packets: usize, detection: Detection) {
        let in_flight = self.in_flight();
        let index = index.min(self.outstanding.len());
        let end = index.saturating_add(packets).min(self.outstanding.len());
        let lost = (end - index) as u32;
        let Some((tx, _)) = self.outstanding.drain(index..end).next_back() else {
            return;
        };
        self.adapter.on_loss(
            &Loss::new(self.now, tx, lost * 1040, in_flight).packets(lost).detection(detection),
        );
    }

    /// All that is outstanding is lost, found in steps of `step` packets.
    fn time_out(&mut self, step: usize) {
        let in_flight = self.in_flight();
        while !self.outstanding.is_empty() {
            self.lose(0, step, Detection::Timeout);
        }
        self.adapter.on_timeout(&Timeout::new(self.now, in_flight));
    }
}

/// RFC 8312, sec. 4.5: 0.7 of the window is kept.
#[test]
fn a_mark_lowers_cubic_once_a_round_trip_and_takes_nothing_out_of_the_flight() {
    let mut host = Host::new(cubic());
    host.send(10);
    let marked = Marked::new(host.now, 9, 10);
    host.adapter.on_marked(&marked);
    assert_eq!((host.adapter.flight(), host.adapter.window()), (10, 7.0));
    assert!((host.adapter.ssthresh() - 7.0).abs() < 1e-9);
    host.now += RTT;
    host.send(1);
    host.acknowledge(0, 11, 0);
    let before = host.adapter.window();
    host.adapter.on_marked(&marked.new_episode(false));
    assert!((host.adapter.window() - before).abs() < 1e-9, "marks of the same round trip");
}

#[test]
fn a_packet_that_was_declared_lost_and_arrives_after_all_is_not_credited_again() {
    let mut host = Host::new(cubic());
    host.send(10);
    host.now += RTT;
    host.lose(0, 1, Detection::Acks);
    assert_eq!(host.adapter.flight(), 9);
    host.acknowledge(0, 0, 1);
    assert_eq!(host.adapter.flight(), 9);
    host.acknowledge(0, 2, 1);
    assert_eq!(host.adapter.flight(), 7);
}

#[test]
fn duplicate_acks_of_a_sender_without_sack_keep_the_flight_for_the_cumulative_one() {
    let mut host = Host::new(bbr());
    host.send(10);
    host.now += RTT;
    for in_flight in [9, 8, 7] {
        host.adapter.on_ack(
            &Ack::new(host.now).duplicate(true).srtt(RTT).rtt_min(RTT).in_flight(in_flight),
        );
    }
    assert_eq!(host.adapter.flight(), 10);
    host.acknowledge(0, 4, 0);
    assert_eq!(host.adapter.flight(), 6);
}

#[test]
fn a_timeout_collapses_cubic_once_however_the_host_tells_its_losses() {
    for step in [1, 7, 1000] {
        let mut host = Host::new(cubic());
        for _ in 0..4 {
            host.send(host.adapter.window() as usize);
            host.now += RTT;
            host.acknowledge(0, usize::MAX / 2, 0);
        }
        let before = host.adapter.window();
        assert!(before > 100.0, "{before}");
        host.send(100);
        host.now += RTT;
        host.time_out(step);
        assert_eq!(host.adapter.flight(), 0);
        assert!((host.adapter.window() - 2.0).abs() < 1e-9);
        assert!(
            (host.adapter.ssthresh() - 0.7 * before).abs() < 1e-9,
            "{}",
            host.adapter.ssthresh()
        );
        // Slow start goes on to the library's own threshold: a second collapse would have it at 16.
        for _ in 0..5 {
            host.send(host.adapter.window() as usize);
            host.now += RTT;
            host.acknowledge(0, usize::MAX / 2, 0);
        }
        assert!((host.adapter.window() - 64.0).abs() < 1e-9, "{step}: {}", host.adapter.window());
    }
}

#[test]
fn a_timeout_that_names_no_loss_takes_one_packet() {
    let mut host = Host::new(cubic());
    host.send(3);
    host.now += RTT;
    host.adapter.on_timeout(&Timeout::new(host.now, 3));
    assert_eq!(host.adapter.flight(), 2);
    assert!((host.adapter.window() - 2.0).abs() < 1e-9);
}

#[test]
fn an_episode_that_begins_without_a_loss_changes_nothing() {
    let mut host = Host::new(cubic());
    host.send(10);
    let before = host.adapter.window();
    host.adapter.on_loss(&Loss::new(host.now, 9, 0, 10).packets(0));
    assert_eq!((host.adapter.window() as u32, host.adapter.flight()), (before as u32, 10));
}

/// BBR ends its start-up after a round with 8 loss bursts that lost more than 2 %.
#[test]
fn losses_in_a_row_are_one_burst_wherever_the_host_cuts_them() {
    let run = |cuts: &[usize], between: usize| {
        let mut host = Host::new(bbr());
        host.send(200);
        host.now += RTT;
        host.acknowledge(0, 20, 0);
        for (i, &packets) in cuts.iter().enumerate() {
            // Skips the packets between two bursts.
            host.lose(i * between, packets, Detection::Acks);
            if i == 0 {
                // Ends the round when it arrives, with the losses that follow in its sample.
                host.send(1);
            }
        }
        for _ in 0..3 {
            host.acknowledge(0, usize::MAX, 0);
            host.send(100);
            host.now += RTT;
        }
        host.adapter.release_at()
    };
    let one_burst = run(&[1, 19], 0);
    assert_eq!(run(&[1; 20], 0), one_burst);
    assert_ne!(run(&[1; 20], 2), one_burst, "20 bursts");
}

#[test]
fn what_left_the_hosts_flight_unseen_leaves_the_librarys() {
    let mut host = Host::new(cubic());
    host.send(10);
    host.now += RTT;
    host.outstanding.drain(2..6);
    host.acknowledge(0, 1, 0);
    assert_eq!((host.in_flight(), host.adapter.flight()), (5, 5));
}

#[test]
fn no_more_than_a_quarter_of_32_bits_is_ever_in_the_librarys_flight() {
    let start = START.packet_bytes(u32::MAX).initial_window(1e300);
    let mut adapter =
        Adapter::new(CubicCongestionController::new(16_383, Default::default()), &start, TRAITS);
    for tx in 0..100_000 {
        let sent = Sent::new(Time::from_millis(tx), tx, u32::MAX, u32::MAX);
        adapter.on_sent(&sent);
    }
    assert_eq!(adapter.flight(), (1 << 30) / 16_383);
    assert_eq!(adapter.notes.len(), MOST);
}

#[derive(Clone, Debug)]
enum Step {
    Wait(u64),
    Send(usize),
    Acknowledge(usize, usize, u32),
    Lose(usize, usize),
    TimeOut(usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..300u64).prop_map(Step::Wait),
        4 => (1..60usize).prop_map(Step::Send),
        4 => (0..5usize, 0..60usize, 0..3u32).prop_map(|(i, n, late)| Step::Acknowledge(i, n, late)),
        2 => (0..20usize, 1..8usize).prop_map(|(i, n)| Step::Lose(i, n)),
        1 => (1..50usize).prop_map(Step::TimeOut),
    ]
}

fn keeps_the_same_books<C: Library>(
    adapter: Adapter<C>,
    steps: &[Step],
) -> Result<(), TestCaseError> {
    let mut host = Host::new(adapter);
    let mut most = 0;
    for step in steps {
        match *step {
            Step::Wait(ms) => host.now += Span::from_millis(ms),
            Step::Send(packets) => host.send(packets),
            Step::Acknowledge(index, packets, late) => host.acknowledge(index, packets, late),
            Step::Lose(index, packets) => host.lose(index, packets, Detection::Acks),
            Step::TimeOut(step) => host.time_out(step),
        }
        most = most.max(host.outstanding.len());
        prop_assert_eq!(host.adapter.flight(), host.in_flight());
        prop_assert!(host.adapter.notes.len() <= 2 * most + 64);
    }
    Ok(())
}

proptest! {
    #[test]
    fn its_flight_is_the_hosts_after_every_event(steps in prop::collection::vec(step(), 1..200)) {
        keeps_the_same_books(cubic(), &steps)?;
        keeps_the_same_books(bbr(), &steps)?;
    }
}

/// A path that was probed: slow start is over, and CUBIC grows as after a reduction to this window.
#[test]
fn cubic_begins_in_congestion_avoidance_where_the_window_is_known() {
    let built = |ssthresh| {
        let start = START.initial_window(40.0).ssthresh(ssthresh);
        atl_core::window::BuildController::build(&crate::cubic::Config::default(), &start)
    };
    let known = built(39.0);
    assert!((known.window() - 40.0).abs() < 0.01 && (known.ssthresh() - 40.0).abs() < 0.01);
    let fresh = built(f64::INFINITY);
    assert!((fresh.window() - 40.0).abs() < 1e-9 && fresh.ssthresh().is_infinite());
    // A round trip doubles the window in slow start, and adds little otherwise.
    let grown = |mut controller: Box<dyn WindowController>| {
        for tx in 0..40 {
            controller.on_sent(&Sent::new(Time::ZERO, tx, 1040, tx as u32 + 1));
        }
        for tx in 0..40 {
            let at = Time::ZERO + RTT;
            let ack = Ack::new(at).delivered(1).cumulative(1).rtt(Some(RTT)).srtt(RTT).rtt_min(RTT);
            controller.on_ack(&ack.newest(Some((tx, Time::ZERO))).in_flight(39 - tx as u32));
        }
        controller.window()
    };
    assert!(grown(fresh) > 75.0);
    let known = grown(known);
    assert!((39.9..44.0).contains(&known), "{known}");
}
