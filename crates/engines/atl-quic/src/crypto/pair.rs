//! Two ends that know each other.

use noq_proto::{ClientConfig, ServerConfig};

/// The name of the server, which a client expects in its certificate.
pub const SERVER_NAME: &str = "server";

/// Configurations of a client and a server that know each other, without their transport
/// parameters.
#[derive(Debug)]
pub struct Pair {
    /// The end that connects.
    pub client: ClientConfig,
    /// The end that waits for it.
    pub server: ServerConfig,
}
