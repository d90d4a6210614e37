//! Faults forced upon PDUs: the seven scenarios of section 3.4 of the AAL-T paper.

use atl_aal::aalt::{Connection, cp_arq};
use atl_aal::cell::{Cell, PAYLOAD_OCTETS};
use atl_engine::adaptation::{Fault, Faults as Config};
use atl_link::random::Stream;

/// Bits of a cell before its payload.
const HEADER_BITS: usize = 40;
const CELL_BITS: usize = 424;

/// The damage to a PDU, drawn at once for all of its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blow {
    /// A cell other than the last is lost, or damaged at this bit.
    Earlier(Option<usize>),
    /// The last cell is damaged at this bit.
    LastDamaged(usize),
    LastLost,
    FirstAndLastLost,
    AllLost,
}

/// Draws faults: some for whole packets, some for the octets of a PDU, some for its cells.
#[derive(Debug)]
pub(crate) struct Faults {
    config: Config,
    stream: Stream,
}

impl Faults {
    pub(super) fn new(config: Config, stream: Stream) -> Self {
        Faults { config, stream }
    }

    /// The fault of the next PDU.
    fn draw(&mut self) -> Option<Fault> {
        if !self.stream.chance(self.config.share.get()) {
            return None;
        }
        Some(match self.config.fault {
            Fault::Any => {
                let n = Fault::SCENARIOS.len() as u64;
                Fault::SCENARIOS[self.stream.below(n) as usize]
            }
            fault => fault,
        })
    }

    /// Scenario 6: whether the next packet consists of tags.
    pub(super) fn tags_in_data(&mut self) -> bool {
        matches!(self.config.fault, Fault::TagsInData | Fault::Any)
            && self.stream.chance(self.config.share.get())
    }

    /// The next data PDU: scenario 7 changes it in place, the others act on its cells.
    pub(super) fn strike(&mut self, connection: Connection, pdu: &mut Vec<u8>) -> Option<Blow> {
        let fault = self.draw()?;
        let bit = |stream: &mut Stream| {
            HEADER_BITS + stream.below((CELL_BITS - HEADER_BITS) as u64) as usize
        };
        match fault {
            Fault::EarlierCell => {
                let damaged = self.stream.chance(0.5);
                Some(Blow::Earlier(damaged.then(|| bit(&mut self.stream))))
            }
            Fault::LastCellDamaged => Some(Blow::LastDamaged(bit(&mut self.stream))),
            Fault::LastCellLost => Some(Blow::LastLost),
            Fault::FirstAndLastCellLost => Some(Blow::FirstAndLastLost),
            Fault::AllCellsLost => Some(Blow::AllLost),
            Fault::CrcFails => {
                forge(connection, pdu);
                None
            }
            // It concerns packets, not PDUs.
            Fault::TagsInData | Fault::Any => None,
        }
    }
}

/// A PDU that lost or gained a cell and whose CRC matches all the same. The length check cannot see
/// octets that are wrong while their number is right, and the paper does not discuss them.
fn forge(connection: Connection, pdu: &mut Vec<u8>) {
    let Ok(read) = cp_arq::decode(pdu, connection) else { return };
    let (sn, mut payload) = (read.sn, read.payload.to_vec());
    if payload.len() > 2 * PAYLOAD_OCTETS {
        payload.drain(PAYLOAD_OCTETS..2 * PAYLOAD_OCTETS);
    } else {
        payload.extend_from_within(..payload.len().min(PAYLOAD_OCTETS));
        payload.resize(payload.len().next_multiple_of(PAYLOAD_OCTETS) + PAYLOAD_OCTETS - 4, 0);
    }
    cp_arq::encode(sn, &payload, connection, pdu);
}

/// Cell `index` of a PDU of `count` cells after the blow; `None` if it is lost.
pub(crate) fn survivor(blow: Blow, index: usize, count: usize, mut cell: Cell) -> Option<Cell> {
    let last = index + 1 == count;
    let lost = match blow {
        // A PDU of one cell has only a last one, which takes the fault.
        Blow::Earlier(None) => index == count.saturating_sub(1) / 2 && (!last || count == 1),
        Blow::LastLost => last,
        Blow::FirstAndLastLost => last || index == 0,
        Blow::AllLost => true,
        Blow::Earlier(Some(_)) | Blow::LastDamaged(_) => false,
    };
    match blow {
        Blow::Earlier(Some(bit)) if index == count.saturating_sub(1) / 2 => cell.flip(bit),
        Blow::LastDamaged(bit) if last => cell.flip(bit),
        _ => {}
    }
    (!lost).then_some(cell)
}
