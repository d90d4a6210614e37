//! Vegas's decisions: by hand at a given RTT, and on a bottleneck.

#![expect(clippy::float_cmp, reason = "windows worked out by hand, exact in binary")]

use crate::support::bottleneck::Bottleneck;
use atl_core::time::{Span, Time};
use atl_core::window::{
    Ack, ControllerConfig, Loss, Sent, Start, Timeout, WindowController, reno, vegas,
};

fn start(initial_window: f64) -> Start {
    Start::default().initial_window(initial_window).packet_bytes(1040).receive_window(10_000)
}

/// A sender whose round trips have RTTs that the test gives.
struct Rounds {
    vegas: vegas::Vegas,
    now: Time,
    tx: u64,
}

impl Rounds {
    fn new(initial_window: f64) -> Self {
        let vegas = vegas::Vegas::new(&vegas::Config::default(), &start(initial_window));
        Rounds { vegas, now: Time::ZERO, tx: 0 }
    }

    /// A window of packets sent and acknowledged, each after this RTT.
    fn round(&mut self, rtt_ms: u64) -> f64 {
        let packets = self.vegas.window() as u64;
        let first = self.tx;
        for _ in 0..packets {
            self.vegas.on_sent(&Sent::new(self.now, self.tx, 1040, packets as u32));
            self.tx += 1;
        }
        let sent_at = self.now;
        let rtt = Span::from_millis(rtt_ms);
        self.now += rtt;
        for tx in first..self.tx {
            self.vegas.on_ack(
                &Ack::new(self.now)
                    .delivered(1)
                    .cumulative(1)
                    .newest(Some((tx, sent_at)))
                    .rtt(Some(rtt))
                    .srtt(rtt)
                    .rtt_min(rtt)
                    .in_flight(packets as u32),
            );
        }
        self.vegas.window()
    }

    fn lose(&mut self) {
        self.vegas.on_loss(&Loss::new(self.now, self.tx, 1040, self.vegas.window() as u32));
    }
}

/// The window after each of these round trips.
fn windows(rounds: &mut Rounds, rtts: &[u64]) -> Vec<f64> {
    rtts.iter().map(|&rtt| rounds.round(rtt)).collect()
}

#[test]
fn slow_start_doubles_every_other_round_trip() {
    let mut rounds = Rounds::new(4.0);
    assert_eq!(windows(&mut rounds, &[100; 6]), [8.0, 8.0, 16.0, 16.0, 32.0, 32.0]);
    assert_eq!(rounds.vegas.ssthresh(), f64::INFINITY);
}

#[test]
fn more_than_gamma_packets_in_the_queue_end_slow_start_after_a_held_round_trip() {
    let mut rounds = Rounds::new(4.0);
    // diff = 16 (1 - 100/105) = 0.76 goes on; 32 (1 - 100/105) = 1.5 ends it, an eighth less. Above
    // ssthresh 28 packets with 1.3 in the queue are fewer than alpha: one more in a round trip.
    let seen = windows(&mut rounds, &[100, 100, 100, 105, 105, 105, 105, 105]);
    assert_eq!(seen[..7], [8.0, 8.0, 16.0, 16.0, 32.0, 32.0, 28.0]);
    assert_eq!(rounds.vegas.ssthresh(), 28.0);
    assert!((28.9..29.0).contains(&seen[7]), "{seen:?}");
}

#[test]
fn the_window_follows_what_it_has_in_the_queue() {
    let mut rounds = Rounds::new(40.0);
    assert_eq!(rounds.round(100), 80.0);
    rounds.lose();
    assert_eq!(rounds.vegas.window(), 60.0);
    // diff = 60 (1 - 100/105) = 2.9, between alpha and beta: the window stays. The ACK that ends a
    // round trip is the first of the next one, so that a change of the RTT is mixed with what was
    // before once.
    rounds.round(105);
    let held = rounds.round(105);
    assert_eq!(windows(&mut rounds, &[105, 105]), [held, held]);
    // diff = 60 (1 - 100/110) = 5.5, above beta: a packet less each round trip.
    rounds.round(110);
    let start = rounds.vegas.window();
    let falling = windows(&mut rounds, &[110, 110, 110]);
    assert_eq!(falling, [start - 1.0, start - 2.0, start - 3.0]);
    // diff = 57 (1 - 100/102) = 1.1, below alpha: a packet more each round trip.
    rounds.round(102);
    let start = rounds.vegas.window();
    let grown = rounds.round(102) - start;
    assert!((0.9..=1.0).contains(&grown), "{grown}");
}

#[test]
fn a_timeout_leaves_one_packet_and_half_of_ssthresh() {
    let mut rounds = Rounds::new(40.0);
    rounds.vegas.on_timeout(&Timeout::new(Time::ZERO, 40));
    assert_eq!((rounds.vegas.window(), rounds.vegas.ssthresh()), (1.0, 20.0));
    // A single packet in flight measures the bare path: slow start begins anew, and ends at
    // ssthresh.
    let seen = windows(&mut rounds, &[100; 14]);
    assert!(seen.windows(2).all(|w| w[0] <= w[1]), "{seen:?}");
    assert!((20.0..26.0).contains(&seen[13]), "{seen:?}");
}

#[test]
fn a_bottleneck_holds_between_alpha_and_beta_packets_of_it_and_loses_none() {
    let path = Bottleneck {
        rate: 250.0,
        rtt: Span::from_millis(96),
        queue: 50,
        loss: 0.0,
        blackout: (Time::ZERO, Time::ZERO),
        seed: 1,
    };
    let mut controller = ControllerConfig::from(vegas::Config::default()).build(&start(2.0));
    let outcome = path.run(&mut controller, 60);
    assert_eq!((outcome.lost, outcome.timeouts), (0, 0));
    assert!(outcome.utilisation > 0.97, "{}", outcome.utilisation);
    // 25 packets fill the path: 96 ms and the 4 ms of a packet's own transmission.
    let queued = outcome.mean_window(10) - 25.0;
    assert!((2.0..=4.0).contains(&queued), "{queued}");
    // Reno on the same path fills the queue until it overflows.
    let mut reno = ControllerConfig::from(reno::Config::default()).build(&start(2.0));
    assert!(path.run(&mut reno, 60).lost > 0);
}

#[test]
fn round_trips_that_take_no_time_say_nothing() {
    let mut rounds = Rounds::new(4.0);
    for _ in 0..6 {
        assert_eq!(rounds.round(0), 4.0);
    }
}

/// A third of three times 173 ms is a little less than 173 ms in binary.
#[test]
fn a_queue_of_less_than_nothing_is_none() {
    let config = vegas::Config { alpha: 0.0, beta: 0.0, ..vegas::Config::default() };
    let mut rounds = Rounds::new(3.0);
    rounds.vegas = vegas::Vegas::new(&config, &start(3.0).ssthresh(2.0));
    for _ in 0..4 {
        assert_eq!(rounds.round(173), 3.0);
    }
}
