//! A TCP without error control (`recovery = "none"`).

use crate::table::Table;
use atl_engine::adaptation::{Adaptation, Layer};
use atl_engine::protocol::Protocol;
use atl_engine::setup::Tcp;

/// Checks that the adaptation layer repairs everything from end to end and drops nothing: such a
/// TCP never retransmits, so a single loss stops the connection for good. A tunnel around one link
/// does not suffice, since other links lose packets too.
pub(super) fn check(
    table: &Table<'_>,
    protocol: &Protocol,
    adaptation: Option<&Adaptation>,
    tcp: &Tcp,
) {
    let switched_off = protocol.tcp().is_some_and(|tcp| !tcp.recovery.repairs());
    if !switched_off {
        return;
    }
    let below = adaptation.filter(|a| matches!(a.layer, Layer::AalT(_)));
    let message = format!("`{}` has a TCP without error control", table.path);
    match below {
        None => table.report(
            message,
            "`recovery = \"none\"` needs a layer that repairs everything: `adaptation = \"aal-t\"`",
        ),
        Some(layer) if layer.queue < tcp.receive_window => table.report(
            message,
            format!(
                "its window of {} packets must fit into the layer's queue: give `adaptation` a \
                 `queue` of as many, or `tcp` a smaller `receive-window`",
                tcp.receive_window
            ),
        ),
        Some(_) => {}
    }
}
