//! A slab: values that do not fit into a packet, which carries their slot instead.

/// Values by slot, while their packets are under way.
#[derive(Debug)]
pub(crate) struct Slab<T> {
    kept: Vec<T>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Slab { kept: Vec::new(), free: Vec::new() }
    }
}

impl<T: Copy> Slab<T> {
    /// Keeps a value; returns its slot.
    pub(crate) fn insert(&mut self, value: T) -> u32 {
        match self.free.pop() {
            Some(at) => {
                self.kept[at as usize] = value;
                at
            }
            None => {
                self.kept.push(value);
                self.kept.len() as u32 - 1
            }
        }
    }

    /// Keeps a second copy of a value; returns its slot.
    pub(crate) fn insert_copy(&mut self, at: u32) -> u32 {
        self.insert(self.kept[at as usize])
    }

    /// The value in a slot, to be changed there.
    pub(crate) fn get_mut(&mut self, at: u32) -> &mut T {
        &mut self.kept[at as usize]
    }

    /// Returns a value and frees its slot. Call it once for each value, also if its packet is lost.
    pub(crate) fn remove(&mut self, at: u32) -> T {
        self.free.push(at);
        self.kept[at as usize]
    }

    /// Number of values kept.
    #[cfg(test)]
    pub(crate) fn in_use(&self) -> usize {
        self.kept.len() - self.free.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_used_again() {
        let mut slab = Slab::default();
        let (a, b) = (slab.insert(1), slab.insert(2));
        assert_eq!((slab.remove(a), slab.in_use()), (1, 1));
        assert_eq!(slab.insert(3), a);
        *slab.get_mut(b) = 4;
        let c = slab.insert_copy(b);
        assert_eq!((slab.remove(b), slab.remove(a), slab.in_use()), (4, 3, 1));
        assert_eq!((slab.remove(c), slab.in_use()), (4, 0));
    }
}
