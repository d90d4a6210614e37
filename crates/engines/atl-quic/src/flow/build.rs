//! Builds a flow from its setup.

use std::sync::Arc;

use atl_core::time::{Epoch, Time};
use atl_endpoint::interruptions::Side;
use atl_endpoint::meters::{Arrivals, Offered};
use atl_engine::flow::record::NetworkRtts;
use atl_engine::flow::{self, Build, Hearing, Overhead, Wireless};
use atl_engine::flow::{receiver_feedback, report_source};
use atl_engine::setup::MobileStep;

use super::ecn::Field;
use super::failure::Failure;
use super::mobile::Mobile;
use super::reading::Reading;
use super::unconnected::Unconnected;
use super::writing::Writing;
use super::{Flow, Routes};
use crate::app::{Reads, Writes};
use crate::controllers::Controllers;
use crate::crypto::{self, Pair};
use crate::end::End;
use crate::options::Options;
use crate::reports::PeerReports;
use crate::tap::Tap;
use crate::transport::{self, BELOW_QUIC};

impl Flow {
    /// A flow, whose round-trip times go into `rtts`; `steps` are those of the mobile at one of its
    /// ends.
    ///
    /// # Errors
    /// If it cannot run over QUIC (the host's gaps say so beforehand), or if TLS cannot be set up.
    pub(crate) fn new(
        (index, routes, rtts): (usize, Routes, NetworkRtts),
        build: &Build<'_>,
        steps: &[MobileStep],
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
        let tap = Tap::of(rtts);
        tap.begin_run(epoch);
        let Pair { mut client, mut server } = options.crypto.pair()?;
        let factory = (options.around)(index, controllers.factory());
        let mut sending = transport::sender(plan, mtu, tap.on(factory));
        #[cfg(feature = "qlog")]
        if let Some(log) = (options.qlog)(index) {
            sending.qlog_factory(Arc::new(crate::log::Once::new(log, epoch, &plan.name)));
        }
        let mut receiving = transport::receiver(plan, mtu);
        let mobile = Mobile::new(plan, steps, build.links, build.seed);
        if let Some(paths) = mobile.as_ref().and_then(Mobile::multipath) {
            let [sender, receiver] = paths.configs();
            sending = transport::roaming(sending, sender, plan, mtu);
            receiving = transport::roaming(receiving, receiver, plan, mtu);
        }
        // The library lets no server open paths.
        let connects = mobile.as_ref().map_or(Side::Sender, Mobile::side);
        let [connecting, waiting] = match connects {
            Side::Sender => [sending, receiving],
            Side::Receiver => [receiving, sending],
        };
        client.transport_config(Arc::new(connecting));
        server.transport_config(Arc::new(waiting));
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
        let server = Some(Box::new(End::server(crypto::endpoint(seed(), mtu), server)));
        let mobile_due = mobile.as_ref().map_or(Time::MAX, Mobile::next);
        Ok(Flow {
            index,
            routes,
            start: build.start,
            epoch,
            mtu,
            unconnected: Some(Box::new(Unconnected::new(endpoint, client))),
            connects,
            ends: match connects {
                Side::Sender => [None, server],
                Side::Receiver => [server, None],
            },
            writing: Writing::new(Writes::new(build)),
            reading: Reading::new(Reads::new(build)),
            tap,
            controllers,
            handle: None,
            listens,
            mobile: mobile.map(Box::new),
            feedback: receiver_feedback(None, source, false, build.packet_bytes),
            peer_reports: PeerReports::default(),
            overhead: Overhead::new(plan.overhead, build.stream("overhead")),
            due: build.start.min(mobile_due),
            finished: None,
            sent: 0,
            arrived: 0,
            reordered: 0,
            newest: 0,
            marked: 0,
            ecn: Field::of(plan),
            probe_bytes: 0,
            packet_bytes: build.packet_bytes,
            receive_window: plan.tcp.receive_window,
            notices: Vec::new(),
            arrivals: Arrivals::default(),
            offered: Offered::new(build.app(), build.start),
        })
    }

    /// The wireless links that its ends hear of, on its first path.
    pub(crate) fn hearing(&self, wireless: Wireless) -> Hearing {
        Hearing { wireless, listens: self.listens, reports: self.reports() }
    }

    /// The mobile at one of its ends.
    pub(crate) fn host(&self) -> Option<&flow::Mobile> {
        self.mobile.as_ref().map(|mobile| mobile.host())
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
