//! One end of a connection: an endpoint and its connection, without a socket.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Instant;

use bytes::{Bytes, BytesMut};
use noq_proto::{
    ClientConfig, Connection, ConnectionHandle, DatagramEvent, EcnCodepoint, Endpoint,
    EndpointConfig, Event, ServerConfig,
};

use crate::address::{Role, SERVER};
use crate::crypto::SERVER_NAME;

/// See [the module](self).
#[derive(Debug)]
pub(crate) struct End {
    role: Role,
    /// The client's network in which it connects.
    first: usize,
    endpoint: Endpoint,
    connection: Option<(ConnectionHandle, Connection)>,
    scratch: Vec<u8>,
}

impl End {
    /// An end that connects at once, over its network with this index.
    ///
    /// # Errors
    /// What is wrong with the configuration.
    pub(crate) fn client(
        endpoint: Arc<EndpointConfig>,
        config: ClientConfig,
        now: Instant,
        network: usize,
    ) -> Result<Self, noq_proto::ConnectError> {
        let mut end = End { first: network, ..End::new(Role::Client, endpoint, None) };
        end.connection = Some(end.endpoint.connect(now, config, SERVER, SERVER_NAME)?);
        Ok(end)
    }

    /// An end that waits for the other.
    pub(crate) fn server(endpoint: Arc<EndpointConfig>, config: ServerConfig) -> Self {
        End::new(Role::Server, endpoint, Some(Arc::new(config)))
    }

    fn new(role: Role, endpoint: Arc<EndpointConfig>, server: Option<Arc<ServerConfig>>) -> Self {
        let endpoint = Endpoint::new(endpoint, server, false);
        End { role, first: 0, endpoint, connection: None, scratch: Vec::new() }
    }

    /// Which end it is to QUIC.
    pub(crate) fn role(&self) -> Role {
        self.role
    }

    /// Its connection; `None` of a server before the client's first packet.
    pub(crate) fn connection(&mut self) -> Option<&mut Connection> {
        self.connection.as_mut().map(|(_, connection)| connection)
    }

    /// The same, to look at.
    pub(crate) fn connected(&self) -> Option<&Connection> {
        self.connection.as_ref().map(|(_, connection)| connection)
    }

    /// A datagram arrived over the client's network with this index. What an endpoint would answer
    /// without a connection, such as a stateless reset, concerns nobody here: there is one
    /// connection, and both ends keep it.
    pub(crate) fn receive(
        &mut self,
        now: Instant,
        network: usize,
        ecn: Option<EcnCodepoint>,
        datagram: Vec<u8>,
    ) {
        let datagram = BytesMut::from(Bytes::from(datagram));
        self.scratch.clear();
        let over = self.role.over(network);
        let event = self.endpoint.handle(now, over, ecn, datagram, &mut self.scratch);
        match event {
            Some(DatagramEvent::ConnectionEvent(_, event)) => {
                if let Some((_, connection)) = &mut self.connection {
                    connection.handle_event(event);
                }
            }
            Some(DatagramEvent::NewConnection(incoming)) => {
                if self.connection.is_none() {
                    let accepted = self.endpoint.accept(incoming, now, &mut self.scratch, None);
                    self.connection = accepted.ok();
                }
            }
            Some(DatagramEvent::Response(_)) | None => {}
        }
    }

    /// When its timers want to be looked at.
    pub(crate) fn timeout(&self) -> Option<Instant> {
        self.connected()?.poll_timeout()
    }

    /// Works off timers that have expired.
    pub(crate) fn handle_timeout(&mut self, now: Instant) {
        if let Some((_, connection)) = &mut self.connection
            && connection.poll_timeout().is_some_and(|due| due <= now)
        {
            connection.handle_timeout(now);
        }
    }

    /// The next thing that has happened to the connection.
    pub(crate) fn poll(&mut self) -> Option<Event> {
        let (handle, connection) = self.connection.as_mut()?;
        while let Some(event) = connection.poll_endpoint_events() {
            if let Some(answer) = self.endpoint.handle_event(*handle, event) {
                connection.handle_event(answer);
            }
        }
        connection.poll()
    }

    /// The next datagram that it sends, of at most `mtu` bytes, the client's network that it takes,
    /// and whether it is ECN-capable.
    pub(crate) fn transmit(&mut self, now: Instant, mtu: u16) -> Option<(Vec<u8>, usize, bool)> {
        let (_, connection) = self.connection.as_mut()?;
        self.scratch.clear();
        self.scratch.reserve(mtu.into());
        let transmit = connection.poll_transmit(now, NonZeroUsize::MIN, &mut self.scratch)?;
        let network = self.role.network_of(&transmit).unwrap_or(self.first);
        Some((std::mem::take(&mut self.scratch), network, transmit.ecn.is_some()))
    }
}
