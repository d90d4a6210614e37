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
    gaps.extend(setup.flows.iter().flat_map(gaps_of));
    gaps.extend(loopback());
    gaps
}

/// Parts of a flow that would need a link to another.
pub(crate) fn gaps_of(flow: &FlowSetup) -> Vec<Gap> {
    let mut gaps: Vec<Gap> = splits(flow).into_iter().collect();
    if let Source::Application(_) = flow.source {
        let why =
            "flows have nothing to do with each other here: use the engine `sim` or `quic-sim`";
        gaps.push(Gap::flow(flow, "source", "an application that talks in both directions", why));
    }
    gaps
}

/// A gap unless there are sockets on loopback.
pub(crate) fn loopback() -> Option<Gap> {
    let error = connect().err()?;
    let why = format!("{error}: bring up the interface `lo`, or raise the limit of open files");
    Some(Gap::new("this machine", "UDP sockets on loopback", why))
}

/// Flows know nothing of each other here.
fn splits(flow: &FlowSetup) -> Option<Gap> {
    let why = "flows have nothing to do with each other here: use the engine `sim`";
    flow.onward.is_some().then(|| Gap::flow(flow, "pep", "a proxy that splits it", why))
}
