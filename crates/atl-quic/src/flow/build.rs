//! Builds a flow from its setup.

use std::sync::Arc;
use std::time::Instant;

use atl_core::time::{Epoch, Time};
use atl_endpoint::app::Sizes;
use atl_endpoint::meters::{Arrivals, Offered};
use atl_flow::{Build, Overhead, receiver_feedback, report_source};
use noq_proto::{ClientConfig, EndpointConfig};

use super::reading::Reading;
use super::writing::Writing;
use super::{Failure, Flow};
use crate::app::{Reads, Writes};
use crate::controllers::Controllers;
use crate::crypto::{self, Pair};
use crate::end::End;
use crate::options::Options;
use crate::reports::PeerReports;
use crate::tap::Tap;
use crate::transport::{self, BELOW_QUIC};

/// A client before its flow starts.
pub(super) struct Unconnected {
    endpoint: Arc<EndpointConfig>,
    config: ClientConfig,
}

impl Unconnected {
    pub(super) fn connect(self, now: Instant) -> Result<End, Failure> {
        Ok(End::client(self.endpoint, self.config, now)?)
    }
}

impl Flow {
    /// A flow of hosts that stay where they are.
    ///
    /// # Errors
    /// If it cannot run over QUIC (the host's gaps say so beforehand), or if TLS cannot be set up.
    pub(crate) fn new(
        index: usize,
        build: &Build<'_>,
        epoch: Epoch,
        options: &Options<'_>,
    ) -> Result<Self, Failure> {
        let plan = build.plan;
        let mtu = transport::mtu(plan).ok_or("packets of this size do not carry QUIC")?;
        let controllers = match (options.controllers)(index) {
            Some(factory) => Controllers::Foreign(factory),
            None => Controllers::of_protocol(build, mtu, BELOW_QUIC)
                .ok_or("its protocol paces by itself: it has no window for QUIC")?,
        };
        let tap = Tap::default();
        let Pair { mut client, mut server } = options.crypto.pair()?;
        #[cfg_attr(not(feature = "qlog"), expect(unused_mut, reason = "a qlog is set"))]
        let mut sending = transport::client(plan, mtu, tap.on(controllers.factory()));
        #[cfg(feature = "qlog")]
        if let Some(log) = (options.qlog)(index) {
            sending.qlog_factory(Arc::new(crate::log::Once::new(log, epoch, &plan.name)));
        }
        client.transport_config(Arc::new(sending));
        server.transport_config(Arc::new(transport::server(plan, mtu)));
        let mut seeds = build.stream("quic");
        let mut seed = || {
            let words: [[u8; 8]; 4] = std::array::from_fn(|_| seeds.next_u64().to_be_bytes());
            let mut octets = [0; 32];
            octets.copy_from_slice(words.as_flattened());
            octets
        };
        let endpoint = crypto::endpoint(seed(), mtu);
        let listens = plan.protocol.listens() && matches!(controllers, Controllers::Own { .. });
        let source = report_source(plan, &build.wireless, listens);
        let sizes = Sizes::new(&plan.source, plan.tcp.segment);
        Ok(Flow {
            index,
            start: build.start,
            epoch,
            mtu,
            client: Err(Some(Box::new(Unconnected { endpoint, config: client }))),
            server: Box::new(End::server(crypto::endpoint(seed(), mtu), server)),
            writing: Writing::new(Writes::new(build)),
            reading: Reading::new(Reads::new(build)),
            tap,
            controllers,
            handle: None,
            listens,
            wireless: build.wireless,
            feedback: receiver_feedback(None, source, false, build.packet_bytes),
            peer_reports: PeerReports::default(),
            overhead: Overhead::new(plan.overhead, build.stream("overhead")),
            due: build.start,
            finished: None,
            sent: 0,
            arrived: 0,
            reordered: 0,
            newest: 0,
            arrivals: Arrivals::default(),
            offered: Offered::new(build.app(), sizes, build.start),
        })
    }

    /// True if its sender takes reports of its own wireless link.
    pub(crate) fn listens(&self) -> bool {
        self.listens
    }

    /// True if its receiver reports its wireless link.
    pub(crate) fn reports(&self) -> bool {
        self.feedback.is_some()
    }

    /// When measurement of it begins, if that is not before.
    pub(crate) fn measured_from(&self, begin: Time) -> Time {
        begin.max(self.start)
    }
}
