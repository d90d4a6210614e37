//! Parts of a setup that no engine with sockets can carry out.

use atl_engine::Gap;
use atl_engine::setup::{FlowSetup, Setup, Source};

use crate::live::crossing::connect;

/// Most flows of a run: each takes four sockets, and a process may usually have 1024 descriptors.
const MOST_FLOWS: usize = 200;

/// Parts of a setup that would need more sockets than there are, or a link between the flows of an
/// application.
pub fn gaps(setup: &Setup) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let count = setup.flows.len();
    if count > MOST_FLOWS {
        gaps.push(Gap::new(
            "the setup",
            format!("{count} flows"),
            format!("each flow takes four sockets: run at most {MOST_FLOWS} flows"),
        ));
    }
    let talks = |flow: &&FlowSetup| matches!(flow.source, Source::Application(_));
    let why = "flows have nothing to do with each other here: use the engine `sim` or `quic-sim`";
    let what = "an application that talks in both directions";
    gaps.extend(setup.flows.iter().filter_map(splits));
    gaps.extend(setup.flows.iter().filter(talks).map(|flow| Gap::flow(flow, "source", what, why)));
    if let Err(error) = connect() {
        gaps.push(Gap::new(
            "this machine",
            "UDP sockets on loopback",
            format!("{error}: bring up the interface `lo`, or raise the limit of open files"),
        ));
    }
    gaps
}

/// Flows know nothing of each other here.
pub(crate) fn splits(flow: &FlowSetup) -> Option<Gap> {
    let why = "flows have nothing to do with each other here: use the engine `sim`";
    flow.onward.is_some().then(|| Gap::flow(flow, "pep", "a proxy that splits it", why))
}
