//! TCP Hybla, and the program `atl` with it: `cargo run --release -- run hybla.toml --quick`.
//!
//! Source: Caini, Firrincieli, "TCP Hybla: a TCP enhancement for heterogeneous networks", Int. J.
//! of Satellite Communications and Networking 22 (2004). A window grows in time as that of a TCP
//! with a round trip of RTT0, whatever its own is: with rho = RTT / RTT0, at least 1, each ACK adds
//! 2^rho - 1 packets in slow start, and rho^2 / W above ssthresh, which is rho times gamma until
//! the first loss. Losses halve the window. Chosen: RTT is the path's least one, which its own
//! queue does not drive; slow start ends at ssthresh, not a leap beyond it; the first window is the
//! host's.

use std::{env, process::ExitCode};

use atl::{App, Listed, Recovery};
use atl_core::window::{Ack, BuildController, Detection, Loss, Start, Timeout, WindowController};
use serde::Deserialize;

const LARGEST_WINDOW: f64 = 1e6;

/// Its options in a scenario file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Config {
    /// RTT0 in seconds.
    rtt0: f64,
    /// The first ssthresh, of a path of RTT0, in packets.
    gamma: f64,
}

impl Default for Config {
    fn default() -> Self {
        Config { rtt0: 0.025, gamma: 32.0 }
    }
}

impl BuildController for Config {
    fn check(&self) -> Result<(), &'static str> {
        let usable = self.rtt0 > 0.0 && self.gamma >= 2.0;
        if usable { Ok(()) } else { Err("rtt0 must be greater than 0 s, and gamma at least 2") }
    }
    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        let window = 1.0f64.max(start.initial_window).min(LARGEST_WINDOW);
        let ssthresh = start.ssthresh.is_finite().then(|| start.ssthresh.max(2.0));
        Box::new(Hybla { config: self.clone(), rho: 1.0, window, ssthresh })
    }
}

#[derive(Clone, Debug)]
struct Hybla {
    config: Config,
    rho: f64,
    window: f64,
    /// `None` until something is known of it.
    ssthresh: Option<f64>,
}

impl Hybla {
    fn halve(&mut self) -> f64 {
        *self.ssthresh.insert((self.window / 2.0).max(2.0))
    }
}

impl WindowController for Hybla {
    fn on_ack(&mut self, ack: &Ack) {
        if !ack.rtt_min.is_zero() {
            self.rho = (ack.rtt_min.secs() / self.config.rtt0).max(1.0);
        }
        if ack.in_recovery || !ack.window_limited {
            return;
        }
        for _ in 0..ack.delivered.min(ack.cumulative) {
            let (window, ssthresh) = (self.window, self.ssthresh());
            self.window = if window < ssthresh {
                (window + self.rho.exp2() - 1.0).min(ssthresh)
            } else {
                window + self.rho * self.rho / window
            };
            self.window = self.window.min(LARGEST_WINDOW);
        }
    }
    fn on_loss(&mut self, loss: &Loss) {
        if loss.new_episode && loss.detection == Detection::Acks {
            self.window = self.window.min(self.halve());
        }
    }
    fn on_timeout(&mut self, timeout: &Timeout) {
        if timeout.consecutive <= 1 {
            self.halve();
        }
        self.window = 1.0;
    }
    fn window(&self) -> f64 {
        self.window
    }
    fn ssthresh(&self) -> f64 {
        self.ssthresh.unwrap_or(self.rho * self.config.gamma)
    }
}

const LISTED: Listed = Listed::window::<Config>(
    "hybla",
    "TCP Hybla",
    Recovery::Sack,
    "a window that grows as fast as that of a short path",
    "Caini, Firrincieli, IJSCN 2004",
);

fn main() -> ExitCode {
    App::new().protocol(LISTED).run(env::args_os()).into()
}

#[cfg(test)]
mod tests {
    use atl_core::time::{Span, Time};
    use atl_scenario::{Overrides, load, protocol, scenario::Point};
    use atl_sim::Simulation;

    use super::*;

    #[test]
    fn it_keeps_the_contract() {
        atl_core::conformance::window(Config::default());
    }

    /// An RTT of 100 ms: rho is 4.
    #[test]
    fn it_grows_as_the_paper_says() {
        let start = Start::default().initial_window(2.0).ssthresh(32.0);
        let mut hybla = Config::default().build(&start);
        let ack = Ack::new(Time::ZERO).delivered(1).cumulative(1).rtt_min(Span::from_millis(100));
        for window in [17.0, 32.0, 32.5, 32.5 + 16.0 / 32.5] {
            hybla.on_ack(&ack);
            assert!((hybla.window() - window).abs() < 1e-9, "{} packets", hybla.window());
        }
    }

    /// At a loss of 1e-3, goodput falls as 1/RTT for NewReno. Hybla keeps that of the shortest
    /// path.
    #[test]
    fn a_satellite_costs_it_little() {
        protocol::register(&[LISTED]).expect("nobody else is called hybla");
        let scenario = load("hybla.toml".as_ref(), &Overrides::default()).expect("it is right");
        let goodput = |name: &str, delay: &str| {
            let swept = |point: &&Point| {
                let protocol = &point.setup.flows[0].protocol;
                protocol.name == name && point.vars["delay"].text == delay
            };
            let point = scenario.points.iter().find(swept).expect("swept");
            Simulation::new(&point.setup, 1).run().flows[0].goodput_bps
        };
        assert!(goodput("newreno", "150ms") < 0.3 * goodput("newreno", "12ms"));
        assert!(goodput("hybla", "150ms") > 0.7 * goodput("newreno", "12ms"));
    }
}
