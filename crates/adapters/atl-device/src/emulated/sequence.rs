//! Numbers of lost datagrams' tags.

use atl_wire::link_query::{LostTags, Tag};

/// Takes each tag once, in the order of numbers, even if a link repeats some; and counts the gaps.
#[derive(Clone, Debug)]
pub struct TagSequence {
    /// Number of the next tag.
    next: u64,
    /// True until the first answer.
    fresh: bool,
    missed: u64,
}

impl TagSequence {
    /// Expects tags from number `since` on.
    pub fn new(since: u64) -> Self {
        TagSequence { next: since, fresh: true, missed: 0 }
    }

    /// The tags of an answer that are new.
    pub fn take(&mut self, lost: LostTags) -> Vec<Tag> {
        let end = lost.next();
        // The first answer may begin below `since` if there are fewer tags: its own start counts.
        if std::mem::take(&mut self.fresh) {
            self.next = self.next.min(lost.first);
        }
        self.missed = self.missed.saturating_add(lost.first.saturating_sub(self.next));
        let repeated = self.next.saturating_sub(lost.first);
        let repeated = usize::try_from(repeated).unwrap_or(usize::MAX);
        self.next = self.next.max(end);
        lost.tags.into_iter().skip(repeated).collect()
    }

    /// Tags that the link had overwritten before they were sent.
    pub fn missed(&self) -> u64 {
        self.missed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(first: u64, tags: &[u8]) -> LostTags {
        LostTags { first, tags: tags.iter().map(|tag| [*tag; 16]).collect() }
    }

    fn take(sequence: &mut TagSequence, first: u64, tags: &[u8]) -> Vec<u8> {
        sequence.take(lost(first, tags)).iter().map(|tag| tag[0]).collect()
    }

    #[test]
    fn gaps_are_counted_and_repetitions_left_out() {
        let mut sequence = TagSequence::new(u64::MAX);
        assert_eq!(take(&mut sequence, 100, &[]), [0; 0]);
        assert_eq!(take(&mut sequence, 100, &[1, 2]), [1, 2]);
        assert_eq!(sequence.missed(), 0);
        assert_eq!(take(&mut sequence, 105, &[6]), [6]);
        assert_eq!(sequence.missed(), 3);
        assert_eq!(take(&mut sequence, 104, &[5, 6, 7]), [7]);
        assert_eq!(take(&mut sequence, 0, &[0]), [0; 0]);
        assert_eq!(take(&mut sequence, 107, &[8]), [8]);
        assert_eq!(sequence.missed(), 3);
    }

    #[test]
    fn the_first_answer_counts_what_was_overwritten_and_not_what_is_to_come() {
        let mut sequence = TagSequence::new(10);
        assert_eq!(take(&mut sequence, 14, &[1]), [1]);
        assert_eq!(sequence.missed(), 4);
        let mut sequence = TagSequence::new(10);
        assert_eq!(take(&mut sequence, 3, &[1, 2]), [1, 2]);
        assert_eq!(sequence.missed(), 0);
    }

    #[test]
    fn the_largest_numbers_do_no_harm() {
        let mut sequence = TagSequence::new(0);
        assert_eq!(take(&mut sequence, u64::MAX, &[1, 2]), [1, 2]);
        assert_eq!(take(&mut sequence, 0, &[3]), [0; 0]);
        assert_eq!(take(&mut sequence, u64::MAX, &[4]), [4]);
        assert_eq!(sequence.missed(), u64::MAX);
    }
}
