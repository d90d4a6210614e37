//! Numbers at the edges of their widths, all combinations, against arithmetic that cannot wrap.

use std::collections::BTreeSet;

use atl_core::path::LinkReport;
use atl_core::rate::Arrived;
use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use atl_endpoint::feedback::accept_peer_report;
use atl_endpoint::number::expand;
use atl_endpoint::options::PeerLinkReport;
use atl_endpoint::paced::{Answer, PacedReceiver};

/// 0, and each power of two that a header or a counter has as its end, with their neighbours.
fn edges(most: u32) -> Vec<u64> {
    let powers = [0, 1, 7, 8, 15, 16, 24, 30, 31, 32, 33, 48, 53, 62, 63];
    let around = |power: &u32| (1_u64 << power).saturating_sub(2)..=(1_u64 << power) + 2;
    let mut all: Vec<u64> =
        powers.iter().filter(|power| **power <= most).flat_map(around).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Of all numbers with this low half that 64 bits hold, none is nearer.
#[test]
fn a_half_expands_to_the_nearest_number_that_there_is() {
    let range = 1_i128 << 32;
    for near in edges(63) {
        for low in edges(31).into_iter().chain(edges(32).into_iter().map(|at| at & 0xffff_ffff)) {
            let (low, exact) = (low as u32, i128::from(near));
            let found = i128::from(expand(near, low));
            assert_eq!(found & (range - 1), i128::from(low), "{near} {low}");
            let distance = (found - exact).abs();
            for other in [found - range, found + range] {
                let exists = (0..=i128::from(u64::MAX)).contains(&other);
                assert!(!exists || (other - exact).abs() >= distance, "{near} {low}: {found}");
            }
        }
    }
}

/// The masks of a receiver that acknowledges each packet, wherever its numbers are: each subset of
/// some packets below the newest one, at the distances where a mask or a record ends.
#[test]
fn masks_show_what_has_arrived_wherever_numbers_are() {
    const BACK: [u64; 9] = [1, 2, 3, 31, 32, 33, 63, 64, 65];
    for newest in edges(62).into_iter().filter(|newest| *newest >= 70) {
        for subset in 0..1_u32 << BACK.len() {
            let mut receiver = PacedReceiver::new(None);
            let mut arrived = BTreeSet::new();
            let below = (0..BACK.len()).filter(|bit| subset & 1 << bit != 0);
            // From the oldest on, and then the newest.
            let seqs = below.rev().map(|bit| newest - BACK[bit]).chain([newest]);
            for seq in seqs {
                let packet = Arrived::new(Time::ZERO, seq, Time::ZERO, 1040);
                let Answer::Ack { mask, .. } = receiver.on_data(&packet, 1000) else {
                    panic!("each packet is acknowledged")
                };
                let shown: BTreeSet<u64> =
                    (0..32).filter(|bit| mask & 1 << bit != 0).map(|bit| seq - 1 - bit).collect();
                let expected = arrived.range(seq.saturating_sub(32)..seq).copied().collect();
                assert_eq!(shown, expected, "{seq} of {newest}, {subset:b}");
                arrived.insert(seq);
            }
            assert_eq!(receiver.above(), newest + 1);
            assert_eq!(receiver.payload_bytes(), 1000 * arrived.len() as u64);
        }
    }
}

/// The count of handoffs in reports wraps: of two counts, that is the later one which is less than
/// half of the range ahead.
#[test]
fn a_later_report_is_known_wherever_the_count_of_handoffs_wraps() {
    let link = LinkReport { loss: Probability::ZERO, delay: Span::from_millis(5) };
    let of = |epoch: u64| PeerLinkReport { epoch: epoch as u32, link };
    for before in edges(32) {
        for after in edges(32) {
            let mut last = None;
            assert!(accept_peer_report(&mut last, Time::ZERO, &of(before)).is_some());
            let ahead = (i64::from(after as u32) - i64::from(before as u32)).rem_euclid(1 << 32);
            let accepted = accept_peer_report(&mut last, Time::ZERO, &of(after));
            let expected = (ahead < 1 << 31).then_some(ahead > 0);
            let moved = accepted.as_ref().map(|handoff| handoff.is_some());
            assert_eq!(moved, expected, "{before} {after}");
        }
    }
}
