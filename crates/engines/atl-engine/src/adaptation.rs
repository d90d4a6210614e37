//! ATM adaptation layers, which carry IP packets in cells over a virtual channel.

use atl_aal::aalt::s_arq::{ReceiverConfig, SenderConfig};
use atl_core::time::Span;
use atl_core::units::Probability;

/// An adaptation layer at both ends of a virtual channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Adaptation {
    /// Protocol of the layer.
    pub layer: Layer,
    /// Limit on the IP packets waiting at either end; further ones are dropped.
    pub queue: u32,
    /// Source quenches for cells that experienced congestion (EFCI); `None` if the receiving end
    /// sends none.
    pub quench: Option<Quench>,
}

/// Protocol of an adaptation layer.
#[derive(Clone, Debug, PartialEq)]
pub enum Layer {
    /// AAL5 (ITU-T I.363.5): the loss or damage of a cell loses the packet.
    Aal5,
    /// AAL-T: retransmits until all has arrived, once and in order.
    AalT(AalT),
}

/// Parameters of AAL-T, the same in both directions. The engine assigns connection numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AalT {
    /// Parameters of S-ARQ's sender.
    pub sender: SenderConfig,
    /// Parameters of S-ARQ's receiver.
    pub receiver: ReceiverConfig,
    /// Faults injected into its PDUs.
    pub faults: Option<Faults>,
}

/// Source quench in response to EFCI, sent to the source of the data (AAL-T paper, section 3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quench {
    /// Minimum time between two quenches to one flow.
    pub every: Span,
    /// Upper limit of a random delay of each, so that flows do not all slow down at once ("window
    /// scattering").
    pub scatter: Span,
}

impl Default for Quench {
    /// At most one quench in 100 ms, delayed by up to 50 ms.
    fn default() -> Self {
        Quench { every: Span::from_millis(100), scatter: Span::from_millis(50) }
    }
}

/// Faults injected into CP-ARQ PDUs on their way into the network (AAL-T paper, section 3.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Faults {
    /// Kind of fault.
    pub fault: Fault,
    /// Share of the PDUs affected.
    pub share: Probability,
}

/// The paper's scenarios of faults.
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
    /// Scenario 7: the CRC fails to detect an error: octets are missing or the length is wrong, and
    /// the CRC still matches.
    CrcFails,
    /// One of the seven at random.
    Any,
}

impl Fault {
    /// All seven, in the paper's order.
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
