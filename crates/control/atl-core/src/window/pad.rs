//! Padding: low-priority packets use the part of the window that the application leaves free, so
//! that the window is validated and can grow.
//!
//! Source: the idea of BBR-Copilot (Xu, Li et al., "When BBR Meets Live Streaming", arXiv
//! 2606.03468, 2026): a sender whose application gives it less than it may send learns nothing of
//! the path, and BBR-Copilot sends extra data while BBR probes for bandwidth. Its abstract and its
//! published change to a QUIC library are the source; the paper's own text was not read: the rules
//! here are *reconstructed*, and for any window controller instead of BBR.
//!
//! [`Pad`] wraps a controller. While the application is the limit, dummies fill the window, spread
//! over a round trip. One that is answered shows that the path carried it beside the data, and
//! counts as an acknowledged packet that the window limited (RFC 9002, sec. 7.8, lets a window grow
//! that is in use). What is not answered is no loss.
//!
//! Chosen:
//! - padding grows the window to [`Config::target`] packets at most, and ends for good after
//!   [`Config::budget`] dummies;
//! - it follows data: a round trip after the last data packet it rests, so that an idle connection
//!   stays silent;
//! - a dummy that is not answered within two round trips was lost: something else uses the
//!   capacity. Padding rests for eight round trips. A FIFO without priorities then bears with it
//!   about as it does with the data of a slow start;
//! - a controller that probes by itself (TCP-Peach) is not padded from its first probe on;
//! - answers alone count, not the data beside the dummies: unanswered dummies would open the window
//!   by that data.
//!
//! Links need the two-band queue with push-out: elsewhere dummies delay the data of others.

use std::collections::VecDeque;

use super::{
    Ack, BuildController, Controller, ControllerConfig, Loss, Probe, ProbeAck, Sent, Start,
    Timeout, WindowController,
};
use crate::time::{Span, Time};

/// Round trips after which an unanswered dummy counts as lost.
const PATIENCE: u64 = 2;
/// Round trips for which padding rests after a loss.
const REST: u64 = 8;

/// Parameters of [`Pad`].
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The controller to wrap.
    pub controller: ControllerConfig,
    /// The window, in packets, up to which padding makes it grow: 1 to 10 000.
    pub target: u32,
    /// Limit on the dummies of a connection on one path: at most 1 000 000.
    pub budget: u32,
}

impl Config {
    /// The window that padding opens at most by default.
    pub const TARGET: u32 = 64;
    /// The dummies that it spends at most by default: four windows.
    pub const BUDGET: u32 = 256;

    /// Wraps a controller, with the default bounds.
    pub fn new(controller: ControllerConfig) -> Self {
        Config { controller, target: Config::TARGET, budget: Config::BUDGET }
    }
}

impl BuildController for Config {
    fn check(&self) -> Result<(), &'static str> {
        if !(1..=10_000).contains(&self.target) {
            return Err("target must be from 1 to 10000");
        }
        if self.budget > 1_000_000 {
            return Err("budget must be at most 1000000");
        }
        self.controller.check()
    }

    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        Box::new(Pad::new(self, start))
    }
}

/// A controller whose window is padded.
#[derive(Clone, Debug)]
pub struct Pad {
    inner: Controller,
    target: f64,
    /// Dummies that may still be sent.
    budget: u32,
    /// Number of the next dummy.
    next: u64,
    /// Numbers and sending times of the dummies without an answer.
    unanswered: VecDeque<(u64, Time)>,
    /// Time at which the next dummy may leave.
    due: Time,
    /// End of the time for which padding follows the last data packet; `None` while the application
    /// has more to send.
    until: Option<Time>,
    /// The caller was woken for the dummy that is due.
    woken: bool,
    in_flight: u32,
    srtt: Span,
    rtt_min: Span,
}

impl Pad {
    /// A padded window at the start of a path.
    pub fn new(config: &Config, start: &Start) -> Self {
        Pad {
            inner: config.controller.build(start),
            target: f64::from(config.target),
            budget: config.budget,
            next: 0,
            unanswered: VecDeque::new(),
            due: Time::ZERO,
            until: None,
            woken: false,
            in_flight: 0,
            srtt: Span::ZERO,
            rtt_min: Span::ZERO,
        }
    }

    /// Packets and dummies in flight.
    fn load(&self) -> f64 {
        f64::from(self.in_flight) + self.unanswered.len() as f64
    }

    /// Time at which the next dummy is due, if any is wanted.
    fn next_dummy(&self) -> Option<Time> {
        let until = self.until?;
        let window = self.inner.window();
        let wanted = self.budget > 0 && window < self.target && self.load() + 1.0 <= window;
        (wanted && !self.srtt.is_zero() && self.due < until).then_some(self.due)
    }

    /// Forgets the dummies that were lost, and rests if there are any.
    fn give_up(&mut self, now: Time) {
        let patience = self.srtt * PATIENCE;
        let lost = |sent: &(u64, Time)| now.since(sent.1) > patience;
        if self.srtt.is_zero() || !self.unanswered.front().is_some_and(lost) {
            return;
        }
        while self.unanswered.front().is_some_and(lost) {
            self.unanswered.pop_front();
        }
        self.due = self.due.max(now.saturating_add(self.srtt * REST));
    }
}

impl WindowController for Pad {
    fn on_sent(&mut self, sent: &Sent) {
        self.in_flight = sent.in_flight;
        self.until = sent.app_limited.then(|| sent.now.saturating_add(self.srtt));
        self.inner.on_sent(sent);
    }

    fn on_ack(&mut self, ack: &Ack) {
        (self.in_flight, self.srtt, self.rtt_min) = (ack.in_flight, ack.srtt, ack.rtt_min);
        self.give_up(ack.now);
        self.inner.on_ack(ack);
    }

    fn on_loss(&mut self, loss: &Loss) {
        self.inner.on_loss(loss);
    }

    fn on_timeout(&mut self, timeout: &Timeout) {
        self.in_flight = 0;
        self.inner.on_timeout(timeout);
    }

    fn poll_probe(&mut self, now: Time) -> Option<Probe> {
        if let Some(probe) = self.inner.poll_probe(now) {
            self.budget = 0;
            return Some(probe);
        }
        self.give_up(now);
        let until = self.until?;
        if self.next_dummy()? > now || now >= until {
            return None;
        }
        self.unanswered.push_back((self.next, now));
        self.next += 1;
        self.budget -= 1;
        self.woken = false;
        let gap = self.srtt.mul_f64(1.0 / self.inner.window());
        self.due = now.saturating_add(gap.max(Span::from_micros(1)));
        Some(Probe::Dummy)
    }

    fn on_probe_ack(&mut self, ack: &ProbeAck) {
        let Ok(at) = self.unanswered.binary_search_by_key(&ack.number, |sent| sent.0) else {
            // The wrapped controller's own probes are numbered after the dummies.
            if let Some(number) = ack.number.checked_sub(self.next) {
                self.inner.on_probe_ack(&ProbeAck { number, ..*ack });
            }
            return;
        };
        self.unanswered.remove(at);
        if self.until.is_none() || self.inner.window() >= self.target {
            return;
        }
        let carried = Ack::new(ack.now).delivered(1).cumulative(1).srtt(self.srtt);
        self.inner.on_ack(&carried.rtt_min(self.rtt_min).in_flight(self.in_flight));
    }

    fn next_timeout(&self) -> Option<Time> {
        let dummy = if self.woken { None } else { self.next_dummy() };
        self.inner.next_timeout().into_iter().chain(dummy).min()
    }

    fn on_tick(&mut self, now: Time) {
        self.woken |= self.next_dummy().is_some_and(|due| due <= now);
        if self.inner.next_timeout().is_some_and(|due| due <= now) {
            self.inner.on_tick(now);
        }
    }

    fn window(&self) -> f64 {
        self.inner.window()
    }

    fn inner(&self) -> Option<&dyn WindowController> {
        Some(&self.inner)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn WindowController> {
        Some(&mut self.inner)
    }
}
