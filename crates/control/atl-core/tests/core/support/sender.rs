//! A sender reduced to the events that a controller sees.

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_core::window::{
    Ack, Aimd, Controller, ControllerConfig, Detection, Loss, Quench, Sent, Start, Timeout,
    WindowController,
};

/// A sender whose packets are acknowledged one by one, each after `rtt`.
pub(crate) struct Sender {
    pub controller: Controller,
    pub now: Time,
    pub step: Span,
    pub rtt: Span,
    pub tx: u64,
    pub in_flight: u32,
}

impl Sender {
    pub(crate) fn new(config: &ControllerConfig, initial_window: f64, rtt_ms: u64) -> Self {
        Sender::on(config, initial_window, rtt_ms, None)
    }

    pub(crate) fn on(
        config: &ControllerConfig,
        window: f64,
        rtt_ms: u64,
        access_rate: Option<Rate>,
    ) -> Self {
        let start = Start::default()
            .initial_window(window)
            .packet_bytes(1000)
            .access_rate(access_rate)
            .receive_window(10_000);
        Sender {
            controller: config.build(&start),
            now: Time::ZERO,
            step: Span::from_millis(4),
            rtt: Span::from_millis(rtt_ms),
            tx: 0,
            in_flight: 10,
        }
    }

    pub(crate) fn send(&mut self) -> u64 {
        self.now += self.step;
        let tx = self.tx;
        self.tx += 1;
        self.controller.on_sent(&Sent::new(self.now, tx, 1000, self.in_flight));
        tx
    }

    pub(crate) fn ack(&self) -> Ack {
        Ack::new(self.now)
            .delivered(1)
            .cumulative(1)
            .newest(Some((self.tx.saturating_sub(1), self.now - self.rtt)))
            .rtt(Some(self.rtt))
            .srtt(self.rtt)
            .rtt_min(self.rtt)
            .in_flight(self.in_flight)
    }

    pub(crate) fn deliver(&mut self, packets: u32) {
        for _ in 0..packets {
            self.send();
            let ack = self.ack();
            self.controller.on_ack(&ack);
        }
    }

    pub(crate) fn lose(&mut self, packets: u32, link_failures: u32, detection: Detection) {
        let tx = self.send();
        self.controller.on_loss(
            &Loss::new(self.now, tx, packets * 1000, self.in_flight)
                .packets(packets)
                .link_failures(link_failures)
                .detection(detection),
        );
    }

    pub(crate) fn expire(&mut self, consecutive: u32) {
        self.controller
            .on_timeout(&Timeout::new(self.now, self.in_flight).consecutive(consecutive));
    }

    pub(crate) fn quench(&mut self) {
        self.controller.on_quench(&Quench::new(self.now, self.in_flight));
    }

    pub(crate) fn report(&mut self, loss: f64, delay_ms: u64) {
        self.controller.on_link_report(self.now, &report(loss, delay_ms));
    }

    pub(crate) fn aimd(&self) -> Aimd {
        self.controller.aimd().expect("an AIMD controller")
    }

    pub(crate) fn cwnd(&self) -> f64 {
        self.controller.window()
    }
}

pub(crate) fn report(loss: f64, delay_ms: u64) -> LinkReport {
    LinkReport { loss: Probability::clamped(loss), delay: Span::from_millis(delay_ms) }
}

#[track_caller]
pub(crate) fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{found} instead of {expected}");
}
