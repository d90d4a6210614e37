//! The laws that go through the suites.

use atl_engine::Engine as _;
use atl_engine::protocol::Transport;
use atl_quic::{Crypto, QuicSim};
use atl_scenario::Overrides;
use atl_scenario::protocol::{catalogue, named};

/// A controller, with or without reports of the sender's link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Law {
    pub(super) name: String,
    pub(super) told: bool,
}

impl Law {
    /// The name in a table.
    pub(super) fn heading(&self) -> String {
        if self.told { format!("{}, told", self.name) } else { self.name.clone() }
    }
}

/// Every window controller of the catalogue that QUIC carries, once under its first name, and once
/// more with link reports if it listens to them. noq's own have a test of their own.
pub(super) fn laws() -> Vec<Law> {
    let mut laws = Vec::new();
    let mut seen = Vec::new();
    for listed in catalogue() {
        let protocol = named(listed.name).expect("listed");
        let Transport::Tcp(tcp) = &protocol.transport else { continue };
        if !carried(listed.name) || seen.contains(&tcp.controller) {
            continue;
        }
        seen.push(tcp.controller.clone());
        let law = |told| Law { name: listed.name.to_owned(), told };
        laws.push(law(false));
        laws.extend(protocol.listens().then(|| law(true)));
    }
    laws
}

/// True if QUIC in virtual time can carry the protocol.
fn carried(name: &str) -> bool {
    let text = crate::cases::PATH.replace("noq-cubic", name);
    let files = |path: &std::path::Path| std::fs::read_to_string(path);
    let at = std::path::Path::new("path");
    let scenario = atl_scenario::parse("path", &text, at, &files, &Overrides::default());
    let scenario = scenario.unwrap_or_else(|errors| panic!("{errors}"));
    scenario.points.iter().all(|point| QuicSim::new(Crypto::Null).gaps(&point.setup).is_empty())
}

/// The list is the catalogue's, so that a new law cannot stay out; these are known to be in it.
#[test]
fn the_laws_are_those_that_quic_carries() {
    let laws = laws();
    let headings: Vec<String> = laws.iter().map(Law::heading).collect();
    for name in ["tcp-atl, told", "tcp-atl-robust", "residual", "residual, told", "prague", "reno"]
    {
        assert!(headings.iter().any(|heading| heading == name), "{name} is not in {headings:?}");
    }
    // Go-back-N, a receiver's half, probes, a path's freeze; the same controller as Reno's.
    for name in ["fixed-window", "wtcp", "peach", "freeze-tcp", "newreno"] {
        assert!(laws.iter().all(|law| law.name != name), "{name} is in {headings:?}");
    }
}
