//! The hosts that can be named: those of the command line.

use std::sync::LazyLock;

use atl_host::{Host, Hosts};
use atl_quic::{Crypto, QuicSim};
use atl_quic_net::Quic;
use atl_sim::Sim;
use atl_udp::Udp;
use pyo3::prelude::*;

use crate::errors;

static HOSTS: LazyLock<Hosts> = LazyLock::new(|| {
    Hosts::new(vec![
        Box::new(Sim),
        Box::new(Udp),
        Box::new(QuicSim::new(Crypto::Null)),
        Box::new(QuicSim::new(Crypto::Tls)),
        Box::new(Quic),
    ])
});

/// The hosts with these names.
///
/// # Errors
/// If a name is unknown or repeated.
pub(crate) fn choose(py: Python<'_>, names: &[String]) -> PyResult<Vec<&'static dyn Host>> {
    let hosts = HOSTS.choose(names);
    hosts.map_err(|bad| errors::usage(py, format!("--on {}: {bad}", names.join(","))))
}

/// Names of all hosts, each with what it is.
#[pyfunction]
pub(crate) fn hosts() -> Vec<(String, String)> {
    HOSTS.iter().map(|host| (host.name().to_owned(), host.about().to_owned())).collect()
}
