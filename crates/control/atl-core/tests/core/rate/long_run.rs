//! Properties of every rate controller over a long time: bounded state, and a rate that recovers.

use crate::support::draws::Draws;
use crate::support::paced::{Path, Run, START};
use crate::support::rate_host::{Host, Operation, configs, plain};
use atl_core::path::LinkReport;
use atl_core::rate::{RateConfig, RateController};
use atl_core::time::Span;
use atl_core::units::Probability;
use atl_core::window::{End, Handoff};

/// Operations over all controllers.
const OPERATIONS: u64 = 1_000_000;

/// Longest time in seconds for a rate to recover: the least rate is one packet in 64 s, and some
/// dozens of them show the state of the path.
const COMES_BACK: f64 = 3600.0;

impl Draws {
    fn rate_operation(&mut self) -> Operation {
        use Operation::*;
        let small = self.below(4) as u8;
        // Usually a path of real dimensions, and now and then arbitrary values.
        let wild = self.below(100) == 0;
        let rtt_us = if wild { self.next() as u32 } else { 1_000 + self.below(500_000) as u32 };
        match self.below(32) {
            0..=5 => Send { packets: small, app_limited: self.chance() },
            6..=13 => Ack { back: small, mask: self.next() as u32, rtt_us },
            14..=16 => Report {
                lost: small / 2,
                rtt_us,
                receive_rate: 1e3 * self.share(),
                loss_event_rate: 0.1 * self.share(),
            },
            17..=19 => Lose { packets: 1 + small, marked: self.chance(), rtt_us },
            20 if wild => Feedback {
                delivered: small.into(),
                lost: small,
                at_ns: self.next(),
                srtt_ns: self.next() >> 30,
                rtt_ns: self.next() >> 30,
                odd: self.chance(),
            },
            21 if wild => AckAny { seq: self.next(), mask: 7, sent_ns: self.next() },
            22..=24 => Link { loss: self.share(), delay_us: rtt_us / 4, peer: self.chance() },
            // Rarely enough for windows to fill in between.
            25 if self.below(500) == 0 => Handoff {
                old_ms: self.below(400) as u16,
                new_ms: self.below(400) as u16,
                peer: self.chance(),
            },
            26 => Probe { number: self.below(400), rtt_us },
            27 if self.below(200) == 0 => Silence { secs: self.below(600) as u16 },
            _ if wild => Wait { us: self.next() >> 30 },
            _ => Wait { us: self.below(100_000) },
        }
    }

    /// A path that may be slow, lossy, dead, or about to change.
    fn path(&mut self) -> Path {
        let loss = match self.below(4) {
            0 => 0.0,
            1 => 0.1 * self.share(),
            2 => self.share(),
            _ => 1.0,
        };
        let report = |draws: &mut Draws| {
            draws.chance().then(|| LinkReport {
                loss: Probability::clamped(draws.share()),
                delay: Span::from_millis(draws.below(300)),
            })
        };
        Path {
            rate: 1.0 + 500.0 * self.share(),
            queue: 1 + self.below(50) as u32,
            delay: Span::from_micros(100 + self.below(500_000)),
            loss,
            marked: self.chance(),
            loss_back: if self.chance() { 0.0 } else { self.share() },
            others: 0.0,
            link: report(self),
            peer: report(self),
        }
    }
}

/// Letters that it takes to print a controller's state: a measure that no field escapes.
fn state(controller: &dyn RateController) -> usize {
    format!("{controller:?}").len()
}

#[test]
fn a_million_operations_leave_invariants_and_state_bounded() {
    let configs = configs();
    let each = OPERATIONS / configs.len() as u64;
    for (seed, config) in configs.iter().enumerate() {
        let mut draws = Draws(seed as u64);
        let mut host = Host::new(config, &START);
        let mut most = [0; 2];
        for step in 0..each {
            let operation = draws.rate_operation();
            host.apply(&operation);
            assert_eq!(host.violation(), None, "{config:?} by {operation:?}");
            if step % 997 == 0 {
                let half = usize::from(step > each / 2);
                most[half] = most[half].max(state(host.controller.as_ref()));
            }
        }
        // A window of outcomes may be a few buckets longer, never twice as long.
        assert!(most[1] < 60_000, "{config:?}: {} letters", most[1]);
        assert!(most[1] <= 2 * most[0], "{config:?}: {most:?} letters");
    }
}

/// Runs until the flow gets most of a path of 100 packets/s for half a minute; returns the time
/// that this took, in seconds.
fn comes_back(run: &mut Run, config: &RateConfig) -> f64 {
    run.path = Path::default();
    let mut took = 0.0;
    while run.stretch(30.0).goodput() < 75.0 {
        took += 30.0;
        let (rate, sender) = (run.sender.rate(), &run.sender);
        assert!(took < COMES_BACK, "{config:?}: {rate} packets/s after {took} s, {sender:?}");
    }
    took
}

#[test]
fn a_path_that_works_again_is_used_again() {
    for config in plain() {
        for seed in 0..12 {
            let mut draws = Draws(seed);
            let mut run = Run::new(&config, &START, draws.path());
            for _ in 0..10 {
                run.stretch(60.0 * draws.share());
                run.path = draws.path();
                if run.sender.listens() && draws.chance() {
                    let handoff = Handoff::new(
                        run.now,
                        if draws.chance() { End::Own } else { End::Peer },
                        Span::from_millis(draws.below(200)),
                        Span::from_millis(draws.below(200)),
                    );
                    run.handoff(run.path.delay, &handoff);
                }
            }
            comes_back(&mut run, &config);
        }
    }
}

#[test]
fn a_silence_of_any_length_lowers_the_rate_and_is_recovered_from() {
    for config in plain() {
        for secs in [1.0, 10.0, 60.0, 600.0, 10_000.0] {
            let mut run = Run::new(&config, &START, Path::default());
            run.stretch(120.0);
            let before = run.sender.rate();
            run.path.loss = 1.0;
            run.stretch(secs);
            let after = run.sender.rate();
            let (least, _) = START.bounds();
            assert!(after >= least, "{config:?}: {after}");
            if secs >= 60.0 {
                assert!(after < 0.6 * before, "{config:?}: {before} to {after} in {secs} s");
            }
            let took = comes_back(&mut run, &config);
            assert!(took <= 10.0 * secs.max(60.0), "{config:?}: {took} s after {secs} s");
        }
    }
}

#[test]
fn losing_everything_from_the_start_leaves_something_to_send() {
    for config in plain() {
        let mut run = Run::new(&config, &START, Path { loss: 1.0, ..Path::default() });
        run.stretch(20_000.0);
        // A probe counts: its ACK is feedback too.
        let outcome = run.stretch(1000.0);
        let (least, most) = START.bounds();
        let rate = run.sender.rate();
        assert!(rate >= least && rate <= most, "{config:?}: {rate}");
        assert!(outcome.sent + outcome.probes >= 5, "{config:?}: {outcome:?}");
        comes_back(&mut run, &config);
    }
}

#[test]
fn a_rate_follows_its_path() {
    for config in plain() {
        let mut run = Run::new(&config, &START, Path::default());
        run.stretch(120.0);
        let fast = run.stretch(120.0);
        run.path.rate = 25.0;
        run.stretch(60.0);
        let slow = run.stretch(120.0);
        assert!(fast.goodput() > 75.0, "{config:?}: {fast:?}");
        assert!((18.0..=25.1).contains(&slow.goodput()), "{config:?}: {slow:?}");
        assert!(slow.loss() < 0.35, "{config:?}: {slow:?}");
    }
}
