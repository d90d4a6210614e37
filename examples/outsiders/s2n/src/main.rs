//! The program `atl` with two congestion controllers of a QUIC library, s2n-quic: CUBIC and BBRv2.
//! `cargo run --release -- run s2n.toml --quick`.
//!
use std::{env, process::ExitCode};

use atl::{App, Listed, Recovery};
use s2n::{bbr2, cubic};

const LISTED: [Listed; 2] = [
    Listed::window::<cubic::Config>(
        "s2n-cubic",
        "CUBIC (s2n)",
        Recovery::Rack,
        "CUBIC as s2n-quic has it",
        "RFC 8312",
    ),
    Listed::window::<bbr2::Config>(
        "bbr2",
        "BBRv2 (s2n)",
        Recovery::Rack,
        "BBRv2 as s2n-quic has it",
        "draft-cardwell-iccrg-bbr-congestion-control-02",
    ),
];

fn main() -> ExitCode {
    let [cubic, bbr2] = LISTED;
    App::new().protocol(cubic).protocol(bbr2).run(env::args_os()).into()
}

#[cfg(test)]
mod tests {
    use atl_scenario::{Overrides, load, protocol, scenario::Point};
    use atl_sim::Simulation;

    use super::*;

    #[test]
    fn they_keep_the_contract() {
        // Their windows do not fall to one packet at a timeout, as `conformance::window` asks.
        for config in [cubic::Config::default().into(), bbr2::Config::default().into()] {
            atl_core::conformance::window_safety(&config, |_, _, _| {});
        }
    }

    /// A link that loses one packet in a thousand costs CUBIC most of it, and BBR next to nothing.
    #[test]
    fn they_run_from_a_scenario() {
        protocol::register(&LISTED).expect("the names are free");
        let scenario = load("s2n.toml".as_ref(), &Overrides::default()).expect("it is right");
        let goodput = |name: &str, loss: &str| {
            let swept = |point: &&Point| {
                let protocol = &point.setup.flows[0].protocol;
                protocol.name == name && point.vars["loss"].text == loss
            };
            let point = scenario.points.iter().find(swept).expect("swept");
            Simulation::new(&point.setup, 1).run().flows[0].goodput_bps
        };
        for name in ["s2n-cubic", "bbr2"] {
            assert!(goodput(name, "0") > 0.9 * 20e6 * 0.96, "{name}");
        }
        assert!(goodput("bbr2", "1e-3") > 0.9 * goodput("bbr2", "0"));
        assert!(goodput("s2n-cubic", "1e-3") < 0.8 * goodput("s2n-cubic", "0"));
    }
}
