//! Settings of QUIC for both ends.

use std::fmt;
#[cfg(feature = "qlog")]
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use atl_core::roaming::NewPath;
use atl_noq::roaming::{Config, Role};
#[cfg(feature = "qlog")]
use noq::QlogFileFactory;
use noq::congestion::ControllerFactory;
use noq::crypto::rustls::{QuicClientConfig, QuicServerConfig};
use noq::{ClientConfig, IdleTimeout, ServerConfig, TransportConfig, VarInt};
use rustls::crypto::CryptoProvider;

use crate::error::Error;
use crate::identity::Identity;
use crate::proof;
use crate::trust::Pinned;
use crate::wire::ALPN;

/// Files and load in progress at a time over a connection.
pub(crate) const STREAMS: u32 = 16;
/// Bytes that may wait in memory for a slow disk, over all streams of a connection; also the limit
/// on bytes in flight.
const WINDOW: u32 = 32 << 20;
/// Bytes of link reports that may wait to be read.
const DATAGRAMS: usize = 1 << 14;

/// Settings of QUIC for both ends.
#[derive(Clone)]
pub struct Transport {
    /// Builds the controllers of this end's paths; `None` for noq's CUBIC.
    pub controller: Option<Arc<dyn ControllerFactory + Send + Sync>>,
    /// Folder for a qlog of each connection (draft-ietf-quic-qlog-main-schema); it must exist.
    #[cfg(feature = "qlog")]
    pub qlog: Option<PathBuf>,
    /// The start of a sender's controller on a new path, if it [roams](crate::roam). A receiver
    /// follows in any case.
    pub roam: Option<NewPath>,
    /// A connection from which nothing arrives for this long is lost.
    pub idle: Duration,
}

impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transport")
            .field("controller", &self.controller.is_some())
            .field("roam", &self.roam)
            .field("idle", &self.idle)
            .finish_non_exhaustive()
    }
}

impl Default for Transport {
    fn default() -> Self {
        Transport {
            controller: None,
            #[cfg(feature = "qlog")]
            qlog: None,
            roam: None,
            idle: Duration::from_secs(10),
        }
    }
}

impl Transport {
    fn config(&self, role: Role) -> Arc<TransportConfig> {
        let mut config = TransportConfig::default();
        config
            .max_idle_timeout(IdleTimeout::try_from(self.idle).ok())
            .keep_alive_interval(Some(self.idle / 4))
            .max_concurrent_uni_streams(VarInt::from_u32(0))
            .stream_receive_window(VarInt::from_u32(WINDOW))
            .receive_window(VarInt::from_u32(WINDOW))
            .send_window(u64::from(WINDOW))
            // Sends files one after the other: the first one arrives early, and a break leaves few
            // unfinished.
            .send_fairness(false)
            .datagram_receive_buffer_size(Some(DATAGRAMS))
            .datagram_send_buffer_size(DATAGRAMS);
        match role {
            // A receiver does not know which sender will roam. Its window for a stream becomes
            // smaller: noq 1.4 closes a connection that holds more than 2048 frames behind a gap,
            // which a handoff leaves.
            Role::Fixed => Config::new(role).new_path(NewPath::Reset).prepare(&mut config),
            Role::Mobile => {
                if let Some(new_path) = self.roam {
                    Config::new(role).new_path(new_path).prepare(&mut config);
                }
            }
        }
        if let Some(factory) = &self.controller {
            config.congestion_controller_factory(Arc::clone(factory) as _);
        }
        #[cfg(feature = "qlog")]
        if let Some(folder) = &self.qlog {
            config.qlog_factory(Arc::new(QlogFileFactory::new(folder.clone())));
        }
        Arc::new(config)
    }

    /// For one connection of a sender, which proves `secret` in its first packet if it has one.
    pub(crate) fn client(
        &self,
        trust: &Arc<Pinned>,
        secret: Option<&[u8; 16]>,
    ) -> Result<ClientConfig, Error> {
        let mut tls = rustls::ClientConfig::builder_with_provider(provider())
            .with_protocol_versions(&[&rustls::version::TLS13])
            .map_err(Error::setup)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::clone(trust) as _)
            .with_no_client_auth();
        tls.alpn_protocols = vec![ALPN.to_vec()];
        let mut config =
            ClientConfig::new(Arc::new(QuicClientConfig::try_from(tls).map_err(Error::setup)?));
        if let Some(secret) = secret {
            let id = proof::draw(secret)?;
            config.initial_dst_cid_provider(Arc::new(move || id));
        }
        config.transport_config(self.config(Role::Mobile));
        Ok(config)
    }

    pub(crate) fn server(&self, identity: &Identity) -> Result<ServerConfig, Error> {
        let mut tls = rustls::ServerConfig::builder_with_provider(provider())
            .with_protocol_versions(&[&rustls::version::TLS13])
            .map_err(Error::setup)?
            .with_no_client_auth()
            .with_single_cert(vec![identity.certificate()], identity.key().into())
            .map_err(Error::setup)?;
        tls.alpn_protocols = vec![ALPN.to_vec()];
        let crypto = QuicServerConfig::try_from(tls).map_err(Error::setup)?;
        let mut config = ServerConfig::with_crypto(Arc::new(crypto));
        config.transport_config(self.config(Role::Fixed));
        Ok(config)
    }
}

pub(crate) fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}
