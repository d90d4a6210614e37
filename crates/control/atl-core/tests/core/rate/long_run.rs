//! Properties of every rate controller over a long time: a rate that recovers.

use crate::support::draws::Draws;
use crate::support::paced::{Path, Run, START};
use crate::support::rate_host::plain;
use atl_core::path::LinkReport;
use atl_core::rate::RateConfig;
use atl_core::time::Span;
use atl_core::units::Probability;
use atl_core::window::{End, Handoff};

/// Longest time in seconds for a rate to recover: the least rate is one packet in 64 s, and some
/// dozens of them show the state of the path.
const COMES_BACK: f64 = 3600.0;

impl Draws {
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
