//! Two hosts and the links between them.

use std::io::Write as _;
use std::sync::Arc;

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_engine::setup::LinkSetup;
use atl_link::{Config, Loss};
use atl_net::emulator::{Stop, Timing};
use atl_net::tun::{Error, HostPlan, Lab, Network, Options, Place, Summary};

/// Indices of the phone and of the server.
pub(crate) const PHONE: usize = 0;
pub(crate) const SERVER: usize = 1;

/// A link between two nodes.
pub(crate) fn link(name: &str, (from, to): (usize, usize), config: Config) -> LinkSetup {
    LinkSetup {
        name: name.to_owned(),
        from,
        to,
        wireless: false,
        config: Arc::new(config),
        agent: None,
        adaptation: None,
        trace_start: None,
    }
}

/// `phone -- server`, the same both ways except for the loss on the way up.
pub(crate) fn two_hosts(mbps: f64, delay: Span, queue: u32, loss: Loss) -> Network {
    let down = Config::constant(Rate::from_mbps(mbps), delay, queue);
    let mut up = down.clone();
    up.initial.loss = loss;
    let host = |node, name: &str| HostPlan { name: name.to_owned(), node, place: Place::Namespace };
    Network {
        nodes: 2,
        links: vec![link("up", (0, 1), up), link("down", (1, 0), down)],
        hosts: vec![host(0, "phone"), host(1, "server")],
    }
}

/// The lab, or `None` where this machine does not allow one; the test is then skipped with a
/// message.
pub(crate) fn lab(network: Network) -> Option<Lab> {
    lab_with(network, Options::default())
}

pub(crate) fn lab_with(network: Network, options: Options) -> Option<Lab> {
    match Lab::new(network, options) {
        Ok(lab) => Some(lab),
        Err(error @ (Error::NotAllowed { .. } | Error::NoTun | Error::TunClosed)) => {
            // `eprintln!` would be hidden by the test harness.
            let _ = writeln!(std::io::stderr(), "SKIPPED: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Moves packets while `work` runs on a host's thread. Returns its result.
pub(crate) fn run<T: Send + 'static>(
    lab: &Lab,
    host: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> (T, Summary) {
    let stop = Stop::default();
    let ending = stop.clone();
    let worker = lab.run_in(host, move || {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        ending.stop();
        result
    });
    let summary = lab.run(7, Timing::default(), &stop, &mut |_| {}).expect("devices work");
    match worker.join().expect("panics are caught") {
        Ok(result) => (result, summary),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
