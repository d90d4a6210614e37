//! Configuration of an end that roams.

use atl_core::roaming::NewPath;
use atl_core::time::Span;
use noq_proto::TransportConfig;

/// Paths at a time: the current one, the next one, and some that are being closed.
const PATHS: u32 = 6;

/// Which end of the connection it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The end that moves: it opens paths, and says which one is in use. A client: noq lets no
    /// server open paths.
    Mobile,
    /// The other end: it follows.
    Fixed,
}

/// Parameters of [`Roaming`](super::Roaming).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Config {
    /// Which end it is.
    pub role: Role,
    /// Knowledge that its controller starts with on a new path, [`NewPath::PROBE`] by default: both
    /// paths carry
    /// data from the survey to the handoff, and noq fills the window of the older one first. An end
    /// that sends little resets. With `Resume` the factory has to be
    /// [observing](crate::Factory::observing), and its controller says how much may be resumed at
    /// most. `Keep` and `Pad` are as `Reset`: noq begins anew with each path, and has no dummies
    /// for one in use.
    pub new_path: NewPath,
    /// Time for which a path that was left may still deliver what is on it, in round trips, before
    /// it is closed. 3 by default.
    pub drain_rtts: u32,
    /// A path that is not validated within this time, or six of the current path's round trips if
    /// they take longer, is given up; the connection stays where it is. 1 s by default.
    pub patience: Span,
}

impl Config {
    /// The most bytes of a stream that a receiver of noq 1.4 can hold behind a gap: see
    /// [`prepare`](Self::prepare).
    pub const STREAM_WINDOW: u32 = 2 << 20;
    /// The MTU of paths that are probed, in bytes, QUIC's least (RFC 9000, sec. 14): see
    /// [`prepare`](Self::prepare).
    pub const PROBED_MTU: u16 = 1200;

    /// The defaults of an end.
    pub const fn new(role: Role) -> Self {
        Config { role, new_path: NewPath::PROBE, drain_rtts: 3, patience: Span::from_secs(1) }
    }

    /// Sets what a transport needs for this: several paths, a receive window that noq 1.4 can hold,
    /// and for [`NewPath::Probe`] PINGs padded to full packets.
    ///
    /// - A receiver of noq 1.4 closes the connection once it holds more than 2048 frames of a
    ///   stream behind a gap ("too many gaps in stream buffer"), and a gap stays open for as long
    ///   as it takes to give up a path. So the window of a stream is at most 2 MB.
    /// - noq 1.4 pads with `pad_to_mtu` to the path's MTU, but limits the packets that its probe
    ///   timeout sends to 1200 bytes: what is padded beyond them is read as data of the stream, and
    ///   the file is another. So with padding the MTU stays at 1200 bytes.
    pub fn prepare(&self, transport: &mut TransportConfig) {
        transport
            .max_concurrent_multipath_paths(PATHS)
            .stream_receive_window(Self::STREAM_WINDOW.into());
        if let NewPath::Probe(_) = self.new_path {
            transport.pad_to_mtu(true).initial_mtu(Self::PROBED_MTU).mtu_discovery_config(None);
        }
    }

    /// Sets what its controller knows of a new path.
    #[must_use]
    pub const fn new_path(mut self, new_path: NewPath) -> Self {
        self.new_path = new_path;
        self
    }

    /// Sets how long a path is waited for.
    #[must_use]
    pub const fn patience(mut self, patience: Span) -> Self {
        self.patience = patience;
        self
    }
}
