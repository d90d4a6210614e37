//! Congestion controllers by name.

use std::sync::Arc;

use atl_core::path::Reports;
use atl_engine::protocol::Transport;
use atl_noq::{Factory, Marks};
use atl_quic::SharedFactory;
use atl_scenario::protocol::catalogue;

use crate::failure::Failure;

/// A congestion controller for QUIC.
pub(super) struct Congestion {
    /// Name shown to the user.
    pub(super) label: String,
    /// Builds a controller for each path.
    pub(super) factory: SharedFactory,
    /// True for controllers of this workspace, which can be spared losses of probes.
    pub(super) own: bool,
    /// Receiver of link reports, if it uses them.
    pub(super) reports: Option<Reports>,
    /// Receiver of losses on the own link, if there is a source and it uses them.
    pub(super) marks: Option<Marks>,
}

/// The controller with this name. `told` is true if there is a source of losses on the own link.
///
/// # Errors
/// If there is none, or it has no window.
pub(super) fn named(name: &str, told: bool) -> Result<Congestion, Failure> {
    let protocol = atl_scenario::protocol::named(name)
        .ok_or_else(|| unknown(name, "there is no such controller"))?;
    match &protocol.transport {
        Transport::Tcp(tcp) => {
            let listens = protocol.listens();
            let marks = (told && listens).then(Marks::default);
            let mut factory = Factory::new(tcp.controller.clone()).observing();
            if let Some(marks) = &marks {
                factory = factory.marks(marks.clone());
            }
            let factory = Arc::new(factory);
            let reports = listens.then(|| factory.reports());
            Ok(Congestion { label: protocol.label, factory, own: true, reports, marks })
        }
        Transport::Quic(controller) => {
            let factory = atl_quic::library(*controller, None);
            let label = protocol.label;
            Ok(Congestion { label, factory, own: false, reports: None, marks: None })
        }
        Transport::Paced(_) => Err(unknown(name, "it has a rate and no window")),
    }
}

fn unknown(name: &str, why: &str) -> Failure {
    let names = catalogue().iter().map(|listed| listed.name);
    let names = names
        .filter(|name| atl_scenario::protocol::named(name).is_some_and(|known| !known.paces()));
    let names: Vec<&str> = names.collect();
    Failure::Usage(format!("--cc {name}: {why}; choose one of {}", names.join(", ")))
}
