//! A curve over time.

use super::reduce::Series;
use atl_scenario::scenario::Point;

pub(super) struct Timeline<'a> {
    pub(super) name: String,
    pub(super) point: &'a Point,
    /// Index of the flow; `None` for all flows together.
    pub(super) flow: Option<usize>,
    /// Values over time in each run.
    pub(super) runs: Vec<Series>,
}
