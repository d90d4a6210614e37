//! Reading the distribution of the sizes of flows.

use std::sync::Arc;

use atl_endpoint::app::{FlowSizes, SizeShape};

use super::Traces;
use super::size_list::SizeList;
use crate::keys::words::{SIZES, SizesName};
use crate::table::{Field, Table};

/// A distribution of sizes.
pub(super) enum Sizes {
    Formula(FlowSizes),
    Listed(Arc<SizeList>),
}

impl Sizes {
    /// The size that this share of flows, above 0 and below 1, does not exceed.
    pub(super) fn quantile(&self, share: f64) -> u64 {
        match self {
            Sizes::Formula(sizes) => sizes.quantile(share),
            Sizes::Listed(sizes) => sizes.quantile(share),
        }
    }
}

/// The distribution that a source gives; `Some(None)` if it gives none.
pub(super) fn read(table: &Table<'_>, traces: &Traces<'_>) -> Option<Option<Sizes>> {
    let Some(field) = table.get("sizes") else { return Some(None) };
    let number = |key| table.value(key, Field::number);
    let shape = match field.one_of(SIZES)? {
        SizesName::Pareto => SizeShape::Pareto(number("tail")?),
        SizesName::Lognormal => SizeShape::Lognormal(number("sigma")?),
        SizesName::File => {
            return Some(Some(Sizes::Listed(traces.sizes(&table.get("file")?)?)));
        }
    };
    let mean = table.get("bytes")?.size()? as f64;
    Some(Some(Sizes::Formula(FlowSizes { mean, shape })))
}
