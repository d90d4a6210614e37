//! Watching a run packet by packet.

use std::collections::VecDeque;
use std::rc::Rc;

use atl_core::time::{Span, Time};
use atl_engine::setup::Setup;
use atl_link::Cause;
use atl_sim::{Happening, PacketKind, Simulation, What};
use serde::Serialize;

/// Limit on the rows in a view.
const SHOWN: usize = 120;
/// Limit on the new points in a view; the page keeps earlier ones.
const CURVE: usize = 20_000;
/// Minimum interval between points of the curves.
const RESOLUTION: Span = Span::from_millis(1);

/// A run that pauses between steps. A step is an event that concerns a packet of the watched flow
/// or on the watched link.
#[derive(Debug)]
pub struct Watcher {
    setup: Rc<Setup>,
    seed: u64,
    flow: usize,
    link: usize,
    run: Simulation,
    /// Number of steps so far.
    steps: u64,
    /// Highest sequence number that the flow has sent.
    highest: Option<u32>,
    recent: VecDeque<Row>,
    points: Vec<Point>,
    counts: Counts,
    /// True if the run began again, so that earlier points are void.
    restarted: bool,
    ended: bool,
}

/// An event of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Time in simulated seconds.
    pub time_s: f64,
    /// Event: `queued`, `dropped`, `lost`, `passed`, `arrived`.
    pub what: &'static str,
    /// Reason for a loss; empty otherwise.
    pub why: &'static str,
    /// Index of the link, if the event is on one.
    pub link: Option<usize>,
    /// Index of the flow.
    pub flow: usize,
    /// Kind of packet, such as data or ACK.
    pub kind: &'static str,
    /// Sequence number; for an ACK of TCP the next segment expected.
    pub seq: u32,
    /// Bytes on the wire.
    pub bytes: u16,
    /// True if the data was sent before.
    pub again: bool,
}

/// State of the flow and the link at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// Time in simulated seconds.
    pub time_s: f64,
    /// cwnd in packets; absent for a paced flow.
    pub cwnd: Option<f64>,
    /// ssthresh in packets; absent before the first loss.
    pub ssthresh: Option<f64>,
    /// Sending rate of a paced flow, in bits per second.
    pub rate_bps: Option<f64>,
    /// The flow's packets in flight.
    pub in_flight: u32,
    /// Smoothed RTT in seconds.
    pub srtt_s: Option<f64>,
    /// Packets of all flows queued at the link.
    pub waiting: usize,
    /// Packets of all flows on the link: queued, in transmission, propagating.
    pub on_link: usize,
}

/// Counts of the flow's data packets so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Accepted by the first link.
    pub sent: u64,
    /// Those of them that carried data sent before.
    pub again: u64,
    /// Arrived at the receiver.
    pub arrived: u64,
    /// Dropped by queues, on any link.
    pub dropped: u64,
    /// Lost on links, after the queue.
    pub lost: u64,
}

/// State of a watched run.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// Time in simulated seconds.
    pub time_s: f64,
    /// Number of steps so far.
    pub steps: u64,
    /// True at the end of the run.
    pub ended: bool,
    /// True if the run began again, so that points of earlier views are void.
    pub restarted: bool,
    /// Latest events, in order.
    pub recent: Vec<Row>,
    /// Points of the curves since the last view.
    pub points: Vec<Point>,
    /// Current state of the flow and the link.
    pub now: Point,
    /// Counts of the flow's data packets.
    pub counts: Counts,
}

impl Watcher {
    pub(crate) fn new(setup: Rc<Setup>, seed: u64, flow: usize, link: usize) -> Watcher {
        Watcher {
            run: Simulation::watched(&setup, seed),
            setup,
            seed,
            flow,
            link,
            steps: 0,
            highest: None,
            recent: VecDeque::new(),
            points: Vec::new(),
            counts: Counts::default(),
            restarted: true,
            ended: false,
        }
    }

    /// Advances by this many steps.
    pub fn forwards(&mut self, steps: u64) -> View {
        for _ in 0..steps {
            if !self.step() {
                break;
            }
        }
        self.view()
    }

    /// Goes back by this many steps, for which the run is repeated from the start.
    pub fn back(&mut self, steps: u64) -> View {
        let target = self.steps.saturating_sub(steps);
        self.restart();
        while self.steps < target && self.step() {}
        self.view()
    }

    /// Goes to a time in simulated seconds, forwards or backwards.
    pub fn go_to(&mut self, seconds: f64) -> View {
        if seconds < self.run.now().since(Time::ZERO).secs() {
            self.restart();
        }
        let until =
            Time::ZERO + Span::from_secs_f64(seconds.clamp(0.0, self.setup.duration.secs()));
        while self.event(until) {}
        self.view()
    }

    /// Advances to the flow's next packet that is dropped or lost.
    pub fn next_loss(&mut self) -> View {
        let gone = |counts: &Counts| counts.dropped + counts.lost;
        let before = gone(&self.counts);
        while gone(&self.counts) == before && self.step() {}
        self.view()
    }

    fn restart(&mut self) {
        *self = Watcher::new(Rc::clone(&self.setup), self.seed, self.flow, self.link);
    }

    /// Handles events until one is of interest; false at the end of the run.
    fn step(&mut self) -> bool {
        let before = self.steps;
        while self.steps == before {
            if !self.event(Time::MAX) {
                return false;
            }
        }
        true
    }

    /// Handles the next event up to `until`; false if there is none.
    fn event(&mut self, until: Time) -> bool {
        if !self.run.step(until) {
            self.ended = self.run.now() >= Time::ZERO + self.setup.duration;
            return false;
        }
        let mut seen = false;
        for happening in self.run.take_happenings() {
            if happening.flow == self.flow || happening.link == Some(self.link) {
                self.keep(&happening);
                seen = true;
            }
        }
        self.steps += u64::from(seen);
        // In nanoseconds: a difference of seconds may fall short of the resolution by its last
        // digit.
        let next = |point: &Point| Time::from_secs_f64(point.time_s) + RESOLUTION;
        if seen && self.points.last().map(next).is_none_or(|next| self.run.now() >= next) {
            if self.points.len() >= CURVE {
                // Halves the resolution if the page asks so rarely that points pile up.
                let mut nth = 0_usize;
                self.points.retain(|_| {
                    nth += 1;
                    nth.is_multiple_of(2)
                });
            }
            let point = self.point();
            self.points.push(point);
        }
        true
    }

    fn keep(&mut self, happening: &Happening) {
        let Happening { at, what, link, flow, kind, seq, bytes, .. } = *happening;
        let own = flow == self.flow && kind.is_data();
        let first = own && what == What::Queued && self.is_first(link);
        let dropped_first = own && what == What::Dropped && self.is_first(link);
        let again = own && self.highest.is_some_and(|highest| seq <= highest);
        if first || dropped_first {
            self.highest = Some(self.highest.map_or(seq, |highest| highest.max(seq)));
        }
        if own {
            let counts = &mut self.counts;
            counts.sent += u64::from(first);
            counts.again += u64::from(first && again);
            counts.arrived += u64::from(what == What::Arrived);
            counts.dropped += u64::from(what == What::Dropped);
            counts.lost += u64::from(matches!(what, What::Lost(_)));
        }
        if self.recent.len() == SHOWN {
            self.recent.pop_front();
        }
        let (what_name, why) = names(what);
        self.recent.push_back(Row {
            time_s: at.since(Time::ZERO).secs(),
            what: what_name,
            why,
            link,
            flow,
            kind: kind_name(kind),
            seq,
            bytes,
            again: again && (first || dropped_first),
        });
    }

    /// True if a link is the first on one of the flow's paths.
    fn is_first(&self, link: Option<usize>) -> bool {
        let paths = &self.setup.flows[self.flow].paths;
        link.is_some() && paths.iter().any(|path| path.forward.first().copied() == link)
    }

    fn point(&mut self) -> Point {
        let state = self.run.state(self.flow);
        Point {
            time_s: self.run.now().since(Time::ZERO).secs(),
            cwnd: state.cwnd,
            ssthresh: state.ssthresh.filter(|ssthresh| ssthresh.is_finite()),
            rate_bps: state.rate_bps,
            in_flight: state.in_flight,
            srtt_s: state.srtt.map(Span::secs),
            waiting: self.run.waiting(self.link),
            on_link: self.run.on_link_now(self.link),
        }
    }

    fn view(&mut self) -> View {
        let now = self.point();
        View {
            time_s: now.time_s,
            steps: self.steps,
            ended: self.ended,
            restarted: std::mem::take(&mut self.restarted),
            recent: self.recent.iter().copied().collect(),
            points: std::mem::take(&mut self.points),
            now,
            counts: self.counts,
        }
    }
}

const fn names(what: What) -> (&'static str, &'static str) {
    match what {
        What::Queued => ("queued", ""),
        What::Copied => ("copied", "duplicate"),
        What::Dropped => ("dropped", "queue full"),
        What::Lost(Cause::Error) => ("lost", "error"),
        What::Lost(Cause::Blackout) => ("lost", "blackout"),
        What::Lost(Cause::Change) => ("lost", "change of network"),
        What::Lost(Cause::Congestion) => ("lost", "congestion"),
        What::Passed => ("passed", ""),
        What::Arrived => ("arrived", ""),
    }
}

const fn kind_name(kind: PacketKind) -> &'static str {
    match kind {
        PacketKind::Data | PacketKind::Paced => "data",
        PacketKind::Ack | PacketKind::PacedAck => "ACK",
        PacketKind::Syn => "SYN",
        PacketKind::SynAck => "SYN-ACK",
        PacketKind::WindowProbe => "window probe",
        PacketKind::Dummy | PacketKind::Nil | PacketKind::PacedProbe => "probe",
        PacketKind::ProbeAck | PacketKind::PacedProbeAck => "ACK of a probe",
        PacketKind::Request => "request",
        PacketKind::Quench => "source quench",
        PacketKind::Report => "report",
        PacketKind::Challenge => "challenge",
        PacketKind::ChallengeAnswer => "answer",
        PacketKind::Notice => "notice",
        PacketKind::HandoffReport => "handoff report",
        PacketKind::Cell => "cell",
    }
}
