//! The options of ACKs under way: packets carry only the place where theirs are kept.

use atl_endpoint::options::SackBlocks;
use atl_wire::PeerInfo;

/// Where the options of an ACK are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionsId(u32);

impl OptionsId {
    /// An ACK without options.
    pub const NONE: OptionsId = OptionsId(u32::MAX);
}

/// The options of ACKs under way.
#[derive(Debug, Default)]
pub struct OptionStore {
    sack: Vec<SackBlocks>,
    /// Empty until some receiver has something to report.
    peer_info: Vec<PeerInfo>,
    free: Vec<u32>,
}

impl OptionStore {
    /// Keeps the options of an ACK; an ACK without options needs no slot.
    #[inline]
    pub fn put(&mut self, sack: &SackBlocks, peer_info: &PeerInfo) -> OptionsId {
        let silent = peer_info.is_none();
        if sack[0].len == 0 && silent {
            return OptionsId::NONE;
        }
        let at = match self.free.pop() {
            Some(at) => {
                self.sack[at as usize] = *sack;
                at
            }
            None => {
                self.sack.push(*sack);
                self.sack.len() as u32 - 1
            }
        };
        if !silent || (at as usize) < self.peer_info.len() {
            self.put_info(at as usize, peer_info);
        }
        OptionsId(at)
    }

    fn put_info(&mut self, at: usize, peer_info: &PeerInfo) {
        if self.peer_info.len() <= at {
            self.peer_info.resize(at + 1, PeerInfo::NONE);
        }
        self.peer_info[at] = *peer_info;
    }

    /// The receiver's report in this ACK.
    #[inline]
    pub fn peer_info(&self, id: OptionsId) -> PeerInfo {
        if id == OptionsId::NONE {
            return PeerInfo::NONE;
        }
        self.peer_info.get(id.0 as usize).copied().unwrap_or(PeerInfo::NONE)
    }

    /// Returns the SACK blocks and frees their slot. Call it once for each ACK, also for a lost
    /// one.
    #[inline]
    pub fn take(&mut self, id: OptionsId) -> SackBlocks {
        if id == OptionsId::NONE {
            return SackBlocks::default();
        }
        self.free.push(id.0);
        self.sack[id.0 as usize]
    }

    /// ACKs whose options are kept.
    #[cfg(test)]
    pub(crate) fn in_use(&self) -> usize {
        let mut free = self.free.clone();
        free.sort_unstable();
        free.dedup();
        assert_eq!(free.len(), self.free.len(), "a place was given back twice");
        self.sack.len() - free.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use atl_endpoint::options::{SACK_BLOCKS, SackBlock};

    #[test]
    fn options_come_back_and_their_slot_is_used_again() {
        let mut store = OptionStore::default();
        let blocks = [SackBlock { offset: 1, len: 2 }; SACK_BLOCKS];
        let id = store.put(&blocks, &PeerInfo::NONE);
        assert_eq!(store.peer_info(id), PeerInfo::NONE);
        assert_eq!(store.take(id), blocks);
        let says = PeerInfo { rate: Some(7.0), ..PeerInfo::NONE };
        assert_eq!(store.put(&SackBlocks::default(), &says), id);
        assert_eq!(store.peer_info(id), says);
        assert_eq!(store.take(id), SackBlocks::default());
        // A slot does not keep the reports of the ACK before.
        assert_eq!(store.put(&blocks, &PeerInfo::NONE), id);
        assert_eq!(store.peer_info(id), PeerInfo::NONE);
        let none = store.put(&SackBlocks::default(), &PeerInfo::NONE);
        assert_eq!(none, OptionsId::NONE);
        assert_eq!(
            (store.take(none), store.peer_info(none)),
            (SackBlocks::default(), PeerInfo::NONE)
        );
    }
}
