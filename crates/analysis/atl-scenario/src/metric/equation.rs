//! Error of a form of ATL's eq. 10 compared with a measured flow.

use atl_core::model::{RateForm, rate_throughput};
use atl_core::time::Span;
use atl_core::units::Probability;

use atl_engine::result::FlowResult;
use atl_engine::setup::FlowSetup;

/// Relative error of the form: its throughput for the flow's alpha and beta, at the measured loss
/// and median RTT, over the measured throughput, minus 1. `None` if the flow's AIMD parameters are
/// not fixed, if it lost nothing, and where the form does not hold.
pub(super) fn model_error(form: RateForm, setup: &FlowSetup, flow: &FlowResult) -> Option<f64> {
    let rtt = Span::from_secs_f64(flow.rtt_median_s?);
    let aimd = setup.protocol.fixed_aimd(rtt)?;
    let model = rate_throughput(form, aimd, Probability::new(flow.loss()?)?, rtt)?;
    let bits = 8.0 * f64::from(setup.tcp.segment + setup.tcp.header);
    let error = model * bits / flow.throughput_bps - 1.0;
    error.is_finite().then_some(error)
}
