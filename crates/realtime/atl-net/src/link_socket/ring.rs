//! The latest tags of a link, each with its number.

use std::collections::VecDeque;

use atl_wire::link_query::{LostTags, Tag};

/// Tags of each link that are kept for clients that read late.
pub const CAPACITY: usize = 1024;

/// The last [`CAPACITY`] tags, numbered from 0. Overwritten ones are only counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Ring {
    tags: VecDeque<Tag>,
    /// Number of the oldest tag kept.
    first: u64,
}

impl Ring {
    /// Adds the next tag.
    pub(super) fn push(&mut self, tag: Tag) {
        if self.tags.len() >= CAPACITY {
            self.tags.pop_front();
            self.first += 1;
        }
        self.tags.push_back(tag);
    }

    /// Takes over all of `other`, which starts anew with number 0. Tags that `other` has
    /// overwritten count as overwritten here.
    pub(super) fn append(&mut self, other: &mut Ring) {
        if other.first > 0 {
            self.first = self.next() + other.first;
            self.tags.clear();
            other.first = 0;
        }
        for tag in other.tags.drain(..) {
            self.push(tag);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tags.is_empty()
    }

    /// Number of the next tag to come.
    fn next(&self) -> u64 {
        self.first + self.tags.len() as u64
    }

    /// At most `most` tags, from number `since` on: from a larger number if that is overwritten,
    /// from the next tag to come if there are fewer.
    pub(super) fn since(&self, since: u64, most: usize) -> LostTags {
        let first = since.clamp(self.first, self.next());
        // At most [`CAPACITY`].
        let skipped = (first - self.first) as usize;
        LostTags { first, tags: self.tags.iter().skip(skipped).take(most).copied().collect() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The tag with this number.
    fn tag(number: u64) -> Tag {
        u128::from(number).to_be_bytes()
    }

    /// Everything that a reader at `since` can get now, in messages of `most` tags; then the number
    /// at which it continues, and the number of tags missed.
    fn read(ring: &Ring, mut since: u64, most: usize) -> (Vec<Tag>, u64, u64) {
        let (mut read, mut missed) = (Vec::new(), 0);
        loop {
            let told = ring.since(since, most);
            missed += told.first.saturating_sub(since);
            since = told.next();
            if told.tags.is_empty() {
                return (read, since, missed);
            }
            read.extend(told.tags);
        }
    }

    #[test]
    fn what_has_not_come_yet_is_waited_for_from_the_next_one_on() {
        let mut ring = Ring::default();
        assert_eq!(ring.since(u64::MAX, 64), LostTags { first: 0, tags: Vec::new() });
        ring.push(tag(0));
        assert_eq!(ring.since(u64::MAX, 64), LostTags { first: 1, tags: Vec::new() });
        assert_eq!(ring.since(0, 64), LostTags { first: 0, tags: vec![tag(0)] });
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Bursts of losses, after each of which the lock may be free, and the reader may look.
        #[test]
        fn every_tag_is_told_once_or_counted_as_missed(
            bursts in prop::collection::vec((0..900_u64, any::<bool>(), any::<bool>()), 1..40),
            most in 1..200_usize,
        ) {
            let (mut ring, mut pending) = (Ring::default(), Ring::default());
            let (mut lost, mut since, mut missed, mut told) = (0, 0, 0, Vec::new());
            let mut unread = 0;
            for (burst, free, looks) in bursts.into_iter().chain([(0, true, true)]) {
                for number in lost..lost + burst {
                    pending.push(tag(number));
                }
                (lost, unread) = (lost + burst, unread + burst);
                if free {
                    ring.append(&mut pending);
                    prop_assert!(pending.is_empty() && pending.first == 0);
                }
                if free && looks {
                    let (read, next, gap) = read(&ring, since, most);
                    prop_assert_eq!(next, lost);
                    // Up to the capacity nothing is missed; beyond it, exactly the rest.
                    prop_assert_eq!(gap, unread.saturating_sub(CAPACITY as u64));
                    let from = next - read.len() as u64;
                    prop_assert!(read.iter().copied().eq((from..next).map(tag)));
                    told.extend(read);
                    (since, missed, unread) = (next, missed + gap, 0);
                }
            }
            prop_assert_eq!(told.len() as u64 + missed, lost);
            told.dedup();
            prop_assert_eq!(told.len() as u64 + missed, lost);
        }
    }
}
