//! Which addresses this host has, and which one leads to the receiver.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use nix::ifaddrs::getifaddrs;
use nix::net::if_::InterfaceFlags;
use tokio::sync::watch;

/// How often addresses are looked at.
const EVERY: Duration = Duration::from_millis(200);

/// The addresses of this host at a time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Addresses {
    /// Those of interfaces that are up.
    pub present: BTreeSet<IpAddr>,
    /// The one that packets to the receiver leave from, by this host's routes; `None` if none leads
    /// there.
    pub preferred: Option<IpAddr>,
}

/// What becomes of this host's addresses. Copies are the same.
#[derive(Clone, Debug)]
pub struct Networks {
    latest: watch::Receiver<Addresses>,
    /// Ends the thread that looks, if there is one.
    _stop: Option<Arc<mpsc::Sender<()>>>,
}

impl Networks {
    /// Looks again and again, in a thread of its own, as long as a copy exists. `towards` is where
    /// the receiver is.
    pub fn start(towards: SocketAddr) -> Self {
        let (sender, latest) = watch::channel(look(towards));
        let (stop, stopped) = mpsc::channel();
        thread::spawn(move || {
            while stopped.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                let found = look(towards);
                sender.send_if_modified(|last| std::mem::replace(last, found.clone()) != found);
            }
        });
        Networks { latest, _stop: Some(Arc::new(stop)) }
    }

    /// Of a host that is told by somebody else.
    pub fn told(latest: watch::Receiver<Addresses>) -> Self {
        Networks { latest, _stop: None }
    }

    pub(super) fn watch(&self) -> watch::Receiver<Addresses> {
        self.latest.clone()
    }
}

fn look(towards: SocketAddr) -> Addresses {
    let mut present = BTreeSet::new();
    for interface in getifaddrs().into_iter().flatten() {
        if !interface.flags.contains(InterfaceFlags::IFF_UP) {
            continue;
        }
        let Some(address) = interface.address else { continue };
        let v4 = address.as_sockaddr_in().map(|address| IpAddr::V4(address.ip()));
        let v6 = address.as_sockaddr_in6().map(|address| IpAddr::V6(address.ip()));
        present.extend(v4.or(v6));
    }
    Addresses { present, preferred: source(towards) }
}

/// The address that packets to there leave from. Nothing is sent.
fn source(towards: SocketAddr) -> Option<IpAddr> {
    let any: IpAddr = match towards {
        SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let socket = UdpSocket::bind((any, 0)).ok()?;
    socket.connect(towards).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_leads_to_loopback() {
        let here = Networks::start(([127, 0, 0, 1], 9).into());
        let found = here.watch().borrow().clone();
        let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
        assert_eq!(found.preferred, Some(loopback));
        assert!(found.present.contains(&loopback));
    }
}
