//! The proxy's table of clients.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use atl_core::time::{Span, Time};

/// A client of the proxy.
#[derive(Debug)]
pub(super) struct Client<K> {
    /// The address from which it sends.
    pub address: SocketAddr,
    /// Its socket towards the server.
    pub socket: K,
    /// The local address of that socket, by which the server knows the client.
    pub local: SocketAddr,
    /// Time of its last datagram in either direction.
    pub seen: Time,
}

/// Clients by their number, which is never used again, and by their address.
#[derive(Debug)]
pub(super) struct Clients<K> {
    limits: Limits,
    by_id: BTreeMap<u64, Client<K>>,
    by_address: BTreeMap<SocketAddr, u64>,
    last_id: u64,
}

impl<K> Clients<K> {
    pub(super) fn new(limits: Limits) -> Self {
        Clients { limits, by_id: BTreeMap::new(), by_address: BTreeMap::new(), last_id: 0 }
    }

    /// The number of the client at an address.
    pub(super) fn of(&self, address: SocketAddr) -> Option<u64> {
        self.by_address.get(&address).copied()
    }

    /// The sockets of all clients.
    pub(super) fn sockets(&self) -> impl Iterator<Item = &K> {
        self.by_id.values().map(|client| &client.socket)
    }

    pub(super) fn get(&self, id: u64) -> Option<&Client<K>> {
        self.by_id.get(&id)
    }

    pub(super) fn get_mut(&mut self, id: u64) -> Option<&mut Client<K>> {
        self.by_id.get_mut(&id)
    }

    /// Notes the time of a datagram of a client.
    pub(super) fn seen(&mut self, id: u64, now: Time) {
        if let Some(client) = self.by_id.get_mut(&id) {
            client.seen = now;
        }
    }

    /// The number for a new client; `None` if the table is full.
    pub(super) fn next_id(&self) -> Option<u64> {
        (self.by_id.len() < self.limits.clients).then_some(self.last_id + 1)
    }

    pub(super) fn insert(&mut self, id: u64, client: Client<K>) {
        self.last_id = id;
        self.by_address.insert(client.address, id);
        self.by_id.insert(id, client);
    }

    /// Removes the clients that have been silent for too long.
    pub(super) fn expire(&mut self, now: Time) -> Vec<Client<K>> {
        let idle = self.limits.idle;
        let silent = self.by_id.iter().filter(|(_, client)| now.since(client.seen) >= idle);
        let silent: Vec<u64> = silent.map(|(id, _)| *id).collect();
        let gone: Vec<Client<K>> = silent.iter().filter_map(|id| self.by_id.remove(id)).collect();
        for client in &gone {
            self.by_address.remove(&client.address);
        }
        gone
    }
}

/// Limits on the proxy's table of clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Clients at a time. The datagrams of any further one are dropped.
    pub clients: usize,
    /// Time without a datagram in either direction after which a client is forgotten.
    pub idle: Span,
}

impl Default for Limits {
    /// 256 clients; 5 minutes, as RFC 4787 (REQ-5) recommends for NATs.
    fn default() -> Self {
        Limits { clients: 256, idle: Span::from_secs(300) }
    }
}

#[cfg(test)]
mod tests {
    use atl_core::time::Span;

    use super::*;

    fn client(port: u16, seen: Time) -> Client<()> {
        let at = |port| SocketAddr::from(([127, 0, 0, 1], port));
        Client { address: at(port), socket: (), local: at(1000 + port), seen }
    }

    #[test]
    fn the_table_is_bounded_and_forgets_the_silent() {
        let mut clients = Clients::new(Limits { clients: 2, idle: Span::from_secs(10) });
        for port in [1, 2] {
            let id = clients.next_id().expect("room");
            clients.insert(id, client(port, Time::from_millis(1000 * u64::from(port))));
        }
        assert_eq!(clients.next_id(), None, "full");
        clients.seen(1, Time::from_millis(5000));
        // The second was seen at 2 s, the first at 5 s.
        let gone = clients.expire(Time::from_millis(12_000));
        assert_eq!(gone.iter().map(|c| c.address.port()).collect::<Vec<_>>(), [2]);
        assert_eq!(clients.of(gone[0].address), None);
        assert_eq!(clients.of(SocketAddr::from(([127, 0, 0, 1], 1))), Some(1));
        assert_eq!(clients.next_id(), Some(3), "a number is not used twice");
    }
}
