//! Two endpoints of noq-proto in virtual time, over links of `atl-link`: real packets, real TLS.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_link::random::Stream;
use atl_link::{Config, Exit, Link, Packet};
use atl_noq::Marks;
use bytes::BytesMut;
use noq_proto::{
    ClientConfig, Connection, ConnectionHandle, DatagramEvent, Endpoint, EndpointConfig, Event,
    FourTuple, ServerConfig, TransportConfig,
};
use rustls::RootCertStore;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};

use crate::file::Transfer;

pub(crate) const CLIENT: usize = 0;
pub(crate) const SERVER: usize = 1;

pub(crate) const SERVER_ADDRESS: SocketAddr =
    SocketAddr::new(IpAddr::V4(Ipv4Addr::new(10, 9, 9, 9)), 443);

/// The client's address in a network.
pub(crate) fn client_address(network: usize) -> SocketAddr {
    SocketAddr::new(IpAddr::V4(Ipv4Addr::new(10, 0, network as u8, 1)), 1000)
}

/// The client's path over a network.
pub(crate) fn over(network: usize) -> FourTuple {
    FourTuple::new(SERVER_ADDRESS, Some(client_address(network).ip()))
}

#[derive(Debug)]
pub(crate) struct Datagram {
    bytes: Vec<u8>,
    ce: bool,
}

impl Packet for Datagram {
    fn wire_bytes(&self) -> u32 {
        28 + self.bytes.len() as u32
    }
}

/// Links towards the server and back.
#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) links: [Link<Datagram>; 2],
    /// Loses each datagram that enters.
    pub(crate) cut: bool,
    /// Marks this share of the datagrams towards the server with CE: one of so many.
    pub(crate) mark_every: Option<u64>,
    /// Longer datagrams disappear, and nobody is told.
    pub(crate) mtu: Option<usize>,
    /// Datagrams lost on the way by the link itself, each way.
    pub(crate) lost: [u64; 2],
    pub(crate) carried: u64,
}

/// A network of this rate both ways, one-way delay and queue; it loses packets towards the server
/// with this probability.
pub(crate) fn network(seed: u64, mbps: f64, delay: u64, queue: u32, loss: f64) -> Network {
    let plain = Config::constant(Rate::from_mbps(mbps), Span::from_millis(delay), queue);
    let links = [plain.clone().with_loss(Probability::clamped(loss)), plain];
    let mut way = 0;
    let links = links.map(|config| {
        way += 1;
        Link::new(Arc::new(config), Stream::new(seed, &format!("link/{mbps}/{delay}/{way}")))
    });
    Network { links, cut: false, mark_every: None, mtu: None, lost: [0; 2], carried: 0 }
}

pub(crate) struct End {
    endpoint: Endpoint,
    pub(crate) connection: Option<(ConnectionHandle, Connection)>,
    /// Told of what the link loses on the way from this end.
    pub(crate) marks: Option<Marks>,
    /// Datagrams of which the table did not know.
    pub(crate) unknown: u64,
    pub(crate) sent: u64,
}

pub(crate) struct World {
    pub(crate) now: Time,
    origin: Instant,
    pub(crate) ends: [End; 2],
    pub(crate) networks: Vec<Network>,
    pub(crate) transfer: Transfer,
    /// The end that sends the file.
    sender: usize,
    events: Vec<(usize, Event)>,
    buffer: Vec<u8>,
}

/// Actions of a test between the events of a world.
pub(crate) trait Driver {
    /// An end's connection tells of something.
    fn on_event(&mut self, _world: &mut World, _end: usize, _event: &Event) {}
    /// After each step; the time of the next one at the latest.
    fn poll(&mut self, world: &mut World) -> Time;
}

impl Driver for () {
    fn poll(&mut self, _: &mut World) -> Time {
        Time::MAX
    }
}

/// Transport parameters as all tests have them: no segmentation offload, and no limits but the
/// window. More than 2 MB for a stream is more than noq's receiver holds while a gap is open.
pub(crate) fn transport() -> TransportConfig {
    let mut transport = TransportConfig::default();
    transport
        .stream_receive_window((2_u32 << 20).into())
        .receive_window((64_u32 << 20).into())
        .send_window(64 << 20)
        .enable_segmentation_offload(false);
    transport
}

impl World {
    /// A client that connects to a server over the first network. `sender` is the end that sends a
    /// file of `total` bytes.
    pub(crate) fn new(
        seed: u64,
        transports: [TransportConfig; 2],
        networks: Vec<Network>,
        sender: usize,
        total: u64,
    ) -> Self {
        #[allow(clippy::disallowed_methods, reason = "there is no other way to get an Instant")]
        let origin = Instant::now();
        let [client_transport, server_transport] = transports;
        let key = rcgen::KeyPair::generate_for(&rcgen::PKCS_ED25519).expect("a key");
        // Always of the same length: the same packets in each run, whatever is in them.
        let mut params =
            rcgen::CertificateParams::new(vec!["localhost".to_owned()]).expect("parameters");
        params.serial_number = Some(vec![1].into());
        let certificate = params.self_signed(&key).expect("a certificate");
        let certificate = CertificateDer::from(certificate);
        let private = PrivatePkcs8KeyDer::from(key.serialize_der());
        let mut server_config =
            ServerConfig::with_single_cert(vec![certificate.clone()], private.into())
                .expect("a server");
        server_config.transport_config(Arc::new(server_transport));
        let mut roots = RootCertStore::empty();
        roots.add(certificate).expect("a root");
        let mut client_config =
            ClientConfig::with_root_certificates(Arc::new(roots)).expect("a client");
        client_config.transport_config(Arc::new(client_transport));

        let config = |end: u8| {
            let mut config = EndpointConfig::default();
            let mut rng = [end; 32];
            rng[..8].copy_from_slice(&seed.to_be_bytes());
            config.rng_seed(Some(rng));
            Arc::new(config)
        };
        let mut client = Endpoint::new(config(0), None, true);
        let server = Endpoint::new(config(1), Some(Arc::new(server_config)), true);
        let connection =
            client.connect(origin, client_config, SERVER_ADDRESS, "localhost").expect("connects");
        let end =
            |endpoint, connection| End { endpoint, connection, marks: None, unknown: 0, sent: 0 };
        World {
            now: Time::ZERO,
            origin,
            ends: [end(client, Some(connection)), end(server, None)],
            networks,
            transfer: Transfer::new(total),
            sender,
            events: Vec::new(),
            buffer: Vec::new(),
        }
    }

    pub(crate) fn instant(&self, at: Time) -> Instant {
        self.origin + Duration::from(at.since(Time::ZERO))
    }

    pub(crate) fn time(&self, instant: Instant) -> Time {
        Time::ZERO + Span::from(instant.saturating_duration_since(self.origin))
    }

    /// The connection of an end that has one.
    pub(crate) fn connection(&mut self, end: usize) -> &mut Connection {
        &mut self.ends[end].connection.as_mut().expect("a connection").1
    }

    /// Runs until the file has arrived, or at most until this time.
    pub(crate) fn run(&mut self, until: Time, driver: &mut dyn Driver) {
        while self.now < until && self.transfer.done.is_none() {
            self.step(until, driver);
        }
    }

    fn step(&mut self, until: Time, driver: &mut dyn Driver) {
        for end in [CLIENT, SERVER] {
            self.collect(end);
        }
        for (end, event) in std::mem::take(&mut self.events) {
            if let Event::ConnectionLost { reason } = &event {
                panic!("{:?}: connection lost at end {end}: {reason}", self.now);
            }
            driver.on_event(self, end, &event);
        }
        self.use_streams();
        let wake = driver.poll(self);
        for end in [CLIENT, SERVER] {
            self.transmit(end);
        }
        let mut next = until.min(wake);
        for end in 0..2 {
            let Some((_, connection)) = &self.ends[end].connection else { continue };
            next = next.min(connection.poll_timeout().map_or(Time::MAX, |at| self.time(at)));
        }
        for link in self.networks.iter().flat_map(|network| &network.links) {
            next = next.min(link.next_event());
        }
        self.now = next.max(self.now);
        let now = self.instant(self.now);
        for end in &mut self.ends {
            if let Some((_, connection)) = &mut end.connection
                && connection.poll_timeout().is_some_and(|at| at <= now)
            {
                connection.handle_timeout(now);
            }
        }
        for network in 0..self.networks.len() {
            for way in 0..2 {
                while let Some(exit) = self.networks[network].links[way].poll(self.now) {
                    match exit {
                        Exit::Delivered(datagram) => self.deliver(network, way, datagram),
                        Exit::Lost(datagram, _) => {
                            self.networks[network].lost[way] += 1;
                            self.tell_lost(way, &datagram);
                        }
                        Exit::Dropped(..) | Exit::Changed(_) | Exit::DeliveredTwice(_) => {}
                    }
                }
            }
        }
    }

    /// The link tells the end that sent a datagram that it is lost.
    fn tell_lost(&mut self, end: usize, datagram: &Datagram) {
        let end = &mut self.ends[end];
        if let Some(marks) = &end.marks {
            end.unknown += u64::from(!marks.lost(&datagram.bytes));
        }
    }

    fn collect(&mut self, end: usize) {
        let End { endpoint, connection, .. } = &mut self.ends[end];
        let Some((handle, connection)) = connection else { return };
        while let Some(event) = connection.poll_endpoint_events() {
            if let Some(event) = endpoint.handle_event(*handle, event) {
                connection.handle_event(event);
            }
        }
        while let Some(event) = connection.poll() {
            self.events.push((end, event));
        }
    }

    fn use_streams(&mut self) {
        let World { ends, transfer, sender, now, .. } = self;
        if let Some((_, connection)) = &mut ends[*sender].connection
            && !connection.is_handshaking()
        {
            transfer.write(connection);
        }
        if let Some((_, connection)) = &mut ends[1 - *sender].connection {
            transfer.read(*now, connection);
        }
    }

    fn transmit(&mut self, end: usize) {
        let now = self.instant(self.now);
        loop {
            let Some((_, connection)) = &mut self.ends[end].connection else { return };
            self.buffer.clear();
            let Some(transmit) = connection.poll_transmit(now, NonZeroUsize::MIN, &mut self.buffer)
            else {
                return;
            };
            let bytes = self.buffer[..transmit.size].to_vec();
            if let Some(marks) = &self.ends[end].marks {
                marks.sent(&bytes, transmit.segment_size);
            }
            self.ends[end].sent += 1;
            let client =
                if end == CLIENT { transmit.src_ip } else { Some(transmit.destination.ip()) };
            let client = client.unwrap_or(client_address(0).ip());
            let networks = self.networks.len();
            let network = (0..networks).find(|&network| client_address(network).ip() == client);
            let Some(network) = network else { continue };
            let mut datagram = Datagram { bytes, ce: false };
            let carrier = &mut self.networks[network];
            if carrier.cut {
                carrier.lost[end] += 1;
                self.tell_lost(end, &datagram);
                continue;
            }
            if carrier.mtu.is_some_and(|mtu| datagram.bytes.len() > mtu) {
                continue;
            }
            if end == CLIENT {
                carrier.carried += 1;
                datagram.ce =
                    carrier.mark_every.is_some_and(|every| carrier.carried.is_multiple_of(every));
            }
            // A full queue drops it, and tells nobody.
            let _ = carrier.links[end].offer(self.now, datagram);
        }
    }

    fn deliver(&mut self, network: usize, way: usize, datagram: Datagram) {
        let now = self.instant(self.now);
        let to = 1 - way;
        let path = if to == SERVER {
            FourTuple::new(client_address(network), Some(SERVER_ADDRESS.ip()))
        } else {
            FourTuple::new(SERVER_ADDRESS, Some(client_address(network).ip()))
        };
        if self.networks[network].cut {
            return;
        }
        let End { endpoint, connection, .. } = &mut self.ends[to];
        let ecn =
            if datagram.ce { noq_proto::EcnCodepoint::Ce } else { noq_proto::EcnCodepoint::Ect0 };
        let bytes = BytesMut::from(&datagram.bytes[..]);
        self.buffer.clear();
        match endpoint.handle(now, path, Some(ecn), bytes, &mut self.buffer) {
            Some(DatagramEvent::ConnectionEvent(_, event)) => {
                if let Some((_, connection)) = connection {
                    connection.handle_event(event);
                }
            }
            Some(DatagramEvent::NewConnection(incoming)) => {
                let mut answer = Vec::new();
                let accepted = endpoint.accept(incoming, now, &mut answer, None);
                *connection = Some(accepted.map_err(|error| error.cause).expect("accepts"));
            }
            Some(DatagramEvent::Response(_)) | None => {}
        }
    }
}
