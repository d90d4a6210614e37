//! Parts of a setup that this engine cannot carry out.

use atl_engine::Gap;
use atl_engine::setup::{FlowSetup, Setup};
use atl_quic::connection::{self, BELOW_QUIC};

use crate::quic::traffic::FRONT;

/// Most bytes of UDP payload over IPv4.
const LONGEST_DATAGRAM: usize = 65_507;

/// All that it cannot do of a setup: what cannot be done over QUIC at all, and what sockets cannot
/// do.
pub(crate) fn gaps(setup: &Setup) -> Vec<Gap> {
    let mut gaps = connection::gaps(setup);
    gaps.extend(setup.flows.iter().flat_map(of_flow));
    gaps.extend(crate::live::gaps(setup));
    gaps
}

/// The gaps of a flow, whatever runs beside it.
pub(crate) fn gaps_of(flow: &FlowSetup) -> Vec<Gap> {
    [connection::gaps_of_flow(flow), of_flow(flow), crate::live::gaps_of(flow)].concat()
}

fn of_flow(flow: &FlowSetup) -> Vec<Gap> {
    let mut gaps = Vec::new();
    if let Some(mobile) = flow.mobile {
        let end = if mobile.sends { "from" } else { "to" };
        let why = "flows have one path here: use `roam` on a link, or the engine `quic-sim`";
        gaps.push(Gap::flow(flow, end, "a mobile that moves between cells", why));
    }
    let longest = LONGEST_DATAGRAM - FRONT;
    if connection::mtu(flow).is_some_and(|mtu| usize::from(mtu) > longest) {
        let size = flow.tcp.segment + flow.tcp.header;
        let most = longest as u32 + BELOW_QUIC;
        let why = format!(
            "a datagram on loopback has to hold {FRONT} octets besides: give `segment` and `header` at most \
             {most} bytes together, or use the engine `quic-sim`"
        );
        gaps.push(Gap::flow(flow, "tcp.segment", format!("packets of {size} bytes"), why));
    }
    gaps
}
