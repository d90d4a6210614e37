//! The loop: the next event of the path, of the senders and of the course.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use atl_core::time::Time;
use atl_core::units::Rate;
use atl_core::window::{ControllerConfig, ProbeAck, Start};

use crate::support::draws::Draws;

use super::flow::{Data, Flow, RECEIVE_WINDOW};
use super::pipe::{Fate, Pipe};
use super::rival::Rival;
use super::storm::{self, GRAIN};
use super::{Course, PACKET, at, time};

/// Nanoseconds for which a receiver holds back an ACK.
const HELD: u64 = 40_000_000;
/// Instants at which the window is printed.
const SAMPLES: u64 = 10;
/// Nanoseconds from one look at the application to the next.
const LOOK: u64 = 1_000_000;

/// Nanoseconds from a packet to its copy.
const COPY: u64 = 5_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Sample,
    News(usize),
    Storm,
    Look,
    Begin(usize),
    Arrives(usize, Data),
    /// The ACK of this number has waited long enough.
    Held(usize, u64),
    /// A probe's number, and when it was sent.
    Probe(usize, u64, u64),
}

struct Run {
    course: Course,
    pipe: Pipe,
    flows: Vec<Flow>,
    events: BinaryHeap<Reverse<(u64, u64, Event)>>,
    scheduled: u64,
    draws: Draws,
}

/// One line: the course's name, the hash of the controller's answers, packets delivered and lost,
/// timeouts, probes, and the window at ten instants.
pub(crate) fn trajectory(config: &ControllerConfig, course: &Course) -> String {
    let access = course.access.map(|kbps| Rate::from_bps(kbps as f64 * 1e3));
    let mut start = Start::default()
        .packet_bytes(PACKET)
        .receive_window(RECEIVE_WINDOW)
        .acked_per_ack(course.ack_every as f64)
        .access_rate(access)
        .seed(7);
    if let Some((window, ssthresh)) = course.probed {
        let rtt = Time::from_nanos(at(course.rtts, 0) * 1000).since(Time::ZERO);
        start = start.initial_window(window.into()).ssthresh(ssthresh.into()).rtt(Some(rtt));
    }
    let mut draws = Draws(course.storm.map_or(0, |(seed, _)| seed));
    if course.storm.is_some() {
        start = storm::start(&mut draws, start);
    }
    let own =
        |lasts| Flow::new(Box::new(config.build(&start)), config.build_receiver(&start), lasts);
    let mut flows = vec![own((course.begins_ms, course.lasts_ms))];
    match course.rival {
        Some(lasts) if course.kin => flows.push(own(lasts)),
        Some(lasts) => flows.push(Flow::new(Box::new(Rival::new()), None, lasts)),
        None => {}
    }
    let mut run = Run {
        course: *course,
        pipe: Pipe::new(course),
        flows,
        events: BinaryHeap::new(),
        scheduled: 0,
        draws,
    };
    if course.storm.is_some() {
        // Before the sender begins.
        for _ in 0..4 {
            storm::tell(&mut run.draws, time(0), &mut *run.flows[0].controller);
        }
        let Flow { controller, print, .. } = &mut run.flows[0];
        print.note_more(&**controller);
    }
    run.go();
    run.flows[0].print.line(course.name)
}

impl Run {
    fn at(&mut self, at: u64, event: Event) {
        self.scheduled += 1;
        self.events.push(Reverse((at, self.scheduled, event)));
    }

    fn go(&mut self) {
        let end = self.course.lasts_ms * 1_000_000;
        (1..=SAMPLES).for_each(|i| self.at(end * i / SAMPLES, Event::Sample));
        for (i, (ms, _)) in self.course.events.iter().enumerate() {
            self.at(ms * 1_000_000, Event::News(i));
        }
        for flow in 0..self.flows.len() {
            self.at(self.flows[flow].lasts.0, Event::Begin(flow));
        }
        if self.course.storm.is_some() {
            self.at(0, Event::Storm);
        }
        if self.course.app.is_some() || self.course.storm.is_some() {
            self.at(LOOK, Event::Look);
        }
        let mut now = 0;
        loop {
            let next = self.events.peek().map_or(u64::MAX, |Reverse((at, ..))| *at);
            let own = (0..self.flows.len()).map(|i| (self.next_of(i, now), i)).min();
            let (due, flow) = own.expect("a flow");
            now = next.min(due).max(now);
            if now > end {
                return;
            }
            if next <= due {
                let Reverse((_, _, event)) = self.events.pop().expect("seen above");
                self.handle(now, event);
            } else {
                self.wake(flow, now);
            }
        }
    }

    /// When a flow does something by itself.
    fn next_of(&self, flow: usize, now: u64) -> u64 {
        let f = &self.flows[flow];
        let tick = f.controller.next_timeout().map_or(u64::MAX, Time::nanos);
        let mut next = f.timer().min(tick);
        if f.has_room() && f.wants(now, &self.course).0 {
            let release = f.controller.release_at().map_or(now, Time::nanos);
            let release =
                if self.course.storm.is_some() { release.next_multiple_of(GRAIN) } else { release };
            next = next.min(release);
        }
        next.max(now)
    }

    fn wake(&mut self, flow: usize, now: u64) {
        let f = &mut self.flows[flow];
        if f.controller.next_timeout().is_some_and(|at| at.nanos() <= now) {
            f.controller.on_tick(time(now));
        } else if f.timer() <= now {
            f.expire(now);
        }
        self.send(flow, now);
    }

    /// Sends what the window, the pace and the application let go, and probes after it.
    fn send(&mut self, flow: usize, now: u64) {
        loop {
            let f = &mut self.flows[flow];
            let (wants, few) = f.wants(now, &self.course);
            let room = f.has_room();
            f.limited |= !room;
            let held = f.controller.release_at().is_some_and(|at| at.nanos() > now);
            if !room || !wants || held {
                f.limited |= wants && held && !few;
                break;
            }
            let tx = f.send(now, few);
            let air = flow == 0 || self.course.kin;
            match self.pipe.offer(now, false, air) {
                Fate::Dropped => {}
                Fate::Lost if self.course.mac_tells => self.flows[flow].fails(tx),
                Fate::Lost => {}
                Fate::Arrives { at, marked, twice } => {
                    let data = Data { tx, sent: now, marked };
                    self.at(at, Event::Arrives(flow, data));
                    if twice {
                        self.at(at + COPY, Event::Arrives(flow, data));
                    }
                }
            }
        }
        while let Some(probe) = self.flows[flow].controller.poll_probe(time(now)) {
            let number = self.flows[flow].print.note_probe(probe);
            if let Fate::Arrives { at, .. } = self.pipe.offer(now, true, true) {
                self.at(at, Event::Probe(flow, number, now));
            }
        }
    }

    fn handle(&mut self, now: u64, event: Event) {
        let flow = match event {
            Event::Sample => {
                let Flow { controller, print, .. } = &mut self.flows[0];
                return print.sample(&**controller);
            }
            Event::News(i) => {
                let news = self.course.events[i].1;
                self.flows[0].hear(now, news);
                0
            }
            Event::Storm => {
                self.course = storm::next(&mut self.draws, &self.course);
                self.pipe.course = self.course;
                let flow = &mut self.flows[0];
                storm::tell(&mut self.draws, time(now), &mut *flow.controller);
                flow.note();
                flow.print.note_more(&*flow.controller);
                let (_, most) = self.course.storm.expect("it comes with one");
                let lasts = 50 + 50 * self.draws.below(most / 50);
                self.at(now + lasts * 1_000_000, Event::Storm);
                0
            }
            Event::Look => {
                self.at(now + LOOK, Event::Look);
                0
            }
            Event::Begin(flow) => flow,
            Event::Arrives(flow, data) => {
                let f = &mut self.flows[flow];
                if f.arrive(now, data, self.course.ack_every) {
                    f.acknowledge(now);
                } else if f.held.len() == 1 {
                    let number = f.acks;
                    self.at(now + HELD, Event::Held(flow, number));
                }
                flow
            }
            Event::Held(flow, number) => {
                let f = &mut self.flows[flow];
                if f.acks == number {
                    f.acknowledge(now);
                }
                flow
            }
            Event::Probe(flow, number, sent) => {
                let rtt = time(now).since(time(sent));
                let controller = &mut self.flows[flow].controller;
                controller.on_probe_ack(&ProbeAck::new(time(now), number, rtt));
                flow
            }
        };
        self.send(flow, now);
    }
}
