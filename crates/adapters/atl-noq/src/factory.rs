//! Builds the controllers of noq's connections.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Instant;

use atl_core::path::Reports;
use atl_core::time::Epoch;
use atl_core::window::{ControllerConfig, Start, resume};
use noq_proto::congestion::{Controller, ControllerFactory};

use crate::adapter::Adapter;
use crate::marks::Marks;
use crate::path::{PathHandle, Shared};

/// Bytes of the headers of UDP and IPv4, which noq does not count and controllers do.
const HEADER_BYTES: u32 = 28;

/// Builds the controllers of noq's connections: one for each path.
#[derive(Debug)]
pub struct Factory {
    config: ControllerConfig,
    start: Start,
    header_bytes: u32,
    reports: Reports,
    marks: Option<Marks>,
    built: Mutex<Built>,
}

#[derive(Debug, Default)]
struct Built {
    count: u64,
    /// Of all its controllers, so that times agree between paths.
    epoch: Option<Epoch>,
    paths: Vec<Weak<Shared>>,
}

impl Factory {
    /// Connections use this controller, with the defaults of [`Start`].
    pub fn new(config: ControllerConfig) -> Self {
        Factory {
            config,
            start: Start::default(),
            header_bytes: HEADER_BYTES,
            reports: Reports::default(),
            marks: None,
            built: Mutex::default(),
        }
    }

    /// Sets the knowledge that controllers start with. The path's packet size replaces the one
    /// given, and each controller gets a seed of its own, counted up from this one.
    #[must_use]
    pub fn start(mut self, start: Start) -> Self {
        self.start = start;
        self
    }

    /// Bytes of headers below QUIC, which count in rates: 28 by default, for UDP and IPv4.
    #[must_use]
    pub fn header_bytes(mut self, bytes: u32) -> Self {
        self.header_bytes = bytes;
        self
    }

    /// Controllers learn of packets that the link has lost. The host shows the table what it sends:
    /// see [`Marks`].
    #[must_use]
    pub fn marks(mut self, marks: Marks) -> Self {
        self.marks = Some(marks);
        self
    }

    /// Controllers observe their paths, so that a sender that meets a path again may resume from
    /// what it carried (Careful Resume, RFC 9959): [`Observed::saved`](crate::Observed::saved),
    /// [`PathHandle::resume`].
    #[must_use]
    pub fn observing(mut self) -> Self {
        if self.config.get::<resume::Config>().is_none() {
            self.config = ControllerConfig::from(resume::Config::new(self.config));
        }
        self
    }

    /// The way in for reports of wireless links, to the controllers of all paths.
    /// [`PathHandle::reports`] reaches a single one.
    pub fn reports(&self) -> Reports {
        self.reports.clone()
    }

    /// The paths whose controllers this factory has built and that still exist, in that order. A
    /// connection builds the first for its handshake. [`PathHandle::of`] finds the one of a path by
    /// its number.
    pub fn paths(&self) -> Vec<PathHandle> {
        let built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        built.paths.iter().filter_map(Weak::upgrade).map(PathHandle).collect()
    }
}

impl ControllerFactory for Factory {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        let start = self.start.seed(self.start.seed.wrapping_add(built.count));
        built.count += 1;
        let epoch = *built.epoch.get_or_insert(Epoch::new(now));
        let shared = Arc::new(Shared::new(start, epoch, self.marks.as_ref().map(Marks::tally)));
        built.paths.retain(|path| path.strong_count() > 0);
        built.paths.push(Arc::downgrade(&shared));
        drop(built);
        if let Some(marks) = &self.marks {
            marks.add(&shared);
        }
        let reports = self.reports.reader();
        let config = self.config.clone();
        Box::new(Adapter::new(config, self.header_bytes, current_mtu, shared, reports))
    }
}
