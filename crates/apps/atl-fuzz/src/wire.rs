//! The wire form of receivers' reports.

use atl_core::path::LinkReport;
use atl_core::time::Span;
use atl_core::units::Probability;
use atl_wire::{PeerInfo, PeerLinkReport};
use atl_wire::{decode, encode};

use crate::bytes::Bytes;

/// Decodes the bytes as they are: an accepted message has one form and sane values. Then builds
/// reports from the bytes: every encoding decodes.
pub fn wire(data: &[u8]) {
    if let Ok(info) = decode(data) {
        assert_eq!(encode(&info).as_ref(), data);
        if let Some(report) = info.link_report {
            assert!((0.0..=1.0).contains(&report.link.loss.get()));
        }
        assert!(info.rate.is_none_or(|rate| rate.is_finite() && rate >= 0.0));
    }
    let mut bytes = Bytes(data);
    while let Some(code) = bytes.byte() {
        let link_report = (code & 1 != 0).then(|| PeerLinkReport {
            epoch: bytes.u32(),
            link: LinkReport {
                loss: Probability::clamped(bytes.f64()),
                delay: Span::from_nanos(bytes.u64()),
            },
        });
        let rate = (code & 2 != 0).then(|| bytes.f64());
        let open = (code & 4 != 0).then_some(code & 8 != 0);
        let message = encode(&PeerInfo { link_report, rate, window_open: open });
        let read = decode(message.as_ref()).expect("what `encode` writes is a message");
        assert_eq!(encode(&read), message);
        assert_eq!((read.link_report.is_some(), read.window_open), (link_report.is_some(), open));
    }
}
