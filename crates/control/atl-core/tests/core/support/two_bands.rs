//! One greedy sender on one link that serves probes after all data or, for comparison, together
//! with them.
//!
//! Time advances in steps of one packet's transmission.

use std::collections::VecDeque;
use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_core::window::{
    Ack, Controller, ControllerConfig, Loss, ProbeAck, Sent, Start, WindowController,
};
use atl_link::random::Stream;
use atl_link::{Config, Exit, Link, QueueConfig};

/// Length of a packet on the wire, in bytes.
const PACKET: u32 = 1040;

/// A path and its other traffic. ACKs come back at once: the link's delay is the whole round trip.
#[derive(Clone, Copy)]
pub(crate) struct Path {
    /// The link's rate in packets per second.
    pub rate: u64,
    /// RTT without queueing and transmission.
    pub rtt: Span,
    /// Limit on the packets that wait, in both bands together.
    pub queue: u32,
    /// Probes are served after data, and dropped before it.
    pub priority: bool,
    /// Packets of other flows among ten that the link carries, evenly spaced.
    pub others: u64,
    /// Numbers of the transmissions that are lost behind the queue.
    pub lost: &'static [u64],
    /// The window at the start of the connection.
    pub initial_window: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Packet {
    Data { tx: u64, sent: Time },
    Probe { number: u64, sent: Time },
    Other,
}

impl atl_link::Packet for Packet {
    fn wire_bytes(&self) -> u32 {
        PACKET
    }

    fn low_priority(&self) -> bool {
        matches!(self, Packet::Probe { .. })
    }
}

/// Counts of a run.
#[derive(Default)]
pub(crate) struct Counts {
    /// Time at which each probe was sent.
    pub probes: Vec<Time>,
    /// Probes that came through.
    pub answered: u64,
    /// Data packets that arrived.
    pub delivered: u64,
    /// Number of loss episodes.
    pub episodes: u64,
    /// Time of the first ACK.
    pub first_ack: Option<Time>,
}

/// A greedy sender on a path.
pub(crate) struct Run {
    pub controller: Controller,
    pub counts: Counts,
    path: Path,
    step: u64,
    link: Link<Packet>,
    outstanding: VecDeque<(u64, Time)>,
    next_tx: u64,
    recovery: u64,
    limited: bool,
    srtt: Span,
    rtt_min: Span,
}

impl Path {
    fn link(&self) -> Link<Packet> {
        let rate = Rate::from_bps(self.rate as f64 * 8.0 * f64::from(PACKET));
        let mut config = Config::constant(rate, self.rtt, self.queue);
        if self.priority {
            config.queue = QueueConfig::Priority { packets: self.queue };
        }
        Link::new(Arc::new(config), Stream::new(1, "two-bands"))
    }

    pub(crate) fn start(self, config: &ControllerConfig) -> Run {
        let start = Start::default()
            .initial_window(self.initial_window)
            .packet_bytes(PACKET)
            .receive_window(10_000);
        Run {
            controller: config.build(&start),
            counts: Counts::default(),
            path: self,
            step: 0,
            link: self.link(),
            outstanding: VecDeque::new(),
            next_tx: 0,
            recovery: 0,
            limited: true,
            srtt: Span::ZERO,
            rtt_min: Span::MAX,
        }
    }
}

impl Run {
    pub(crate) fn now(&self) -> Time {
        Time::from_nanos(self.step * 1_000_000_000 / self.path.rate)
    }

    pub(crate) fn until(&mut self, end: Time) {
        while self.now() < end {
            self.step();
        }
    }

    fn step(&mut self) {
        let now = self.now();
        while self.link.next_event() <= now {
            let at = self.link.next_event();
            while let Some(exit) = self.link.poll(at) {
                if let Exit::Delivered(packet) = exit {
                    self.answer(now, packet);
                }
            }
        }
        while let Some(due) = self.controller.next_timeout().filter(|&due| due <= now) {
            self.controller.on_tick(due);
            assert!(self.probe(due), "woken for nothing");
            assert!(!self.probe(due), "two probes at once");
        }
        while (self.outstanding.len() + 1) as f64 <= self.controller.window() {
            self.send(now);
        }
        self.limited = true;
        if self.step * self.path.others / 10 != (self.step + 1) * self.path.others / 10 {
            self.offer(now, Packet::Other);
        }
        self.step += 1;
    }

    fn offer(&mut self, now: Time, packet: Packet) {
        // A packet that the queue drops is missing at the receiver, like any other loss.
        let _ = self.link.offer(now, packet);
    }

    fn probe(&mut self, now: Time) -> bool {
        if self.controller.poll_probe(now).is_none() {
            return false;
        }
        let number = self.counts.probes.len() as u64;
        self.counts.probes.push(now);
        self.offer(now, Packet::Probe { number, sent: now });
        true
    }

    fn send(&mut self, now: Time) {
        let tx = self.next_tx;
        self.next_tx += 1;
        self.outstanding.push_back((tx, now));
        self.controller.on_sent(&Sent::new(now, tx, PACKET, self.outstanding.len() as u32));
        self.offer(now, Packet::Data { tx, sent: now });
    }

    fn answer(&mut self, now: Time, packet: Packet) {
        match packet {
            Packet::Probe { number, sent } => {
                self.counts.answered += 1;
                self.controller.on_probe_ack(&ProbeAck::new(now, number, now.since(sent)));
            }
            Packet::Data { tx, .. } if self.path.lost.contains(&tx) => {}
            Packet::Data { tx, sent } => self.acknowledge(now, tx, sent),
            Packet::Other => {}
        }
    }

    fn acknowledge(&mut self, now: Time, tx: u64, sent: Time) {
        let Ok(index) = self.outstanding.binary_search_by_key(&tx, |o| o.0) else {
            return;
        };
        self.outstanding.remove(index);
        let rtt = now.since(sent);
        self.srtt =
            if self.srtt.is_zero() { rtt } else { self.srtt.mul_f64(0.875) + rtt.mul_f64(0.125) };
        self.rtt_min = self.rtt_min.min(rtt);
        self.counts.delivered += 1;
        self.counts.first_ack.get_or_insert(now);
        self.controller.on_ack(
            &Ack::new(now)
                .delivered(1)
                .cumulative(u32::from(index == 0))
                .duplicate(index > 0)
                .newest(Some((tx, sent)))
                .rtt(Some(rtt))
                .srtt(self.srtt)
                .rtt_min(self.rtt_min)
                .in_flight(self.outstanding.len() as u32)
                .in_recovery(tx < self.recovery)
                .window_limited(std::mem::take(&mut self.limited)),
        );
        while let Some(&(old, _)) = self.outstanding.front()
            && old + 3 <= tx
        {
            let in_flight = self.outstanding.len() as u32;
            self.outstanding.pop_front();
            let new_episode = old >= self.recovery;
            if new_episode {
                self.recovery = self.next_tx;
                self.counts.episodes += 1;
            }
            self.controller
                .on_loss(&Loss::new(now, old, PACKET, in_flight).new_episode(new_episode));
        }
    }
}
