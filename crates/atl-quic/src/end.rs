//! One end of a connection: an endpoint and its connection, without a socket.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Instant;

use bytes::{Bytes, BytesMut};
use noq_proto::{
    ClientConfig, Connection, ConnectionHandle, DatagramEvent, Endpoint, EndpointConfig, Event,
    FourTuple, ServerConfig,
};

use crate::crypto::SERVER_NAME;

/// Addresses for documentation (RFC 5737).
const CLIENT: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), 4433);
const SERVER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(198, 51, 100, 1)), 443);

/// See [the module](self).
#[derive(Debug)]
pub(crate) struct End {
    endpoint: Endpoint,
    connection: Option<(ConnectionHandle, Connection)>,
    /// How datagrams that it receives were addressed.
    receives: FourTuple,
    scratch: Vec<u8>,
}

impl End {
    /// An end that connects at once.
    ///
    /// # Errors
    /// What is wrong with the configuration.
    pub(crate) fn client(
        endpoint: Arc<EndpointConfig>,
        config: ClientConfig,
        now: Instant,
    ) -> Result<Self, noq_proto::ConnectError> {
        let mut end = End::new(endpoint, None, FourTuple::new(SERVER, Some(CLIENT.ip())));
        end.connection = Some(end.endpoint.connect(now, config, SERVER, SERVER_NAME)?);
        Ok(end)
    }

    /// An end that waits for the other.
    pub(crate) fn server(endpoint: Arc<EndpointConfig>, config: ServerConfig) -> Self {
        let receives = FourTuple::new(CLIENT, Some(SERVER.ip()));
        End::new(endpoint, Some(Arc::new(config)), receives)
    }

    fn new(
        endpoint: Arc<EndpointConfig>,
        server: Option<Arc<ServerConfig>>,
        receives: FourTuple,
    ) -> Self {
        let endpoint = Endpoint::new(endpoint, server, false);
        End { endpoint, connection: None, receives, scratch: Vec::new() }
    }

    /// Its connection; `None` of a server before the client's first packet.
    pub(crate) fn connection(&mut self) -> Option<&mut Connection> {
        self.connection.as_mut().map(|(_, connection)| connection)
    }

    /// The same, to look at.
    pub(crate) fn connected(&self) -> Option<&Connection> {
        self.connection.as_ref().map(|(_, connection)| connection)
    }

    /// A datagram arrived. What an endpoint would answer without a connection, such as a stateless reset, concerns nobody
    /// here: there is one connection, and both ends keep it.
    pub(crate) fn receive(&mut self, now: Instant, datagram: Vec<u8>) {
        let datagram = BytesMut::from(Bytes::from(datagram));
        self.scratch.clear();
        let event = self.endpoint.handle(now, self.receives, None, datagram, &mut self.scratch);
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

    /// The next datagram that it sends, of at most `mtu` bytes.
    pub(crate) fn transmit(&mut self, now: Instant, mtu: u16) -> Option<Vec<u8>> {
        let (_, connection) = self.connection.as_mut()?;
        self.scratch.clear();
        self.scratch.reserve(mtu.into());
        let _addresses = connection.poll_transmit(now, NonZeroUsize::MIN, &mut self.scratch)?;
        Some(std::mem::take(&mut self.scratch))
    }
}
