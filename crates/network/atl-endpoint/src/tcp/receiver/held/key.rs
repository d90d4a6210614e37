//! Keys of the ordered maps. In tests each comparison is counted, so that the cost of an arrival is
//! a number and not a time.

#[cfg(test)]
pub(super) use counted::compared;

/// The number of a segment, or an age.
#[derive(Clone, Copy, Debug, Eq)]
#[cfg_attr(not(test), derive(PartialEq, PartialOrd, Ord))]
pub(super) struct Key(pub(super) u64);

#[cfg(test)]
mod counted {
    use std::cell::Cell;
    use std::cmp::Ordering;

    use super::Key;

    thread_local! {
        static COMPARED: Cell<u64> = const { Cell::new(0) };
    }

    /// The number of comparisons in `work`.
    pub(in super::super) fn compared(work: impl FnOnce()) -> u64 {
        let before = COMPARED.get();
        work();
        COMPARED.get() - before
    }

    impl Ord for Key {
        fn cmp(&self, other: &Self) -> Ordering {
            COMPARED.set(COMPARED.get() + 1);
            self.0.cmp(&other.0)
        }
    }

    impl PartialEq for Key {
        fn eq(&self, other: &Self) -> bool {
            self.cmp(other) == Ordering::Equal
        }
    }

    impl PartialOrd for Key {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }
}
