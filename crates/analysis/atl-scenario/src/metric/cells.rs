//! Metrics of flows whose packets travel in ATM cells.

use atl_aal::aal5;
use atl_aal::cell::PAYLOAD_OCTETS;
use atl_aal::model::{
    cell_success_from_errors, go_back_n_efficiency, packet_success, selective_repeat_efficiency,
};
use atl_core::units::Probability;

use atl_engine::adaptation::Layer;
use atl_engine::result::{AdaptationResult, FlowResult};
use atl_engine::setup::FlowSetup;

/// The ratio of two counts; `None` if the second is 0, and for packets that do not travel in cells.
pub(super) fn share(flow: &FlowResult, of: fn(AdaptationResult) -> (u64, u64)) -> Option<f64> {
    let (part, whole) = of(flow.adaptation?);
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Application data delivered, as a share of the payload of all cells sent, control packets
/// excluded.
pub(super) fn efficiency(flow: &FlowResult) -> Option<f64> {
    let cells = flow.adaptation?;
    let sent = ((cells.cells - cells.control_cells) * PAYLOAD_OCTETS as u64 * 8) as f64;
    (sent > 0.0).then(|| flow.goodput_bps * flow.active_s / sent)
}

/// Eq. 4 or 5 of the AAL-T paper for the flow's packets, at the measured cell error ratio; `None`
/// for a tunnel, whose packets are not the flow's alone.
pub(super) fn efficiency_by_model(setup: &FlowSetup, flow: &FlowResult) -> Option<f64> {
    let cell_errors = flow.adaptation?.cell_errors()?;
    let adaptation = setup.adaptation.as_ref()?;
    let packet = (setup.tcp.segment + setup.tcp.header) as usize + aal5::TRAILER_OCTETS;
    let cells = packet.div_ceil(PAYLOAD_OCTETS);
    let payload = f64::from(setup.tcp.segment);
    let overhead = (cells * PAYLOAD_OCTETS) as f64 - payload;
    let cell = cell_success_from_errors(Probability::new(cell_errors)?);
    let success = packet_success(cell, u32::try_from(cells).ok()?);
    Some(match adaptation.layer {
        Layer::Aal5 => {
            let window = f64::from(setup.tcp.receive_window);
            go_back_n_efficiency(success, window, payload, overhead)
        }
        Layer::AalT(_) => selective_repeat_efficiency(success, payload, overhead),
    })
}

/// Source quenches per second.
pub(super) fn quenches_per_s(flow: &FlowResult) -> Option<f64> {
    let cells = flow.adaptation?;
    (flow.active_s > 0.0).then(|| cells.quenches as f64 / flow.active_s)
}
