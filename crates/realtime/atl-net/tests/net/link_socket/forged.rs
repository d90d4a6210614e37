//! Malformed, truncated, forged and repeated messages, in both directions.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::thread;

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_device::SourceError;
use atl_device::emulated::{ClientCounts, LinkClient};
use atl_wire::PeerLinkReport;
use atl_wire::link_query::{Answer, Body, LinkMeasurement, Query, Refusal, Request};
use proptest::prelude::*;
use socket2::{Domain, SockAddr, Socket, Type};

use super::support::{AMPLE, Emulated, link, name, until};

fn connect(path: &Path) -> Socket {
    let socket = Socket::new(Domain::UNIX, Type::SEQPACKET, None).unwrap();
    socket.connect(&SockAddr::unix(path).unwrap()).unwrap();
    socket
}

fn ask(number: u32) -> Vec<u8> {
    Request { number, query: Query::Ask(name("air")) }.encode().as_ref().to_vec()
}

fn emulated() -> Emulated {
    Emulated::new(&[link("air", true, Span::from_millis(20), 0.1)])
}

#[test]
fn requests_that_are_none_are_counted_and_the_next_one_is_answered() {
    let emulated = emulated();
    let mut socket = connect(emulated.path());
    let whole = ask(1);
    for bytes in [&b"\0"[..], b"hello", &whole[..3], &[0xff; 500], b"\x13\0\0\0\x01!"] {
        socket.write_all(bytes).unwrap();
    }
    socket.write_all(&whole).unwrap();
    let mut answer = [0; 100];
    let length = socket.read(&mut answer).unwrap();
    let answer = Answer::decode(&answer[..length]).unwrap();
    assert_eq!((answer.number, answer.serial), (1, 0));
    let counts = || emulated.socket.as_ref().unwrap().counts();
    // An answer is counted just after it is sent.
    until("the answer is not counted", || counts().answers == 1);
    assert_eq!((counts().malformed, counts().requests), (5, 1));
}

#[test]
fn a_request_that_is_repeated_is_counted_and_not_answered() {
    let emulated = emulated();
    let mut socket = connect(emulated.path());
    for number in [5, 5, 4, 0, 6] {
        socket.write_all(&ask(number)).unwrap();
    }
    let mut numbers = Vec::new();
    for _ in 0..2 {
        let mut answer = [0; 100];
        let length = socket.read(&mut answer).unwrap();
        numbers.push(Answer::decode(&answer[..length]).unwrap().number);
    }
    assert_eq!(numbers, [5, 6]);
    assert_eq!(emulated.socket.as_ref().unwrap().counts().replayed, 3);
    // Numbers are counted per connection.
    let mut other = connect(emulated.path());
    other.write_all(&ask(5)).unwrap();
    assert!(other.read(&mut [0; 100]).unwrap() > 0);
}

#[test]
fn a_client_that_never_reads_loses_its_answers_and_holds_up_nobody() {
    let emulated = emulated();
    let mut greedy = connect(emulated.path());
    greedy.set_nonblocking(true).unwrap();
    let counts = || emulated.socket.as_ref().unwrap().counts();
    let mut number = 0;
    until("all its answers find room", || {
        for _ in 0..1000 {
            number += 1;
            // Requests may be refused too, while the thread that answers is busy.
            let _ = greedy.write(&ask(number));
        }
        counts().unsent > 0
    });
    until("nothing is measured", || emulated.client().ask(&name("air")).is_ok());
}

/// Accepts one connection, and sends these messages whatever is asked.
fn liar(path: &Path, messages: Vec<Vec<u8>>) -> thread::JoinHandle<()> {
    let socket = Socket::new(Domain::UNIX, Type::SEQPACKET, None).unwrap();
    socket.bind(&SockAddr::unix(path).unwrap()).unwrap();
    socket.listen(1).unwrap();
    thread::spawn(move || {
        let (mut client, _) = socket.accept().unwrap();
        assert!(client.read(&mut [0; 100]).unwrap() > 0, "no request");
        for message in messages {
            client.write_all(&message).unwrap();
        }
        // Returns when the client has gone.
        let _ = client.read(&mut [0; 100]);
    })
}

fn report(number: u32, serial: u32, passed: u64) -> Vec<u8> {
    let report = PeerLinkReport { epoch: 0, link: LinkReport::NONE };
    let link = LinkMeasurement { at: Time::ZERO, passed, lost: 0, rate: None, report };
    Answer { number, serial, body: Body::Report(link) }.encode().as_ref().to_vec()
}

#[test]
fn answers_that_are_none_are_counted_and_the_right_one_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("links");
    let truncated = report(1, 0, 7)[..20].to_vec();
    let foreign = report(99, 0, 66);
    let refusal = Answer { number: 2, serial: 0, body: Body::Refusal(Refusal::NoSuchLink) };
    let messages = vec![
        b"garbage".to_vec(),
        truncated,
        vec![0x18; 300],
        foreign,
        refusal.encode().as_ref().to_vec(),
        report(1, 0, 42),
    ];
    let liar = liar(&path, messages);
    let mut client = LinkClient::connect(&path, AMPLE).unwrap();
    assert_eq!(client.ask(&name("air")).unwrap().passed, 42);
    assert_eq!(client.counts(), ClientCounts { malformed: 3, foreign: 2, replayed: 0 });
    drop(client);
    liar.join().unwrap();
}

#[test]
fn a_report_that_is_repeated_is_counted_and_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("links");
    let liar = liar(
        &path,
        vec![
            report(1, 0, 10),
            report(1, 0, 10),
            report(1, 2, 20),
            report(1, 1, 15),
            report(1, 3, 30),
        ],
    );
    let client = LinkClient::connect(&path, AMPLE).unwrap();
    let mut subscription = client.subscribe(&name("air"), Span::from_millis(100)).unwrap();
    let passed: Vec<u64> = (0..3).map(|_| subscription.next(AMPLE).unwrap().passed).collect();
    assert_eq!(passed, [10, 20, 30]);
    assert_eq!(subscription.counts().replayed, 2);
    let late = subscription.next(Span::from_millis(20)).unwrap_err();
    assert!(matches!(late, SourceError::Timeout { .. }), "{late}");
    drop(subscription);
    liar.join().unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_messages_stop_the_socket(messages in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..90), 1..40)) {
        let emulated = emulated();
        let mut socket = connect(emulated.path());
        for mut message in messages {
            // Half of them have a valid version and kind.
            if message.len() % 2 == 0 {
                message[0] = 0x11 + message[0] % 3;
            }
            let _ = socket.write(&message);
        }
        until("it does not answer", || emulated.client().ask(&name("air")).is_ok());
    }
}
