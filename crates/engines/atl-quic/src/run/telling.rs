//! Datagrams as a witness gets them.

use atl_endpoint::interruptions::Side;
use atl_engine::witness::{Content, Seen, What};
use atl_link::relay::{Passage, Passing};

use super::Run;
use crate::flow::Origin;

impl Run {
    /// Tells of the steps that datagrams have taken.
    pub(super) fn tell(&mut self, packets: &(dyn Fn(&Seen<'_>) + Sync)) {
        for passage in self.relay.take_passages() {
            let Passage { at, link, passing, route, wire_bytes, ecn, .. } = passage;
            let Origin { flow, from, .. } = self.routes.origin(route);
            let what = match passing {
                Passing::In => What::Queued,
                Passing::Out { last: false } => What::Passed,
                Passing::Out { last: true } => What::Arrived,
                Passing::Copied => What::Copied,
                Passing::Lost(cause) => What::Lost(cause),
                Passing::Dropped => What::Dropped,
            };
            let forward = from == Side::Sender;
            let content = Content::Datagram(&passage.bytes);
            packets(&Seen {
                at,
                what,
                link: Some(link),
                flow,
                forward,
                ecn,
                bytes: wire_bytes,
                content,
            });
        }
    }
}
