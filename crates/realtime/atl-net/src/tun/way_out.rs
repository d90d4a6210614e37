//! A way from the hosts of a lab to the rest of the world, by the host that is this machine.

use std::fs;
use std::net::Ipv4Addr;

use super::address::Block;
use super::device;
use super::error::Error;
use super::nat::Nat;
use super::resolver::Resolver;

const FORWARDING: &str = "/proc/sys/net/ipv4/ip_forward";

/// A way out, as long as this value lives.
#[derive(Debug)]
pub(super) struct WayOut {
    /// The address of a resolver that answers.
    pub(super) resolver: Ipv4Addr,
    _answers: Resolver,
    _nat: Nat,
}

impl WayOut {
    /// Opens it in the calling thread's namespace, for the hosts of `block`, of which this machine
    /// is `host`.
    ///
    /// # Errors
    /// If this machine forwards no packets, or its kernel cannot translate addresses.
    pub(super) fn open(block: Block, host: usize) -> Result<WayOut, Error> {
        forward()?;
        let nat = Nat::masquerade(block);
        let nat = nat.map_err(|error| Error::system("translate addresses (nf_tables)", error))?;
        let resolver = block.v4(host);
        let answers = Resolver::start(resolver);
        let answers = answers.map_err(|error| Error::system("answer queries for names", error))?;
        Ok(WayOut { resolver, _answers: answers, _nat: nat })
    }
}

/// Lets packets pass that come in at one device and leave by another. The setting outlives this
/// program, so it is changed only in the namespace of another lab, which ends with that.
fn forward() -> Result<(), Error> {
    let forwards = fs::read_to_string(FORWARDING).is_ok_and(|value| value.trim() != "0");
    match forwards {
        true => Ok(()),
        false if device::within_lab() => fs::write(FORWARDING, "1")
            .map_err(|error| Error::system("forward packets between labs", error)),
        false => Err(Error::NoForwarding),
    }
}
