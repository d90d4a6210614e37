//! The wire form of a paced flow's packets.

use atl_core::path::LinkReport;
use atl_core::rate::Report;
use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use atl_wire::PeerLinkReport;
use atl_wire::ReportPacket;
use atl_wire::paced::{MAX_LEN, PacedError, Packet, decode, encode};
use proptest::prelude::*;

const AT: Time = Time::from_nanos(0x0102_0304_0506_0708);

fn link(epoch: u32, loss: u32, micros: u32) -> PeerLinkReport {
    let loss = Probability::clamped(f64::from(loss) / f64::from(u32::MAX));
    let delay = Span::from_micros(u64::from(micros));
    PeerLinkReport { epoch, link: LinkReport { loss, delay } }
}

/// The layout, octet by octet: a change of it is a new version.
#[test]
fn the_form_of_version_1() {
    let time = [1, 2, 3, 4, 5, 6, 7, 8];
    let short = |head: [u8; 12]| [&head[..], &time].concat();
    let data = Packet::Data { size: 1040, seq: 7, rtt_micros: 0x0a0b_0c0d, sent_at: AT };
    assert_eq!(encode(&data).as_ref(), short([0x11, 0, 4, 16, 0, 0, 0, 7, 10, 11, 12, 13]));
    let probe = Packet::Probe { size: 1040, number: 9, sent_at: AT };
    assert_eq!(encode(&probe).as_ref(), short([0x12, 0, 4, 16, 0, 0, 0, 9, 0, 0, 0, 0]));
    let ack = Packet::Ack {
        size: 40,
        seq: 7,
        mask: 5,
        marks: 0,
        clear: false,
        echo: AT,
        link_report: None,
    };
    assert_eq!(encode(&ack).as_ref(), short([0x13, 0, 0, 40, 0, 0, 0, 7, 0, 0, 0, 5]));
    let ack = Packet::Ack {
        size: 40,
        seq: 7,
        mask: 5,
        marks: 0x0102_0304,
        clear: true,
        echo: AT,
        link_report: Some(link(2, u32::MAX, 1000)),
    };
    let mut expected = short([0x13, 7, 0, 40, 0, 0, 0, 7, 0, 0, 0, 5]);
    expected.extend([1, 2, 3, 4]);
    expected.extend([0x11, 0, 0, 0, 2, 0xff, 0xff, 0xff, 0xff, 0, 0, 3, 0xe8]);
    assert_eq!(encode(&ack).as_ref(), expected);
    let answer = Packet::ProbeAck { size: 40, number: 9, echo: AT };
    assert_eq!(encode(&answer).as_ref(), short([0x14, 0, 0, 40, 0, 0, 0, 9, 0, 0, 0, 0]));
    let report = Report::default()
        .highest(1)
        .received(2)
        .cumulative_lost(-1)
        .fraction_lost(1.0)
        .jitter(Span::from_nanos(3))
        .echo(AT)
        .held(Span::from_nanos(4))
        .marked(5)
        .clear(6)
        .loss_event_rate(Some(0.5));
    let report = Packet::Report { size: 80, report: ReportPacket { report, link_report: None } };
    let words: [[u8; 8]; 10] = [
        1_u64.to_be_bytes(),
        2_u64.to_be_bytes(),
        [0xff; 8],
        1.0_f64.to_be_bytes(),
        3_u64.to_be_bytes(),
        time,
        4_u64.to_be_bytes(),
        0.5_f64.to_be_bytes(),
        5_u64.to_be_bytes(),
        6_u64.to_be_bytes(),
    ];
    assert_eq!(
        encode(&report).as_ref(),
        [&[0x15, 4 | 16 | 32, 0, 80][..], &words.concat()].concat()
    );
}

#[test]
fn octets_that_are_no_packet_are_refused_with_the_reason() {
    let probe = encode(&Packet::Probe { size: 1040, number: 9, sent_at: AT });
    for len in 0..probe.as_ref().len() {
        assert_eq!(decode(&probe.as_ref()[..len]), Err(PacedError::Truncated), "{len} octets");
    }
    let changed = |place: usize, to: u8| {
        let mut octets = probe.as_ref().to_vec();
        octets[place] = to;
        decode(&octets).map(|(packet, _)| packet)
    };
    assert_eq!(changed(0, 0x22), Err(PacedError::Version { found: 2 }));
    assert_eq!(changed(0, 0x10), Err(PacedError::Kind { found: 0 }));
    assert_eq!(changed(0, 0x16), Err(PacedError::Kind { found: 6 }));
    assert_eq!(changed(1, 1), Err(PacedError::Flags { found: 1 }));
    assert_eq!(changed(11, 1), Err(PacedError::Reserved));
    let report = |share: f64| {
        let mut octets = vec![0x15, 0, 0, 80];
        octets
            .extend([[0; 8], [0; 8], [0; 8], share.to_be_bytes(), [0; 8], [0; 8], [0; 8]].concat());
        decode(&octets).map(|_| ())
    };
    assert_eq!(report(0.25), Ok(()));
    for wrong in [f64::NAN, -0.0, -1.0, 1.5, f64::INFINITY] {
        assert_eq!(report(wrong), Err(PacedError::Value), "{wrong}");
    }
    let mut ack = encode(&Packet::Ack {
        size: 40,
        seq: 1,
        mask: 0,
        marks: 0,
        clear: false,
        echo: AT,
        link_report: Some(link(0, 1, 1)),
    })
    .as_ref()
    .to_vec();
    ack[20] = 0x15;
    assert_eq!(decode(&ack), Err(PacedError::LinkReport));
}

fn any_packet() -> impl Strategy<Value = Packet> {
    let time = any::<u64>().prop_map(Time::from_nanos);
    let link = proptest::option::of(
        (any::<u32>(), any::<u32>(), any::<u32>()).prop_map(|(e, l, d)| link(e, l, d)),
    );
    let rate = || proptest::option::of(0.0..1e12f64);
    let counts = (any::<u64>(), any::<u64>(), any::<i64>(), 0.0..=1.0f64);
    let times = (any::<u64>(), any::<u64>(), any::<u64>());
    let rates = (rate(), proptest::option::of(0.0..=1.0f64), rate());
    let ecn = (prop_oneof![Just(0), any::<u32>()], any::<bool>());
    let report = (counts, times, rates, link.clone(), 0..3_u64, any::<u64>()).prop_map(
        |(counts, times, rates, link, marked, clear)| {
            let report = Report::default()
                .highest(counts.0)
                .received(counts.1)
                .cumulative_lost(counts.2)
                .fraction_lost(counts.3)
                .jitter(Span::from_nanos(times.0))
                .echo(Time::from_nanos(times.1))
                .held(Span::from_nanos(times.2))
                .receive_rate(rates.0)
                .loss_event_rate(rates.1)
                .pair_rate(rates.2)
                .marked(marked)
                .clear(clear);
            ReportPacket { report, link_report: link }
        },
    );
    (any::<u16>(), any::<u32>(), any::<u32>(), time, link, report, (0..5, ecn)).prop_map(
        |(size, number, second, at, link_report, report, (kind, ecn))| match kind {
            0 => Packet::Data { size, seq: number, rtt_micros: second, sent_at: at },
            1 => Packet::Probe { size, number, sent_at: at },
            2 => Packet::Ack {
                size,
                seq: number,
                mask: second,
                marks: ecn.0,
                clear: ecn.1,
                echo: at,
                link_report,
            },
            3 => Packet::ProbeAck { size, number, echo: at },
            _ => Packet::Report { size, report },
        },
    )
}

proptest! {
    #[test]
    fn every_packet_survives_the_wire(
        packet in any_packet(),
        filler in proptest::collection::vec(any::<u8>(), 0..64),
    ) {
        let encoded = encode(&packet);
        prop_assert!(encoded.as_ref().len() <= MAX_LEN);
        let datagram = [encoded.as_ref(), &filler].concat();
        let (read, rest) = decode(&datagram).expect("what `encode` writes is a packet");
        prop_assert_eq!(rest, &filler[..]);
        // p_w was rounded by the first encoding; another one changes nothing.
        prop_assert_eq!(encode(&read), encoded);
        prop_assert_eq!(read.size(), packet.size());
    }

    /// Octets that decode are the only form of their packet.
    #[test]
    fn any_octets_are_refused_or_have_one_form(
        kind in 0x10..0x17u8,
        flags in 0..64u8,
        octets in proptest::collection::vec(any::<u8>(), 0..100),
    ) {
        let octets = [&[kind, flags], &octets[..]].concat();
        if let Ok((packet, rest)) = decode(&octets) {
            let again = [encode(&packet).as_ref(), rest].concat();
            prop_assert_eq!(again, octets);
        }
    }

    #[test]
    fn a_part_of_a_packet_is_none(packet in any_packet(), share in 0.0..1.0f64) {
        let encoded = encode(&packet);
        let octets = encoded.as_ref();
        let part = &octets[..(octets.len() as f64 * share) as usize];
        prop_assert_eq!(decode(part), Err(PacedError::Truncated));
    }
}
