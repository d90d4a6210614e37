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
    /// Marks that ACKs of paced flows tell, or marked bytes that those of TCP count. Empty until
    /// one does.
    marks: Vec<u32>,
    /// Windows that ACKs announce. Empty until one does.
    windows: Vec<Option<u32>>,
    free: Vec<u32>,
}

/// The word of an ACK with the AccECN option.
const COUNTED: u32 = 1 << 31;

impl OptionStore {
    /// Keeps the options of an ACK; an ACK without options needs no slot.
    #[inline]
    pub fn put(&mut self, sack: &SackBlocks, peer_info: &PeerInfo) -> OptionsId {
        if sack[0].len == 0 && peer_info.is_none() {
            return OptionsId::NONE;
        }
        self.keep(sack, peer_info)
    }

    #[inline]
    fn keep(&mut self, sack: &SackBlocks, peer_info: &PeerInfo) -> OptionsId {
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
        // A slot must not keep what the ACK before told, which may have been lost.
        if let Some(word) = self.marks.get_mut(at as usize) {
            *word = 0;
        }
        if let Some(window) = self.windows.get_mut(at as usize) {
            *window = None;
        }
        if !peer_info.is_none() || (at as usize) < self.peer_info.len() {
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

    /// Keeps a second copy of the options of an ACK, for a copy of it.
    pub fn copy(&mut self, id: OptionsId) -> OptionsId {
        if id == OptionsId::NONE {
            return id;
        }
        let blocks = self.sack[id.0 as usize];
        let word = self.marks.get(id.0 as usize).copied();
        let copy = self.keep(&blocks, &self.peer_info(id));
        if let Some(word) = word {
            self.put_word(copy.0 as usize, word);
        }
        match self.window(id) {
            Some(window) => self.add_window(copy, window),
            None => copy,
        }
    }

    /// The SACK blocks in this ACK.
    pub fn sack(&self, id: OptionsId) -> SackBlocks {
        if id == OptionsId::NONE { SackBlocks::default() } else { self.sack[id.0 as usize] }
    }

    /// Replaces the SACK blocks of an ACK, whose other options stay.
    pub fn replace_sack(&mut self, id: OptionsId, sack: &SackBlocks) -> OptionsId {
        if id == OptionsId::NONE {
            return self.put(sack, &PeerInfo::NONE);
        }
        self.sack[id.0 as usize] = *sack;
        id
    }

    /// The receiver's report in this ACK.
    #[inline]
    pub fn peer_info(&self, id: OptionsId) -> PeerInfo {
        if id == OptionsId::NONE {
            return PeerInfo::NONE;
        }
        self.peer_info.get(id.0 as usize).copied().unwrap_or(PeerInfo::NONE)
    }

    /// Keeps what the ACK of a paced flow tells of marks, and its receiver's report; without either
    /// it needs no slot.
    #[inline]
    pub fn put_marks(&mut self, marks: u32, peer_info: &PeerInfo) -> OptionsId {
        if marks == 0 && peer_info.is_none() {
            return OptionsId::NONE;
        }
        self.keep_marks(marks, peer_info)
    }

    #[inline(never)]
    fn keep_marks(&mut self, marks: u32, peer_info: &PeerInfo) -> OptionsId {
        let id = self.keep(&SackBlocks::default(), peer_info);
        let at = id.0 as usize;
        if marks != 0 {
            self.put_word(at, marks);
        }
        id
    }

    /// Keeps the options of an ACK with the AccECN option, which counts marked bytes in 24 bits.
    pub fn put_counter(
        &mut self,
        sack: &SackBlocks,
        peer_info: &PeerInfo,
        bytes: u32,
    ) -> OptionsId {
        let id = self.keep(sack, peer_info);
        self.put_word(id.0 as usize, bytes | COUNTED);
        id
    }

    /// Adds the window that an ACK announces, in segments, to its options.
    #[cold]
    pub fn add_window(&mut self, id: OptionsId, window: u32) -> OptionsId {
        let id = match id {
            OptionsId::NONE => self.keep(&SackBlocks::default(), &PeerInfo::NONE),
            id => id,
        };
        let at = id.0 as usize;
        if self.windows.len() <= at {
            self.windows.resize(at + 1, None);
        }
        self.windows[at] = Some(window);
        id
    }

    /// The window that this ACK announces, if it does.
    #[inline]
    pub fn window(&self, id: OptionsId) -> Option<u32> {
        if id == OptionsId::NONE || self.windows.is_empty() {
            return None;
        }
        self.windows.get(id.0 as usize).copied().flatten()
    }

    /// True if this ACK tells more than SACK blocks and counters, which later ACKs repeat: a report
    /// of the receiver, or a window.
    pub fn tells_more(&self, id: OptionsId) -> bool {
        !self.peer_info(id).is_none() || self.window(id).is_some()
    }

    /// The counter of the AccECN option in this ACK, if it has one.
    #[inline]
    pub fn counter(&self, id: OptionsId) -> Option<u32> {
        if id == OptionsId::NONE || self.marks.is_empty() {
            return None;
        }
        let word = self.marks.get(id.0 as usize).copied().unwrap_or(0);
        (word & COUNTED != 0).then_some(word & !COUNTED)
    }

    fn put_word(&mut self, at: usize, word: u32) {
        if self.marks.len() <= at {
            self.marks.resize(at + 1, 0);
        }
        self.marks[at] = word;
    }

    /// The marks in the ACK of a paced flow; frees its slot, as [`take`](Self::take) does.
    #[inline]
    pub fn take_marks(&mut self, id: OptionsId) -> u32 {
        if id == OptionsId::NONE {
            return 0;
        }
        self.take(id);
        self.marks.get(id.0 as usize).copied().unwrap_or(0)
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

    #[test]
    fn marks_come_back_and_a_slot_does_not_keep_those_of_a_lost_ack() {
        let mut store = OptionStore::default();
        assert_eq!(store.put_marks(0, &PeerInfo::NONE), OptionsId::NONE);
        assert_eq!(store.take_marks(OptionsId::NONE), 0);
        let id = store.put_marks(0b101, &PeerInfo::NONE);
        assert_eq!((store.peer_info(id), store.take_marks(id)), (PeerInfo::NONE, 0b101));
        // This ACK is lost.
        let id = store.put_marks(0b11, &PeerInfo::NONE);
        store.take(id);
        let says = PeerInfo { rate: Some(7.0), ..PeerInfo::NONE };
        assert_eq!(store.put_marks(0, &says), id);
        assert_eq!((store.peer_info(id), store.take_marks(id), store.in_use()), (says, 0, 0));
        // The same for the counter of TCP.
        let blocks = [SackBlock { offset: 1, len: 2 }; SACK_BLOCKS];
        let id = store.put_counter(&blocks, &PeerInfo::NONE, 0);
        assert_eq!((store.counter(id), store.take(id)), (Some(0), blocks));
        let id = store.put(&blocks, &PeerInfo::NONE);
        assert_eq!((store.counter(id), store.counter(OptionsId::NONE)), (None, None));
        // And for windows, which may be all that an ACK tells.
        assert_eq!(store.add_window(id, 7), id);
        assert_eq!((store.window(id), store.take(id)), (Some(7), blocks));
        assert_eq!(store.add_window(OptionsId::NONE, 0), id);
        assert_eq!((store.window(id), store.take(id)), (Some(0), SackBlocks::default()));
    }

    #[test]
    fn a_copy_and_other_blocks_keep_the_rest_of_an_ack() {
        let mut store = OptionStore::default();
        let blocks = [SackBlock { offset: 1, len: 2 }; SACK_BLOCKS];
        let other = [SackBlock { offset: 3, len: 1 }; SACK_BLOCKS];
        let id = store.put_counter(&blocks, &PeerInfo::NONE, 9);
        assert!(!store.tells_more(id));
        let id = store.add_window(id, 4);
        assert!(store.tells_more(id) && !store.tells_more(OptionsId::NONE));
        let copy = store.copy(id);
        assert_eq!(store.replace_sack(copy, &other), copy);
        for (id, sack) in [(id, blocks), (copy, other)] {
            assert_eq!(
                (store.sack(id), store.counter(id), store.window(id)),
                (sack, Some(9), Some(4))
            );
        }
        let none = store.replace_sack(OptionsId::NONE, &SackBlocks::default());
        assert_eq!((none, store.sack(none)), (OptionsId::NONE, SackBlocks::default()));
        let id = store.replace_sack(none, &other);
        assert_eq!((store.sack(id), store.counter(id), store.window(id)), (other, None, None));
        let id = store.put(&blocks, &PeerInfo::NONE);
        assert_eq!((store.window(id), store.window(OptionsId::NONE)), (None, None));
    }
}
