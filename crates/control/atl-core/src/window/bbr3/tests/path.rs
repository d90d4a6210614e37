//! A sender on one path: a bottleneck with a queue, whose packets are acknowledged a round trip
//! later.

use std::collections::VecDeque;

use super::super::state::State;
use super::super::{Bbr3, Config};
use crate::time::{Span, Time};
use crate::window::{Ack, Detection, Loss, Sent, Start, Timeout, WindowController};

/// The source of the application's data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Source {
    Greedy,
    /// Packets per second.
    Rate(f64),
    Paused,
}

#[derive(Clone, Copy, Debug)]
struct Flying {
    tx: u64,
    sent: Time,
}

/// The path, and what became of the sender's state.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) bbr: Bbr3,
    pub(super) now: Time,
    /// Packets per second, the round trip without a queue, packets that may wait.
    pub(super) rate: f64,
    pub(super) rtt: Span,
    pub(super) queue: f64,
    /// ACKs come at multiples of this time; zero: at once.
    pub(super) bunch: Span,
    /// One of this many transmissions is lost on the way; zero loses none.
    pub(super) lost_of: u64,
    pub(super) source: Source,
    /// States entered, and when.
    pub(super) log: Vec<(f64, State)>,
    pub(super) delivered: u64,
    pub(super) lost: u64,
    free: Time,
    flight: VecDeque<Flying>,
    acks: VecDeque<(Time, Flying)>,
    next_tx: u64,
    written: f64,
    written_at: Time,
    recovery: u64,
    recovering: bool,
    window_limited: bool,
    srtt: Span,
    least: Span,
}

impl Path {
    pub(super) fn new(rate: f64, rtt_ms: u64, queue: f64) -> Self {
        Path::with(&Config::default(), rate, rtt_ms, queue)
    }

    pub(super) fn with(config: &Config, rate: f64, rtt_ms: u64, queue: f64) -> Self {
        let bbr = Bbr3::new(config, &Start::default().packet_bytes(1000).seed(7));
        Path {
            bbr,
            now: Time::from_millis(3000),
            rate,
            rtt: Span::from_millis(rtt_ms),
            queue,
            bunch: Span::ZERO,
            lost_of: 0,
            source: Source::Greedy,
            log: vec![(3.0, State::Startup)],
            delivered: 0,
            lost: 0,
            free: Time::ZERO,
            flight: VecDeque::new(),
            acks: VecDeque::new(),
            next_tx: 0,
            written: 0.0,
            written_at: Time::from_millis(3000),
            recovery: 0,
            recovering: false,
            window_limited: false,
            srtt: Span::ZERO,
            least: Span::MAX,
        }
    }

    /// The path's own content in packets.
    pub(super) fn bdp(&self) -> f64 {
        self.rate * self.rtt.secs()
    }

    pub(super) fn run(&mut self, secs: f64) {
        let end = self.now.saturating_add(Span::from_secs_f64(secs));
        self.run_until(end, |_| false);
    }

    /// Runs until the sender is in `state`, for 60 s at most.
    pub(super) fn run_to(&mut self, state: State) {
        let end = self.now.saturating_add(Span::from_secs(60));
        self.run_until(end, |path| path.bbr.state == state);
        assert_eq!(self.bbr.state, state, "{:?}", self.last());
    }

    pub(super) fn run_until(&mut self, end: Time, done: impl Fn(&Path) -> bool) {
        while !done(self) {
            self.write();
            if self.may_send() {
                self.send();
                continue;
            }
            // Not the application: the window or the pacing.
            self.window_limited |= self.written >= 1.0;
            let release = if self.has_room() && self.written >= 1.0 {
                self.bbr.release_at().unwrap_or(Time::MAX)
            } else {
                Time::MAX
            };
            let write = match self.source {
                Source::Rate(rate) if self.has_room() && self.written < 1.0 => {
                    let wait = Span::from_secs_f64((1.0 - self.written) / rate);
                    self.now.saturating_add(wait.max(Span::from_micros(1)))
                }
                _ => Time::MAX,
            };
            let ack = self.acks.front().map_or(Time::MAX, |ack| ack.0);
            let next = ack.min(release).min(write);
            if next == Time::MAX && !self.flight.is_empty() {
                self.time_out();
                continue;
            }
            if next > end {
                self.now = end;
                return;
            }
            self.now = next;
            if next == ack
                && let Some((_, flying)) = self.acks.pop_front()
            {
                self.receive(flying);
            }
            self.note();
        }
    }

    fn note(&mut self) {
        let state = self.bbr.state;
        if self.log.last().is_none_or(|(_, last)| *last != state) {
            self.log.push((self.now.since(Time::ZERO).secs(), state));
        }
    }

    fn write(&mut self) {
        let secs = self.now.since(self.written_at).secs();
        self.written_at = self.now;
        match self.source {
            Source::Greedy => self.written = 10.0,
            Source::Rate(rate) => self.written = (self.written + rate * secs).min(10.0),
            Source::Paused => {}
        }
    }

    fn has_room(&self) -> bool {
        (self.flight.len() + 1) as f64 <= self.bbr.window()
    }

    fn may_send(&self) -> bool {
        self.has_room()
            && self.written >= 1.0
            && self.bbr.release_at().is_none_or(|at| at <= self.now)
    }

    fn send(&mut self) {
        let flying = Flying { tx: self.next_tx, sent: self.now };
        self.next_tx += 1;
        self.written -= 1.0;
        self.flight.push_back(flying);
        let limited = self.written < 1.0;
        let sent = Sent::new(self.now, flying.tx, 1000, self.flight.len() as u32);
        self.bbr.on_sent(&sent.app_limited(limited));
        self.note();
        let begin = self.free.max(self.now);
        let waiting = begin.since(self.now).secs() * self.rate;
        let dropped =
            waiting > self.queue || (self.lost_of > 0 && flying.tx.is_multiple_of(self.lost_of));
        if dropped {
            return;
        }
        self.free = begin.saturating_add(Span::from_secs_f64(1.0 / self.rate));
        let mut back = self.free.saturating_add(self.rtt);
        if !self.bunch.is_zero() {
            let bunch = self.bunch.nanos();
            back = Time::from_nanos(back.since(Time::ZERO).nanos().div_ceil(bunch) * bunch);
        }
        self.acks.push_back((back, flying));
    }

    fn receive(&mut self, first: Flying) {
        let mut newest = first;
        let mut packets = 1;
        while let Some((at, flying)) = self.acks.front().copied()
            && at == self.now
        {
            newest = flying;
            packets += 1;
            self.acks.pop_front();
        }
        // The path keeps the order: packets sent before the newest arrival that are not here yet
        // are lost.
        let mut lost = Vec::new();
        let mut arrived = 0;
        self.flight.retain(|flying| {
            if flying.tx > newest.tx {
                return true;
            }
            if flying.tx >= first.tx && arrived < packets {
                arrived += 1;
            } else {
                lost.push(flying.tx);
            }
            false
        });
        self.delivered += u64::from(packets);
        let rtt = self.now.since(newest.sent);
        let srtt = if self.srtt.is_zero() { rtt } else { self.srtt };
        self.srtt = srtt.mul_f64(0.875) + rtt.mul_f64(0.125);
        self.least = self.least.min(rtt);
        let before = newest.tx < self.recovery;
        if !before && core::mem::take(&mut self.recovering) {
            self.bbr.on_recovered(self.now);
        }
        self.bbr.on_ack(
            &Ack::new(self.now)
                .delivered(packets)
                .cumulative(packets)
                .newest(Some((newest.tx, newest.sent)))
                .rtt(Some(rtt))
                .srtt(self.srtt)
                .rtt_min(self.least)
                .in_flight((self.flight.len() + lost.len()) as u32)
                .in_recovery(self.recovering || before)
                .window_limited(core::mem::take(&mut self.window_limited)),
        );
        for (i, tx) in lost.iter().enumerate() {
            let in_flight = (self.flight.len() + lost.len() - i) as u32;
            self.lose(*tx, in_flight);
        }
    }

    pub(super) fn lose(&mut self, tx: u64, in_flight: u32) {
        let new_episode = tx >= self.recovery;
        if new_episode {
            self.recovery = self.next_tx;
            self.recovering = true;
        }
        self.lost += 1;
        self.bbr.on_loss(&Loss::new(self.now, tx, 1000, in_flight).new_episode(new_episode));
    }

    fn time_out(&mut self) {
        self.now += Span::from_secs(1);
        let in_flight = self.flight.len() as u32;
        let loss = Loss::new(self.now, self.next_tx - 1, in_flight * 1000, in_flight);
        let loss = loss.packets(in_flight).new_episode(false).detection(Detection::Timeout);
        self.flight.clear();
        self.recovery = self.next_tx;
        self.bbr.on_loss(&loss);
        self.bbr.on_timeout(&Timeout::new(self.now, in_flight));
        self.note();
    }

    /// The application writes a last packet.
    pub(super) fn pause(&mut self) {
        self.source = Source::Paused;
        self.written = 1.0;
    }

    /// The last states.
    pub(super) fn last(&self) -> &[(f64, State)] {
        &self.log[self.log.len().saturating_sub(8)..]
    }

    /// Number of the last transmission.
    pub(super) fn newest(&self) -> u64 {
        self.next_tx.saturating_sub(1)
    }

    pub(super) fn in_flight(&self) -> f64 {
        self.flight.len() as f64
    }
}
