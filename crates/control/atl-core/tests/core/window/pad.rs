//! Padding: the effect of dummies, and their limits.

use crate::support::sender::near;
use atl_core::conformance::{WindowHarness, WindowOperation};
use atl_core::probe::ProbeAck;
use atl_core::time::{Span, Time};
use atl_core::window::pad::{Config, Pad};
use atl_core::window::{
    Ack, BuildController, Controller, ControllerConfig, Loss, Probe, Sent, Start, Timeout,
    WindowController, reno,
};
use proptest::prelude::*;

const RTT: Span = Span::from_millis(100);

/// An application that fills only part of a padded Reno sender's window of 10.
struct Flow {
    pad: Pad,
    now: Time,
    tx: u64,
    in_flight: u32,
    /// Times of the dummies sent.
    dummies: Vec<Time>,
}

impl Flow {
    fn new(target: u32, budget: u32) -> Self {
        let plain = Config::new(reno::Config::default().into());
        let pad = Pad::new(&Config { target, budget, ..plain }, &Start::default());
        Flow { pad, now: Time::ZERO, tx: 0, in_flight: 0, dummies: Vec::new() }
    }

    /// The same with an RTT of 100 ms, and four packets in flight as the only data.
    fn limited(target: u32, budget: u32) -> Self {
        let mut flow = Flow::new(target, budget);
        flow.send(1, true);
        flow.run(RTT);
        flow.ack();
        flow.send(4, true);
        flow
    }

    fn send(&mut self, packets: u32, app_limited: bool) {
        for left in (0..packets).rev() {
            self.in_flight += 1;
            let sent = Sent::new(self.now, self.tx, 1500, self.in_flight);
            self.pad.on_sent(&sent.app_limited(app_limited && left == 0));
            self.tx += 1;
        }
    }

    fn ack(&mut self) {
        self.in_flight -= 1;
        let ack = Ack::new(self.now)
            .delivered(1)
            .cumulative(1)
            .newest(Some((self.tx - 1, self.now)))
            .rtt(Some(RTT))
            .srtt(RTT)
            .rtt_min(RTT)
            .in_flight(self.in_flight)
            .window_limited(false);
        self.pad.on_ack(&ack);
    }

    fn answer(&mut self, number: u64) {
        self.pad.on_probe_ack(&ProbeAck::new(self.now, number, RTT));
    }

    /// Lets time pass, and sends the dummies that are due.
    fn run(&mut self, span: Span) {
        let end = self.now + span;
        loop {
            while self.pad.poll_probe(self.now).is_some() {
                self.dummies.push(self.now);
            }
            match self.pad.next_timeout().filter(|due| *due <= end) {
                Some(due) => {
                    self.now = self.now.max(due);
                    self.pad.on_tick(self.now);
                }
                None => {
                    self.now = end;
                    return;
                }
            }
        }
    }
}

/// A window of 10 with 4 packets in flight has room for 6 dummies, one each 10 ms. Their answers
/// open it by one each.
#[test]
fn dummies_fill_the_window_over_a_round_trip_and_open_it() {
    let mut flow = Flow::limited(64, 256);
    flow.run(Span::from_millis(99));
    let times: Vec<f64> =
        flow.dummies.iter().map(|at| at.since(flow.dummies[0]).millis()).collect();
    assert_eq!(times, [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]);
    (0..3).for_each(|number| flow.answer(number));
    near(flow.pad.window(), 13.0);
    // Late, repeated and unknown answers have no effect.
    [0, 2, 700].into_iter().for_each(|number| flow.answer(number));
    near(flow.pad.window(), 13.0);
}

/// Dummies without answers open nothing, and neither does the data beside them.
#[test]
fn data_beside_dummies_does_not_open_the_window() {
    let mut flow = Flow::limited(64, 256);
    flow.run(Span::from_millis(99));
    (0..4).for_each(|_| flow.ack());
    near(flow.pad.window(), 10.0);
    let mut plain = Flow::limited(64, 0);
    plain.run(Span::from_millis(99));
    assert!(plain.dummies.is_empty());
}

#[test]
fn a_sender_with_more_to_send_is_not_padded() {
    let mut flow = Flow::new(64, 256);
    flow.send(1, false);
    flow.now += RTT;
    flow.ack();
    flow.send(4, false);
    flow.run(Span::from_secs(1));
    assert!(flow.dummies.is_empty());
}

#[test]
fn an_idle_connection_stays_silent() {
    let mut flow = Flow::limited(64, 256);
    flow.run(Span::from_secs(60));
    assert_eq!(flow.dummies.len(), 6, "and none after the round trip");
}

/// Without answers padding pauses from two to ten round trips after the first dummy, while data
/// goes on.
#[test]
fn a_lost_dummy_is_no_loss_and_lets_padding_rest() {
    let mut flow = Flow::limited(64, 256);
    let first = flow.now;
    for _ in 0..30 {
        flow.run(Span::from_millis(50));
        flow.ack();
        flow.send(1, true);
    }
    near(flow.pad.window(), 10.0);
    let after =
        |ms: u64| flow.dummies.iter().filter(|at| at.since(first) > Span::from_millis(ms)).count();
    assert_eq!((flow.dummies.len() - after(200), after(200) - after(1000)), (6, 0));
    assert!(after(1000) > 0, "it tries again");
}

#[test]
fn the_target_and_the_budget_bound_it() {
    let answer_all = |target, budget| {
        let mut flow = Flow::limited(target, budget);
        let mut answered = 0;
        for _ in 0..200 {
            flow.run(Span::from_millis(25));
            while answered < flow.dummies.len() {
                flow.answer(answered as u64);
                answered += 1;
            }
            flow.ack();
            flow.send(1, true);
        }
        (flow.pad.window(), flow.dummies.len())
    };
    let (window, dummies) = answer_all(20, 1000);
    assert!((20.0..21.5).contains(&window), "{window}");
    assert!(dummies < 40, "{dummies}");
    let (window, dummies) = answer_all(1000, 7);
    assert_eq!(dummies, 7);
    assert!(window < 40.0, "{window}");
    let plain = Config::new(reno::Config::default().into());
    assert!(Config { target: 0, ..plain.clone() }.check().is_err());
    assert!(Config { budget: 2_000_000, ..plain }.check().is_err());
}

/// A controller that asks for three probes of its own, and to be called after a second.
#[derive(Clone, Debug, PartialEq)]
struct Prober {
    probes: u32,
    answered: Vec<u64>,
    ticks: u32,
}

impl WindowController for Prober {
    fn on_ack(&mut self, _ack: &Ack) {}
    fn on_loss(&mut self, _loss: &Loss) {}
    fn on_timeout(&mut self, _timeout: &Timeout) {}
    fn window(&self) -> f64 {
        10.0
    }
    fn poll_probe(&mut self, now: Time) -> Option<Probe> {
        let due = now >= Time::from_millis(500) && self.probes > 0;
        self.probes -= u32::from(due);
        due.then_some(Probe::Dummy)
    }
    fn on_probe_ack(&mut self, ack: &ProbeAck) {
        self.answered.push(ack.number);
    }
    fn next_timeout(&self) -> Option<Time> {
        (self.ticks == 0).then_some(Time::from_millis(1000))
    }
    fn on_tick(&mut self, _now: Time) {
        self.ticks += 1;
    }
}

impl BuildController for Prober {
    fn build(&self, _start: &Start) -> Box<dyn WindowController> {
        Box::new(self.clone())
    }
}

/// Four dummies, and then the controller's own: its first has the number 0 for itself.
#[test]
fn a_controllers_own_probes_and_ticks_reach_it() {
    let prober = Prober { probes: 3, answered: vec![], ticks: 0 };
    let config = Config { budget: 4, ..Config::new(ControllerConfig::from(prober)) };
    let pad = Pad::new(&config, &Start::default());
    let mut flow = Flow { pad, now: Time::ZERO, tx: 0, in_flight: 0, dummies: vec![] };
    let heard = |flow: &Flow| format!("{:?}", flow.pad);
    flow.send(1, true);
    flow.now = Time::ZERO + RTT;
    flow.ack();
    flow.send(1, true);
    flow.run(Span::from_millis(60));
    assert_eq!(flow.dummies.len(), 4);
    assert!(heard(&flow).contains("ticks: 0"), "the ticks were the padding's");
    for number in [4, 6] {
        flow.answer(number);
    }
    flow.answer(3);
    flow.answer(3);
    assert!(heard(&flow).contains("answered: [0, 2]"), "{}", heard(&flow));
    flow.run(Span::from_millis(839));
    assert!(heard(&flow).contains("ticks: 0"));
    flow.run(Span::from_millis(1));
    assert!(heard(&flow).contains("ticks: 1"), "{}", heard(&flow));
}

#[test]
fn a_sender_is_woken_once_for_a_dummy() {
    let mut flow = Flow::limited(64, 256);
    let due = flow.pad.next_timeout().expect("a dummy is wanted");
    flow.pad.on_tick(due);
    assert_eq!(flow.pad.next_timeout(), None);
    assert!(flow.pad.poll_probe(due).is_some());
    assert!(flow.pad.next_timeout().is_some());
}

/// Answers that come while the application has more to send are worth nothing.
#[test]
fn answers_to_dummies_do_not_open_a_window_that_data_fills() {
    let mut flow = Flow::limited(64, 256);
    flow.run(Span::from_millis(99));
    flow.send(1, false);
    flow.answer(0);
    near(flow.pad.window(), 10.0);
    flow.send(1, true);
    flow.answer(0);
    near(flow.pad.window(), 10.0);
    flow.answer(1);
    near(flow.pad.window(), 11.0);
}

fn operation() -> impl Strategy<Value = WindowOperation> {
    use WindowOperation::*;
    prop_oneof![
        4 => (1..30_u8, any::<bool>()).prop_map(|(packets, app_limited)| Send { packets, app_limited }),
        6 => (0..8_u8, 1_000..400_000_u32, any::<bool>()).prop_map(|(delivered, rtt_us, limited)| {
            Acknowledge { delivered, rtt_us, recovery: false, limited }
        }),
        1 => any::<bool>().prop_map(|timeout| Lose { packets: 1, link: 0, new_episode: true, timeout, old: false }),
        1 => Just(Expire { consecutive: 1 }),
        8 => (0..60_u64, 1_000..400_000_u32).prop_map(|(number, rtt_us)| Probe { number, rtt_us }),
        6 => (0..100_000_u64).prop_map(|us| Wait { us }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// For any events: dummies come in no burst, stay within the window and the budget, and an
    /// answer is worth a packet at most.
    #[test]
    fn padding_keeps_to_the_window_and_to_its_budget(
        operations in prop::collection::vec(operation(), 1..200),
        target in 1..40_u32,
        budget in 0..30_u32,
    ) {
        let plain = Config::new(reno::Config::default().into());
        let mut host = WindowHarness::new(&ControllerConfig::from(Config { target, budget, ..plain }), 10.0);
        let mut dummies = 0;
        for operation in &operations {
            let before = host.controller.window();
            // Fetched here to count them; the harness then finds none.
            if host.controller.poll_probe(host.now).is_some() {
                dummies += 1;
                prop_assert!(f64::from(host.in_flight) < before, "beyond the window");
            }
            let Controller::Boxed(_) = &host.controller else { panic!("it wraps") };
            host.apply(operation);
            let window = host.controller.window();
            prop_assert!(window.is_finite() && window >= 1.0);
            let most = match operation {
                WindowOperation::Acknowledge { delivered, .. } => f64::from(*delivered).min(2.0),
                WindowOperation::Probe { .. } => 1.0,
                _ => 0.0,
            };
            prop_assert!(window <= before + most + 1e-9, "{before} -> {window} by {operation:?}");
        }
        prop_assert!(dummies <= budget);
    }
}
