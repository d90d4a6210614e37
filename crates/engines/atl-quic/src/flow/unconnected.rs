//! The end that connects, until it does.

use std::sync::Arc;
use std::time::Instant;

use noq_proto::{ClientConfig, EndpointConfig};

use super::failure::Failure;
use crate::end::End;

/// A client before its flow starts.
pub(super) struct Unconnected {
    endpoint: Arc<EndpointConfig>,
    config: ClientConfig,
}

impl Unconnected {
    pub(super) fn new(endpoint: Arc<EndpointConfig>, config: ClientConfig) -> Self {
        Unconnected { endpoint, config }
    }

    /// Connects over the client's network with this index.
    pub(super) fn connect(self, now: Instant, network: usize) -> Result<End, Failure> {
        Ok(End::client(self.endpoint, self.config, now, network)?)
    }
}
