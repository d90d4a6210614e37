//! The wire form of a receiver's reports.

use atl_core::path::LinkReport;
use atl_core::time::Span;
use atl_core::units::Probability;
use atl_wire::{MAX_LEN, WireError, decode, encode};
use atl_wire::{PeerInfo, PeerLinkReport};
use proptest::prelude::*;

fn report(epoch: u32, loss: f64, delay: Span) -> PeerInfo {
    let link = LinkReport { loss: Probability::clamped(loss), delay };
    PeerInfo { link_report: Some(PeerLinkReport { epoch, link }), ..PeerInfo::NONE }
}

/// The layout, octet by octet: a change of it is a new version.
#[test]
fn the_form_of_version_1() {
    let all = PeerInfo {
        rate: Some(1.5),
        window_open: Some(true),
        ..report(2, 1.0, Span::from_millis(1))
    };
    let octets =
        [0x1f, 0, 0, 0, 2, 0xff, 0xff, 0xff, 0xff, 0, 0, 0x03, 0xe8, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0];
    assert_eq!(encode(&all).as_ref(), octets);
    assert_eq!(octets.len(), MAX_LEN);
    assert_eq!(decode(&octets), Ok(all));
    assert_eq!(encode(&PeerInfo::NONE).as_ref(), [0x10]);
    assert_eq!(encode(&PeerInfo { window_open: Some(false), ..PeerInfo::NONE }).as_ref(), [0x14]);
}

#[test]
fn what_does_not_fit_is_rounded_or_saturates() {
    let long = report(0, 0.5, Span::from_secs(10_000));
    let read = decode(encode(&long).as_ref()).expect("a message").link_report.expect("a link").link;
    assert_eq!(read.delay, Span::from_micros(u64::from(u32::MAX)));
    let short = report(0, 0.0, Span::from_nanos(1_999));
    let read =
        decode(encode(&short).as_ref()).expect("a message").link_report.expect("a link").link;
    assert_eq!((read.delay, read.loss), (Span::from_micros(1), Probability::ZERO));
    for rate in [f64::NAN, f64::INFINITY, -1.0] {
        assert_eq!(encode(&PeerInfo { rate: Some(rate), ..PeerInfo::NONE }).as_ref(), [0x10]);
    }
}

#[test]
fn octets_that_are_no_message_are_refused_with_the_reason() {
    let mut octets = encode(&report(1, 0.1, Span::from_millis(5))).as_ref().to_vec();
    assert_eq!(decode(&[]), Err(WireError::Truncated));
    for len in 1..octets.len() {
        assert_eq!(decode(&octets[..len]), Err(WireError::Truncated), "{len} octets");
    }
    octets.push(0);
    assert_eq!(decode(&octets), Err(WireError::Trailing { octets: 1 }));
    assert_eq!(decode(&[0x20]), Err(WireError::Version { found: 2 }));
    assert_eq!(decode(&[0x18]), Err(WireError::OpenWithoutWindow));
    for rate in [f64::NAN, f64::NEG_INFINITY, -0.0, -1.0] {
        let octets = [&[0x12][..], &rate.to_be_bytes()].concat();
        assert_eq!(decode(&octets), Err(WireError::Rate), "{rate}");
    }
}

proptest! {
    #[test]
    fn every_report_survives_the_wire(
        epoch: u32,
        loss in 0.0..=1.0f64,
        micros in 0..u64::from(u32::MAX),
        rate in proptest::option::of(0.0..1e12f64),
        open: Option<bool>,
        has_link: bool,
    ) {
        let link = report(epoch, loss, Span::from_micros(micros));
        let info = PeerInfo { rate, window_open: open, link_report: link.link_report.filter(|_| has_link) };
        let read = decode(encode(&info).as_ref()).expect("what `encode` writes is a message");
        prop_assert_eq!((read.rate, read.window_open), (info.rate, info.window_open));
        match (read.link_report, info.link_report) {
            (Some(read), Some(sent)) => {
                prop_assert_eq!((read.epoch, read.link.delay), (sent.epoch, sent.link.delay));
                let error = (read.link.loss.get() - sent.link.loss.get()).abs();
                prop_assert!(error <= 0.5 / f64::from(u32::MAX) + f64::EPSILON, "{}", error);
            }
            (read, sent) => prop_assert_eq!(read.is_some(), sent.is_some()),
        }
    }

    /// Octets that decode are the only form of their message.
    #[test]
    fn any_octets_are_refused_or_have_one_form(octets in proptest::collection::vec(any::<u8>(), 0..24)) {
        if let Ok(info) = decode(&octets) {
            let message = encode(&info);
            prop_assert_eq!(message.as_ref(), &octets[..]);
        }
    }
}
