//! How far a form of ATL's eq. 10 is from a flow that was measured.

use atl_core::model::{RateForm, rate_throughput};
use atl_core::time::Span;
use atl_core::units::Probability;
use atl_scenario::result::FlowResult;
use atl_scenario::setup::FlowSetup;

/// Throughput of the form, with the flow's own alpha and beta at the loss and the median RTT that it met, over the one
/// that it had, less 1. `None` for a flow whose AIMD parameters are not fixed, or that lost nothing, and where the form
/// does not hold.
pub(crate) fn model_error(form: RateForm, setup: &FlowSetup, flow: &FlowResult) -> Option<f64> {
    let rtt = Span::from_secs_f64(flow.rtt_median_s?);
    let aimd = setup.protocol.fixed_aimd(rtt)?;
    let model = rate_throughput(form, aimd, Probability::new(flow.loss()?)?, rtt)?;
    let bits = 8.0 * f64::from(setup.tcp.segment + setup.tcp.header);
    let error = model * bits / flow.throughput_bps - 1.0;
    error.is_finite().then_some(error)
}
