//! Congestion controllers by their names.

use std::sync::Arc;

use atl_core::path::Reports;
use atl_noq::Factory;
use atl_scenario::protocol::{Protocol, Transport, catalogue};
use noq::congestion::{Bbr3Config, ControllerFactory, CubicConfig, NewRenoConfig};

use crate::failure::Failure;

/// QUIC's own.
const QUICS_OWN: [(&str, &str); 3] = [
    ("noq-cubic", "CUBIC of noq"),
    ("noq-bbr3", "BBRv3 of noq"),
    ("noq-newreno", "NewReno of noq"),
];

/// A congestion controller.
pub(super) struct Congestion {
    /// Its name for people.
    pub(super) label: String,
    /// Builds it.
    pub(super) factory: Arc<dyn ControllerFactory + Send + Sync>,
    /// Where link reports go, if it listens to them.
    pub(super) reports: Option<Reports>,
}

/// The controller of this name.
///
/// # Errors
/// If there is none, or it has no window.
pub(super) fn named(name: &str) -> Result<Congestion, Failure> {
    if let Some((_, label)) = QUICS_OWN.iter().find(|(own, _)| *own == name) {
        let factory: Arc<dyn ControllerFactory + Send + Sync> = match name {
            "noq-bbr3" => Arc::new(Bbr3Config::default()),
            "noq-newreno" => Arc::new(NewRenoConfig::default()),
            _ => Arc::new(CubicConfig::default()),
        };
        return Ok(Congestion { label: (*label).to_owned(), factory, reports: None });
    }
    match Protocol::named(name) {
        Some(protocol) => match &protocol.transport {
            Transport::Tcp(tcp) => {
                let factory = Arc::new(Factory::new(tcp.controller.clone()));
                let reports = protocol.listens().then(|| factory.reports());
                Ok(Congestion { label: protocol.label, factory, reports })
            }
            Transport::Paced(_) => Err(unknown(name, "it has a rate and no window")),
        },
        None => Err(unknown(name, "there is no such controller")),
    }
}

fn unknown(name: &str, why: &str) -> Failure {
    let windows = catalogue().iter().map(|listed| listed.name);
    let windows = windows.filter(|name| Protocol::named(name).is_some_and(|p| p.tcp().is_some()));
    let names: Vec<&str> = windows.chain(QUICS_OWN.map(|(name, _)| name)).collect();
    Failure::Usage(format!("--cc {name}: {why}; choose one of {}", names.join(", ")))
}
