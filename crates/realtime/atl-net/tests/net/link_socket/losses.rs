//! Tags of lost datagrams: those sent are those lost, and no more are accepted than were counted.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::thread;

use atl_core::model::{Gilbert, PathChain};
use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_device::emulated::LostCounts;
use atl_device::{EmulatedLosses, SourceError};
use atl_link::{Config, Loss};
use atl_net::link_socket::CAPACITY;
use atl_wire::PeerLinkReport;
use atl_wire::link_query::{Answer, Body, LinkMeasurement, LostTags, Query, Request, Tag};
use proptest::prelude::*;
use socket2::{Domain, SockAddr, Socket, Type};

use super::support::{AMPLE, Emulated, link, name, until};

const DELAY: Span = Span::from_millis(20);

/// The number of a datagram of the load.
fn number(tag: &Tag) -> u64 {
    u64::from_be_bytes(*tag.last_chunk().expect("16 octets"))
}

#[test]
fn each_datagram_that_the_mac_lost_is_told_once_and_no_other() {
    let links = [link("wire", false, DELAY, 0.1), link("air", true, DELAY, 0.3)];
    let mut emulated = Emulated::new(&links);
    until("nothing is measured", || emulated.client().ask(&name("air")).is_ok());
    // From the first loss on.
    let mut stream = emulated.client().lost(&name(""), 0).unwrap();
    let mut told = Vec::new();
    until("too few losses", || {
        told.extend(stream.next(AMPLE).unwrap());
        told.len() >= 200
    });
    let last = emulated.finish().last;
    let lost = last.links[1].counters.mac_lost();
    until("losses are missing", || {
        told.extend(stream.next(Span::from_millis(50)).unwrap_or_default());
        told.len() as u64 >= lost
    });
    assert_eq!(told.len() as u64, lost);
    assert_eq!((stream.missed(), stream.counts()), (0, Default::default()));
    // Each load counts up on its own link: the losses of a link come in order, each once.
    let numbers: Vec<u64> = told.iter().map(number).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    assert!(told.iter().all(|tag| tag[0] == 1), "of the other link");
    // The other link has lost other datagrams.
    let mut wire = emulated.client().lost(&name("wire"), 0).unwrap();
    let told: Vec<Tag> = wire.next(AMPLE).unwrap();
    assert!(!told.is_empty() && told.iter().all(|tag| tag[0] == 0));
}

#[test]
fn what_the_own_mac_did_not_lose_is_not_told() {
    // Half of the load finds no room in the queue. Of the rest some is lost behind the MAC, and
    // more on the next link.
    let mut air = link("air", true, Span::from_millis(1), 0.0);
    let mut config = Config::constant(Rate::from_mbps(2.0), Span::from_millis(1), 5);
    let independent = |loss| Gilbert::independent(Probability::clamped(loss));
    let [wireless, congestion] = [0.1, 0.2].map(independent);
    config.initial.loss = Loss::Path(PathChain { wireless, congestion });
    air.config = Arc::new(config);
    let folder = tempfile::tempdir().unwrap();
    let links = [air, link("far", true, Span::from_millis(1), 0.5)];
    let mut emulated = Emulated::over(folder.path().join("links"), &links, vec![vec![0, 1]]);
    until("too few losses", || {
        emulated.client().ask(&name("air")).is_ok_and(|link| link.lost > 30)
    });
    let last = emulated.finish().last;
    let [air, far] = [0, 1].map(|index| last.links[index].counters);
    assert!(air.dropped > 30 && air.congested > 10 && far.lost > 30, "{air:?} {far:?}");
    let mut told = 0;
    let mut stream = emulated.client().lost(&name("air"), 0).unwrap();
    until("losses are missing", || {
        told += stream.next(Span::from_millis(50)).map_or(0, |tags| tags.len() as u64);
        told >= air.mac_lost()
    });
    assert!(matches!(stream.next(Span::from_millis(50)), Err(SourceError::Timeout { .. })));
    assert_eq!(told, air.mac_lost());
    let mut stream = emulated.client().lost(&name("far"), 0).unwrap();
    assert_eq!(stream.next(AMPLE).unwrap(), Vec::<Tag>::new());
}

#[test]
fn a_late_reader_learns_how_many_it_has_missed() {
    let mut emulated = Emulated::new(&[link("air", true, Span::from_millis(1), 1.0)]);
    let mut lost = 0;
    until("too few losses", || {
        lost = emulated.client().ask(&name("air")).map_or(0, |link| link.lost);
        lost > CAPACITY as u64 + 100
    });
    let lost = emulated.finish().last.links[0].counters.mac_lost();
    let mut stream = emulated.client().lost(&name("air"), 50).unwrap();
    let mut told = Vec::new();
    while told.len() < CAPACITY {
        told.extend(stream.next(AMPLE).unwrap());
    }
    assert_eq!(told.len(), CAPACITY);
    assert_eq!(stream.missed(), lost - CAPACITY as u64 - 50);
    // No more tags come, which is a timeout.
    assert!(matches!(stream.next(Span::from_millis(20)), Err(SourceError::Timeout { .. })));
}

#[test]
fn what_is_lost_before_the_connection_concerns_nobody_and_all_after_it_is_believed() {
    let mut emulated = Emulated::new(&[link("air", true, DELAY, 0.3)]);
    until("nothing is lost", || {
        emulated.client().ask(&name("air")).is_ok_and(|link| link.lost > 20)
    });
    let mut losses = EmulatedLosses::new(emulated.path(), name(""), AMPLE);
    losses.connect().unwrap();
    let before = emulated.client().ask(&name("air")).unwrap().lost;
    let mut told = BTreeSet::new();
    until("too few losses", || {
        told.extend(losses.next(AMPLE).unwrap());
        told.len() >= 100
    });
    let lost = emulated.finish().last.links[0].counters.mac_lost();
    until("losses are missing", || {
        told.extend(losses.next(Span::from_millis(50)).unwrap());
        told.len() as u64 >= lost - before
    });
    let counts = losses.counts();
    assert_eq!((counts.missed, counts.refused), (0, 0));
    assert_eq!(counts.told, told.len() as u64);
    assert!(counts.told <= lost - 20);
}

#[test]
fn a_link_that_is_not_there_loses_nothing() {
    let emulated = Emulated::new(&[link("air", true, DELAY, 0.3)]);
    until("nothing is measured", || emulated.client().ask(&name("air")).is_ok());
    let mut stream = emulated.client().lost(&name("aire"), 0).unwrap();
    let error = stream.next(AMPLE).unwrap_err().to_string();
    assert!(error.ends_with("has no link \"aire\""), "{error}");
    let error = EmulatedLosses::new(emulated.path(), name("aire"), AMPLE).connect().unwrap_err();
    assert!(error.to_string().ends_with("has no link \"aire\""), "{error}");
}

#[test]
fn one_subscription_takes_the_place_of_the_other() {
    let emulated = Emulated::new(&[link("air", true, DELAY, 0.5)]);
    until("nothing is measured", || emulated.client().ask(&name("air")).is_ok());
    let socket = Socket::new(Domain::UNIX, Type::SEQPACKET, None).unwrap();
    socket.connect(&SockAddr::unix(emulated.path()).unwrap()).unwrap();
    let every = Span::from_millis(10);
    let air = || name("air");
    let queries = [
        (Query::Subscribe { link: air(), every }, false),
        (Query::Lost { link: air(), since: 0 }, true),
        (Query::Subscribe { link: air(), every }, false),
    ];
    let mut buffer = [0; 2000];
    for ((query, tags), number) in queries.into_iter().zip(1..) {
        (&socket).write_all(Request { number, query }.encode().as_ref()).unwrap();
        let mut answers = 0;
        while answers < 5 {
            let length = (&socket).read(&mut buffer).unwrap();
            let answer = Answer::decode(&buffer[..length]).unwrap();
            // Until the new request is read, answers to the one before may come.
            if answer.number == number {
                assert_eq!(matches!(answer.body, Body::Lost(_)), tags, "{answer:?}");
                assert_eq!(answer.serial, answers);
                answers += 1;
            }
        }
    }
}

/// An emulator that reports `lost[i]` lost packets at the i-th question, and answers requests for
/// tags with these messages; `None` if it does not know that question.
fn scripted(path: &Path, lost: Vec<u64>, messages: Option<Vec<Vec<u8>>>) -> thread::JoinHandle<()> {
    let listener = Socket::new(Domain::UNIX, Type::SEQPACKET, None).unwrap();
    listener.bind(&SockAddr::unix(path).unwrap()).unwrap();
    listener.listen(2).unwrap();
    thread::spawn(move || {
        let (mut counters, _) = listener.accept().unwrap();
        let mut answer = move |lost: u64| {
            let mut request = [0; 100];
            let length = counters.read(&mut request).unwrap_or(0);
            let Ok(Request { number, query: Query::Ask(_) }) = Request::decode(&request[..length])
            else {
                return false;
            };
            let report = PeerLinkReport { epoch: 0, link: LinkReport::NONE };
            let link = LinkMeasurement { at: Time::ZERO, passed: 9, lost, rate: None, report };
            let answer = Answer { number, serial: 0, body: Body::Report(link) };
            counters.write_all(answer.encode().as_ref()).is_ok()
        };
        let mut lost = lost.into_iter();
        assert!(answer(lost.next().unwrap()));
        let (mut stream, _) = listener.accept().unwrap();
        assert!(stream.read(&mut [0; 100]).unwrap() > 0, "no request");
        for message in messages.into_iter().flatten() {
            let _ = stream.write_all(&message);
        }
        for lost in lost {
            if !answer(lost) {
                break;
            }
        }
        // Returns when the client has gone.
        let _ = stream.read(&mut [0; 100]);
    })
}

fn told(serial: u32, first: u64, tags: &[u8]) -> Vec<u8> {
    let lost = LostTags { first, tags: tags.iter().map(|tag| [*tag; 16]).collect() };
    Answer { number: 1, serial, body: Body::Lost(lost) }.encode().as_ref().to_vec()
}

/// All tags that are accepted until the script ends.
fn believed(losses: &mut EmulatedLosses) -> Vec<u8> {
    let mut believed = Vec::new();
    loop {
        let tags = losses.next(Span::from_millis(200)).unwrap();
        if tags.is_empty() {
            return believed;
        }
        believed.extend(tags.iter().map(|tag| tag[0]));
    }
}

#[test]
fn no_more_losses_are_believed_than_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("links");
    // 40 at the first question, then two more, then another two, and no more.
    let counters = vec![40, 42, 44, 44, 44];
    let messages = vec![
        told(0, 7, &[]),
        told(1, 7, &[1, 2]),
        told(2, 9, &[3, 4, 5]),
        told(3, 12, &[6]),
        told(4, 13, &[7]),
    ];
    let liar = scripted(&path, counters, Some(messages));
    let mut losses = EmulatedLosses::new(&path, name("air"), AMPLE);
    losses.connect().unwrap();
    let mut all = Vec::new();
    for _ in 0..4 {
        all.extend(losses.next(AMPLE).unwrap().iter().map(|tag| tag[0]));
    }
    assert_eq!(all, [1, 2, 3, 4]);
    assert_eq!(losses.counts(), LostCounts { told: 7, missed: 0, refused: 3 });
    drop(losses);
    liar.join().unwrap();
}

#[test]
fn garbage_is_left_out_and_gaps_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("links");
    let report = Answer {
        number: 1,
        serial: 1,
        body: Body::Report(LinkMeasurement {
            at: Time::ZERO,
            passed: 0,
            lost: 0,
            rate: None,
            report: PeerLinkReport { epoch: 0, link: LinkReport::NONE },
        }),
    };
    let messages = vec![
        b"garbage".to_vec(),
        told(0, 7, &[]),
        told(1, 7, &[1, 2])[..30].to_vec(),
        vec![0x1a; 1500],
        report.encode().as_ref().to_vec(),
        told(1, 7, &[1, 2]),
        told(1, 9, &[9]),
        told(2, 8, &[2, 3]),
        told(3, 20, &[14]),
    ];
    let liar = scripted(&path, vec![0, 1000], Some(messages));
    let mut losses = EmulatedLosses::new(&path, name("air"), AMPLE);
    losses.connect().unwrap();
    assert_eq!(believed(&mut losses), [1, 2, 3, 14]);
    assert_eq!(losses.counts(), LostCounts { told: 4, missed: 10, refused: 0 });
    drop(losses);
    liar.join().unwrap();
}

#[test]
fn an_emulator_that_does_not_know_the_question_gives_no_answer_and_still_its_counters() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("links");
    let old = scripted(&path, vec![0], None);
    let mut losses = EmulatedLosses::new(&path, name("air"), Span::from_millis(100));
    let error = losses.connect().unwrap_err();
    assert!(matches!(error, SourceError::Timeout { .. }), "{error}");
    old.join().unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_messages_stop_the_client_or_get_beyond_the_counters(
        messages in prop::collection::vec((any::<u8>(), prop::collection::vec(any::<u8>(), 1..120)), 1..20),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("links");
        let messages = messages.into_iter().zip(1..).map(|((kind, mut message), serial)| {
            // Most of them have a valid head, and some valid numbers.
            if kind % 4 > 0 {
                message.splice(..0, [&[0x1a, 0, 0, 0, 1][..], &u32::to_be_bytes(serial)].concat());
            }
            if kind % 4 > 1 {
                let number = u64::from(kind);
                message.splice(9..9, number.to_be_bytes());
                message.truncate(17 + (message.len() - 17) / 16 * 16);
            }
            message
        });
        let messages: Vec<Vec<u8>> = [told(0, 0, &[])].into_iter().chain(messages).collect();
        let sent = messages.len();
        let liar = scripted(&path, vec![0; 30], Some(messages));
        let mut losses = EmulatedLosses::new(&path, name("air"), AMPLE);
        losses.connect().unwrap();
        for _ in 0..sent {
            let tags = losses.next(Span::from_millis(5)).unwrap();
            prop_assert!(tags.is_empty(), "its counters say that nothing was lost");
            let counts = losses.counts();
            prop_assert_eq!(counts.told, counts.refused);
        }
        drop(losses);
        liar.join().unwrap();
    }
}
