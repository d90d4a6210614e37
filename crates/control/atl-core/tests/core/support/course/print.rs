//! The footprint of a trajectory: the window now and then, and a hash of all that the controller
//! has ever answered, to the last bit.

use std::fmt::Write;

use atl_core::time::Time;
use atl_core::window::{Probe, WindowController};

pub(super) struct Print {
    hash: u64,
    windows: String,
    pub(super) delivered: u64,
    pub(super) lost: u64,
    pub(super) timeouts: u64,
    probes: u64,
}

impl Print {
    pub(super) const fn new() -> Self {
        Print {
            hash: 0xcbf2_9ce4_8422_2325,
            windows: String::new(),
            delivered: 0,
            lost: 0,
            timeouts: 0,
            probes: 0,
        }
    }

    /// FNV-1a over words instead of octets.
    fn mix(&mut self, word: u64) {
        self.hash = (self.hash ^ word).wrapping_mul(0x100_0000_01b3).rotate_left(29);
    }

    /// Takes in all that the controller answers, after an event.
    pub(super) fn note(&mut self, controller: &dyn WindowController) {
        let time = |at: Option<Time>| at.map_or(u64::MAX, Time::nanos);
        self.mix(controller.window().to_bits());
        self.mix(controller.ssthresh().to_bits());
        self.mix(time(controller.release_at()));
        self.mix(time(controller.next_timeout()));
        if let Some(aimd) = controller.aimd() {
            self.mix(aimd.alpha.to_bits());
            self.mix(aimd.beta.to_bits());
        }
    }

    /// Takes in what no path asks for as often, or at all.
    pub(super) fn note_more(&mut self, controller: &dyn WindowController) {
        self.mix(controller.pacing_rate().map_or(1, |rate| rate.bps().to_bits()));
        self.mix(u64::from(controller.rounds_up()));
        self.mix(u64::from(controller.listens()));
        self.mix(controller.ack_limit().map_or(0, |limit| limit.get().into()));
        self.mix(u64::from(controller.mark_response().counts_marks()));
    }

    /// A probe leaves. Returns its number.
    pub(super) fn note_probe(&mut self, probe: Probe) -> u64 {
        self.mix(match probe {
            Probe::Dummy => 1,
            Probe::Unacknowledged => 2,
        });
        self.probes += 1;
        self.probes - 1
    }

    /// The window at one of the instants to print.
    pub(super) fn sample(&mut self, controller: &dyn WindowController) {
        let window = controller.window();
        let places = [1000.0, 100.0, 10.0].iter().filter(|least| window < **least).count();
        write!(self.windows, " {window:.places$}").expect("a text");
        self.mix(controller.pacing_rate().map_or(0, |rate| rate.bps().to_bits()));
        if let Some(saved) = controller.observed() {
            self.mix(saved.cwnd_bytes);
            self.mix(saved.rtt.nanos());
            self.mix(saved.at.nanos());
        }
        if let Some(found) = controller.adaptation() {
            self.mix(found.target.to_bits());
            self.mix(found.split.loss.get().to_bits());
            self.mix(found.split.congestion_loss.get().to_bits());
            self.mix(found.split.congestion_rtt.nanos());
        }
    }

    pub(super) fn line(&self, name: &str) -> String {
        let Print { hash, windows, delivered, lost, timeouts, probes } = self;
        format!("{name:<13} {hash:016x} {delivered} {lost} {timeouts} {probes} |{windows}\n")
    }
}
