//! A controller around another one hands on every method that it does not write itself.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};

use atl_core::model::Adaptation;
use atl_core::path::{End, Handoff, LinkReport};
use atl_core::probe::ProbeAck;
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_core::window::resume::{self, Resume, Saved};
use atl_core::window::{
    Ack, Aimd, BuildController, Controller, ControllerConfig, Loss, MarkResponse, Marked, Probe,
    Quench, Sent, Start, Timeout, WindowController, pad,
};

/// Notes which of its methods are called.
#[derive(Clone, Debug, Default)]
struct Recorder(Arc<Mutex<BTreeSet<&'static str>>>);

/// Writes the recorder's methods, and a caller of all of them, from one list.
macro_rules! recorder {
    ($($name:ident(&mut self $(, $arg:ident: $kind:ty = $value:expr)*) $(-> $out:ty = $answer:expr)?;)*
     $(|| $query:ident(&self) -> $got:ty = $reply:expr;)*) => {
        impl WindowController for Recorder {
            $(fn $name(&mut self $(, $arg: $kind)*) $(-> $out)? {
                let _ = ($($arg,)*);
                self.note(stringify!($name));
                $($answer)?
            })*
            $(fn $query(&self) -> $got {
                self.note(stringify!($query));
                $reply
            })*
        }
        const METHODS: &[&str] = &[$(stringify!($name),)* $(stringify!($query),)*];
        fn call_all(controller: &mut dyn WindowController) {
            $(controller.$name($($value),*);)*
            $(controller.$query();)*
        }
    };
}

const NOW: Time = Time::ZERO;
const REPORT: LinkReport = LinkReport { loss: Probability::ZERO, delay: Span::ZERO };

recorder! {
    on_sent(&mut self, sent: &Sent = &Sent::new(NOW, 0, 1000, 1));
    on_ack(&mut self, ack: &Ack = &Ack::new(NOW));
    on_loss(&mut self, loss: &Loss = &Loss::new(NOW, 0, 1000, 1));
    on_marked(&mut self, marked: &Marked = &Marked::new(NOW, 0, 1));
    on_timeout(&mut self, timeout: &Timeout = &Timeout::new(NOW, 1));
    on_quench(&mut self, quench: &Quench = &Quench::new(NOW, 1));
    on_recovered(&mut self, now: Time = NOW);
    on_spurious(&mut self, now: Time = NOW) -> bool = true;
    on_link_report(&mut self, now: Time = NOW, report: &LinkReport = &REPORT);
    on_peer_report(&mut self, now: Time = NOW, report: &LinkReport = &REPORT);
    on_handoff(&mut self, handoff: &Handoff = &Handoff::new(NOW, End::Own, Span::ZERO, Span::ZERO));
    on_peer_rate(&mut self, now: Time = NOW, rate: f64 = 1.0);
    poll_probe(&mut self, now: Time = NOW) -> Option<Probe> = None;
    on_probe_ack(&mut self, ack: &ProbeAck = &ProbeAck::new(NOW, 0, Span::ZERO));
    on_tick(&mut self, now: Time = NOW);
    || listens(&self) -> bool = false;
    || next_timeout(&self) -> Option<Time> = Some(NOW);
    || window(&self) -> f64 = 10.0;
    || ssthresh(&self) -> f64 = 10.0;
    || rounds_up(&self) -> bool = false;
    || release_at(&self) -> Option<Time> = None;
    || pacing_rate(&self) -> Option<Rate> = None;
    || ack_limit(&self) -> Option<NonZeroU32> = None;
    || mark_response(&self) -> MarkResponse = MarkResponse::Classic;
    || aimd(&self) -> Option<Aimd> = None;
    || adaptation(&self) -> Option<Adaptation> = None;
    || observed(&self) -> Option<Saved> = None;
}

impl Recorder {
    fn note(&self, method: &'static str) {
        self.0.lock().expect("one thread").insert(method);
    }
}

/// Parameters of a recorder.
#[derive(Debug, Default)]
struct Config(Recorder);

impl PartialEq for Config {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0.0, &other.0.0)
    }
}

impl BuildController for Config {
    fn build(&self, _: &Start) -> Box<dyn WindowController> {
        Box::new(self.0.clone())
    }
}

/// A wrapper with no more than the contract demands.
#[derive(Clone, Debug)]
struct Stranger(Controller);

impl WindowController for Stranger {
    fn on_ack(&mut self, ack: &Ack) {
        self.0.on_ack(ack);
    }
    fn on_loss(&mut self, loss: &Loss) {
        self.0.on_loss(loss);
    }
    fn on_timeout(&mut self, timeout: &Timeout) {
        self.0.on_timeout(timeout);
    }
    fn window(&self) -> f64 {
        self.0.window()
    }
    fn inner(&self) -> Option<&dyn WindowController> {
        Some(&self.0)
    }
    fn inner_mut(&mut self) -> Option<&mut dyn WindowController> {
        Some(&mut self.0)
    }
}

/// The wrapped controller hears of all methods but `own`, which the wrapper answers by itself.
fn assert_forwards(wrap: impl FnOnce(ControllerConfig) -> Box<dyn WindowController>, own: &[&str]) {
    let recorder = Recorder::default();
    let mut wrapper = wrap(Config(recorder.clone()).into());
    recorder.0.lock().expect("one thread").clear();
    call_all(&mut *wrapper);
    let heard = recorder.0.lock().expect("one thread").clone();
    let expected = METHODS.iter().copied().filter(|method| !own.contains(method));
    assert_eq!(heard, expected.collect(), "{wrapper:?}");
}

#[test]
fn a_wrapper_hands_on_what_it_does_not_write() {
    let start = &Start::DEFAULT;
    assert_forwards(|config| Box::new(config.build(start)), &[]);
    assert_forwards(|config| Box::new(Stranger(config.build(start))), &[]);
    let boxed =
        |config: ControllerConfig| -> Box<dyn WindowController> { Box::new(config.build(start)) };
    assert_forwards(|config| Box::new(boxed(config)), &[]);
    // Acknowledgments of probes that it has not sent are those of the wrapped controller.
    assert_forwards(|config| pad::Config::new(config).build(start), &[]);
    assert_forwards(
        |config| Box::new(Resume::new(&resume::Config::new(config), start)),
        &["observed"],
    );
}

/// The recorder knows every method: one that is added to the joint has to be added here, or this
/// fails.
#[test]
fn every_method_is_tried() {
    let joint = include_str!("../../../src/window/traits.rs");
    let declared = joint.split("pub trait WindowController").nth(1).expect("declared");
    let declared = declared.split("\n}\n").next().expect("it ends");
    let names = declared.lines().filter_map(|line| line.trim().strip_prefix("fn "));
    let names = names.map(|rest| rest.split('(').next().expect("a name"));
    let names: BTreeSet<&str> = names.filter(|name| !name.starts_with("inner")).collect();
    assert_eq!(names, METHODS.iter().copied().collect());
}

/// Each optional method is declared where it is handed on by construction.
#[test]
fn no_default_body_stands_outside_of_the_list() {
    let joint = include_str!("../../../src/window/traits.rs");
    let declared = joint.split("pub trait WindowController").nth(1).expect("declared");
    let required = declared.split("optional! {").next().expect("methods without a default");
    let with_body: Vec<&str> = required
        .lines()
        .filter(|line| line.trim().starts_with("fn ") && line.ends_with('{'))
        .collect();
    assert!(with_body.iter().all(|line| line.contains("fn inner")), "{with_body:?}");
    let after = declared.rsplit("optional! {").next().expect("a list").split("\n}\n").next();
    assert!(after.is_some_and(|after| after.trim_end().ends_with("    }")), "the lists come last");
}
