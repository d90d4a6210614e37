//! The kernel's answers over nl80211.

use atl_device::nl80211::{Dump, Progress, family_id};

/// The family and the sequence number that the corpus uses.
const FAMILY: u16 = 0x23;
const SEQUENCE: u32 = 2;

/// Feeds the bytes as one datagram, and as two that are cut at the first byte's value: a dump is
/// bounded, and done at most once.
pub fn netlink(data: &[u8]) {
    let _ = family_id(data, SEQUENCE);
    let mut whole = Dump::new(FAMILY, SEQUENCE);
    let result = whole.feed(data);
    // A station takes two headers and its address.
    assert!(whole.stations().len() <= data.len() / 32 + 1);
    for station in whole.stations() {
        assert!(station.bitrate.is_none_or(|rate| rate.bps() > 0.0));
        assert!(station.expected_throughput.is_none_or(|rate| rate.bps() > 0.0));
    }
    let cut = data.first().map_or(0, |byte| usize::from(*byte));
    if let Some((first, second)) = data.split_at_checked(cut) {
        let mut parts = Dump::new(FAMILY, SEQUENCE);
        if parts.feed(first) == Ok(Progress::More) && parts.feed(second).is_ok() && result.is_ok() {
            assert_eq!(parts.stations(), whole.stations());
        }
    }
}
