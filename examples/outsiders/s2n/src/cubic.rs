//! CUBIC (RFC 8312) of a QUIC library. See [the crate](crate) for what that means.

use atl_core::window::{BuildController, Start, WindowController};
use s2n_quic_core::recovery::CubicCongestionController;
use s2n_quic_core::recovery::congestion_controller::Endpoint as _;
use s2n_quic_core::recovery::cubic::builder::Builder;
use serde::{Deserialize, Serialize};

use super::adapter::{Adapter, BETA_CUBIC, Traits, initial_bytes, path};

/// Parameters of the hosted CUBIC.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Config {
    /// Pace packets as the library does (RFC 9002, sec. 7.7). Otherwise packets leave as soon as
    /// the window allows, as from a TCP without a pacing queue.
    pub pacing: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config { pacing: true }
    }
}

impl BuildController for Config {
    /// A controller for a connection that begins as `start` says. Its window begins with at least 2
    /// packets. If `start` knows a slow-start threshold that is not above this, the library begins
    /// as after a reduction that left this window: it has no other way to begin in congestion
    /// avoidance. A threshold above the window is not known to it. The library does not show its
    /// slow-start threshold. [`ssthresh`](WindowController::ssthresh) is what can be known of it:
    /// infinite until slow start first ends, then the window that this or the last reduction left,
    /// or 0.7 of the window at a timeout.
    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        let measured = start.ssthresh <= start.initial_window;
        let first = if measured { start.initial_window / BETA_CUBIC } else { start.initial_window };
        let first = initial_bytes(&start.initial_window(first));
        let endpoint = Builder::default().with_initial_congestion_window(first);
        let library: CubicCongestionController =
            path(start, |path| endpoint.build().new_congestion_controller(path));
        let traits = Traits { paces: self.pacing, has_ssthresh: true, seed: 0 };
        let mut adapter = Adapter::new(library, start, traits);
        if measured {
            adapter.reduce();
        }
        Box::new(adapter)
    }
}
