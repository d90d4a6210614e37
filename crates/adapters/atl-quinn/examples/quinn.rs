//! A QUIC transfer over loopback with TCP-ATL as quinn's congestion controller.
//!
//! `cargo run --release -p atl-quinn --example quinn`

#![allow(clippy::print_stdout, reason = "a program")]
#![allow(clippy::disallowed_methods, reason = "a host has a clock")]
#![allow(unreachable_pub, reason = "also a module of the tests, which run it")]

use std::error::Error;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use atl_core::path::LinkReport;
use atl_core::time::Span;
use atl_core::units::Probability;
use atl_core::window::{ControllerConfig, WindowController, atl};
use atl_quinn::{Adapter, Factory};
use quinn::rustls::RootCertStore;
use quinn::rustls::pki_types::PrivatePkcs8KeyDer;
use quinn::{ClientConfig, Endpoint, ServerConfig, TransportConfig};

/// Bytes to transfer.
const BYTES: usize = 32 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let config = ControllerConfig::from(atl::robust::Config::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let done = runtime.block_on(transfer(config, BYTES))?;
    let rate = 8.0 * BYTES as f64 / done.took.as_secs_f64() / 1e6;
    println!(
        "{} MB in {:.2} s: {rate:.0} Mb/s, {} packets, cwnd {:.0} packets",
        BYTES >> 20,
        done.took.as_secs_f64(),
        done.sender.transmissions(),
        done.sender.controller().window(),
    );
    Ok(())
}

/// Result of a transfer.
#[derive(Debug)]
pub struct Done {
    /// From the first byte sent to the last one received.
    pub took: Duration,
    /// Bytes that the receiver read.
    pub received: usize,
    /// The sender's controller at the end.
    pub sender: Adapter,
    /// Times at which quinn told it of congestion.
    pub congested: u64,
}

/// Sends this many bytes from one endpoint to another on this machine.
pub async fn transfer(config: ControllerConfig, bytes: usize) -> Result<Done, Box<dyn Error>> {
    let key = rcgen::generate_simple_self_signed(["localhost".to_owned()])?;
    let certificate = key.cert.der().clone();
    let private = PrivatePkcs8KeyDer::from(key.signing_key.serialize_der());

    let server_config = ServerConfig::with_single_cert(vec![certificate.clone()], private.into())?;
    let server = Endpoint::server(server_config, (Ipv4Addr::LOCALHOST, 0).into())?;

    let factory = Factory::new(config);
    // A driver would report p_w and d_w of the wireless link that this host sends on.
    let loss = Probability::clamped(0.001);
    factory.reports().own(LinkReport { loss, delay: Span::from_micros(20) });
    let mut transport = TransportConfig::default();
    transport.congestion_controller_factory(Arc::new(factory));

    let mut roots = RootCertStore::empty();
    roots.add(certificate)?;
    let mut client_config = ClientConfig::with_root_certificates(Arc::new(roots))?;
    client_config.transport_config(Arc::new(transport));
    let client = Endpoint::client((Ipv4Addr::LOCALHOST, 0).into())?;

    let receive = async {
        let connection = server.accept().await.ok_or("the server is closed")?.await?;
        let mut stream = connection.accept_uni().await?;
        let mut received = 0;
        while let Some(chunk) = stream.read_chunk(usize::MAX, false).await? {
            received += chunk.bytes.len();
        }
        Ok::<_, Box<dyn Error>>((received, connection))
    };
    let address = server.local_addr()?;
    let send = async {
        let connection = client.connect_with(client_config, address, "localhost")?.await?;
        let start = Instant::now();
        let mut stream = connection.open_uni().await?;
        stream.write_all(&vec![0; bytes]).await?;
        stream.finish()?;
        // Everything is acknowledged.
        stream.stopped().await?;
        Ok::<_, Box<dyn Error>>((start.elapsed(), connection))
    };
    let (sent, received) = tokio::join!(send, receive);
    let (took, connection) = sent?;
    let (received, _server) = received?;
    let congested = connection.stats().path.congestion_events;
    let sender = connection.congestion_state().into_any().downcast::<Adapter>();
    let sender = *sender.map_err(|_| "the connection has another controller")?;
    Ok(Done { took, received, sender, congested })
}
