//! The wire forms of a handoff's RTCP packets.

use atl_core::path::{PathId, PathSignal};
use atl_core::time::Span;
use atl_wire::rtcp::{MAX_LEN, Packet, RtcpError, decode, encode, packets};
use atl_wire::{HandoffReport, Notice};
use proptest::prelude::*;

fn notice() -> Packet {
    let signal = PathSignal::Done(PathId::new(3));
    let notice = Notice { sequence: 0x0102_0304, signal, tag: 0x1122_3344_5566_7788 };
    Packet::Notice { ssrc: 0xaabb_ccdd, notice }
}

fn report() -> Packet {
    let report = HandoffReport {
        path: PathId::new(1),
        probe: 5,
        highest: 1249,
        received: 126,
        bytes: 63_000,
        span: Span::from_millis(500),
        window: Span::from_micros(500_001),
        jitter: Span::from_micros(258),
        tag: 1,
    };
    Packet::Report { ssrc: 7, stream: 9, report }
}

/// The layout, octet by octet: a change of it is a new version.
#[test]
fn the_form_of_a_notification() {
    let octets = [
        0x81, 222, 0, 5, // version 2, no padding, version 1 of HN; six words
        0xaa, 0xbb, 0xcc, 0xdd, // SSRC
        1, 2, 3, 4, // number
        1, 3, 0, 0, // done, path 3
        0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, // tag
    ];
    assert_eq!(encode(&notice()).as_ref(), octets);
    assert_eq!(decode(&octets), Ok(notice()));
}

#[test]
fn the_form_of_a_report() {
    let octets = [
        0x81, 223, 0, 12, // thirteen words
        0, 0, 0, 7, // SSRC of the receiver
        0, 0, 0, 9, // SSRC of the stream
        5, 0, 0x04, 0x64, // probe 5; of 1250 dummies 1124 lost
        0, 0, 0x04, 0xe1, // highest 1249
        0, 0, 0x01, 0x02, // jitter 258 us
        0, 0x07, 0xa1, 0x20, // span 500 000 us
        0, 0x07, 0xa1, 0x21, // window 500 001 us
        1, 0, 0, 0, // path 1
        0, 0, 0, 0, 0, 0, 0xf6, 0x18, // 63 000 bytes
        0, 0, 0, 0, 0, 0, 0, 1, // tag
    ];
    assert_eq!(octets.len(), MAX_LEN);
    assert_eq!(encode(&report()).as_ref(), octets);
    assert_eq!(decode(&octets), Ok(report()));
}

/// RFC 3550, sec. 6.6: the reason is optional.
#[test]
fn a_bye_may_give_a_reason() {
    let plain = [0x81, 203, 0, 1, 0, 0, 0, 9];
    assert_eq!(encode(&Packet::Bye { ssrc: 9 }).as_ref(), plain);
    assert_eq!(decode(&plain), Ok(Packet::Bye { ssrc: 9 }));
    let reason = [0x81, 203, 0, 3, 0, 0, 0, 9, 4, b'm', b'o', b'v', b'e', 0, 0, 0];
    assert_eq!(decode(&reason), Ok(Packet::Bye { ssrc: 9 }));
    let full = [0x81, 203, 0, 2, 0, 0, 0, 9, 3, b'o', b'f', b'f'];
    assert_eq!(decode(&full), Ok(Packet::Bye { ssrc: 9 }));
    for (place, octet) in [(8, 9), (8, 255), (15, 1)] {
        let mut wrong = reason;
        wrong[place] = octet;
        assert_eq!(decode(&wrong), Err(RtcpError::Reason), "{place}");
    }
    let several = [0x82, 203, 0, 2, 0, 0, 0, 9, 0, 0, 0, 8];
    assert_eq!(decode(&several), Err(RtcpError::Sources { found: 2 }));
    assert_eq!(decode(&[0x81, 203, 0, 0]), Err(RtcpError::Truncated));
}

#[test]
fn what_is_wrong_is_said() {
    let with = |packet: &Packet, changes: &[(usize, u8)]| {
        let mut octets = encode(packet).as_ref().to_vec();
        changes.iter().for_each(|&(place, octet)| octets[place] = octet);
        decode(&octets).expect_err("not a packet")
    };
    let (n, r) = (notice(), report());
    assert_eq!(with(&n, &[(0, 0x41)]), RtcpError::RtpVersion { found: 1 });
    assert_eq!(with(&n, &[(0, 0xa1)]), RtcpError::Padding);
    assert_eq!(with(&n, &[(0, 0x82)]), RtcpError::Version { found: 2 });
    assert_eq!(with(&n, &[(1, 201)]), RtcpError::PacketType { found: 201 });
    assert_eq!(with(&n, &[(3, 6)]), RtcpError::Truncated);
    assert_eq!(with(&n, &[(3, 4)]), RtcpError::Trailing { octets: 4 });
    assert_eq!(with(&n, &[(12, 3)]), RtcpError::Signal { found: 3 });
    assert_eq!(with(&n, &[(15, 1)]), RtcpError::Reserved);
    assert_eq!(with(&r, &[(1, 222)]), RtcpError::Length { found: 12, expected: 5 });
    assert_eq!(with(&r, &[(12, 64)]), RtcpError::Probe { found: 64 });
    assert_eq!(with(&r, &[(16, 1)]), RtcpError::Highest { found: 0x0100_04e1 });
    assert_eq!(with(&r, &[(14, 5)]), RtcpError::Lost { lost: 0x564, highest: 1249 });
    assert_eq!(with(&r, &[(31, 0x1f)]), RtcpError::Window);
    assert_eq!(with(&r, &[(33, 1)]), RtcpError::Reserved);
    let message = with(&n, &[(1, 201)]).to_string();
    assert_eq!(message, "packet type 201; this program reads 222 (HN), 223 (HR) and 203 (BYE)");
}

#[test]
fn a_compound_packet_is_taken_apart() {
    // An empty RR, which RFC 3550 demands as the first packet, then HN and BYE.
    let rr = [0x80, 201, 0, 1, 0, 0, 0, 7];
    let (hn, bye) = (encode(&notice()), encode(&Packet::Bye { ssrc: 9 }));
    let compound = [&rr[..], hn.as_ref(), bye.as_ref()].concat();
    let parts: Vec<_> = packets(&compound).collect();
    assert_eq!(parts, [&rr[..], hn.as_ref(), bye.as_ref()]);
    assert_eq!(decode(parts[0]), Err(RtcpError::PacketType { found: 201 }));
    assert_eq!(decode(parts[1]), Ok(notice()));
    // A packet that is cut off comes as it is.
    let parts: Vec<_> = packets(&compound[..20]).collect();
    assert_eq!((parts.len(), decode(parts[1])), (2, Err(RtcpError::Truncated)));
    assert_eq!(packets(&[1, 2]).collect::<Vec<_>>(), [&[1, 2]]);
    assert_eq!(packets(&[]).count(), 0);
}

#[test]
fn what_does_not_fit_is_brought_into_range() {
    let wild = HandoffReport {
        probe: 255,
        highest: u32::MAX,
        received: u32::MAX,
        span: Span::MAX,
        window: Span::MAX,
        jitter: Span::from_nanos(1_999),
        ..HandoffReport::default()
    };
    let octets = encode(&Packet::Report { ssrc: 0, stream: 0, report: wild });
    let Ok(Packet::Report { report, .. }) = decode(octets.as_ref()) else { panic!("a report") };
    assert_eq!((report.probe, report.highest, report.received), (63, (1 << 24) - 1, 1 << 24));
    assert_eq!(report.window, Span::from_micros(u64::from(u32::MAX)));
    assert_eq!(report.jitter, Span::from_micros(1));
}

proptest! {
    #[test]
    fn every_notice_comes_back(
        ssrc in any::<u32>(),
        sequence in any::<u32>(),
        kind in 0..3,
        path in any::<u8>(),
        tag in any::<u64>(),
    ) {
        let path = PathId::new(path);
        let signal = match kind {
            0 => PathSignal::Imminent(path),
            1 => PathSignal::Done(path),
            _ => PathSignal::Gone(path),
        };
        let packet = Packet::Notice { ssrc, notice: Notice { sequence, signal, tag } };
        prop_assert_eq!(decode(encode(&packet).as_ref()), Ok(packet));
    }

    #[test]
    fn every_report_comes_back(
        ids in (any::<u32>(), any::<u32>(), any::<u8>(), 0_u8..64, any::<u64>()),
        (highest, share) in (0_u32..1 << 24, 0.0_f64..=1.0),
        times in (any::<u32>(), any::<u32>(), any::<u32>()),
        bytes in any::<u64>(),
    ) {
        let (ssrc, stream, path, probe, tag) = ids;
        let span = Span::from_micros(u64::from(times.0.min(times.1)));
        let window = Span::from_micros(u64::from(times.0.max(times.1)));
        let report = HandoffReport {
            path: PathId::new(path),
            probe,
            highest,
            received: 1 + (f64::from(highest) * share) as u32,
            bytes,
            span,
            window,
            jitter: Span::from_micros(u64::from(times.2)),
            tag,
        };
        let packet = Packet::Report { ssrc, stream, report };
        prop_assert_eq!(decode(encode(&packet).as_ref()), Ok(packet));
    }

    #[test]
    fn octets_of_any_kind_never_panic_and_a_cut_packet_is_none(
        octets in prop::collection::vec(any::<u8>(), 0..80),
        cut in 0..52_usize,
    ) {
        let _ = decode(&octets);
        prop_assert_eq!(packets(&octets).map(<[u8]>::len).sum::<usize>(), octets.len());
        let whole = encode(&report());
        prop_assert_eq!(decode(&whole.as_ref()[..cut]), Err(RtcpError::Truncated));
    }
}
