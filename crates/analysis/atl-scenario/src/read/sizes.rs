//! Reading the distribution of the sizes of flows.

use atl_endpoint::app::{FlowSizes, SizeShape};

use crate::keys::words::SIZES;
use crate::table::{Field, Table};

/// The distribution that a source gives beside its mean size; `Some(None)` if it gives none.
pub(super) fn read(table: &Table<'_>) -> Option<Option<FlowSizes>> {
    let Some(field) = table.get("sizes") else { return Some(None) };
    let pareto = field.one_of(SIZES)?;
    let number = |key| table.value(key, Field::number);
    let shape = match pareto {
        true => SizeShape::Pareto(number("tail")?),
        false => SizeShape::Lognormal(number("sigma")?),
    };
    let mean = table.get("bytes")?.size()? as f64;
    Some(Some(FlowSizes { mean, shape }))
}
