//! The controller that wraps another one.

use super::Saved;
use super::observe::Observer;
use super::phase::{Careful, Stage, Turn};
use crate::path::Handoff;
use crate::time::Time;
use crate::units::Rate;
use crate::window::{
    Ack, BuildController, Controller, ControllerConfig, Detection, Loss, Marked, Quench, Sent,
    Start, Timeout, WindowController,
};

/// Parameters of [`Resume`].
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The controller to wrap.
    pub controller: ControllerConfig,
    /// Saved state of the path; `None` to start as the wrapped controller does.
    pub saved: Option<Saved>,
    /// max_jump: limit on the packets to jump to, at least 1; infinite for no other limit than half
    /// of the saved window.
    pub most: f64,
    /// Ends slow start at saved_cwnd, once the leap is not found wrong; otherwise slow start has no
    /// end, as the RFC leaves it.
    pub ends_slow_start: bool,
}

impl Config {
    /// Wraps a controller without a saved state.
    pub fn new(controller: ControllerConfig) -> Self {
        Config { controller, saved: None, most: f64::INFINITY, ends_slow_start: true }
    }
}

impl BuildController for Config {
    fn check(&self) -> Result<(), &'static str> {
        if self.most.is_nan() || self.most < 1.0 {
            return Err("the largest jump must be at least 1 packet");
        }
        self.controller.check()
    }

    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        Box::new(Resume::new(self, start))
    }
}

/// A controller under Careful Resume.
#[derive(Clone, Debug)]
pub struct Resume {
    config: ControllerConfig,
    start: Start,
    inner: Controller,
    observer: Observer,
    /// Saved state of the path, unless it was found wrong.
    saved: Option<Saved>,
    /// Window at which slow start ends after the leap.
    end: f64,
    /// The phases; `None` once everything is validated, and without a saved state.
    careful: Option<Box<Careful>>,
}

impl Resume {
    /// A controller on a path whose saved state is in `config`.
    pub fn new(config: &Config, start: &Start) -> Self {
        // `max` turns NaN into 1.
        let most = 1.0_f64.max(config.most).min(f64::from(start.receive_window));
        let careful =
            |saved| Box::new(Careful::new(saved, start.packet_bytes, start.initial_window, most));
        let end = match config.saved {
            Some(saved) if config.ends_slow_start => {
                saved.cwnd_bytes as f64 / f64::from(start.packet_bytes.max(1))
            }
            _ => f64::INFINITY,
        };
        Resume {
            end,
            config: config.controller.clone(),
            start: *start,
            inner: config.controller.build(start),
            observer: Observer::default(),
            saved: config.saved,
            careful: config.saved.map(careful),
        }
    }

    /// The present stage.
    pub fn stage(&self) -> Stage {
        self.careful.as_ref().map_or(Stage::Normal, |careful| careful.stage())
    }

    /// Carries out the end of a phase.
    fn turn(&mut self, turn: Turn) {
        let (window, ssthresh) = match turn {
            Turn::Stay | Turn::Leave => (None, f64::INFINITY),
            Turn::Window(window) => (Some(window), self.end),
            Turn::Expired(window) => (Some(window), f64::INFINITY),
            Turn::Retreated { window, ssthresh } => (Some(window), ssthresh),
        };
        if let Some(window) = window {
            let rtt = self.careful.as_ref().map(|careful| careful.rtt());
            let start = self.start.initial_window(window).ssthresh(ssthresh);
            self.inner = self.config.build(&start.rtt(rtt.filter(|rtt| !rtt.is_zero())));
        }
        let retreats = self.stage() == Stage::SafeRetreat;
        if retreats || matches!(turn, Turn::Leave | Turn::Expired(_)) {
            self.saved = None;
        }
        if self.careful.as_ref().is_some_and(|careful| careful.is_over()) {
            self.careful = None;
        }
    }

    /// The window of a phase that has one of its own.
    fn own_window(&self) -> Option<f64> {
        self.careful.as_ref().and_then(|careful| careful.window())
    }

    /// Handles a loss or a change of path. True if the wrapped controller is to learn of it,
    /// because no retreat reacts to it.
    fn on_congestion(&mut self) -> bool {
        let Some(careful) = &mut self.careful else { return true };
        let turn = careful.on_congestion();
        self.turn(turn);
        self.careful.is_none()
    }
}

impl WindowController for Resume {
    fn on_sent(&mut self, sent: &Sent) {
        self.observer.on_sent(sent.tx);
        self.inner.on_sent(sent);
        if let Some(careful) = &mut self.careful {
            let turn = careful.on_sent(sent.now, sent.tx, sent.in_flight);
            self.turn(turn);
        }
    }

    fn on_ack(&mut self, ack: &Ack) {
        self.observer.on_ack(ack);
        let held = self.own_window().is_some();
        // In a phase with a window of its own the controller only listens: its growth would not be
        // validated.
        self.inner.on_ack(&if held { ack.window_limited(false) } else { *ack });
        let window = self.inner.window();
        let Some(careful) = &mut self.careful else { return };
        if let Some(rtt) = ack.rtt {
            careful.on_rtt(rtt);
        }
        let eager = (ack.window_limited && !ack.in_recovery).then_some(window);
        let newest = ack.newest.map(|(tx, _)| tx);
        let turn = careful.on_ack(ack.now, ack.delivered, newest, ack.in_flight, eager);
        self.turn(turn);
    }

    fn on_loss(&mut self, loss: &Loss) {
        // The reaction to a loss that the retransmission timer finds is that to its expiry.
        if loss.detection == Detection::Timeout || self.on_congestion() {
            self.inner.on_loss(loss);
        }
    }

    fn on_timeout(&mut self, timeout: &Timeout) {
        if let Some(careful) = &mut self.careful {
            let turn = careful.on_timeout();
            self.turn(turn);
        }
        self.inner.on_timeout(timeout);
    }

    fn on_marked(&mut self, marked: &Marked) {
        if self.on_congestion() {
            self.inner.on_marked(marked);
        }
    }

    fn on_quench(&mut self, quench: &Quench) {
        if self.on_congestion() {
            self.inner.on_quench(quench);
        }
    }

    fn on_handoff(&mut self, handoff: &Handoff) {
        self.on_congestion();
        self.inner.on_handoff(handoff);
    }

    fn next_timeout(&self) -> Option<Time> {
        let due = self.careful.as_ref().and_then(|careful| careful.due());
        self.inner.next_timeout().into_iter().chain(due).min()
    }

    fn on_tick(&mut self, now: Time) {
        if self.inner.next_timeout().is_some_and(|due| due <= now) {
            self.inner.on_tick(now);
        }
        if let Some(careful) = &mut self.careful {
            let turn = careful.on_tick(now);
            self.turn(turn);
        }
    }

    fn window(&self) -> f64 {
        self.own_window().unwrap_or_else(|| self.inner.window())
    }

    fn inner(&self) -> Option<&dyn WindowController> {
        Some(&self.inner)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn WindowController> {
        Some(&mut self.inner)
    }

    fn release_at(&self) -> Option<Time> {
        let own = self.careful.as_ref().and_then(|careful| careful.release());
        own.or_else(|| self.inner.release_at())
    }

    fn pacing_rate(&self) -> Option<Rate> {
        match &self.careful {
            Some(careful) if careful.release().is_some() => {
                let bits = 8.0 * f64::from(self.start.packet_bytes) * self.window();
                Some(Rate::from_bps(bits / careful.rtt().secs()))
            }
            _ => self.inner.pacing_rate(),
        }
    }

    fn observed(&self) -> Option<Saved> {
        // A path that is left at once again keeps its saved state.
        let observed = self.observer.saved(self.start.packet_bytes, self.start.initial_window);
        observed.or(self.saved)
    }
}
