//! The wire form of a paced flow's packets.

use atl_wire::paced::{Packet, decode, encode};

/// Decodes the bytes as a packet: an accepted packet has one form and sane values.
pub fn wire_paced(data: &[u8]) {
    let Ok((packet, rest)) = decode(data) else { return };
    let again = encode(&packet);
    let length = again.as_ref().len();
    assert_eq!(again.as_ref(), &data[..length]);
    assert_eq!(rest, &data[length..]);
    if let Packet::Report { report: packet, .. } = packet {
        let report = packet.report;
        assert!((0.0..=1.0).contains(&report.fraction_lost));
        assert!(report.loss_event_rate.is_none_or(|p| (0.0..=1.0).contains(&p)));
        let rates = [report.receive_rate, report.pair_rate];
        assert!(rates.iter().flatten().all(|rate| rate.is_finite() && *rate >= 0.0));
    }
}
