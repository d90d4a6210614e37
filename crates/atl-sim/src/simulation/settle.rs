//! Which agents stand where on the ways of the flows.

use atl_scenario::setup::{FlowSetup, LinkSetup};

use crate::agent::{Spot, Station};
use crate::network::Network;

/// The ways of a flow in the routing table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ways {
    /// Index of the flow.
    pub flow: u32,
    /// Where its way there begins.
    pub forward: u32,
    /// Where its way back begins.
    pub back: u32,
    /// Bytes of an ACK.
    pub ack_bytes: u16,
}

/// Puts the agents that a flow meets into the network, and into `stations`: each at the end of a wireless link that
/// is not the flow's own host, where both its data and its ACKs pass.
pub(super) fn settle(
    network: &mut Network,
    stations: &mut Vec<Station>,
    links: &[LinkSetup],
    plan: &FlowSetup,
    ways: Ways,
) {
    let ([first, .., last], [first_home, .., last_home]) = (&plan.forward[..], &plan.back[..])
    else {
        return;
    };
    let Ways { flow, forward, back, ack_bytes } = ways;
    let (last_there, end) =
        (forward + plan.forward.len() as u32 - 1, back + plan.back.len() as u32);
    let from_mobile = links[*first].agent.as_ref();
    let from_mobile = from_mobile.filter(|_| links[*last_home].from == links[*first].to);
    let to_mobile = links[*last].agent.as_ref();
    let to_mobile = to_mobile.filter(|_| links[*first_home].to == links[*last].from);
    // In the order in which a packet meets them, where both stand at one access point.
    let receiver = stations.len() as u32;
    if let Some(agent) = to_mobile {
        stations.push(Station::new(agent, flow, false, *last as u32, last_there));
        network.stand(back + 1, receiver, Spot::AccessPoint);
    }
    if let Some(agent) = from_mobile {
        let index = stations.len() as u32;
        let mut station = Station::new(agent, flow, true, *first as u32, forward);
        (station.requests_from, station.request_bytes) = (end - 1, ack_bytes);
        stations.push(station);
        network.stand(forward, index, Spot::Mobile);
        network.stand(forward + 1, index, Spot::AccessPoint);
        network.stand(end - 1, index, Spot::AccessPoint);
        network.stand(end, index, Spot::Mobile);
    }
    if to_mobile.is_some() {
        network.stand(last_there, receiver, Spot::AccessPoint);
    }
}
