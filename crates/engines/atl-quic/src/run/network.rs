//! Which frames are data packets.

use atl_engine::flow::record::DataPacket;
use atl_link::Packet as _;
use atl_link::relay::{Frame, Relay};

use crate::flow::{Routes, is_data};

/// The data packet that a frame is; `None` of any other packet.
pub(super) fn data_of(routes: Routes, frame: &Frame) -> Option<DataPacket> {
    is_data(frame).then(|| DataPacket {
        flow: routes.origin(frame.route).flow,
        bytes: frame.wire_bytes(),
        hop: frame.hop(),
    })
}

/// The data packets on the links.
pub(super) fn data_on(routes: Routes, relay: &Relay) -> impl Iterator<Item = DataPacket> {
    let frames = relay.links().iter().flat_map(|link| link.packets());
    frames.filter_map(move |frame| data_of(routes, frame))
}
