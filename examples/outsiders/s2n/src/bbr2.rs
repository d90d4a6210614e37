//! BBR version 2 (draft-cardwell-iccrg-bbr-congestion-control-02) of a QUIC library. See [the
//! crate](crate) for what that means.

use atl_core::window::{BuildController, Start, WindowController};
use s2n_quic_core::recovery::bbr::BbrCongestionController;
use s2n_quic_core::recovery::bbr::builder::Builder;
use s2n_quic_core::recovery::congestion_controller::Endpoint as _;
use serde::{Deserialize, Serialize};

use super::adapter::{Adapter, Traits, initial_bytes, path};

/// Parameters of the hosted BBRv2.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Config {
    /// Seed of the random waits: BBR waits 2 to 3 s between two probes for bandwidth, so that flows
    /// do not probe in step. It is added to the connection's own [`Start::seed`].
    pub seed: u64,
}

impl BuildController for Config {
    /// A controller for a connection that begins as `start` says. Its window begins with at least 4
    /// packets. BBR has no slow-start threshold: [`ssthresh`](WindowController::ssthresh) stays
    /// infinite. A host must obey [`release_at`](WindowController::release_at): BBR controls by its
    /// pacing rate, and its window is about twice the bandwidth-delay product.
    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        let endpoint = Builder::default().with_initial_congestion_window(initial_bytes(start));
        let library: BbrCongestionController =
            path(start, |path| endpoint.build().new_congestion_controller(path));
        let traits =
            Traits { paces: true, has_ssthresh: false, seed: self.seed.wrapping_add(start.seed) };
        Box::new(Adapter::new(library, start, traits))
    }
}
