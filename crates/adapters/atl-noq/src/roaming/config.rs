//! How an end of a connection roams.

use atl_core::time::Span;
use atl_core::window::resume::Store;
use noq_proto::TransportConfig;

/// Paths at a time: the current one, the next one, and some that are being closed.
const PATHS: u32 = 6;

/// Which end of the connection it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The end that moves: it opens paths, and says which one is in use. A client: noq lets no server open paths.
    Mobile,
    /// The other end: it follows.
    Fixed,
}

/// What this end's controller knows of a path that is new to it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum NewPath {
    /// Nothing: it starts again (RFC 9000, sec. 9.4). For an end that sends little, too.
    Reset,
    /// What low-priority dummies found before the move (Taleb et al. 2008, sec. IV-B; [`atl_core::probe`]). Dummies are full
    /// packets, for which [`Config::prepare`] sets what the transport needs.
    Probe {
        /// Dummies to send, at most; the window found is no larger. 1000 fill a round trip of 100 ms at 120 Mb/s.
        dummies: u32,
        /// Time to spread them over; `None` for one round trip.
        over: Option<Span>,
    },
    /// On a path that it has left before: half of what that carried, if this proves right (Careful Resume, RFC 9959). The
    /// factory has to be [observing](crate::Factory::observing). On any other path it starts again.
    Resume {
        /// How long what was observed of a path is valid.
        lifetime: Span,
    },
}

impl NewPath {
    /// Probes with up to 1000 dummies.
    pub const PROBE: NewPath = NewPath::Probe { dummies: 1000, over: None };
    /// Resumes from what is at most five minutes old.
    pub const RESUME: NewPath = NewPath::Resume { lifetime: Store::LIFETIME };
}

/// Which path data takes after a new one is known (probed, where paths are), until the host has moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Meanwhile {
    /// The old one.
    #[default]
    Old,
    /// The new one: the connection moves as soon as it is known.
    New,
    /// Both, each with a controller of its own. noq fills the window of the older path first.
    Both,
}

/// Parameters of [`Roaming`](super::Roaming).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Config {
    /// Which end it is.
    pub role: Role,
    /// What its controller knows of a new path. [`NewPath::PROBE`] by default.
    pub new_path: NewPath,
    /// Which path data takes until the host has moved. The old one by default.
    pub meanwhile: Meanwhile,
    /// Time for which a path that was left may still deliver what is on it, in round trips, before it is closed. 3 by
    /// default.
    pub drain_rtts: u32,
    /// A path that is not validated within this time, or six of the current path's round trips if they take longer, is given
    /// up; the connection stays where it is. 1 s by default.
    pub patience: Span,
}

impl Config {
    /// The most bytes of a stream that a receiver of noq 1.4 can hold behind a gap: see [`prepare`](Self::prepare).
    pub const STREAM_WINDOW: u32 = 2 << 20;
    /// The MTU of paths that are probed, in bytes, QUIC's least (RFC 9000, sec. 14): see [`prepare`](Self::prepare).
    pub const PROBED_MTU: u16 = 1200;

    /// The defaults of an end.
    pub const fn new(role: Role) -> Self {
        Config {
            role,
            new_path: NewPath::PROBE,
            meanwhile: Meanwhile::Old,
            drain_rtts: 3,
            patience: Span::from_secs(1),
        }
    }

    /// Sets what a transport needs for this: several paths, a receive window that noq 1.4 can hold, and for
    /// [`NewPath::Probe`] PINGs padded to full packets.
    ///
    /// - A receiver of noq 1.4 closes the connection once it holds more than 2048 frames of a stream behind a gap
    ///   ("too many gaps in stream buffer"), and a gap stays open for as long as it takes to give up a path. So the window of a
    ///   stream is at most 2 MB.
    /// - noq 1.4 pads with `pad_to_mtu` to the path's MTU, but limits the packets that its probe timeout sends to 1200 bytes:
    ///   what is padded beyond them is read as data of the stream, and the file is another. So with padding the MTU stays
    ///   at 1200 bytes.
    pub fn prepare(&self, transport: &mut TransportConfig) {
        transport
            .max_concurrent_multipath_paths(PATHS)
            .stream_receive_window(Self::STREAM_WINDOW.into());
        if let NewPath::Probe { .. } = self.new_path {
            transport.pad_to_mtu(true).initial_mtu(Self::PROBED_MTU).mtu_discovery_config(None);
        }
    }

    /// Sets what its controller knows of a new path.
    #[must_use]
    pub const fn new_path(mut self, new_path: NewPath) -> Self {
        self.new_path = new_path;
        self
    }

    /// Sets which path data takes until the host has moved.
    #[must_use]
    pub const fn meanwhile(mut self, meanwhile: Meanwhile) -> Self {
        self.meanwhile = meanwhile;
        self
    }

    /// Sets how long a path is waited for.
    #[must_use]
    pub const fn patience(mut self, patience: Span) -> Self {
        self.patience = patience;
        self
    }
}
