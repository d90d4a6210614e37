//! Questions about links and their answers, octet by octet.

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_wire::PeerLinkReport;
use atl_wire::WireError;
use atl_wire::link_query::{
    Answer, Body, LinkMeasurement, LinkName, LostTags, MAX_ANSWER, MAX_REQUEST, MAX_TAGS, Query,
    QueryError, Refusal, Request, tag,
};
use proptest::prelude::*;

fn air() -> LinkName {
    LinkName::new("air").unwrap()
}

fn measurement() -> LinkMeasurement {
    LinkMeasurement {
        at: Time::from_millis(1500),
        passed: 990,
        lost: 10,
        rate: Some(Rate::from_mbps(2.0)),
        report: PeerLinkReport {
            epoch: 3,
            link: LinkReport { loss: Probability::ONE, delay: Span::from_millis(50) },
        },
    }
}

#[test]
fn requests_have_the_documented_form() {
    let every = Span::from_millis(250);
    for (query, octets) in [
        (Query::Ask(air()), &b"\x11\0\0\0\x07air"[..]),
        (Query::Ask(LinkName::own()), b"\x11\0\0\0\x07"),
        (Query::Subscribe { link: air(), every }, b"\x12\0\0\0\x07\0\0\0\xfaair"),
        (Query::Unsubscribe, b"\x13\0\0\0\x07"),
        (Query::Lost { link: air(), since: 258 }, b"\x14\0\0\0\x07\0\0\0\0\0\0\x01\x02air"),
    ] {
        let request = Request { number: 7, query };
        assert_eq!(request.encode().as_ref(), octets);
        assert_eq!(Request::decode(octets), Ok(request));
    }
}

#[test]
fn answers_have_the_documented_form() {
    let report = Answer { number: 7, serial: 1, body: Body::Report(measurement()) };
    let octets = [
        &b"\x18\0\0\0\x07\0\0\0\x01"[..],
        &1_500_000_u64.to_be_bytes(),
        &990_u64.to_be_bytes(),
        &10_u64.to_be_bytes(),
        &2_000_000_u64.to_be_bytes(),
        b"\x11\0\0\0\x03\xff\xff\xff\xff",
        &50_000_u32.to_be_bytes(),
    ]
    .concat();
    assert_eq!(report.encode().as_ref(), octets);
    assert_eq!(Answer::decode(&octets), Ok(report));
    let refusal = Answer { number: 7, serial: 0, body: Body::Refusal(Refusal::NoSuchLink) };
    assert_eq!(refusal.encode().as_ref(), b"\x19\0\0\0\x07\0\0\0\0\x01");
    assert_eq!(Answer::decode(b"\x19\0\0\0\x07\0\0\0\0\x01"), Ok(refusal));
    let unlimited = LinkMeasurement { rate: None, ..measurement() };
    let answer = Answer { number: 1, serial: 0, body: Body::Report(unlimited) };
    assert_eq!(Answer::decode(answer.encode().as_ref()), Ok(answer));
}

#[test]
fn lost_tags_have_the_documented_form() {
    let lost = LostTags { first: 258, tags: vec![*b"sixteen octets..", [7; 16]] };
    assert_eq!(lost.next(), 260);
    let answer = Answer { number: 7, serial: 1, body: Body::Lost(lost) };
    let octets =
        [&b"\x1a\0\0\0\x07\0\0\0\x01"[..], &258_u64.to_be_bytes(), b"sixteen octets..", &[7; 16]]
            .concat();
    assert_eq!(answer.encode().as_ref(), octets);
    for length in 0..octets.len() {
        let cut = Answer::decode(&octets[..length]);
        match length {
            // A whole number of tags.
            17 | 33 => assert!(cut.is_ok(), "{cut:?}"),
            _ => assert_eq!(cut, Err(QueryError::Truncated), "at {length}"),
        }
    }
    assert_eq!(Answer::decode(&octets), Ok(answer));
    // The longest answer. Tags beyond it are left out by the encoder, and refused by the decoder.
    let most = LostTags { first: u64::MAX, tags: vec![[9; 16]; MAX_TAGS + 1] };
    assert_eq!(most.next(), u64::MAX);
    let encoded = Answer { number: 1, serial: 0, body: Body::Lost(most) }.encode();
    assert_eq!(encoded.as_ref().len(), MAX_ANSWER);
    let Ok(Answer { body: Body::Lost(read), .. }) = Answer::decode(encoded.as_ref()) else {
        panic!("no answer");
    };
    assert_eq!(read.tags.len(), MAX_TAGS);
    let more = [encoded.as_ref(), &[9; 16]].concat();
    assert_eq!(Answer::decode(&more), Err(QueryError::Trailing { octets: 16 }));
}

#[test]
fn a_tag_ends_a_datagram() {
    assert_eq!(tag(b"a datagram with sixteen octets.."), Some(*b"sixteen octets.."));
    assert_eq!(tag(&[1; 16]), Some([1; 16]));
    assert_eq!(tag(&[1; 15]), None);
}

#[test]
fn what_is_no_request_is_told() {
    let long = [&b"\x11\0\0\0\x01"[..], &[b'a'; 65]].concat();
    for (octets, error) in [
        (&b""[..], QueryError::Truncated),
        (b"\x21\0\0\0\x01", QueryError::Version { found: 2 }),
        (b"\x15\0\0\0\x01", QueryError::Kind { found: 5 }),
        (b"\x14\0\0\0\x01\0\0\0\0\0\0\0", QueryError::Truncated),
        (b"\x18\0\0\0\x01", QueryError::Kind { found: 8 }),
        (b"\x11\0\0\0", QueryError::Truncated),
        (b"\x12\0\0\0\x01\0\0\0", QueryError::Truncated),
        (b"\x12\0\0\0\x01\0\0\0\x09", QueryError::Interval { milliseconds: 9 }),
        (b"\x12\0\0\0\x01\0\0\xea\x61", QueryError::Interval { milliseconds: 60_001 }),
        (b"\x13\0\0\0\x01!", QueryError::Trailing { octets: 1 }),
        (b"\x11\0\0\0\x01\xff", QueryError::Name),
        (&long, QueryError::Name),
    ] {
        assert_eq!(Request::decode(octets), Err(error), "{octets:x?}");
    }
    assert!(LinkName::new(&"a".repeat(65)).is_none());
    let longest = Query::Lost { link: LinkName::new(&"a".repeat(64)).unwrap(), since: u64::MAX };
    assert_eq!(Request { number: 1, query: longest }.encode().as_ref().len(), MAX_REQUEST);
}

#[test]
fn what_is_no_answer_is_told() {
    let report = Answer { number: 7, serial: 1, body: Body::Report(measurement()) };
    let octets = report.encode().as_ref().to_vec();
    for length in 0..octets.len() {
        assert_eq!(Answer::decode(&octets[..length]), Err(QueryError::Truncated), "at {length}");
    }
    let more = [&octets[..], b"!"].concat();
    assert_eq!(Answer::decode(&more), Err(QueryError::Trailing { octets: 1 }));
    let mut version = octets.clone();
    version[41] = 0x21;
    let error = QueryError::Report(Some(WireError::Version { found: 2 }));
    assert_eq!(Answer::decode(&version), Err(error));
    // The message in it has the right length, but reports something else than a link.
    let mut other = octets;
    other[41] = 0x14;
    assert!(matches!(Answer::decode(&other), Err(QueryError::Report(_))));
    assert_eq!(Answer::decode(b"\x19\0\0\0\x07\0\0\0\0\x03"), Err(QueryError::Reason { found: 3 }));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_accepted_has_one_form(octets in prop::collection::vec(any::<u8>(), 0..200), kind in 0..16_u8) {
        let mut octets = octets;
        if let Some(first) = octets.first_mut() {
            *first = 0x10 | kind;
        }
        if let Ok(request) = Request::decode(&octets) {
            let again = request.encode();
            prop_assert_eq!(again.as_ref(), &octets[..]);
        }
        if let Ok(answer) = Answer::decode(&octets) {
            // Times beyond 584 years and rates beyond 2^53 are not kept to the last digit.
            let again = answer.encode();
            prop_assert_eq!(Answer::decode(again.as_ref()), Ok(answer));
        }
    }

    #[test]
    fn whatever_is_encoded_decodes(
        number in any::<u32>(), serial in any::<u32>(), at in any::<u64>(), passed in any::<u64>(),
        lost in any::<u64>(), rate in prop::option::of(0.0..1e15_f64), epoch in any::<u32>(), loss in 0.0..=1.0_f64,
        delay in any::<u64>(),
    ) {
        let link = LinkReport { loss: Probability::clamped(loss), delay: Span::from_nanos(delay) };
        let measured = LinkMeasurement {
            at: Time::from_nanos(at), passed, lost, rate: rate.map(Rate::from_bps), report: PeerLinkReport { epoch, link },
        };
        let answer = Answer { number, serial, body: Body::Report(measured) };
        let read = Answer::decode(answer.encode().as_ref()).unwrap();
        let Body::Report(found) = read.body else { panic!("{read:?}") };
        prop_assert_eq!((read.number, read.serial, found.passed, found.lost), (number, serial, passed, lost));
        prop_assert_eq!(found.at.nanos(), at / 1000 * 1000);
        prop_assert_eq!(found.report.epoch, epoch);
        prop_assert!((found.report.link.loss.get() - loss).abs() < 1e-9);
    }
}
