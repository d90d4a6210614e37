//! Reaches a receiver at one of its addresses.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use atl_noq::{MarkingSocket, Marks};
use noq::{ClientConfig, Connection, Endpoint, EndpointConfig, Runtime as _, TokioRuntime};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::Options;
use crate::error::Error;
use crate::identity::SERVER_NAME;
use crate::marks::MarkWatch;
use crate::socket;
use crate::tasks::outcome;
use crate::ticket::Fingerprint;
use crate::transport::provider;
use crate::trust::Pinned;

/// Time between the starts of attempts at two addresses (as RFC 8305, sec. 5).
const STAGGER: Duration = Duration::from_millis(250);

/// A connection, and the socket that it runs over.
pub(super) struct Connected {
    pub(super) connection: Connection,
    pub(super) endpoint: Endpoint,
    pub(super) peer: SocketAddr,
    /// Keeps the fingerprint that the receiver showed.
    pub(super) trust: Arc<Pinned>,
}

/// Tries all addresses, the first one first; the first connection that succeeds is used.
pub(super) async fn connect(options: &Options) -> Result<Connected, Error> {
    let mut attempts = JoinSet::new();
    for (place, &address) in options.to.iter().enumerate() {
        let bind = options.bind.unwrap_or(match address {
            SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
            SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
        });
        if bind.is_ipv4() != address.is_ipv4() {
            continue;
        }
        let trust = Pinned::new(options.fingerprint, provider());
        let config = options.transport.client(&trust, options.secret.as_ref())?;
        let marks = options.marks.as_ref().map(MarkWatch::marks);
        attempts.spawn(async move {
            sleep(STAGGER * place as u32).await;
            let reached = one(bind, address, config, marks).await;
            reached
                .map(|(connection, endpoint)| {
                    let trust = Arc::clone(&trust);
                    Connected { connection, endpoint, peer: address, trust }
                })
                .map_err(|error| match (stranger(&trust), error) {
                    (Some((expected, found)), _) => Error::Stranger { expected, found },
                    (None, error) => error,
                })
        });
    }
    let mut worst = None;
    while let Some(attempt) = attempts.join_next().await {
        match outcome(attempt).await {
            Ok(connected) => return Ok(connected),
            Err(error) if worst.as_ref().is_none_or(|worst| says_more(&error, worst)) => {
                worst = Some(error);
            }
            Err(_) => {}
        }
    }
    Err(match worst {
        None => {
            Error::Setup("the receiver has no address of the kind that --bind names".to_owned())
        }
        Some(Error::Lost(_)) => {
            let places: Vec<String> = options.to.iter().map(SocketAddr::to_string).collect();
            let places = places.join(", ");
            Error::Lost(format!("no answer from {places}: is `atl recv` running there?"))
        }
        Some(other) => other,
    })
}

/// True for the better of two errors to show: first those that waiting cannot mend, then those of a
/// receiver that answers.
fn says_more(error: &Error, than: &Error) -> bool {
    let rank = |error: &Error| (!error.is_passing(), !matches!(error, Error::Lost(_)));
    rank(error) > rank(than)
}

/// The expected fingerprint and the one found, if they differ.
fn stranger(trust: &Pinned) -> Option<(Fingerprint, Fingerprint)> {
    Some((trust.expected()?, trust.stranger()?))
}

async fn one(
    bind: SocketAddr,
    to: SocketAddr,
    config: ClientConfig,
    marks: Option<Marks>,
) -> Result<(Connection, Endpoint), Error> {
    let endpoint = open(bind, marks).map_err(|error| Error::Address { address: bind, error })?;
    let connecting = endpoint.connect_with(config, to, SERVER_NAME);
    // An address that this machine cannot use at all counts as one that does not answer.
    let connecting = connecting.map_err(|error| Error::Lost(error.to_string()))?;
    Ok((connecting.await?, endpoint))
}

/// An endpoint for one connection, which enters each packet sent into `marks`.
fn open(bind: SocketAddr, marks: Option<Marks>) -> io::Result<Endpoint> {
    let runtime = Arc::new(TokioRuntime);
    let mut socket = runtime.wrap_udp_socket(socket::bind(bind)?)?;
    if let Some(marks) = marks {
        socket = Box::new(MarkingSocket::new(socket, marks));
    }
    Endpoint::new_with_abstract_socket(EndpointConfig::default(), None, socket, runtime)
}
