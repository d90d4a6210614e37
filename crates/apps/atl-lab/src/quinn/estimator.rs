//! quinn's estimator of the round-trip time, held by a connection of quinn's.

use std::any::Any;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use atl_quic::connection::{SERVER_NAME, TlsError, tls_configs};
use bytes::BytesMut;
use quinn_proto::congestion::{Controller, ControllerFactory};
use quinn_proto::crypto::rustls::{NoInitialCipherSuite, QuicClientConfig, QuicServerConfig};
use quinn_proto::{
    ClientConfig, Connection, ConnectionHandle, DatagramEvent, Endpoint, EndpointConfig,
    RttEstimator, ServerConfig, TransportConfig,
};

const CLIENT: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 1);
const SERVER: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 2);
/// Limit on the round trips of a handshake.
const ROUNDS: u32 = 20;
/// Limit on the steps that bring the mean to its value; two or three are usual.
const ATTEMPTS: u32 = 20;
/// Tolerance for a mean in whole nanoseconds: a sample computed from it is off by a few.
const ROUNDING: Duration = Duration::from_nanos(64);

/// The reason why a connection of quinn's cannot be set up.
#[derive(Debug)]
pub(crate) enum SetupError {
    /// TLS has no usable configuration.
    Tls(TlsError),
    /// TLS lacks the cipher suite of Initial packets.
    Suite(NoInitialCipherSuite),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a connection of quinn cannot be set up: ")?;
        match self {
            SetupError::Tls(error) => write!(f, "{error}"),
            SetupError::Suite(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for SetupError {}

impl From<TlsError> for SetupError {
    fn from(error: TlsError) -> Self {
        SetupError::Tls(error)
    }
}

impl From<NoInitialCipherSuite> for SetupError {
    fn from(error: NoInitialCipherSuite) -> Self {
        SetupError::Suite(error)
    }
}

/// Configurations of both ends of such connections.
pub(super) struct Ends {
    client: ClientConfig,
    server: Arc<ServerConfig>,
}

impl Ends {
    pub(super) fn new() -> Result<Ends, SetupError> {
        let (client, server) = tls_configs()?;
        let client = ClientConfig::new(Arc::new(QuicClientConfig::try_from(client)?));
        let server = ServerConfig::with_crypto(Arc::new(QuicServerConfig::try_from(server)?));
        Ok(Ends { client, server: Arc::new(server) })
    }
}

/// Reproduces another connection's round-trip time in an estimator of quinn's.
pub(super) struct Estimator {
    ends: Arc<Ends>,
    /// The connection's clock. It runs ahead of real and virtual time: only differences between
    /// sending and arrival matter.
    now: Instant,
    pair: Option<Pair>,
    /// The shortest sample so far.
    least: Duration,
    seen: Arc<Mutex<Option<RttEstimator>>>,
}

impl Estimator {
    pub(super) fn new(ends: Arc<Ends>, now: Instant) -> Estimator {
        Estimator { ends, now, pair: None, least: Duration::MAX, seen: Arc::default() }
    }

    /// A second estimator, for a copy of a controller.
    pub(super) fn another(&self) -> Estimator {
        Estimator::new(Arc::clone(&self.ends), self.now)
    }

    /// An estimator of quinn's with this smoothed and this minimum round-trip time.
    pub(super) fn at(&mut self, smoothed: Duration, min: Duration) -> RttEstimator {
        for _ in 0..ATTEMPTS {
            let Some(own) = self.pair.as_ref().map(|pair| pair.client.connection.rtt()) else {
                self.sample(min);
                continue;
            };
            // The mean moves by an eighth of the difference (RFC 6298), so this sample brings it to
            // `smoothed`.
            let needed = (smoothed * 8).saturating_sub(own * 7);
            if own.abs_diff(smoothed) <= ROUNDING && self.least.abs_diff(min) <= ROUNDING {
                let seen = *self.seen.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(seen) = seen.filter(|seen| seen.get() == own) {
                    return seen;
                }
                // quinn shows a controller the estimator from before the sample. A sample equal to
                // the mean changes nothing, and so shows the current state.
                self.sample(own);
            } else if needed + ROUNDING < min || self.least + ROUNDING < min {
                // No single sample leads there: the other connection has had its first one, or
                // several at once. A new connection starts from nothing.
                self.pair = None;
                self.least = Duration::MAX;
            } else if self.least > min + ROUNDING {
                self.sample(min);
            } else {
                self.sample(needed.max(min));
            }
        }
        // The closest that was reached.
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.expect("a connection that acknowledges")
    }

    fn sample(&mut self, rtt: Duration) {
        self.least = self.least.min(rtt);
        let mut pair =
            self.pair.take().unwrap_or_else(|| Pair::new(&self.ends, self.now, &self.seen));
        if pair.client.connection.is_handshaking() {
            for _ in 0..ROUNDS {
                pair.exchange(&mut self.now, rtt);
                if !pair.client.connection.is_handshaking() {
                    break;
                }
            }
            // Exchanges datagrams until neither end has any.
            for _ in 0..ROUNDS {
                if !pair.exchange(&mut self.now, rtt) {
                    break;
                }
            }
        } else {
            pair.ping(&mut self.now, rtt);
        }
        self.pair = Some(pair);
    }
}

/// An end of a connection.
struct Side {
    endpoint: Endpoint,
    handle: ConnectionHandle,
    connection: Connection,
}

impl Side {
    /// The datagrams that it has to send now.
    fn transmit(&mut self, now: Instant) -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        loop {
            while let Some(event) = self.connection.poll_endpoint_events() {
                if let Some(event) = self.endpoint.handle_event(self.handle, event) {
                    self.connection.handle_event(event);
                }
            }
            let mut datagram = Vec::new();
            if self.connection.poll_transmit(now, 1, &mut datagram).is_none() {
                return all;
            }
            all.push(datagram);
        }
    }

    fn receive(&mut self, now: Instant, from: SocketAddr, datagram: &[u8]) {
        let mut response = Vec::new();
        let event =
            self.endpoint.handle(now, from, None, None, BytesMut::from(datagram), &mut response);
        if let Some(DatagramEvent::ConnectionEvent(_, event)) = event {
            self.connection.handle_event(event);
        }
        while self.connection.poll().is_some() {}
    }
}

/// A connection of quinn's with both of its ends.
struct Pair {
    client: Side,
    /// `None` before the first datagram.
    server: Result<Side, Option<Endpoint>>,
}

impl Pair {
    fn new(ends: &Ends, now: Instant, seen: &Arc<Mutex<Option<RttEstimator>>>) -> Pair {
        let endpoint = |server| {
            let config = Arc::new(EndpointConfig::default());
            Endpoint::new(config, server, false, Some([7; 32]))
        };
        let mut config = ends.client.clone();
        let mut transport = TransportConfig::default();
        transport.congestion_controller_factory(Arc::new(Observer(Arc::clone(seen))));
        transport.mtu_discovery_config(None);
        transport.max_idle_timeout(None);
        config.transport_config(Arc::new(transport));
        let mut client = endpoint(None);
        let (handle, connection) = client
            .connect(now, config, SERVER, SERVER_NAME)
            .expect("a connection to a valid address");
        Pair {
            client: Side { endpoint: client, handle, connection },
            server: Err(Some(endpoint(Some(Arc::clone(&ends.server))))),
        }
    }

    /// Lets both ends exchange their datagrams, one round trip later; `false` if there are none.
    fn exchange(&mut self, now: &mut Instant, rtt: Duration) -> bool {
        let there = self.client.transmit(*now);
        let mut said = !there.is_empty();
        let middle = *now + rtt / 2;
        *now += rtt;
        for datagram in there {
            self.deliver(middle, &datagram);
        }
        let Ok(server) = &mut self.server else { return said };
        for datagram in server.transmit(middle) {
            said = true;
            self.client.receive(*now, SERVER, &datagram);
        }
        said
    }

    fn deliver(&mut self, now: Instant, datagram: &[u8]) {
        match &mut self.server {
            Ok(server) => server.receive(now, CLIENT, datagram),
            Err(waiting) => {
                let Some(mut endpoint) = waiting.take() else { return };
                let data = BytesMut::from(datagram);
                let event = endpoint.handle(now, CLIENT, None, None, data, &mut Vec::new());
                if let Some(DatagramEvent::NewConnection(incoming)) = event
                    && let Ok((handle, connection)) =
                        endpoint.accept(incoming, now, &mut Vec::new(), None)
                {
                    self.server = Ok(Side { endpoint, handle, connection });
                }
            }
        }
    }

    /// A round trip of two packets, the second of which is acknowledged at once.
    fn ping(&mut self, now: &mut Instant, rtt: Duration) {
        let middle = *now + rtt / 2;
        for _ in 0..2 {
            self.client.connection.ping();
            for datagram in self.client.transmit(*now) {
                self.deliver(middle, &datagram);
            }
        }
        *now += rtt;
        let Ok(server) = &mut self.server else { return };
        for datagram in server.transmit(middle) {
            self.client.receive(*now, SERVER, &datagram);
        }
    }
}

/// A controller that records the estimator that it is shown.
#[derive(Clone)]
struct Observer(Arc<Mutex<Option<RttEstimator>>>);

impl ControllerFactory for Observer {
    fn build(self: Arc<Self>, _: Instant, _: u16) -> Box<dyn Controller> {
        Box::new(Observer(Arc::clone(&self.0)))
    }
}

impl Controller for Observer {
    fn on_ack(&mut self, _: Instant, _: Instant, _: u64, _: bool, rtt: &RttEstimator) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(*rtt);
    }

    fn on_congestion_event(&mut self, _: Instant, _: Instant, _: bool, _: u64) {}

    fn on_mtu_update(&mut self, _: u16) {}

    fn window(&self) -> u64 {
        1 << 20
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(self.clone())
    }

    fn initial_window(&self) -> u64 {
        self.window()
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "some moment; nothing depends on which it is")]
    fn the_estimator_follows_any_round_trip_time() {
        let ends = Arc::new(Ends::new().expect("TLS"));
        let mut estimator = Estimator::new(ends, Instant::now());
        // Before the first sample it is that of RFC 9002.
        let unknown = Duration::from_millis(333);
        assert_eq!(estimator.at(unknown, unknown).min(), unknown);
        let (mut smoothed, mut least) = (None::<Duration>, Duration::MAX);
        for us in
            [10_000_u64, 10_000, 40_100, 39_000, 9_000, 80_000, 600_000, 590_000, 9_001, 8_000]
        {
            let sample = Duration::from_micros(us);
            least = least.min(sample);
            let mean = smoothed.map_or(sample, |mean| (7 * mean + sample) / 8);
            smoothed = Some(mean);
            let rtt = estimator.at(mean, least);
            assert!(rtt.get().abs_diff(mean) <= ROUNDING, "{us}: {:?}, {mean:?}", rtt.get());
            assert!(rtt.min().abs_diff(least) <= ROUNDING, "{us}: {:?}, {least:?}", rtt.min());
            assert!(rtt.conservative() >= rtt.get());
        }
        // A step that takes several samples.
        let rtt = estimator.another().at(Duration::from_millis(50), Duration::from_millis(20));
        assert!(rtt.get().abs_diff(Duration::from_millis(50)) <= ROUNDING, "{:?}", rtt.get());
        assert!(rtt.min().abs_diff(Duration::from_millis(20)) <= ROUNDING, "{:?}", rtt.min());
    }
}
