//! What this host cannot do.

use atl_host::Gap;
use atl_quic::connection::{self, BELOW_QUIC};
use atl_scenario::setup::{FlowSetup, Setup};

use crate::traffic::FRONT;

/// Most flows of a run: each takes four sockets, and a process may usually have 1024 descriptors.
const MOST_FLOWS: usize = 200;
/// Most bytes of UDP payload over IPv4.
const LONGEST_DATAGRAM: usize = 65_507;

/// All that it cannot do of a setup: what cannot be done over QUIC at all, and what sockets cannot do.
pub(crate) fn gaps(setup: &Setup) -> Vec<Gap> {
    let mut gaps = connection::gaps(setup);
    gaps.extend(setup.flows.iter().flat_map(of_flow));
    let count = setup.flows.len();
    if count > MOST_FLOWS {
        gaps.push(Gap::new(
            "the setup",
            format!("{count} flows"),
            format!("each flow takes four sockets: run at most {MOST_FLOWS} flows"),
        ));
    }
    if let Err(error) = atl_live::connect() {
        gaps.push(Gap::new(
            "this machine",
            "UDP sockets on loopback",
            format!("{error}: bring up the interface `lo`, or raise the limit of open files"),
        ));
    }
    gaps
}

fn of_flow(flow: &FlowSetup) -> Vec<Gap> {
    let mut gaps = Vec::new();
    if !flow.overhead.is_zero() {
        let why = "this machine has an overhead of its own, which it measures as lateness: use the \
                   host `quic-sim`";
        gaps.push(Gap::flow(flow, "overhead", "a random delay within the host", why));
    }
    let longest = LONGEST_DATAGRAM - FRONT;
    if connection::mtu(flow).is_some_and(|mtu| usize::from(mtu) > longest) {
        let size = flow.tcp.segment + flow.tcp.header;
        let most = longest as u32 + BELOW_QUIC;
        let why = format!(
            "a datagram on loopback has to hold {FRONT} octets besides: give `segment` and `header` at most \
             {most} bytes together, or use the host `quic-sim`"
        );
        gaps.push(Gap::flow(flow, "tcp.segment", format!("packets of {size} bytes"), why));
    }
    gaps
}
