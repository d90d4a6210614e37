//! ATM adaptation: how IP packets travel in cells over a virtual channel.

use atl_aal::aalt::s_arq::{ReceiverConfig, SenderConfig};
use atl_core::time::Span;
use atl_core::units::Probability;

/// An adaptation layer at both ends of a virtual channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Adaptation {
    /// Which one.
    pub layer: Layer,
    /// IP packets that may wait at either end for the layer; further ones are dropped.
    pub queue: u32,
    /// Source quenches for cells that met congestion (EFCI); `None`: the receiving end sends none.
    pub quench: Option<Quench>,
}

/// The layers.
#[derive(Clone, Debug, PartialEq)]
pub enum Layer {
    /// AAL5 (ITU-T I.363.5): a packet of which a cell is lost or damaged is lost.
    Aal5,
    /// AAL-T: retransmits until everything has arrived, once and in order.
    AalT(AalT),
}

/// Parameters of AAL-T, the same in both directions. The host assigns the connection numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AalT {
    /// S-ARQ's sender.
    pub sender: SenderConfig,
    /// S-ARQ's receiver.
    pub receiver: ReceiverConfig,
    /// Faults forced upon its PDUs.
    pub faults: Option<Faults>,
}

/// Source quench for EFCI, to the source of the data (AAL-T paper, section 3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quench {
    /// Minimum time between two quenches to one flow.
    pub every: Span,
    /// Each is delayed at random, by up to this time, so that flows do not slow down all at once ("window scattering").
    pub scatter: Span,
}

impl Default for Quench {
    /// At most one in 100 ms, delayed by up to 50 ms.
    fn default() -> Self {
        Quench { every: Span::from_millis(100), scatter: Span::from_millis(50) }
    }
}

/// Faults forced upon CP-ARQ PDUs on their way into the network (AAL-T paper, section 3.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Faults {
    /// What happens to a PDU.
    pub fault: Fault,
    /// Share of the PDUs that it happens to.
    pub share: Probability,
}

/// The paper's scenarios.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Scenario 1: a cell that is not the last one is lost or damaged.
    EarlierCell,
    /// Scenario 2: the last cell is damaged.
    LastCellDamaged,
    /// Scenario 3: the last cell is lost.
    LastCellLost,
    /// Scenario 4: the first and the last cell are lost.
    FirstAndLastCellLost,
    /// Scenario 5: all cells are lost.
    AllCellsLost,
    /// Scenario 6: the packet consists of the octet that is its BTag and ETag.
    TagsInData,
    /// Scenario 7: the CRC fails to detect an error: octets are missing or the length is wrong, and the CRC still matches.
    CrcFails,
    /// Any of them, at random.
    Any,
}

impl Fault {
    /// The seven, in the paper's order.
    pub const SCENARIOS: [Fault; 7] = [
        Fault::EarlierCell,
        Fault::LastCellDamaged,
        Fault::LastCellLost,
        Fault::FirstAndLastCellLost,
        Fault::AllCellsLost,
        Fault::TagsInData,
        Fault::CrcFails,
    ];
}
