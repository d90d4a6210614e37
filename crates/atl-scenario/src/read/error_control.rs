//! A TCP without error control (`recovery = "none"`).

use crate::adaptation::{Adaptation, Layer};
use crate::protocol::{Protocol, Recovery};
use crate::table::Table;

/// Checks that it has a layer below it that repairs everything, from end to end: what such a TCP loses is never sent
/// again, and the connection stands still for good. A tunnel around one link does not do: other links lose too.
pub(super) fn check(table: &Table<'_>, protocol: &Protocol, adaptation: Option<&Adaptation>) {
    let switched_off = protocol.tcp().is_some_and(|tcp| tcp.recovery == Recovery::None);
    let repaired = matches!(adaptation.map(|a| &a.layer), Some(Layer::AalT(_)));
    if switched_off && !repaired {
        table.report(
            format!("`{}` has a TCP without error control", table.path),
            "`recovery = \"none\"` needs a layer that repairs everything: `adaptation = \"aal-t\"`",
        );
    }
}
