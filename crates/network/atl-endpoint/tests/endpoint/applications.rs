//! The conformance checks of applications find what breaks the contract, and say so.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use atl_core::time::{Span, Time};
use atl_endpoint::app::{Actions, Application, BuildApplication};
use atl_endpoint::conformance;
use atl_link::random::Stream;

/// One promise that a client breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mistake {
    /// It takes every delivery for a message.
    Boundaries,
    /// It wants to wake up now.
    Past,
    /// It wakes up each microsecond.
    Busy,
    /// It goes on writing after its end.
    AfterEnd,
    /// Its exchanges begin before the flow does.
    Early,
    /// It remembers earlier runs.
    Memory,
}

static RUNS: AtomicU64 = AtomicU64::new(0);

impl BuildApplication for Mistake {
    fn client(&self, _stream: Stream) -> Box<dyn Application + Send> {
        let run = RUNS.fetch_add(1, Ordering::Relaxed);
        Box::new(Client { mistake: *self, run })
    }
    fn server(&self, _stream: Stream) -> Box<dyn Application + Send> {
        Box::new(Echo)
    }
}

struct Client {
    mistake: Mistake,
    run: u64,
}

impl Application for Client {
    fn on_start(&mut self, now: Time, actions: &mut Actions) {
        let remembers = self.mistake == Mistake::Memory;
        actions.write(if remembers { 100 + self.run } else { 2500 });
        actions.wake_at(match self.mistake {
            Mistake::Past => now,
            _ => now + Span::from_secs(1),
        });
    }

    fn on_delivered(&mut self, now: Time, bytes: u64, actions: &mut Actions) {
        match self.mistake {
            Mistake::Boundaries => actions.write(100),
            Mistake::Early => actions.complete(now - Span::from_secs(1)),
            _ => actions.write(bytes / 1000 * 2),
        }
    }

    fn on_timer(&mut self, now: Time, actions: &mut Actions) {
        match self.mistake {
            Mistake::Busy => actions.wake_at(now + Span::from_nanos(1000)),
            Mistake::AfterEnd => {
                actions.write(10);
                actions.finish();
                actions.wake_at(now + Span::from_millis(1));
            }
            _ => {}
        }
    }
}

struct Echo;

impl Application for Echo {
    fn on_delivered(&mut self, _now: Time, bytes: u64, actions: &mut Actions) {
        actions.write(bytes);
    }
}

/// The checks' complaint about an application with this mistake; `None` if they find nothing.
fn complaint(mistake: Mistake) -> Option<String> {
    let checked = catch_unwind(AssertUnwindSafe(|| conformance::application(&mistake)));
    let said = checked.err()?;
    said.downcast_ref::<String>().cloned()
}

#[test]
fn each_broken_promise_is_named() {
    for (mistake, says) in [
        (Mistake::Boundaries, "when they are delivered in pieces"),
        (Mistake::Past, "to be woken up at"),
        (Mistake::Busy, "a million wake-ups"),
        (Mistake::AfterEnd, "after its end"),
        (Mistake::Early, "an exchange that began at"),
        (Mistake::Memory, "the same calls give other answers"),
    ] {
        let said = complaint(mistake).unwrap_or_else(|| panic!("{mistake:?} is not found"));
        assert!(said.contains(says), "{mistake:?}: {said}");
    }
}

#[test]
fn an_application_that_keeps_the_contract_passes() {
    struct Bulk;
    impl Application for Bulk {
        fn on_start(&mut self, _now: Time, actions: &mut Actions) {
            actions.write(u64::MAX);
        }
        fn on_delivered(&mut self, _now: Time, _bytes: u64, _actions: &mut Actions) {}
    }
    #[derive(Debug)]
    struct Sink;
    impl BuildApplication for Sink {
        fn client(&self, _stream: Stream) -> Box<dyn Application + Send> {
            Box::new(Bulk)
        }
        fn server(&self, _stream: Stream) -> Box<dyn Application + Send> {
            Box::new(Bulk)
        }
    }
    conformance::application(&Sink);
}
