//! Where the two ends of a connection can be reached.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use noq_proto::{FourTuple, Transmit};

/// The server's address, one for documentation (RFC 5737).
pub(crate) const SERVER: SocketAddr =
    SocketAddr::new(IpAddr::V4(Ipv4Addr::new(198, 51, 100, 1)), 443);
const CLIENT_PORT: u16 = 4433;

/// An end of a connection, as QUIC names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It connects, and is the one that may move: it has an address in each of its networks.
    Client,
    /// It waits, and stays where it is.
    Server,
}

/// The client's address in a network: one for benchmarks (RFC 2544, appendix C.2.2).
fn client(network: usize) -> SocketAddr {
    // A flow has at most 256 paths.
    SocketAddr::new(Ipv4Addr::new(198, 18, network as u8, 1).into(), CLIENT_PORT)
}

impl Role {
    /// A connection over the client's network with this index, as this end sees it.
    pub(crate) fn over(self, network: usize) -> FourTuple {
        match self {
            Role::Client => FourTuple::new(SERVER, Some(client(network).ip())),
            Role::Server => FourTuple::new(client(network), Some(SERVER.ip())),
        }
    }

    /// The client's network that something takes which this end transmits; `None` while a client
    /// does not know its address.
    pub(crate) fn network_of(self, transmit: &Transmit) -> Option<usize> {
        let client = match self {
            Role::Client => transmit.src_ip,
            Role::Server => Some(transmit.destination.ip()),
        };
        match client {
            Some(IpAddr::V4(ip)) => Some(ip.octets()[2].into()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_name_a_network_alike() {
        for network in [0, 1, 255] {
            let [client, server] = [Role::Client, Role::Server].map(|role| role.over(network));
            assert_eq!(client.remote().ip(), server.local_ip().expect("known"));
            assert_eq!(Some(server.remote().ip()), client.local_ip());
            let transmit = |from: FourTuple| Transmit {
                destination: from.remote(),
                ecn: None,
                size: 0,
                segment_size: None,
                src_ip: from.local_ip(),
            };
            assert_eq!(Role::Client.network_of(&transmit(client)), Some(network));
            assert_eq!(Role::Server.network_of(&transmit(server)), Some(network));
        }
    }
}
