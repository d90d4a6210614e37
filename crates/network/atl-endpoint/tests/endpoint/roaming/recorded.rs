//! Senders whose hosts move, among losses, silences, pauses and notices that somebody else wrote:
//! each packet, window and timer must be as it was recorded.
//!
//! A line is a run: what it was drawn from, what came of it, and a digest of each event. More runs
//! follow, many to a line. After an intended change `INSTA_UPDATE=always cargo test
//! -p atl-endpoint --test endpoint roaming::recorded` records them anew; the commit says why they
//! changed.

use std::fmt::Write;

use atl_core::path::{PathId, PathSignal};
use atl_core::roaming::{Meanwhile, NewPath, Pad, Probe, Resume};
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_core::window::{ControllerConfig, WindowController, peach, reno, westwood};
use atl_endpoint::app::Source;
use atl_endpoint::handoff::Key;
use atl_endpoint::tcp::{FrozenBy, Recovery};
use atl_link::random::Stream;

use super::host::{Conditions, Host, Plan};

/// Runs of each way to take a new path, with a line each.
const RUNS: u64 = 128;
/// Lines of more runs, and how many are in one.
const BATCHES: u64 = 16;
const BATCH: u64 = 64;
/// Time between two looks at a sender, and the end of a run, in ms.
const STEP: u64 = 25;
const END: u64 = 9000;

/// Depends on each word that it was given, and on their order.
#[derive(Clone, Copy)]
struct Digest(u64);

impl Digest {
    fn word(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 29);
    }

    fn path(&mut self, path: PathId) {
        self.word(path.index() as u64);
    }

    /// The state of a sender as others see it.
    fn look(&mut self, host: &mut Host) {
        let now = host.now;
        self.word(host.sender.next_timer(now).nanos());
        let sender = &host.sender;
        self.path(sender.path());
        self.word(u64::from(sender.in_flight()) << 32 | u64::from(sender.in_flight_elsewhere()));
        self.word(sender.srtt().map_or(0, Span::nanos));
        self.word(sender.controller().window().to_bits());
        self.word(sender.controller().ssthresh().to_bits());
        if let Some((path, window)) = sender.beside() {
            self.path(path);
            self.word(window.to_bits());
        }
        let counts = sender.counts();
        let all = [counts.timeouts, counts.recoveries, counts.spurious_losses, counts.probe_bytes];
        all.into_iter().for_each(|count| self.word(count));
    }

    /// All packets of a run, and all windows.
    fn events(&mut self, host: &Host) {
        for (at, path, seq) in &host.data {
            self.word(at.nanos());
            self.path(*path);
            self.word(*seq);
        }
        for (at, path, bytes) in &host.probes {
            self.word(at.nanos());
            self.path(*path);
            self.word(u64::from(*bytes));
        }
        for (at, window, path) in &host.windows {
            self.word(at.nanos());
            self.word(window.to_bits());
            self.path(*path);
        }
        host.arrivals.iter().chain(&host.asked).for_each(|at| self.word(at.nanos()));
        self.word(host.delivered.len() as u64);
    }
}

fn one_of<T: Clone>(draws: &mut Stream, of: &[T]) -> T {
    of[draws.below(of.len() as u64) as usize].clone()
}

fn path(draws: &mut Stream) -> PathId {
    PathId::new(draws.below(3) as u8)
}

fn signal(draws: &mut Stream) -> PathSignal {
    let path = path(draws);
    one_of(draws, &[PathSignal::Imminent(path), PathSignal::Done(path), PathSignal::Gone(path)])
}

/// Signals at any times, or two moves as a host makes them.
fn signals(draws: &mut Stream) -> Vec<(u64, PathSignal)> {
    let mut signals = Vec::new();
    if draws.chance(0.5) {
        let count = draws.below(14);
        signals.extend((0..count).map(|_| (500 + draws.below(7000), signal(draws))));
    } else {
        let [a, b, c] = [0, 1, 2].map(PathId::new);
        let at = 800 + draws.below(1500);
        let overlap = 10 + draws.below(1800);
        signals.extend([(at, PathSignal::Imminent(b)), (at + overlap, PathSignal::Done(b))]);
        let gone = at + overlap + draws.below(700);
        let next = gone + draws.below(1500);
        let to = if draws.chance(0.5) { a } else { c };
        let (gone, early) = (PathSignal::Gone(a), (at + overlap / 2, PathSignal::Gone(a)));
        signals.push(if draws.chance(0.3) { early } else { (next, gone) });
        signals.extend([(next, PathSignal::Imminent(to)), (next + 400, PathSignal::Done(to))]);
    }
    signals.sort_by_key(|signal| signal.0);
    signals
}

fn conditions(draws: &mut Stream) -> Conditions {
    Conditions {
        mbps: 0.4 + 4.0 * draws.uniform() * draws.uniform(),
        delay_ms: 1 + draws.below(120),
        queue: 4 + draws.below(60) as u32,
    }
}

fn source(draws: &mut Stream) -> Option<Source> {
    let rate = Rate::from_mbps(0.2 + 2.0 * draws.uniform());
    let (on, off) = (Span::from_millis(600), Span::from_millis(400));
    match draws.below(6) {
        0 => Some(Source::OnOff { on, off, rate, exponential: true }),
        1 => Some(Source::Steady { rate }),
        2 => Some(Source::Fixed { bytes: 40_000 + draws.below(900_000) }),
        _ => None,
    }
}

fn plan(draws: &mut Stream, how: NewPath) -> Plan {
    let paths = (0..3).map(|_| conditions(draws)).collect();
    let mut plan = Plan::new(paths, signals(draws), how);
    plan.sender_moves = draws.chance(0.3);
    // Most of what roams is SACK's.
    let more = [Recovery::Sack, Recovery::Rack, Recovery::NewReno, Recovery::Quic];
    plan.recovery = one_of(draws, &[&Recovery::ALL[..], &more, &more].concat());
    plan.controller = one_of(
        draws,
        &[
            ControllerConfig::from(reno::Config::default()),
            ControllerConfig::from(reno::Config::default()),
            ControllerConfig::from(westwood::Config::default()),
            ControllerConfig::from(peach::Config::default()),
        ],
    );
    plan.source = source(draws);
    plan.receive_window = 4 + draws.below(120) as u32;
    plan.delayed_ack = draws.chance(0.3);
    plan.key = draws.chance(0.2).then(|| Key::new([3; 32]));
    plan.until_ms = END;
    plan
}

/// Disturbs a run now and then; `rough` is how often.
fn disturb(draws: &mut Stream, host: &mut Host, rough: f64) {
    if draws.chance(0.2 * rough) {
        host.drop_next = Some(path(draws));
    }
    if draws.chance(0.03 * rough) {
        let path = path(draws);
        host.silence(path);
    } else if draws.chance(0.06 * rough) {
        (0..3).for_each(|path| host.revive(PathId::new(path)));
    }
    if draws.chance(0.05 * rough) {
        host.mute = draws.chance(0.4).then(|| path(draws));
    }
    if draws.chance(0.03 * rough) {
        let by = one_of(draws, &[FrozenBy::Host, FrozenBy::Peer]);
        if draws.chance(0.4) {
            host.sender.freeze(host.now, by);
        } else {
            host.sender.thaw(host.now, by);
        }
        host.drain();
    }
}

/// A run as a line.
fn run(seed: u64, how: impl Fn(&mut Stream) -> NewPath) -> String {
    let mut draws = Stream::new(seed, "roaming");
    let how = how(&mut draws);
    let plan = plan(&mut draws, how);
    let (recovery, moves) = (plan.recovery, plan.sender_moves);
    let mut host = Host::new(plan);
    if !moves && draws.chance(0.5) {
        let mut forged: Vec<_> =
            (0..1 + draws.below(8)).map(|_| (draws.below(END), signal(&mut draws))).collect();
        forged.sort_by_key(|forged| forged.0);
        host.forge(&forged);
    }
    let rough = one_of(&mut draws, &[0.0, 0.1, 0.3, 1.0]);
    let mut digest = Digest(seed);
    for at in (STEP..=END).step_by(STEP as usize) {
        host.run_until(Time::from_millis(at));
        host.now = Time::from_millis(at);
        digest.look(&mut host);
        disturb(&mut draws, &mut host, rough);
    }
    digest.events(&host);
    let counts = host.sender.counts();
    let at = host.sender.path().index();
    format!(
        "{seed:2} {:016x} {recovery:?}, {rough}: {} sent, {} probes, {} again, {} timeouts, \
         {} moves, at {at}",
        digest.0,
        counts.sent,
        counts.probes,
        counts.retransmissions,
        counts.timeouts,
        counts.handoffs,
    )
}

fn runs(how: impl Fn(&mut Stream) -> NewPath) -> String {
    let mut text = String::new();
    for seed in 0..RUNS {
        writeln!(text, "{}", run(seed, &how)).expect("a text takes what it is given");
    }
    for first in (0..BATCHES).map(|batch| RUNS + batch * BATCH) {
        let mut digest = Digest(first);
        for seed in first..first + BATCH {
            run(seed, &how).bytes().for_each(|byte| digest.word(u64::from(byte)));
        }
        writeln!(text, "{first} and on: {:016x}", digest.0).expect("as above");
    }
    text
}

fn probe(draws: &mut Stream, meanwhile: Meanwhile) -> NewPath {
    let dummies = draws.chance(0.5).then(|| 1 + draws.below(150) as u32);
    let over = draws.chance(0.3).then(|| Span::from_millis(10 + draws.below(400)));
    let validate = draws.chance(0.75);
    NewPath::Probe(Probe { dummies, over, validate, meanwhile, ..Probe::DEFAULT })
}

#[test]
fn both_paths_between_the_probe_and_the_move() {
    insta::assert_snapshot!("both", runs(|draws| probe(draws, Meanwhile::Both)));
}

#[test]
fn the_new_path_between_the_probe_and_the_move() {
    insta::assert_snapshot!("new", runs(|draws| probe(draws, Meanwhile::New)));
}

#[test]
fn the_old_path_between_the_probe_and_the_move() {
    insta::assert_snapshot!("old", runs(|draws| probe(draws, Meanwhile::Old)));
}

#[test]
fn no_probe() {
    let how = |draws: &mut Stream| {
        let most = draws.chance(0.5).then(|| 1 + draws.below(200) as u32);
        let pad = Pad { target: 1 + draws.below(100) as u32, budget: draws.below(300) as u32 };
        let resume = NewPath::Resume(Resume { most, ..Resume::default() });
        one_of(draws, &[NewPath::Keep, NewPath::Reset, NewPath::Reset, resume, NewPath::Pad(pad)])
    };
    insta::assert_snapshot!("none", runs(how));
}
