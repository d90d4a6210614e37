//! The checks find each promise that is broken.

use std::panic;
use std::sync::atomic::{AtomicU64, Ordering};

use atl_core::conformance;
use atl_core::rate::{self, BuildRateController, Feedback, RateController, RateStart};
use atl_core::time::Time;
use atl_core::window::{
    Ack, BuildController, Loss, Probe, Start, Timeout, WindowController, reno::Reno,
};

/// Which promise is broken.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Flaw {
    None,
    FallsBelowOne,
    GrowsForIdleApplications,
    GrowsByLosses,
    StaysAfterTimeouts,
    NeverComesBack,
    Hoards,
    DrawsElsewhere,
    Bursts,
}

impl BuildController for Flaw {
    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        Box::new(Flawed { flaw: *self, reno: Reno::new(&Default::default(), start), hoard: vec![] })
    }
}

/// Reno, but for the flaw.
#[derive(Clone, Debug)]
struct Flawed {
    flaw: Flaw,
    reno: Reno,
    hoard: Vec<Time>,
}

static ELSEWHERE: AtomicU64 = AtomicU64::new(0);

impl WindowController for Flawed {
    fn on_ack(&mut self, ack: &Ack) {
        let ack = match self.flaw {
            Flaw::GrowsForIdleApplications => ack.window_limited(true),
            _ => *ack,
        };
        if self.flaw == Flaw::Hoards {
            self.hoard.push(ack.now);
        }
        if self.flaw != Flaw::NeverComesBack || self.reno.window() > 1.0 {
            self.reno.on_ack(&ack);
        }
    }
    fn on_loss(&mut self, loss: &Loss) {
        match self.flaw {
            Flaw::GrowsByLosses => self.reno.on_ack(&Ack::new(loss.now).delivered(1).cumulative(1)),
            _ => self.reno.on_loss(loss),
        }
    }
    fn on_timeout(&mut self, timeout: &Timeout) {
        if self.flaw != Flaw::StaysAfterTimeouts {
            self.reno.on_timeout(timeout);
        }
    }
    fn window(&self) -> f64 {
        match self.flaw {
            Flaw::FallsBelowOne => self.reno.window() - 0.5,
            Flaw::DrawsElsewhere => {
                self.reno.window() + (ELSEWHERE.fetch_add(1, Ordering::Relaxed) % 2) as f64 * 1e-12
            }
            _ => self.reno.window(),
        }
    }
    fn poll_probe(&mut self, _now: Time) -> Option<Probe> {
        (self.flaw == Flaw::Bursts).then_some(Probe::Dummy)
    }
}

/// The message of a check that fails.
fn complaint(check: impl FnOnce() + panic::UnwindSafe) -> Option<String> {
    let error = panic::catch_unwind(check).err()?;
    Some(*error.downcast::<String>().expect("a message"))
}

#[test]
fn a_window_controller_that_breaks_a_promise_is_found() {
    assert_eq!(complaint(|| conformance::window(Flaw::None)), None);
    for (flaw, said) in [
        (Flaw::FallsBelowOne, "cwnd is 0.5"),
        (Flaw::GrowsForIdleApplications, "limited: false"),
        (Flaw::GrowsByLosses, "by Lose"),
        (Flaw::StaysAfterTimeouts, "by Expire"),
        (Flaw::NeverComesBack, "s: 1, 1"),
        (Flaw::Hoards, "letters"),
        (Flaw::DrawsElsewhere, " by "),
        (Flaw::Bursts, "a burst of probes"),
    ] {
        let complaint = complaint(|| conformance::window(flaw)).expect("it is found");
        assert!(complaint.contains(said), "{flaw:?}: {complaint}");
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum RateFlaw {
    LeavesItsBounds,
    NeverRises,
}

impl BuildRateController for RateFlaw {
    fn build(&self, start: &RateStart) -> Box<dyn RateController> {
        Box::new(FlawedRate { flaw: *self, start: *start, rate: start.bounds().0 })
    }
}

#[derive(Clone, Debug)]
struct FlawedRate {
    flaw: RateFlaw,
    start: RateStart,
    rate: f64,
}

impl RateController for FlawedRate {
    fn on_feedback(&mut self, _feedback: &Feedback<'_>) {
        if self.flaw == RateFlaw::LeavesItsBounds {
            self.rate = 2.0 * self.start.bounds().1;
        }
    }
    fn rate(&self) -> f64 {
        self.rate
    }
    fn decreases(&self) -> u64 {
        0
    }
}

#[test]
fn a_rate_controller_that_breaks_a_promise_is_found() {
    assert_eq!(complaint(|| conformance::rate(rate::rap::Config::default())), None);
    let bounds = complaint(|| conformance::rate(RateFlaw::LeavesItsBounds)).expect("it is found");
    assert!(bounds.contains("bounds"), "{bounds}");
    let rises = complaint(|| conformance::rate(RateFlaw::NeverRises)).expect("it is found");
    assert!(rises.contains("of silence"), "{rises}");
}
