//! Inputs for building the ends of a flow.

use crate::setup::{FlowSetup, LinkSetup, TO_PROXY};
use atl_core::path::PathSignal;
use atl_core::time::{Span, Time};
use atl_endpoint::app::App;
use atl_endpoint::handoff::Key;
use atl_endpoint::interruptions::Side;
use atl_link::random::Stream;

use crate::flow::place::Wireless;

/// Inputs for building the ends of a flow.
#[derive(Debug)]
pub struct Build<'a> {
    /// Setup of the flow.
    pub plan: &'a FlowSetup,
    /// Links of the whole setup.
    pub links: &'a [LinkSetup],
    /// Wireless links on the flow's path.
    pub wireless: Wireless,
    /// Seed of the run.
    pub seed: u64,
    /// Time at which the flow starts, jitter included.
    pub start: Time,
    /// Size on the wire of a full data packet, in bytes.
    pub packet_bytes: u32,
    /// The end that is a mobile, with the signals of its lower layers.
    pub moves: Option<(Side, Vec<(Time, PathSignal)>)>,
}

impl<'a> Build<'a> {
    /// Inputs for a flow whose ends do not move.
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

    /// A random stream of this flow's own, for the purpose `what`.
    pub fn stream(&self, what: &str) -> Stream {
        stream(self.plan, self.seed, what)
    }

    /// Key of the session, by which a mobile end proves that notices are its own.
    pub fn session_key(&self) -> Option<Key> {
        session_key(self.plan, self.seed)
    }

    /// A new instance of the flow's application.
    pub fn app(&self) -> App {
        let plan = self.plan;
        let stream = self.stream("source");
        App::new(&plan.source, plan.tcp.segment, self.start, stream).stopping_at(plan.stop)
    }
}

fn stream(plan: &FlowSetup, seed: u64, what: &str) -> Stream {
    Stream::new(seed, &format!("flow/{}/{what}", plan.name))
}

/// The name of a flow; of one to a proxy, that of the whole connection.
pub(crate) fn whole_name(plan: &FlowSetup) -> &str {
    plan.name.strip_suffix(TO_PROXY).unwrap_or(&plan.name)
}

/// Key of a flow's session; `None` if no end moves, or if notices are not signed.
pub fn session_key(plan: &FlowSetup, seed: u64) -> Option<Key> {
    plan.mobile.filter(|_| plan.notices.signed)?;
    let mut draws = stream(plan, seed, "key");
    let mut octets = [0; 32];
    for part in octets.chunks_exact_mut(8) {
        part.copy_from_slice(&draws.next_u64().to_be_bytes());
    }
    Some(Key::new(octets))
}

/// Time at which a flow starts, with its random jitter.
pub fn start(plan: &FlowSetup, seed: u64) -> Time {
    // Both parts of a flow that a proxy splits start together.
    let jitter = Stream::new(seed, &format!("flow/{}/start", whole_name(plan)))
        .below(plan.start_jitter.nanos().saturating_add(1));
    plan.start + Span::from_nanos(jitter)
}
