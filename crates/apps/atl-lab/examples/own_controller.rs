//! A first controller of one's own, and the lab's findings about it. In your own project the two
//! calls in `main` are tests.
//!
//! `cargo run --release -p atl-lab --example own_controller`
//!
//! The law is AIMD: one datagram more for each round trip, half for each loss. It has a mistake
//! that no goodput shows: the window grows even if the application has not filled it.

#![allow(clippy::print_stdout, reason = "a program")]

use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

use atl_lab::{metric, scenario, suite};
use noq_proto::RttEstimator;
use noq_proto::congestion::{Controller, ControllerFactory, ControllerMetrics};

/// Builds a [`Mine`] for each path of a connection.
#[derive(Debug, Default)]
struct MineConfig;

impl ControllerFactory for MineConfig {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        let mtu = u64::from(current_mtu);
        Box::new(Mine { mtu, window: 10 * mtu, ssthresh: u64::MAX, acked: 0, recovery: now })
    }
}

#[derive(Clone, Debug)]
struct Mine {
    /// Size of a datagram, in bytes.
    mtu: u64,
    /// Congestion window in bytes; the fields below are in bytes too.
    window: u64,
    ssthresh: u64,
    /// Bytes acknowledged since the window last grew.
    acked: u64,
    /// Time of the last reduction; losses of packets sent before it cost no other.
    recovery: Instant,
}

impl Controller for Mine {
    fn on_ack(
        &mut self,
        _now: Instant,
        sent: Instant,
        bytes: u64,
        _pn: u64,
        _app_limited: bool,
        _rtt: &RttEstimator,
    ) {
        if sent <= self.recovery {
            return;
        }
        if self.window < self.ssthresh {
            self.window += bytes;
            return;
        }
        self.acked += bytes;
        if self.acked >= self.window {
            self.acked -= self.window;
            self.window += self.mtu;
        }
    }

    fn on_congestion_event(
        &mut self,
        now: Instant,
        sent: Instant,
        is_persistent_congestion: bool,
        _is_ecn: bool,
        _lost_bytes: u64,
        _largest_lost_pn: u64,
    ) {
        if sent > self.recovery {
            self.recovery = now;
            self.window = (self.window / 2).max(2 * self.mtu);
            self.ssthresh = self.window;
        }
        if is_persistent_congestion {
            self.window = 2 * self.mtu;
        }
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.mtu = new_mtu.into();
        self.window = self.window.max(2 * self.mtu);
    }

    fn window(&self) -> u64 {
        self.window
    }

    fn metrics(&self) -> ControllerMetrics {
        let mut metrics = ControllerMetrics::default();
        metrics.congestion_window = self.window;
        metrics.ssthresh = Some(self.ssthresh);
        metrics
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }

    fn initial_window(&self) -> u64 {
        10 * self.mtu
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // One scenario, with bounds of one's own. In a test, `run` panics where `check` returns.
    let roaming = scenario("showcase/roaming")
        .with(MineConfig)
        .quick()
        .expect(metric("goodput").than("noq-newreno").at_least(0.9))
        .check()?;
    println!("{roaming}");
    // The rules of RFC 9002, in eleven cases.
    let rules = suite("rfc9002").with(MineConfig).check()?;
    println!("{rules}");
    Ok(())
}
