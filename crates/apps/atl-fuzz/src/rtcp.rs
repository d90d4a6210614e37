//! The wire forms of a handoff's RTCP packets.

use atl_wire::rtcp::{Packet, decode, encode, packets};

/// Takes the bytes apart as a compound packet, and decodes each part: what is accepted has one
/// form, but for the reason of a BYE.
pub fn rtcp(data: &[u8]) {
    let mut octets = 0;
    for part in packets(data) {
        octets += part.len();
        let Ok(packet) = decode(part) else { continue };
        let again = encode(&packet);
        assert_eq!(decode(again.as_ref()), Ok(packet));
        match packet {
            Packet::Bye { .. } => assert_eq!(again.as_ref()[4..], part[4..8]),
            Packet::Notice { .. } => assert_eq!(again.as_ref(), part),
            Packet::Report { report, .. } => {
                assert_eq!(again.as_ref(), part);
                assert!(report.span <= report.window);
                assert!(u64::from(report.received) <= u64::from(report.highest) + 1);
                assert!(report.rate().is_none_or(|rate| rate.is_finite() && rate >= 0.0));
            }
        }
    }
    assert_eq!(octets, data.len());
}
