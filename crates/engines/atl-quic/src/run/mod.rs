//! A run: flows over the links of a setup, from event to event.

mod mobiles;
mod network;
mod result;
mod telling;

use std::time::Instant;

use atl_core::time::{Epoch, Span, Time};
use atl_endpoint::interruptions::Side;
use atl_engine::flow::record::{Mark, Marks, Moment, NetworkCounts, NetworkRtts, Recorder};
use atl_engine::flow::{Access, Build, Progress, Talk, Written};
use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_engine::{Stopped, Watch};
use atl_link::relay::{Event, Frame, Relay};

use crate::flow::{Failure, Flow, Origin, Routes};
use crate::options::Options;
use network::{data_of, data_on};

/// Events between two looks at whether the run is to stop: a few milliseconds.
const EVENTS_PER_LOOK: u64 = 512;

/// Carries out a run. The setup must have no gap that [`QuicSim`](crate::QuicSim) has; controllers
/// of the caller's own ([`Options::controllers`]) replace the protocols', and the gaps about them.
///
/// # Errors
/// [`Stopped::Cancelled`] if `watch` says so, [`Stopped::Failed`] if a flow cannot run over QUIC,
/// its connection is lost, or TLS cannot be set up.
pub fn run(
    setup: &Setup,
    seed: u64,
    options: &Options<'_>,
    watch: &Watch<'_>,
) -> Result<RunResult, Stopped> {
    let mut run = Run::new(setup, seed, options)?;
    run.go(watch, options)?;
    Ok(run.result(setup))
}

/// The instant that stands for the beginning of a run. Nothing depends on which it is.
#[expect(
    clippy::disallowed_methods,
    reason = "the library wants an `Instant`, and there is no other way to have one: all others are spans after it"
)]
fn epoch() -> Epoch {
    Epoch::new(Instant::now())
}

struct Run {
    now: Time,
    end: Time,
    begin: Time,
    relay: Relay,
    routes: Routes,
    flows: Vec<Flow>,
    names: Vec<String>,
    /// Losses, rates and handoffs that the MACs of wireless links tell the ends of flows.
    access: Access,
    /// Applications that talk over pairs of flows.
    talks: Vec<Talk>,
    /// When a mobile's lower layers next signal.
    next_signal: Time,
    /// Links that report to a sender every now and then, and when they next do.
    reporting: Vec<usize>,
    next_report: Time,
    marks: Marks,
    recorder: Recorder,
    counts: NetworkCounts,
    /// Counts of each flow's ends, and of its receiver's order, when measurement began.
    before: Vec<(Progress, u64)>,
    trace_offsets: Vec<Option<Span>>,
    out: Vec<Frame>,
    events: u64,
}

impl Run {
    fn new(setup: &Setup, seed: u64, options: &Options<'_>) -> Result<Self, Stopped> {
        let epoch = epoch();
        let end = Time::ZERO + setup.duration;
        if epoch.instant(end + Span::from_secs(1)).is_none() {
            return Err(Stopped::failed(
                "the duration is longer than this machine's clock can tell",
            ));
        }
        let (routes, over) = Routes::of(&setup.flows);
        let mut flows: Vec<Flow> = Vec::new();
        let mut access = Access::new(setup.links.len());
        for (index, plan) in setup.flows.iter().enumerate() {
            let build = Build::new(plan, &setup.links, seed);
            let steps = plan.mobile.map_or(&[][..], |at| &setup.mobiles[at.mobile].steps);
            let rtts = NetworkRtts::of(setup, index, true);
            let flow = Flow::new((index, routes, rtts), &build, steps, epoch, options)
                .map_err(|failure| failed(&plan.name, failure.as_ref()))?;
            access.add(flow.hearing(build.wireless), flow.host());
            flows.push(flow);
        }
        let reporting: Vec<usize> = access.reporting().collect();
        let begin = Time::ZERO + setup.warmup;
        Ok(Run {
            now: Time::ZERO,
            end,
            begin,
            relay: atl_engine::setup::relay(&setup.links, over, seed),
            routes,
            before: vec![Default::default(); flows.len()],
            names: setup.flows.iter().map(|plan| plan.name.clone()).collect(),
            access,
            talks: Talk::all(setup, seed),
            next_signal: next_signal(&flows),
            next_report: if reporting.is_empty() { Time::MAX } else { Time::ZERO },
            reporting,
            marks: Marks::new(setup),
            recorder: Recorder::new(setup.sample_every, flows.len()),
            counts: NetworkCounts::new(flows.len(), begin, end),
            trace_offsets: setup.links.iter().map(|link| link.trace_offset(seed)).collect(),
            flows,
            out: Vec::new(),
            events: 0,
        })
    }

    fn go(&mut self, watch: &Watch<'_>, options: &Options<'_>) -> Result<(), Stopped> {
        if options.packets.is_some() {
            self.relay.watch();
        }
        loop {
            let (event, signal) = (self.next_event(), self.next_signal.max(self.now));
            let due = event.min(signal);
            let (mark_at, mark) = self.marks.next();
            // Measurement begins before anything else of its instant. A sample is taken after
            // everything else but the steps of mobiles: a run that ends then has none of these.
            let (first, steps) = match mark {
                Mark::Begin => (mark_at <= due, true),
                Mark::Sample => (mark_at < event && mark_at <= signal, mark_at != due),
            };
            if first && mark_at <= self.end {
                self.now = mark_at;
                self.marks.advance();
                self.write_down(mark);
                continue;
            }
            if due > self.end {
                break;
            }
            self.now = due;
            self.work(steps)?;
            if let Some(packets) = options.packets {
                self.tell(packets);
            }
            self.events += 1;
            if self.events.is_multiple_of(EVENTS_PER_LOOK) {
                watch.reached(self.now.since(Time::ZERO))?;
            }
        }
        self.now = self.end;
        watch.reached(self.end.since(Time::ZERO))
    }

    fn next_event(&self) -> Time {
        let flows = self.flows.iter().map(|flow| flow.due).min().unwrap_or(Time::MAX);
        // A timer may lie in the past: it is due now.
        let talks = self.talks.iter().map(|talk| talk.conversation.next_timer());
        let flows = talks.min().unwrap_or(Time::MAX).min(flows);
        flows.min(self.relay.next_event()).min(self.next_report).max(self.now)
    }

    /// Works off what is due now, with or without the steps of mobiles.
    fn work(&mut self, steps: bool) -> Result<(), Stopped> {
        if self.next_report <= self.now {
            self.next_report = self.now + Access::REPORT_EVERY;
            for &link in &self.reporting {
                let report = self.relay.report(link, self.now);
                let mut tell = |flow: usize, news| self.flows[flow].hear(news);
                self.access.on_report(link, report, &mut tell);
            }
        }
        while let Some(event) = self.relay.poll(self.now) {
            self.on_event(event)?;
        }
        for index in 0..self.flows.len() {
            let signals = steps && self.flows[index].next_signal() <= self.now;
            if signals || self.flows[index].due <= self.now {
                if signals {
                    self.signals(index)?;
                }
                self.flow(index, |flow, now, out| flow.advance(now, out))?;
            }
        }
        for index in 0..self.talks.len() {
            self.talk(index)?;
        }
        Ok(())
    }

    /// Lets an application act on what its flows have delivered.
    fn talk(&mut self, index: usize) -> Result<(), Stopped> {
        let flows = &self.flows;
        let mut written = Vec::new();
        self.talks[index].advance(self.now, |flow| flows[flow].delivered_bytes(), &mut written);
        for Written { flow, bytes, ended } in written {
            self.flows[flow].write(bytes, ended);
            self.flow(flow, |flow, now, out| flow.advance(now, out))?;
        }
        Ok(())
    }

    /// Lets a flow act, and puts what it sends onto its first link.
    fn flow(
        &mut self,
        index: usize,
        act: impl FnOnce(&mut Flow, Time, &mut Vec<Frame>) -> Result<(), Failure>,
    ) -> Result<(), Stopped> {
        let acted = act(&mut self.flows[index], self.now, &mut self.out);
        acted.map_err(|failure| failed(&self.names[index], failure.as_ref()))?;
        for frame in self.out.drain(..) {
            if self.flows[index].strands(&frame) {
                if let Some(packet) = data_of(self.routes, &frame) {
                    self.counts.on_dropped(packet, self.now);
                }
                continue;
            }
            self.relay.offer(self.now, frame);
        }
        Ok(())
    }

    fn on_event(&mut self, event: Event) -> Result<(), Stopped> {
        match event {
            Event::Arrived { frame, due, .. } => {
                let Origin { flow: index, from, .. } = self.routes.origin(frame.route);
                let missed = self.flows[index].misses(&frame);
                if let Some(packet) = data_of(self.routes, &frame) {
                    match missed {
                        true => self.counts.on_lost(packet, due),
                        false => self.counts.on_arrived(packet),
                    }
                }
                if missed {
                    return Ok(());
                }
                self.flow(index, |flow, now, out| flow.receive(now, frame, out))?;
                if from == Side::Sender {
                    self.report(index)?;
                }
            }
            Event::Lost { frame, link, cause, due } => {
                if let Some(packet) = data_of(self.routes, &frame) {
                    self.counts.on_lost(packet, due);
                }
                let Origin { flow: index, from, .. } = self.routes.origin(frame.route);
                let first = from == Side::Sender && frame.hop() == 0;
                if self.access.tells_loss(index, link, first, cause) {
                    self.flows[index].on_link_failure(&frame.bytes);
                }
            }
            Event::Copied { frame, due, .. } => {
                if let Some(packet) = data_of(self.routes, &frame) {
                    self.counts.on_copied(packet, due);
                }
            }
            Event::Dropped { frame, due, .. } => {
                if let Some(packet) = data_of(self.routes, &frame) {
                    self.counts.on_dropped(packet, due);
                }
            }
            Event::Changed { link, change, report, due } => {
                let mut tell = |flow: usize, news| self.flows[flow].hear(news);
                self.access.on_change(due, link, &change, report, &mut tell);
            }
        }
        Ok(())
    }

    /// Lets a receiver that something has arrived at report its wireless link.
    fn report(&mut self, index: usize) -> Result<(), Stopped> {
        let flow = &self.flows[index];
        if !flow.reports() {
            return Ok(());
        }
        let link = self.access.wireless(index).peer_access.filter(|_| flow.wants_reading(self.now));
        let reading = link.map(|link| self.relay.report(link as usize, self.now));
        self.flow(index, |flow, now, out| flow.report(now, reading, out))
    }

    fn write_down(&mut self, mark: Mark) {
        match mark {
            Mark::Begin => {
                for talk in &mut self.talks {
                    talk.conversation.begin_measurement(self.now);
                }
                self.counts.begin(data_on(self.routes, &self.relay));
                for (index, flow) in self.flows.iter_mut().enumerate() {
                    flow.begin_measurement(self.now);
                    self.before[index] = (flow.progress(), flow.reordered());
                }
            }
            Mark::Sample => {
                let links = self.counts.look(data_on(self.routes, &self.relay));
                for ((index, flow), links) in (0..).zip(&mut self.flows).zip(links) {
                    let changes = |link: usize| self.relay.links()[link].changes();
                    let moment = Moment {
                        network: self.access.network(index as usize, flow.host(), changes),
                        state: flow.state(),
                        jitter_s: flow.arrivals.take_interval(),
                        tally: links.tally(flow.delivered_bytes(), flow.elsewhere_bytes()),
                    };
                    self.recorder.add(self.now, index, &moment);
                }
            }
        }
    }
}

/// When a mobile's lower layers next signal.
fn next_signal(flows: &[Flow]) -> Time {
    flows.iter().map(Flow::next_signal).min().unwrap_or(Time::MAX)
}

fn failed(flow: &str, failure: &(dyn std::error::Error + Send + Sync)) -> Stopped {
    Stopped::failed(format!("flow `{flow}` over QUIC: {failure}"))
}
