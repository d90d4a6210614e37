//! One greedy sender on one link: a constant rate and delay, a DropTail queue, and random loss
//! behind it.

use std::collections::VecDeque;
use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_core::window::{Ack, Detection, Loss, Sent, Timeout, WindowController};
use atl_link::random::Stream;
use atl_link::{Blackout, Config, Exit, Link, Packet};

/// Length of a packet on the wire, in bytes.
pub(crate) const PACKET: u32 = 1040;

/// A path. ACKs come back at once: the link's delay is the whole round trip.
#[derive(Clone, Copy)]
pub(crate) struct Bottleneck {
    /// The link's rate in packets per second.
    pub rate: f64,
    /// Round-trip time of an empty path.
    pub rtt: Span,
    /// Limit on the packets that wait.
    pub queue: u32,
    /// Share of packets lost at random behind the queue.
    pub loss: f64,
    /// Beginning and end of the time in which every packet is lost.
    pub blackout: (Time, Time),
    /// Seed of the random losses.
    pub seed: u64,
}

/// The results of a run.
#[derive(Debug, PartialEq)]
pub(crate) struct Outcome {
    /// Share of the link's capacity that carried packets to the receiver.
    pub utilisation: f64,
    /// cwnd at every whole second, in packets.
    pub windows: Vec<f64>,
    /// Losses found by ACKs.
    pub lost: u64,
    /// Number of retransmission timeouts.
    pub timeouts: u32,
    /// The last RTT measured.
    pub rtt: Span,
    /// Packets delivered in each second.
    pub delivered: Vec<u64>,
}

impl Outcome {
    /// Mean of the windows from second `from` on.
    pub(crate) fn mean_window(&self, from: usize) -> f64 {
        let tail = &self.windows[from..];
        tail.iter().sum::<f64>() / tail.len() as f64
    }
}

/// A data packet, by the number of its transmission.
#[derive(Debug)]
struct Data(u64);

impl Packet for Data {
    fn wire_bytes(&self) -> u32 {
        PACKET
    }
}

struct Sender<'a> {
    link: Link<Data>,
    controller: &'a mut dyn WindowController,
    outcome: Outcome,
    next_tx: u64,
    outstanding: VecDeque<(u64, Time)>,
    srtt: Span,
    rtt_min: Span,
    progress: Time,
    consecutive: u32,
    recovery: u64,
    window_limited: bool,
}

impl Bottleneck {
    fn link(&self) -> Link<Data> {
        let rate = Rate::from_bps(self.rate * 8.0 * f64::from(PACKET));
        let mut config =
            Config::constant(rate, self.rtt, self.queue).with_loss(Probability::clamped(self.loss));
        let (from, to) = self.blackout;
        if from < to {
            config.blackouts.push(Blackout { at: from, lasts: to.since(from), hold: false });
        }
        Link::new(Arc::new(config), Stream::new(self.seed, "bottleneck"))
    }

    /// A greedy sender under `controller` for `secs` seconds.
    pub(crate) fn run(self, controller: &mut dyn WindowController, secs: u64) -> Outcome {
        let mut sender = Sender {
            link: self.link(),
            controller,
            outcome: Outcome {
                utilisation: 0.0,
                windows: Vec::new(),
                lost: 0,
                timeouts: 0,
                rtt: Span::ZERO,
                delivered: Vec::new(),
            },
            next_tx: 0,
            outstanding: VecDeque::new(),
            srtt: Span::ZERO,
            rtt_min: Span::MAX,
            progress: Time::ZERO,
            consecutive: 0,
            recovery: 0,
            window_limited: true,
        };
        for second in 1..=secs {
            sender.outcome.delivered.push(0);
            sender.run_until(Time::from_millis(second * 1000));
            sender.outcome.windows.push(sender.controller.window());
        }
        let delivered: u64 = sender.outcome.delivered.iter().sum();
        sender.outcome.utilisation = delivered as f64 / (self.rate * secs as f64);
        sender.outcome
    }
}

impl Sender<'_> {
    fn run_until(&mut self, end: Time) {
        let mut now = Time::ZERO;
        loop {
            now = self.send_what_may_leave(now);
            let rto = self.progress
                + Span::from_secs(1).max(self.srtt * 3) * (1 << self.consecutive.min(6));
            let arrival = self.link.next_event();
            let release = if self.has_room() {
                self.controller.release_at().unwrap_or(Time::MAX).max(now)
            } else {
                Time::MAX
            };
            let timer = if self.outstanding.is_empty() { Time::MAX } else { rto };
            let next = arrival.min(release).min(timer);
            if next > end {
                return;
            }
            now = next;
            if next == arrival {
                while let Some(exit) = self.link.poll(now) {
                    if let Exit::Delivered(Data(tx)) = exit {
                        self.receive(now, tx);
                    }
                }
            } else if next == timer {
                self.time_out(now);
            }
        }
    }

    fn has_room(&self) -> bool {
        let window = self.controller.window();
        assert!(window.is_finite() && window >= 1.0, "cwnd {window}");
        (self.outstanding.len() + 1) as f64 <= window
    }

    fn send_what_may_leave(&mut self, now: Time) -> Time {
        while self.has_room() && self.controller.release_at().is_none_or(|at| at <= now) {
            self.send(now);
        }
        self.window_limited |= !self.has_room();
        now
    }

    fn send(&mut self, now: Time) {
        let tx = self.next_tx;
        self.next_tx += 1;
        if self.outstanding.is_empty() {
            self.progress = now;
        }
        self.outstanding.push_back((tx, now));
        self.controller.on_sent(&Sent::new(now, tx, PACKET, self.outstanding.len() as u32));
        // A packet that the queue drops is missing at the receiver, like any other loss.
        let _ = self.link.offer(now, Data(tx));
    }

    fn receive(&mut self, now: Time, tx: u64) {
        // A packet that the timer declared lost may still arrive; it is no longer outstanding.
        let Ok(index) = self.outstanding.binary_search_by_key(&tx, |o| o.0) else {
            return;
        };
        let Some((_, sent)) = self.outstanding.remove(index) else {
            return;
        };
        let rtt = now.since(sent);
        self.srtt =
            if self.srtt.is_zero() { rtt } else { self.srtt.mul_f64(0.875) + rtt.mul_f64(0.125) };
        self.rtt_min = self.rtt_min.min(rtt);
        self.outcome.rtt = rtt;
        if let Some(second) = self.outcome.delivered.last_mut() {
            *second += 1;
        }
        self.progress = now;
        self.consecutive = 0;
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
                .window_limited(std::mem::take(&mut self.window_limited)),
        );
        while let Some(&(old, _)) = self.outstanding.front() {
            if old + 3 > tx {
                break;
            }
            let in_flight = self.outstanding.len() as u32;
            self.outstanding.pop_front();
            self.outcome.lost += 1;
            self.lose(now, old, 1, in_flight, Detection::Acks);
        }
    }

    fn lose(&mut self, now: Time, tx: u64, packets: u32, in_flight: u32, detection: Detection) {
        let new_episode = tx >= self.recovery;
        if new_episode {
            self.recovery = self.next_tx;
        }
        self.controller.on_loss(
            &Loss::new(now, tx, packets * PACKET, in_flight)
                .packets(packets)
                .new_episode(new_episode)
                .detection(detection),
        );
    }

    fn time_out(&mut self, now: Time) {
        let in_flight = self.outstanding.len() as u32;
        self.consecutive += 1;
        self.outcome.timeouts += 1;
        self.progress = now;
        let newest = self.next_tx - 1;
        self.outstanding.clear();
        self.lose(now, newest, in_flight, in_flight, Detection::Timeout);
        self.controller.on_timeout(&Timeout::new(now, in_flight).consecutive(self.consecutive));
    }
}
