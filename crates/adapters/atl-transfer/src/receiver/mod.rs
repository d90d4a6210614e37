//! The receiving end of transfers.

mod accept;
mod addresses;
mod batches;
mod connection;
mod file;
mod gate;
mod load;
mod options;
mod over;
mod shared;
mod summary;

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;

use noq::{Endpoint, EndpointConfig, TokioRuntime};

pub use options::Options;
pub use summary::{Received, Summary};

use crate::error::Error;
use crate::folder::Folder;
use crate::identity::Identity;
use crate::observer::{Event, Observer};
use crate::socket;
use crate::ticket::Ticket;
use shared::Shared;

/// A receiver whose socket is open.
pub struct Receiver {
    endpoint: Endpoint,
    shared: Arc<Shared>,
    local: SocketAddr,
    ticket: Ticket,
    continues: bool,
}

impl std::fmt::Debug for Receiver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Receiver").field("local", &self.local).finish_non_exhaustive()
    }
}

impl Receiver {
    /// Opens the socket. Must be called within a runtime of tokio.
    ///
    /// After a receiver that was killed it takes over that one's identity, so that its tickets stay
    /// valid.
    ///
    /// # Errors
    /// If the address cannot be used, or the folder cannot be written to.
    pub fn bind(
        folder: Folder,
        options: Options,
        observer: Arc<dyn Observer>,
    ) -> Result<Self, Error> {
        let folder = folder.within(options.limits);
        match Self::listen(&folder, &options) {
            Ok(listening) => Self::with(listening, folder, options, observer),
            Err(error) => {
                folder.close();
                Err(error)
            }
        }
    }

    fn listen(folder: &Folder, options: &Options) -> Result<Listening, Error> {
        let before = folder.predecessor();
        let continues = before.is_some();
        let former = before.as_ref().map(|before| before.port);
        let identity = match before {
            Some(before) => before.identity,
            None => Identity::generate()?,
        };
        let mut listen = options.listen;
        if let (0, Some(port)) = (listen.port(), former) {
            listen.set_port(port);
        }
        let endpoint = open(&identity, options, listen).or_else(|error| match error {
            // Another program has taken the former port.
            _ if listen != options.listen => open(&identity, options, options.listen),
            error => Err(error),
        })?;
        let local = endpoint
            .local_addr()
            .map_err(|error| Error::Address { address: options.listen, error })?;
        folder.keep(&identity, local.port())?;
        Ok(Listening { endpoint, identity, local, continues })
    }

    fn with(
        listening: Listening,
        folder: Folder,
        options: Options,
        observer: Arc<dyn Observer>,
    ) -> Result<Self, Error> {
        let Listening { endpoint, identity, local, continues } = listening;
        let ticket = Ticket {
            addresses: addresses::reachable(local),
            fingerprint: identity.fingerprint(),
            secret: identity.secret(),
        };
        let shared = Arc::new(Shared::new(folder, identity, options, observer)?);
        Ok(Receiver { endpoint, shared, local, ticket, continues })
    }

    /// The address on which it listens.
    pub fn local_addr(&self) -> SocketAddr {
        self.local
    }

    /// The ticket that senders need.
    pub fn ticket(&self) -> &Ticket {
        &self.ticket
    }

    /// True if it has taken over the identity of a killed predecessor.
    pub fn continues(&self) -> bool {
        self.continues
    }

    /// Receives until a sender has sent everything, or until `stop` completes.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Summary {
        for unfinished in self.shared.folder.unfinished() {
            self.shared.observer.on_event(&Event::Unfinished(unfinished));
        }
        accept::run(self.endpoint, self.shared, stop).await
    }
}

/// Connections that may wait for an answer to their first packet; more are not heard.
const MAX_INCOMING: usize = 1024;
/// Octets that may come behind that packet meanwhile, for one connection.
const INCOMING: u64 = 1 << 16;

/// An open socket with its identity.
struct Listening {
    endpoint: Endpoint,
    identity: Identity,
    local: SocketAddr,
    continues: bool,
}

fn open(identity: &Identity, options: &Options, listen: SocketAddr) -> Result<Endpoint, Error> {
    let failed = |error| Error::Address { address: listen, error };
    let mut config = options.transport.server(identity)?;
    // Connections that wait to be looked at. Each is answered at once, so that few octets are kept.
    config
        .max_incoming(MAX_INCOMING)
        .incoming_buffer_size(INCOMING)
        .incoming_buffer_size_total(INCOMING * 16);
    let socket = socket::bind(listen).map_err(failed)?;
    let endpoint = EndpointConfig::new(identity.reset_key());
    Endpoint::new(endpoint, Some(config), socket, Arc::new(TokioRuntime)).map_err(failed)
}
