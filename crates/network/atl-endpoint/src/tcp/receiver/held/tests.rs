use super::*;
use proptest::prelude::*;

/// A reference: a list of ranges, the latest first, that is walked for everything.
#[derive(Default)]
struct List(Vec<Range>);

impl List {
    fn insert(&mut self, seq: u64) {
        let mut range = (seq, seq + 1);
        if let Some(at) = self.0.iter().position(|r| r.0 <= seq && seq < r.1) {
            self.0[..=at].rotate_right(1);
            return;
        }
        self.0.retain(|r| {
            let touches = r.1 == range.0 || r.0 == range.1;
            if touches {
                range = (range.0.min(r.0), range.1.max(r.1));
            }
            !touches
        });
        self.0.insert(0, range);
    }

    fn take_from(&mut self, start: u64) -> Option<u64> {
        let at = self.0.iter().position(|r| r.0 == start)?;
        Some(self.0.remove(at).1)
    }
}

proptest! {
    #[test]
    fn both_orders_are_those_of_a_list(steps in prop::collection::vec((0u64..60, 0u8..8), 1..200)) {
        let (mut held, mut list) = (Held::default(), List::default());
        let mut next = 0;
        for (ahead, what) in steps {
            // Usually a segment nearby, sometimes the next expected one, which frees those that
            // follow it.
            if what == 0 {
                next += 1;
                loop {
                    let (a, b) = (held.take_from(next), list.take_from(next));
                    prop_assert_eq!(a, b);
                    let Some(end) = a else { break };
                    next = end;
                }
            } else {
                let seq = next + 1 + ahead;
                prop_assert_eq!(held.contains(seq), list.0.iter().any(|r| r.0 <= seq && seq < r.1));
                held.insert(seq);
                list.insert(seq);
            }
            prop_assert_eq!(held.all(), &list.0[..]);
            prop_assert_eq!(held.recent(), &list.0[..list.0.len().min(SACK_BLOCKS)]);
            prop_assert_eq!(held.is_empty(), list.0.is_empty());
        }
    }
}

/// The largest number of comparisons for one of a thousand arrivals through `take`, with `holes`
/// holes, and the number for all of them.
fn comparisons(holes: u64, mut take: impl FnMut(&mut Held, u64)) -> (u64, u64) {
    let mut held = Held::default();
    (0..holes).for_each(|hole| held.insert(2 * hole + 1));
    let each: Vec<u64> = (0..1_000).map(|n| key::compared(|| take(&mut held, n))).collect();
    (each.iter().copied().max().unwrap_or_default(), each.iter().sum())
}

/// A window of 1e5 packets of which 5 % are lost has five thousand holes; six times as many are
/// behind this. A map of 30 000 has at most six levels, with up to eleven keys in a node. An
/// arrival looks up at most four ranges in two maps: its neighbours, the one that returns to the
/// array, and the one that leaves it.
const HOLES: u64 = 30_000;
const LOOK_UP: u64 = 6 * 11;

#[test]
fn what_arrives_above_all_holes_compares_nothing() {
    let above = comparisons(HOLES, |held, n| held.insert(2 * HOLES + n));
    assert_eq!(above, (0, 0));
    // Each behind a hole of its own, so that a range goes to the maps each time.
    let (most, all) = comparisons(HOLES, |held, n| held.insert(2 * HOLES + 2 * n + 1));
    assert!(most <= 2 * LOOK_UP, "{most}");
    assert!(all <= 1_000 * 2 * LOOK_UP, "{all}");
}

#[test]
fn what_fills_a_hole_looks_up_its_neighbours_and_walks_nothing() {
    // From the first hole on, as retransmissions arrive; and in strides, as if their order were
    // lost.
    for stride in [1, 17] {
        let (most, all) = comparisons(HOLES, |held, n| held.insert(2 * (n * stride + 1)));
        assert!(0 < most && most <= 8 * LOOK_UP, "{most}");
        let (_, few) = comparisons(300, |held, n| held.insert(2 * (n * stride % 299 + 1)));
        assert!(all < 8 * few, "{all} comparisons behind {HOLES} holes, {few} behind 300");
    }
    // In order: the range behind the next expected segment is taken.
    let (most, _) = comparisons(HOLES, |held, n| assert!(held.take_from(2 * n + 1).is_some()));
    assert!(most <= 4 * LOOK_UP, "{most}");
}

#[test]
fn a_duplicate_and_a_question_cost_a_look_up() {
    let (most, _) = comparisons(HOLES, |held, n| assert!(held.contains(2 * (29 * n) + 1)));
    assert!(0 < most && most <= LOOK_UP, "{most}");
    let (most, _) = comparisons(HOLES, |held, n| held.insert(2 * (29 * n) + 1));
    assert!(0 < most && most <= 8 * LOOK_UP, "{most}");
}
