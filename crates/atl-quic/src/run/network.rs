//! Which frames are data packets.

use atl_flow::record::DataPacket;
use atl_link::Packet as _;
use atl_relay::{Frame, Relay};

use crate::flow::{is_data, of_route};

/// The data packet that a frame is; `None` of any other packet.
pub(super) fn data_of(frame: &Frame) -> Option<DataPacket> {
    is_data(frame).then(|| DataPacket {
        flow: of_route(frame.route).0,
        bytes: frame.wire_bytes(),
        hop: frame.hop(),
    })
}

/// The data packets on the links.
pub(super) fn data_on(relay: &Relay) -> impl Iterator<Item = DataPacket> {
    relay.links().iter().flat_map(|link| link.packets()).filter_map(data_of)
}
