//! The addresses of this host, and the one that leads to the receiver.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use atl_device::interface;
use tokio::sync::watch;

/// Interval at which addresses are read.
const EVERY: Duration = Duration::from_millis(200);

/// The addresses of this host at a time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Addresses {
    /// Addresses of all interfaces that are up.
    pub present: BTreeSet<IpAddr>,
    /// The source address of packets to the receiver, by this host's routes; `None` without a
    /// route.
    pub preferred: Option<IpAddr>,
}

/// This host's addresses as they change. Clones share them.
#[derive(Clone, Debug)]
pub struct Networks {
    latest: watch::Receiver<Addresses>,
    /// Ends the thread, if there is one, when the last clone is dropped.
    _stop: Option<Arc<mpsc::Sender<()>>>,
}

impl Networks {
    /// Reads the addresses again and again, in a thread of its own, as long as a clone exists.
    /// `towards` is the receiver's address.
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

    /// Takes addresses from another program.
    pub fn told(latest: watch::Receiver<Addresses>) -> Self {
        Networks { latest, _stop: None }
    }

    pub(super) fn watch(&self) -> watch::Receiver<Addresses> {
        self.latest.clone()
    }
}

fn look(towards: SocketAddr) -> Addresses {
    let present = interface::addresses().into_iter().map(|(_, address)| address).collect();
    Addresses { present, preferred: source(towards) }
}

/// The source address of packets to `towards`. Nothing is sent.
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
