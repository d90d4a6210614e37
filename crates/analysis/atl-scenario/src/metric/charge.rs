//! Battery charge that probes take from a mobile.

use atl_core::time::Span;

use atl_engine::result::FlowResult;
use atl_engine::setup::{FlowSetup, RadioCard};

/// The charge of a flow's probes in ampere seconds (Taleb et al., sec. IV-D, eq. 4 for TCP, eq. 6
/// for paced flows, whose dummies are not answered). The mobile's radio receives dummies and
/// transmits their answers, or the reverse if the mobile sends. It is an upper bound, since every
/// dummy counts as arrived. `None` without a mobile, a card or probes.
pub(super) fn probe_charge(setup: &FlowSetup, flow: &FlowResult) -> Option<f64> {
    let mobile = setup.mobile?;
    let RadioCard { currents, rate } = mobile.card?;
    let bytes = flow.probe_bytes?;
    let dummies = rate.time_for(bytes);
    let answers = if setup.protocol.paces() {
        Span::ZERO
    } else {
        // Dummies are as long as data segments.
        let count = bytes as f64 / f64::from(setup.tcp.segment + setup.tcp.header);
        Span::from_secs_f64(rate.time_for(u64::from(setup.tcp.ack)).secs() * count)
    };
    let (receiving, transmitting) =
        if mobile.sends { (answers, dummies) } else { (dummies, answers) };
    currents.charge(1, receiving, transmitting)
}
