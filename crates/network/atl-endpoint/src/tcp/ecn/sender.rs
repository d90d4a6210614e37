//! The ECN state of a sender.

use atl_core::window::MarkResponse;
use atl_link::Ecn;

use super::{ACE, COUNTER, ECE, EcnMode, FIRST_COUNT};

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
    /// s.ceb: ECEB of the last ACK with the AccECN option.
    ceb: u32,
    /// Bytes that the option of the current ACK newly shows to be marked.
    told: Option<u32>,
    /// The newest transmission that an ACK has echoed.
    newest: u64,
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
            ceb: 0,
            told: None,
            newest: 0,
            answered: 0,
            cwr: false,
        }))
    }

    /// Takes in the transmission that an ACK echoes, and the packets that it acknowledges
    /// cumulatively. False if another ACK has superseded it: it acknowledges none, and echoes an
    /// older transmission (RFC 9768, appendix A.1, which compares bytes and timestamps).
    pub(in crate::tcp) fn accepts(&mut self, echo: u64, cumulative: u32) -> bool {
        let new = cumulative > 0 || echo >= self.newest;
        self.newest = self.newest.max(echo);
        new
    }

    /// The ECN field and the CWR flag of the data packet that leaves now.
    pub(in crate::tcp) fn stamp(&mut self, again: bool) -> (Ecn, bool) {
        match again {
            true => (Ecn::NotEct, false),
            false => (self.field, std::mem::take(&mut self.cwr)),
        }
    }

    /// The AccECN option of the current ACK has this ECEB.
    pub(in crate::tcp) fn on_option(&mut self, ceb: u32) {
        let more = ceb.wrapping_sub(self.ceb) & COUNTER;
        // A counter that went back is that of an ACK which was overtaken.
        if self.accurate && more <= COUNTER / 2 {
            self.ceb = ceb;
            self.told = Some(self.told.unwrap_or(0).saturating_add(more));
        }
    }

    /// Packets that the flags of an ACK newly show to be marked, of `delivered` that it newly shows
    /// to have arrived, and their bytes where the AccECN option tells. ECE shows no more than one
    /// packet. A packet has `segment` bytes at most.
    pub(in crate::tcp) fn take(
        &mut self,
        flags: u8,
        delivered: u32,
        segment: u32,
    ) -> (u32, Option<u32>) {
        let bytes = self.told.take();
        let packets = match (self.accurate, bytes) {
            (false, _) => u32::from(flags & ECE != 0),
            (true, None) => self.newly_marked(flags, delivered),
            (true, Some(bytes)) => {
                self.newly_told(flags, bytes.div_ceil(segment.max(1)), delivered)
            }
        };
        (packets, bytes)
    }

    /// The same where the option shows the bytes of `least` packets: the least count that has
    /// these three bits and is no less (RFC 9768, appendix A.2.2), and no more than have arrived.
    fn newly_told(&mut self, ace: u8, least: u32, delivered: u32) -> u32 {
        let marked = u32::from(ace.wrapping_sub(self.ace) & ACE);
        self.ace = ace;
        let wraps = least.saturating_sub(marked).div_ceil(u32::from(ACE) + 1);
        let count = wraps.saturating_mul(u32::from(ACE) + 1).saturating_add(marked);
        count.min(delivered.max(marked))
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
