//! What the ends of a flow are built from.

use crate::setup::{FlowSetup, LinkSetup};
use atl_core::path::PathSignal;
use atl_core::time::{Span, Time};
use atl_endpoint::app::App;
use atl_endpoint::handoff::Key;
use atl_endpoint::interruptions::Side;
use atl_link::random::Stream;

use crate::flow::place::Wireless;

/// What the ends of a flow are built from.
#[derive(Debug)]
pub struct Build<'a> {
    /// The flow.
    pub plan: &'a FlowSetup,
    /// The setup's links.
    pub links: &'a [LinkSetup],
    /// Its wireless links.
    pub wireless: Wireless,
    /// The run's seed.
    pub seed: u64,
    /// When the flow starts.
    pub start: Time,
    /// Bytes on the wire of a full data packet.
    pub packet_bytes: u32,
    /// Which end is a mobile, and what its lower layers signal.
    pub moves: Option<(Side, Vec<(Time, PathSignal)>)>,
}

impl<'a> Build<'a> {
    /// A flow of hosts that stay where they are.
    pub fn new(plan: &'a FlowSetup, links: &'a [LinkSetup], seed: u64) -> Self {
        Build {
            plan,
            links,
            wireless: Wireless::of(plan.first_path(), links),
            seed,
            start: start(plan, seed),
            packet_bytes: plan.tcp.segment + plan.tcp.header,
            moves: None,
        }
    }

    /// A stream of random numbers of this flow's own.
    pub fn stream(&self, what: &str) -> Stream {
        stream(self.plan, self.seed, what)
    }

    /// The key of the session, with which a mobile at one of its ends proves its notices.
    pub fn session_key(&self) -> Option<Key> {
        session_key(self.plan, self.seed)
    }

    /// A copy of the flow's application.
    pub fn app(&self) -> App {
        let plan = self.plan;
        App::new(&plan.source, plan.tcp.segment, self.start, self.stream("source"))
    }
}

fn stream(plan: &FlowSetup, seed: u64, what: &str) -> Stream {
    Stream::new(seed, &format!("flow/{}/{what}", plan.name))
}

/// The key of a flow's session; `None` if no end moves, or notices are not signed.
pub fn session_key(plan: &FlowSetup, seed: u64) -> Option<Key> {
    plan.mobile.filter(|_| plan.notices.signed)?;
    let mut draws = stream(plan, seed, "key");
    let mut octets = [0; 32];
    for part in octets.chunks_exact_mut(8) {
        part.copy_from_slice(&draws.next_u64().to_be_bytes());
    }
    Some(Key::new(octets))
}

/// When a flow starts.
pub fn start(plan: &FlowSetup, seed: u64) -> Time {
    let jitter = stream(plan, seed, "start").below(plan.start_jitter.nanos().saturating_add(1));
    plan.start + Span::from_nanos(jitter)
}
