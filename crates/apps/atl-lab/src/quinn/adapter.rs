//! quinn's controllers behind noq's trait.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use noq_proto::RttEstimator;
use noq_proto::congestion::{Controller, ControllerFactory, ControllerMetrics};
use quinn_proto::congestion as quinn;

use super::estimator::{Ends, Estimator};

/// A factory of quinn behind noq's trait.
pub(super) struct Adapted {
    pub(super) factory: Arc<dyn quinn::ControllerFactory + Send + Sync>,
    pub(super) ends: Arc<Ends>,
}

impl ControllerFactory for Adapted {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        let controller = Arc::clone(&self.factory).build(now, current_mtu);
        let estimator = Mutex::new(Estimator::new(Arc::clone(&self.ends), now));
        Box::new(Adapter { controller, estimator })
    }
}

struct Adapter {
    controller: Box<dyn quinn::Controller>,
    estimator: Mutex<Estimator>,
}

impl fmt::Debug for Adapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Adapter").field("window", &self.controller.window()).finish_non_exhaustive()
    }
}

impl Controller for Adapter {
    fn on_sent(&mut self, now: Instant, bytes: u64, largest_pn: u64) {
        self.controller.on_sent(now, bytes, largest_pn);
    }

    fn on_ack(
        &mut self,
        now: Instant,
        sent: Instant,
        bytes: u64,
        _pn: u64,
        app_limited: bool,
        rtt: &RttEstimator,
    ) {
        let mut estimator = self.estimator.lock().unwrap_or_else(PoisonError::into_inner);
        let rtt = estimator.at(rtt.get(), rtt.min());
        self.controller.on_ack(now, sent, bytes, app_limited, &rtt);
    }

    fn on_end_acks(
        &mut self,
        now: Instant,
        in_flight: u64,
        app_limited: bool,
        largest_packet_num_acked: Option<u64>,
    ) {
        self.controller.on_end_acks(now, in_flight, app_limited, largest_packet_num_acked);
    }

    fn on_congestion_event(
        &mut self,
        now: Instant,
        sent: Instant,
        is_persistent_congestion: bool,
        _is_ecn: bool,
        lost_bytes: u64,
        _largest_lost_pn: u64,
    ) {
        self.controller.on_congestion_event(now, sent, is_persistent_congestion, lost_bytes);
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.controller.on_mtu_update(new_mtu);
    }

    fn window(&self) -> u64 {
        self.controller.window()
    }

    /// Gives no pacing rate: quinn paces by the window, and uses the rate in its logs only.
    fn metrics(&self) -> ControllerMetrics {
        let mut metrics = ControllerMetrics::default();
        let own = self.controller.metrics();
        metrics.congestion_window = own.congestion_window;
        metrics.ssthresh = own.ssthresh;
        metrics
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        let own = self.estimator.lock().unwrap_or_else(PoisonError::into_inner);
        let estimator = Mutex::new(own.another());
        Box::new(Adapter { controller: self.controller.clone_box(), estimator })
    }

    fn initial_window(&self) -> u64 {
        self.controller.initial_window()
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self.controller.into_any()
    }
}
