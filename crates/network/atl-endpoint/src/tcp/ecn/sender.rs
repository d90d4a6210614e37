//! The ECN state of a sender.

use atl_core::window::MarkResponse;
use atl_link::Ecn;

use super::{ACE, ECE, EcnMode, FIRST_COUNT};

/// The ECN state of a sender.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct EcnSender {
    pub(in crate::tcp) accurate: bool,
    /// The field of packets that carry new data.
    field: Ecn,
    /// Marks count as losses, since the law needs more than the feedback tells.
    pub(in crate::tcp) as_losses: bool,
    /// The last ACE field.
    ace: u8,
    /// Marks among transmissions before this one were answered.
    pub(in crate::tcp) answered: u64,
    /// The next new data packet carries CWR.
    pub(in crate::tcp) cwr: bool,
}

impl EcnSender {
    /// At the start of a connection; `None` without ECN.
    pub(in crate::tcp) fn new(mode: EcnMode, response: MarkResponse) -> Option<Box<Self>> {
        let accurate = match mode {
            EcnMode::Off => return None,
            EcnMode::Classic => false,
            EcnMode::Accurate => true,
        };
        let l4s = accurate && response == MarkResponse::L4s;
        Some(Box::new(EcnSender {
            accurate,
            field: if l4s { Ecn::Ect1 } else { Ecn::Ect0 },
            as_losses: response.counts_marks() && !accurate,
            ace: FIRST_COUNT,
            answered: 0,
            cwr: false,
        }))
    }

    /// The ECN field and the CWR flag of the data packet that leaves now.
    pub(in crate::tcp) fn stamp(&mut self, again: bool) -> (Ecn, bool) {
        match again {
            true => (Ecn::NotEct, false),
            false => (self.field, std::mem::take(&mut self.cwr)),
        }
    }

    /// Packets that the flags of an ACK newly show to be marked, of `delivered` that it newly shows
    /// to have arrived. ECE shows no more than one.
    pub(in crate::tcp) fn take(&mut self, flags: u8, delivered: u32) -> u32 {
        match self.accurate {
            true => self.newly_marked(flags, delivered),
            false => u32::from(flags & ECE != 0),
        }
    }

    /// Packets that this ACE field newly shows to be marked, where the ACK newly shows `delivered`
    /// to have arrived (RFC 9768, appendix A.2.1: the count modulo 8, and where more than seven
    /// packets arrived, the largest count that fits).
    fn newly_marked(&mut self, ace: u8, delivered: u32) -> u32 {
        let marked = u32::from(ace.wrapping_sub(self.ace) & ACE);
        self.ace = ace;
        if delivered <= u32::from(ACE) {
            return marked;
        }
        delivered - ((delivered - marked) & u32::from(ACE))
    }
}
