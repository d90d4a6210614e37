//! A TCP without error control (`recovery = "none"`).

use crate::adaptation::{Adaptation, Layer};
use crate::protocol::Protocol;
use crate::setup::Tcp;
use crate::table::Table;

/// Checks that it has a layer below it that repairs everything, from end to end, and that drops nothing either: what such
/// a TCP loses is never sent again, and the connection stands still for good. A tunnel around one link does not do: other
/// links lose too.
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
