//! A caller's choices for a run.

use std::fmt;
#[cfg(feature = "qlog")]
use std::io;

use atl_engine::witness::Seen;

use crate::controllers::SharedFactory;
use crate::crypto::Crypto;

/// Where a qlog goes.
#[cfg(feature = "qlog")]
pub type Log = Box<dyn io::Write + Send + Sync>;

/// A caller's choices for a run. Flows are given by their index in the setup.
///
/// ```
/// use std::sync::Arc;
///
/// use atl_quic::{Crypto, Options};
/// use noq_proto::congestion::NewRenoConfig;
///
/// // The first flow has NewReno, whatever its protocol is; the others have their own.
/// let controllers = |flow| {
///     let own = || Arc::new(NewRenoConfig::default()) as atl_quic::SharedFactory;
///     (flow == 0).then(own)
/// };
/// let options = Options::default().crypto(Crypto::Tls).controllers(&controllers);
/// assert_eq!(options.crypto, Crypto::Tls);
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Options<'a> {
    /// The protection of the packets.
    pub crypto: Crypto,
    /// Congestion controllers of the caller's own; `None` for that of the flow's protocol. A
    /// factory builds the controller of the flow's sender, one for each path of a mobile's
    /// connection. Such a controller hears nothing of wireless links.
    pub controllers: &'a (dyn Fn(usize) -> Option<SharedFactory> + Sync),
    /// Puts something around the controllers of a flow, such as an observer. It passes on all
    /// calls, so that a controller of this workspace still hears of wireless links.
    pub around: &'a (dyn Fn(usize, SharedFactory) -> SharedFactory + Sync),
    /// Is told of each step of a datagram; `None`: nobody watches, and it costs nothing.
    pub packets: Option<&'a (dyn Fn(&Seen<'_>) + Sync)>,
    /// Where the qlog of a flow's sender goes (JSON text sequences, RFC 7464); `None` for nowhere.
    /// Times count from the beginning of the run.
    #[cfg(feature = "qlog")]
    pub qlog: &'a (dyn Fn(usize) -> Option<Log> + Sync),
}

impl<'a> Options<'a> {
    /// The same with this crypto.
    #[must_use]
    pub fn crypto(self, crypto: Crypto) -> Self {
        Options { crypto, ..self }
    }

    /// The same with these controllers.
    #[must_use]
    pub fn controllers(
        self,
        controllers: &'a (dyn Fn(usize) -> Option<SharedFactory> + Sync),
    ) -> Self {
        Options { controllers, ..self }
    }

    /// The same with this around the controllers.
    #[must_use]
    pub fn around(
        self,
        around: &'a (dyn Fn(usize, SharedFactory) -> SharedFactory + Sync),
    ) -> Self {
        Options { around, ..self }
    }

    /// The same with somebody who is told of each step of a datagram.
    #[must_use]
    pub fn packets(self, packets: &'a (dyn Fn(&Seen<'_>) + Sync)) -> Self {
        Options { packets: Some(packets), ..self }
    }

    /// The same with these qlogs.
    #[cfg(feature = "qlog")]
    #[must_use]
    pub fn qlog(self, qlog: &'a (dyn Fn(usize) -> Option<Log> + Sync)) -> Self {
        Options { qlog, ..self }
    }
}

impl Default for Options<'_> {
    /// [`Crypto::Null`], the protocols' own controllers with nothing around them, no qlog.
    fn default() -> Self {
        Options {
            crypto: Crypto::default(),
            controllers: &|_| None,
            around: &|_, factory| factory,
            packets: None,
            #[cfg(feature = "qlog")]
            qlog: &|_| None,
        }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("crypto", &self.crypto).finish_non_exhaustive()
    }
}
