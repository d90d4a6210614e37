//! What the ends of a flow are built from.

use atl_core::path::PathSignal;
use atl_core::time::{Span, Time};
use atl_core::window::ReceiverHalf;
use atl_endpoint::app::{App, Sizes};
use atl_endpoint::handoff::Key;
use atl_endpoint::interruptions::Side;
use atl_link::random::Stream;
use atl_scenario::setup::{FlowSetup, LinkSetup};

use super::place::Wireless;

/// What the ends of a flow are built from.
pub(super) struct Build<'a> {
    pub plan: &'a FlowSetup,
    pub links: &'a [LinkSetup],
    pub wireless: Wireless,
    pub seed: u64,
    pub start: Time,
    /// Bytes on the wire of a full data packet.
    pub packet_bytes: u32,
    /// Which end is a mobile, and what its lower layers signal.
    pub moves: Option<(Side, Vec<(Time, PathSignal)>)>,
}

impl Build<'_> {
    /// A stream of random numbers of this flow's own.
    pub(super) fn stream(&self, what: &str) -> Stream {
        stream(self.plan, self.seed, what)
    }

    /// The key of the session, with which a mobile at one of its ends proves its notices.
    pub(super) fn session_key(&self) -> Option<Key> {
        self.plan.mobile.map(|_| session_key(self.plan, self.seed))
    }

    /// A copy of the flow's application.
    pub(super) fn app(&self) -> App {
        let plan = self.plan;
        App::new(&plan.source, plan.tcp.segment, self.start, self.stream("source"))
    }
}

fn stream(plan: &FlowSetup, seed: u64, what: &str) -> Stream {
    Stream::new(seed, &format!("flow/{}/{what}", plan.name))
}

/// The key of a flow's session.
pub(super) fn session_key(plan: &FlowSetup, seed: u64) -> Key {
    let mut draws = stream(plan, seed, "key");
    let mut octets = [0; 32];
    for part in octets.chunks_exact_mut(8) {
        part.copy_from_slice(&draws.next_u64().to_be_bytes());
    }
    Key::new(octets)
}

/// When a flow starts.
pub(super) fn start(plan: &FlowSetup, seed: u64) -> Time {
    let jitter = stream(plan, seed, "start").below(plan.start_jitter.nanos().saturating_add(1));
    plan.start + Span::from_nanos(jitter)
}

/// Ends that were built, and what the rest of their flow needs.
pub(super) struct Built<E> {
    pub ends: E,
    /// The receiving half of the protocol's controller.
    pub half: Option<Box<dyn ReceiverHalf>>,
    /// Bytes that the application's segments hold.
    pub sizes: Sizes,
}
