//! The options of ACKs under way: packets carry only the place where theirs are kept.

use atl_endpoint::options::{Extras, SackBlocks};

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
    extras: Vec<Extras>,
    free: Vec<u32>,
}

impl OptionStore {
    /// Keeps the options of an ACK; an ACK without options needs no slot.
    #[inline]
    pub fn put(&mut self, sack: &SackBlocks, extras: &Extras) -> OptionsId {
        let silent = extras.is_none();
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
        if !silent || (at as usize) < self.extras.len() {
            self.put_extras(at as usize, extras);
        }
        OptionsId(at)
    }

    fn put_extras(&mut self, at: usize, extras: &Extras) {
        if self.extras.len() <= at {
            self.extras.resize(at + 1, Extras::NONE);
        }
        self.extras[at] = *extras;
    }

    /// What the receiver reports in this ACK.
    #[inline]
    pub fn extras(&self, id: OptionsId) -> Extras {
        if id == OptionsId::NONE {
            return Extras::NONE;
        }
        self.extras.get(id.0 as usize).copied().unwrap_or(Extras::NONE)
    }

    /// Returns the SACK blocks and frees their slot. Call it once for each ACK, also for a lost one.
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
        let id = store.put(&blocks, &Extras::NONE);
        assert_eq!(store.extras(id), Extras::NONE);
        assert_eq!(store.take(id), blocks);
        let says = Extras { rate: Some(7.0), ..Extras::NONE };
        assert_eq!(store.put(&SackBlocks::default(), &says), id);
        assert_eq!(store.extras(id), says);
        assert_eq!(store.take(id), SackBlocks::default());
        // A slot does not keep the reports of the ACK before.
        assert_eq!(store.put(&blocks, &Extras::NONE), id);
        assert_eq!(store.extras(id), Extras::NONE);
        let none = store.put(&SackBlocks::default(), &Extras::NONE);
        assert_eq!(none, OptionsId::NONE);
        assert_eq!((store.take(none), store.extras(none)), (SackBlocks::default(), Extras::NONE));
    }
}
