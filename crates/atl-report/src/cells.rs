//! Metrics of flows whose packets travel in cells.

use atl_aal::aal5;
use atl_aal::cell::PAYLOAD_OCTETS;
use atl_aal::model::{
    cell_success_from_errors, go_back_n_efficiency, packet_success, selective_repeat_efficiency,
};
use atl_core::units::Probability;
use atl_scenario::adaptation::Layer;
use atl_scenario::metric::CellMetric;
use atl_scenario::result::FlowResult;
use atl_scenario::setup::FlowSetup;

use crate::quantity::{Quantity, quantity};

/// How a metric is shown.
pub(crate) const fn quantity_of(metric: CellMetric) -> Quantity {
    match metric {
        CellMetric::Errors => quantity("cell error ratio", "cell_errors", "", 1.0),
        CellMetric::Efficiency => quantity("throughput efficiency", "cell_efficiency", "", 1.0),
        CellMetric::ModelEfficiency => {
            quantity("throughput efficiency by eq. 4 and 5", "cell_efficiency_model", "", 1.0)
        }
        CellMetric::Retransmissions => {
            quantity("PDUs sent again", "arq_retransmissions", "%", 100.0)
        }
        CellMetric::Payload => quantity("CP-ARQ payload", "arq_payload", "octets", 1.0),
        CellMetric::BitErrors => quantity("bit error ratio, estimated", "bit_errors", "", 1.0),
        CellMetric::Delivered => quantity("packets delivered", "aal_delivered_share", "%", 100.0),
        CellMetric::Undetected => quantity("undetected errors", "undetected", "%", 100.0),
        CellMetric::Quenches => quantity("source quenches", "quenches_per_s", "1/s", 1.0),
    }
}

/// The metric of a flow; `None` where its packets do not travel in cells, or the metric says nothing of it.
pub(crate) fn of_flow(metric: CellMetric, setup: &FlowSetup, flow: &FlowResult) -> Option<f64> {
    let cells = flow.adaptation?;
    let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
    match metric {
        CellMetric::Errors => cells.cell_errors(),
        CellMetric::Efficiency => {
            let sent = ((cells.cells - cells.control_cells) * PAYLOAD_OCTETS as u64 * 8) as f64;
            (sent > 0.0).then(|| flow.goodput_bps * flow.active_s / sent)
        }
        CellMetric::ModelEfficiency => model_efficiency(setup, cells.cell_errors()?),
        CellMetric::Retransmissions => share(cells.retransmitted, cells.pdus),
        CellMetric::Delivered => share(cells.delivered, cells.offered - cells.refused),
        CellMetric::Payload => cells.payload_octets.map(|octets| octets as f64),
        CellMetric::BitErrors => cells.bit_errors,
        CellMetric::Undetected => share(cells.undetected, cells.delivered + cells.undetected),
        CellMetric::Quenches => {
            (flow.active_s > 0.0).then(|| cells.quenches as f64 / flow.active_s)
        }
    }
}

/// Eq. 4 or 5 for the flow's packets, at a cell error ratio; `None` of a tunnel, whose packets are not the flow's alone.
fn model_efficiency(setup: &FlowSetup, cell_errors: f64) -> Option<f64> {
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
