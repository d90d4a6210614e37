//! Where agents stand on the paths of the flows.

use atl_engine::setup::{LinkSetup, Path};

use crate::agent::{Spot, Station};
use crate::flow::Paths;
use crate::network::Network;

/// Adds the agents that a flow meets on a path to the network and to `stations`: each at the end of
/// a wireless link that is not the flow's own host, where both its data and its ACKs pass.
pub(super) fn place_agents(
    network: &mut Network,
    stations: &mut Vec<Station>,
    links: &[LinkSetup],
    path: &Path,
    (paths, id): (Paths, u32),
    ack_bytes: u16,
) {
    let ([first, .., last], [first_home, .., last_home]) = (&path.forward[..], &path.back[..])
    else {
        return;
    };
    let Paths { forward, back, .. } = paths;
    let (last_there, end) =
        (forward + path.forward.len() as u32 - 1, back + path.back.len() as u32);
    let from_mobile = links[*first].agent.as_ref();
    let from_mobile = from_mobile.filter(|_| links[*last_home].from == links[*first].to);
    let to_mobile = links[*last].agent.as_ref();
    let to_mobile = to_mobile.filter(|_| links[*first_home].to == links[*last].from);
    // In the order in which a packet meets them, if both stand at one access point.
    let receiver = stations.len() as u32;
    if let Some(agent) = to_mobile {
        stations.push(Station::new(agent, id, false, *last as u32, last_there));
        network.stand(back + 1, receiver, Spot::AccessPoint);
    }
    if let Some(agent) = from_mobile {
        let index = stations.len() as u32;
        let mut station = Station::new(agent, id, true, *first as u32, forward);
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
