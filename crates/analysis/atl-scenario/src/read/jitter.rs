//! Reading delays that vary from packet to packet.

use atl_link::{Jitter, JitterShape, Reconfiguration, Reorder, WIFI_SPREADS};

use crate::keys::words::{JITTER_SHAPES, ORDERS};
use crate::table::Field;

/// A jitter; `Some(None)` if its spread is zero.
pub(super) fn jitter(field: &Field<'_>) -> Option<Option<Jitter>> {
    let jitter = if field.is_table() {
        let table = field.table()?;
        let size = table.get("spread");
        let spread = size.as_ref().and_then(Field::time);
        let shape = table.value("shape", |f| f.one_of(JITTER_SHAPES));
        if let (Some(spread), Some(JitterShape::Wifi), Some(size)) = (spread, shape, size)
            && !spread.is_zero()
            && !WIFI_SPREADS.contains(&spread)
        {
            let [calm, bad] = [WIFI_SPREADS.start(), WIFI_SPREADS.end()].map(|s| s.secs() * 1e3);
            return size.bad(format!("`spread` of a Wi-Fi channel is from {calm}ms to {bad}ms"));
        }
        let in_order = table.value("order", |f| f.one_of(ORDERS));
        Jitter { spread: spread?, shape: shape?, in_order: in_order? }
    } else {
        Jitter { spread: field.time()?, shape: JitterShape::Uniform, in_order: true }
    };
    Some((!jitter.spread.is_zero()).then_some(jitter))
}

/// A reordering; `Some(None)` if its share is zero.
pub(super) fn reorder(field: &Field<'_>) -> Option<Option<Reorder>> {
    let table = field.table()?;
    let (share, by) = (table.read("share", Field::probability), table.read("by", Field::time));
    let reorder = Reorder { share: share?, by: by? };
    Some((reorder.share.get() > 0.0).then_some(reorder))
}

/// A reconfiguration; `Some(None)` if it changes nothing.
pub(super) fn reconfiguration(field: &Field<'_>) -> Option<Option<Reconfiguration>> {
    let table = field.table()?;
    let (every, step) = (table.read("every", Field::time), table.read("step", Field::time));
    let (outage, loss) =
        (table.value("outage", Field::time), table.value("loss", Field::probability));
    let new = Reconfiguration { every: every?, step: step?, outage: outage?, loss: loss? };
    if new.outage >= new.every {
        return table.get("outage")?.bad("`outage` must be shorter than `every`");
    }
    let nothing = new.step.is_zero() && (new.outage.is_zero() || new.loss.get() <= 0.0);
    Some((!nothing).then_some(new))
}
