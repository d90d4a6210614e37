//! A point of a case, and what a run there gave.

use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_scenario::scenario::Point;

use crate::monitor::Finding;

/// The result of a run with the controller under test.
pub(crate) struct Tested {
    pub(crate) result: Option<RunResult>,
    pub(crate) findings: Vec<Finding>,
}

/// A point of the sweep, in which the controller under test stands for a protocol.
pub(crate) struct Place<'a> {
    pub(crate) point: &'a Point,
    pub(crate) label: String,
    pub(crate) setup: Setup,
    pub(crate) tested: Vec<usize>,
}
