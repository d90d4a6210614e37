//! Messages whose numbers are at the edges of their fields: each survives the wire, in every
//! combination, or becomes the nearest that its field holds.

use atl_core::path::{LinkReport, PathId, PathSignal};
use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use atl_wire::link_query::{Answer, Body, LinkName, LostTags, Query, Request};
use atl_wire::{Notice, PeerInfo, PeerLinkReport};
use atl_wire::{decode, encode, paced, rtcp};

const WORDS: [u32; 9] = [0, 1, 0x7f, 0x80, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, u32::MAX];

fn long() -> impl Iterator<Item = u64> + Clone {
    let edges = [16, 31, 32, 53, 62, 63].map(|power| 1_u64 << power);
    let around = |place: u64| place - 1..=place + 1;
    (0..2).chain(edges.into_iter().flat_map(around)).chain([u64::MAX - 1, u64::MAX])
}

#[test]
fn reports_of_a_link_survive_or_saturate() {
    for epoch in WORDS {
        for delay in long() {
            for loss in WORDS {
                let share = Probability::clamped(f64::from(loss) / f64::from(u32::MAX));
                let link = LinkReport { loss: share, delay: Span::from_nanos(delay) };
                let link_report = Some(PeerLinkReport { epoch, link });
                let sent = PeerInfo { link_report, ..PeerInfo::NONE };
                let read = decode(encode(&sent).as_ref()).expect("a message");
                let read = read.link_report.expect("a report");
                let micros = (delay / 1000).min(u32::MAX.into());
                assert_eq!(read.link.delay.nanos(), micros * 1000, "{delay}");
                assert_eq!((read.epoch, read.link.loss), (epoch, share));
            }
        }
    }
}

#[test]
fn paced_packets_survive_at_every_edge() {
    for first in WORDS {
        for second in WORDS {
            for at in long().map(Time::from_nanos) {
                for size in [40, 1500] {
                    let (seq, mask, marks) = (first, second, first ^ second);
                    for packet in [
                        paced::Packet::Data { size, seq, rtt_micros: second, sent_at: at },
                        paced::Packet::Probe { size, number: first, sent_at: at },
                        paced::Packet::ProbeAck { size, number: first, echo: at },
                        paced::Packet::Ack {
                            size,
                            seq,
                            mask,
                            marks,
                            clear: first < second,
                            echo: at,
                            link_report: None,
                        },
                    ] {
                        let mut octets = paced::encode(&packet).as_ref().to_vec();
                        octets.resize(octets.len().max(size.into()), 0);
                        let read = paced::decode(&octets).map(|(packet, _)| packet);
                        assert_eq!(read, Ok(packet));
                    }
                }
            }
        }
    }
}

#[test]
fn notices_survive_at_every_edge() {
    for ssrc in WORDS {
        for sequence in WORDS {
            for tag in long() {
                let signal = PathSignal::Done(PathId::new(3));
                let notice = Notice { sequence, signal, tag };
                let packet = rtcp::Packet::Notice { ssrc, notice };
                let octets = rtcp::encode(&packet);
                assert_eq!(rtcp::decode(octets.as_ref()), Ok(packet));
            }
        }
    }
}

#[test]
fn questions_about_links_survive_at_every_edge() {
    let link = LinkName::new("air").expect("a name");
    for number in WORDS {
        for since in long() {
            let request = Request { number, query: Query::Lost { link: link.clone(), since } };
            assert_eq!(Request::decode(request.encode().as_ref()), Ok(request));
            for serial in WORDS {
                let tags = vec![u128::from(since).to_be_bytes(), u128::from(!since).to_be_bytes()];
                let lost = LostTags { first: since, tags };
                assert!(lost.next() >= since, "{since}");
                let answer = Answer { number, serial, body: Body::Lost(lost) };
                assert_eq!(Answer::decode(answer.encode().as_ref()), Ok(answer));
            }
        }
    }
}
