//! Parts of a setup that this engine cannot carry out.

use atl_engine::Gap;
use atl_engine::protocol::Transport;
use atl_engine::setup::{FlowSetup, LinkSetup, ReceiverAwareness, Setup};

/// All that it cannot do of a setup.
pub(crate) fn gaps(setup: &Setup) -> Vec<Gap> {
    let tcp = setup.flows.iter().any(is_tcp);
    let mut gaps: Vec<Gap> = setup.flows.iter().flat_map(of_flow).collect();
    gaps.extend(setup.links.iter().flat_map(|link| of_link(link, tcp)));
    gaps.extend(crate::live::gaps(setup));
    gaps
}

fn is_tcp(flow: &FlowSetup) -> bool {
    matches!(flow.protocol.transport, Transport::Tcp(_))
}

fn of_flow(flow: &FlowSetup) -> Vec<Gap> {
    let mut gaps = Vec::new();
    if let Transport::Quic(_) = flow.protocol.transport {
        gaps.push(Gap::flow(flow, "protocol", "a controller of the QUIC library noq", QUIC));
    }
    if is_tcp(flow) {
        let why =
            "only paced flows run over UDP: choose a protocol that paces, or the engine `sim`";
        gaps.push(Gap::flow(flow, "protocol", "a TCP flow", why));
    }
    if let Some(mobile) = flow.mobile {
        let end = if mobile.sends { "from" } else { "to" };
        let why =
            "a socket has one path: use a `schedule` of handoffs on a link, or the engine `sim`";
        gaps.push(Gap::flow(flow, end, "a mobile that moves between cells", why));
    }
    if flow.adaptation.is_some() {
        gaps.push(Gap::flow(flow, "adaptation", "packets in ATM cells", CELLS));
    }
    if let ReceiverAwareness::Claims(claims) = flow.receiver
        && claims.changes_acks()
    {
        let why = "receivers acknowledge at once here: use the engine `sim`";
        gaps.push(Gap::flow(flow, "receiver", "ACKs that are held back or sent early", why));
    }
    gaps
}

const QUIC: &str = "it runs only over QUIC: use the engine `quic-sim` or `quic`";

const CELLS: &str = "datagrams are not cut into cells here: use the engine `sim`";

fn of_link(link: &LinkSetup, tcp: bool) -> Vec<Gap> {
    let mut gaps = Vec::new();
    if link.adaptation.is_some() {
        gaps.push(Gap::link(link, "adaptation", "a tunnel of ATM cells", CELLS));
    }
    // Packets of paced flows pass an agent as if it were not there.
    if link.agent.is_some() && tcp {
        let why = "agents repair TCP flows, which this engine does not run: use the engine `sim`";
        gaps.push(Gap::link(link, "agent", "an agent at the access point", why));
    }
    gaps
}
