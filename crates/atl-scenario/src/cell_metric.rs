//! What is measured of a flow whose packets travel in cells.

use crate::metric::Unit;

/// A metric of an adaptation layer, in the direction of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellMetric {
    /// The cell error ratio: cells lost or in error, as a share of those sent (AAL-T paper, eq. 9).
    Errors,
    /// The throughput efficiency (AAL-T paper, section 4): application data delivered, as a share of the payload of all cells
    /// sent but those of control packets.
    Efficiency,
    /// The same by eq. 4 at the cell error ratio met, for a TCP with its receiver's window over AAL5, and by eq. 5 for AAL-T.
    ModelEfficiency,
    /// PDUs sent again, as a share of those sent.
    Retransmissions,
    /// Octets of the CP-ARQ payload at the end of the run.
    Payload,
    /// The bit error ratio as AAL-T's sender estimates it at the end of the run.
    BitErrors,
    /// Packets that came out as they were, as a share of those that the layer took.
    Delivered,
    /// Packets that came out changed without any check's seeing it, as a share of those that came out.
    Undetected,
    /// Source quenches per second.
    Quenches,
}

impl CellMetric {
    /// Unit of its values.
    pub const fn unit(self) -> Unit {
        match self {
            CellMetric::Errors
            | CellMetric::Efficiency
            | CellMetric::ModelEfficiency
            | CellMetric::BitErrors => Unit::Ratio,
            CellMetric::Retransmissions | CellMetric::Delivered | CellMetric::Undetected => {
                Unit::Share
            }
            CellMetric::Payload => Unit::Octets,
            CellMetric::Quenches => Unit::PerSecond,
        }
    }
}
