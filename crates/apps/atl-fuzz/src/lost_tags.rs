//! A link's lists of the datagrams that it lost.

use atl_device::emulated::TagSequence;
use atl_wire::link_query::{Answer, Body, MAX_TAGS};

/// The first bytes are the number asked from; the others are answers, each after its length.
/// Whatever these say, each number is taken once or counted as missed once, and every tag taken was
/// sent.
pub fn lost_tags(data: &[u8]) {
    let Some((since, mut rest)) = data.split_first_chunk() else { return };
    let since = u64::from_be_bytes(*since);
    let mut sequence = TagSequence::new(since);
    // The number up to which every tag was taken or missed.
    let mut end = None;
    while let Some((&length, after)) = rest.split_first() {
        let (message, after) = after.split_at(usize::from(length).min(after.len()));
        rest = after;
        let Ok(Answer { body: Body::Lost(lost), .. }) = Answer::decode(message) else { continue };
        let sent = lost.tags.clone();
        assert!(sent.len() <= MAX_TAGS);
        let before = end.unwrap_or(since.min(lost.first));
        let next = lost.first.checked_add(sent.len() as u64);
        end = Some(before.max(lost.next()));
        let missed = sequence.missed();
        let taken = sequence.take(lost);
        assert!(sent.ends_with(&taken));
        if let Some(next) = next {
            let gap = sequence.missed() - missed;
            assert_eq!(taken.len() as u64 + gap, next.saturating_sub(before));
        }
    }
}
