//! Congestion controllers by their names.

use std::sync::Arc;

use atl_core::path::Reports;
use atl_noq::Factory;
use atl_quic::SharedFactory;
use atl_scenario::protocol::{Protocol, Transport, catalogue};

use crate::failure::Failure;

/// A congestion controller.
pub(super) struct Congestion {
    /// Its name for people.
    pub(super) label: String,
    /// Builds it.
    pub(super) factory: SharedFactory,
    /// It is one of this workspace: losses of probes can be kept from it.
    pub(super) own: bool,
    /// Where link reports go, if it listens to them.
    pub(super) reports: Option<Reports>,
}

/// The controller of this name.
///
/// # Errors
/// If there is none, or it has no window.
pub(super) fn named(name: &str) -> Result<Congestion, Failure> {
    let protocol =
        Protocol::named(name).ok_or_else(|| unknown(name, "there is no such controller"))?;
    match &protocol.transport {
        Transport::Tcp(tcp) => {
            let factory = Arc::new(Factory::new(tcp.controller.clone()).observing());
            let reports = protocol.listens().then(|| factory.reports());
            Ok(Congestion { label: protocol.label, factory, own: true, reports })
        }
        Transport::Quic(controller) => {
            let factory = atl_quic::library(*controller, None);
            Ok(Congestion { label: protocol.label, factory, own: false, reports: None })
        }
        Transport::Paced(_) => Err(unknown(name, "it has a rate and no window")),
    }
}

fn unknown(name: &str, why: &str) -> Failure {
    let names = catalogue().iter().map(|listed| listed.name);
    let names = names.filter(|name| Protocol::named(name).is_some_and(|known| !known.paces()));
    let names: Vec<&str> = names.collect();
    Failure::Usage(format!("--cc {name}: {why}; choose one of {}", names.join(", ")))
}
