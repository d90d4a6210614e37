//! Peers that are unknown, speak another protocol, or are hostile. None of them keeps a legitimate
//! sender from its transfer.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use atl_transfer::Error;
use atl_transfer::folder::Refusal;
use atl_transfer::observer::Event;
use atl_transfer::sender;
use atl_transfer::ticket::{Fingerprint, Ticket};
use atl_transfer::wire::{ALPN, Message, Modified, Name, Offer, Reason, encode};
use noq::{ConnectionError, Endpoint};

use crate::raw::{Raw, client};
use crate::support::{
    LOOPBACK, Receiving, Sending, file, noise, options, quic_server, runtime, sending, tree,
};

/// Asserts that it still receives files from legitimate senders.
fn serves(receiving: Receiving, dir: &Path) {
    let source = file(dir, "good", 50_000, 3);
    let to = receiving.ticket.addresses[0];
    let sent = Sending::start(&[source], sending(&receiving.ticket, to)).summary();
    assert!(sent.is_complete(), "{sent:?}");
    receiving.summary();
    assert!(std::fs::read(dir.join("in/good")).expect("there") == noise(50_000, 3));
    assert_eq!(tree(&dir.join("in")).len(), 1, "and nothing else is there");
}

fn receiving(dir: &Path) -> Receiving {
    Receiving::start(&dir.join("in"), false, options())
}

#[test]
fn strangers_are_told_apart_on_both_sides() {
    let dir = tempfile::tempdir().expect("a folder");
    let receiving = receiving(dir.path());
    let to = receiving.ticket.addresses[0];
    let source = file(dir.path(), "f", 10, 1);
    let send = |options: sender::Options| {
        Sending::start(std::slice::from_ref(&source), options).summary().error.expect("refused")
    };
    let expected = Fingerprint([7; 32]);
    let options = sender::Options { fingerprint: Some(expected), ..sending(&receiving.ticket, to) };
    match send(options) {
        Error::Stranger { expected: told, found } => {
            assert_eq!((told, found), (expected, receiving.ticket.fingerprint));
        }
        other => panic!("{other:?}"),
    }
    for secret in [None, Some([7; 16])] {
        let options = sender::Options { secret, ..sending(&receiving.ticket, to) };
        match send(options) {
            Error::Refused(Refusal { reason: Reason::Secret, .. }) => {}
            other => panic!("{other:?}"),
        }
    }
    serves(receiving, dir.path());
}

#[test]
fn another_version_is_a_clear_error_on_both_sides() {
    let dir = tempfile::tempdir().expect("a folder");
    let receiving = receiving(dir.path());
    let runtime = runtime();
    let refused = runtime.block_on(Raw::connect(&receiving.ticket, b"atl-transfer/2")).err();
    assert!(refused.is_some_and(|why| why.to_string().contains("protocol")));

    // A QUIC server with another protocol.
    let other = runtime.block_on(async {
        let endpoint = Endpoint::server(quic_server(b"h3"), LOOPBACK).expect("loopback");
        let accepting = endpoint.clone();
        tokio::spawn(async move {
            while let Some(incoming) = accepting.accept().await {
                tokio::spawn(async move { incoming.await.is_ok() });
            }
        });
        endpoint
    });
    let to = other.local_addr().expect("bound");
    let source = file(dir.path(), "f", 10, 1);
    let options = sender::Options { fingerprint: None, ..sending(&receiving.ticket, to) };
    let sent = Sending::start(&[source], options).summary();
    assert!(matches!(sent.error, Some(Error::NoSuchProtocol)), "{sent:?}");
    serves(receiving, dir.path());
}

#[test]
fn garbage_is_not_believed() {
    let dir = tempfile::tempdir().expect("a folder");
    let receiving = receiving(dir.path());
    let ticket = receiving.ticket.clone();
    let socket = std::net::UdpSocket::bind(LOOPBACK).expect("loopback");
    for n in 0..200 {
        let _ = socket.send_to(&noise(1 + n * 7, n as u64), ticket.addresses[0]);
    }
    let huge = [[255_u8; 4].to_vec(), noise(100, 1)].concat();
    let offer = encode(&Message::Offer(Offer {
        size: 1,
        mode: 0o644,
        modified: Modified::default(),
        path: vec!["x".into()],
    }));
    let firsts = [noise(200, 2), huge.clone(), vec![0; 64], offer, encode(&Message::Bye)];
    let runtime = runtime();
    runtime.block_on(async {
        // Before a ticket was shown.
        for octets in &firsts {
            let raw = Raw::connect(&ticket, ALPN).await.expect("it answers");
            let mut stream = raw.stream().await;
            stream.raw(octets).await;
            assert!(stream.hear().await.is_none(), "{octets:?}");
            let why = raw.connection.closed().await;
            assert!(matches!(why, ConnectionError::ApplicationClosed(_)), "{why}");
        }
        // After a ticket, on the first stream and on others.
        for octets in [&noise(200, 3), &huge, &encode(&Message::Digest([0; 32]))] {
            let (raw, mut first) = Raw::greeted(&ticket).await;
            first.raw(octets).await;
            raw.connection.closed().await;
            let (raw, _first) = Raw::greeted(&ticket).await;
            let mut stream = raw.stream().await;
            stream.raw(octets).await;
            raw.connection.closed().await;
        }
    });
    serves(receiving, dir.path());
}

#[test]
fn hostile_names_are_refused_one_by_one() {
    let dir = tempfile::tempdir().expect("a folder");
    let receiving = receiving(dir.path());
    let ticket = receiving.ticket.clone();
    let long = "x".repeat(250);
    let paths: &[&[&str]] = &[
        &["..", "x"],
        &["a", "..", "..", "x"],
        &["/tmp/x"],
        &["a/b"],
        &["x\0y"],
        &["."],
        &[""],
        &[".atl-recv", "identity"],
        &[".ATL-RECV"],
        &["a", "", "b"],
    ];
    let runtime = runtime();
    runtime.block_on(async {
        let (raw, _first) = Raw::greeted(&ticket).await;
        for path in paths {
            let path: Vec<Name> = path.iter().map(|name| name.as_bytes().to_vec()).collect();
            let offer =
                Offer { size: 1, mode: 0o755, modified: Modified::default(), path: path.clone() };
            for message in [Message::Offer(offer), Message::Folder { path: path.clone() }] {
                let mut stream = raw.stream().await;
                stream.say(&message).await;
                assert_eq!(stream.refused().await, Reason::Name, "{path:?}");
            }
        }
        // As deep as allowed, but longer than the system allows: a refusal with the system's error.
        let mut stream = raw.stream().await;
        let path = vec![long.into_bytes(); 64];
        stream.say(&Message::Folder { path }).await;
        let _ = stream.hear().await;
    });
    let made = tree(&dir.path().join("in"));
    assert!(made.keys().all(|name| name.starts_with(".atl-recv") || name.starts_with("xxx")));
    let outside = std::fs::read_dir(dir.path()).expect("a folder").count();
    assert_eq!(outside, 1);
    std::fs::remove_dir_all(dir.path().join("in").join("x".repeat(250))).expect("removed");
    serves(receiving, dir.path());
}

#[test]
fn a_sender_that_breaks_the_rules_gets_no_file_through() {
    let dir = tempfile::tempdir().expect("a folder");
    let receiving = receiving(dir.path());
    let ticket = receiving.ticket.clone();
    let runtime = runtime();
    let offered = |size| {
        Message::Offer(Offer {
            size,
            mode: 0o644,
            modified: Modified::default(),
            path: vec!["bad".into()],
        })
    };
    runtime.block_on(async {
        let (raw, _first) = Raw::greeted(&ticket).await;
        // `FROM` leaves out bytes.
        let mut stream = raw.stream().await;
        stream.say(&offered(100)).await;
        assert!(matches!(stream.hear().await, Some(Message::Have(held)) if held.length() == 0));
        stream.say(&Message::From(50)).await;
        assert_eq!(stream.refused().await, Reason::Protocol);
        // A hash that does not fit the bytes.
        let mut stream = raw.stream().await;
        stream.say(&offered(4)).await;
        stream.hear().await;
        stream.say(&Message::From(0)).await;
        stream.raw(b"abcd").await;
        stream.say(&Message::Digest([1; 32])).await;
        assert_eq!(stream.refused().await, Reason::Corrupt);
        // A size that no disk has, without any bytes.
        let mut stream = raw.stream().await;
        stream.say(&offered(u64::MAX)).await;
        stream.hear().await;
        stream.say(&Message::From(0)).await;
        stream.raw(b"abcd").await;
        let _ = stream.out.reset(0_u32.into());
        // The stream ends before the last byte.
        let mut stream = raw.stream().await;
        stream.say(&offered(4)).await;
        stream.hear().await;
        stream.say(&Message::From(0)).await;
        stream.raw(b"ab").await;
        let _ = stream.out.finish();
        raw.connection.closed().await;
    });
    let mut part = tree(&dir.path().join("in"));
    part.retain(|name, _| !name.starts_with(".atl-recv"));
    assert_eq!(part.len(), 0);
    // The next file of that name removes the rest of `bad`.
    let source = file(dir.path(), "bad", 4, 3);
    let to = ticket.addresses[0];
    let sent = Sending::start(&[source], sending(&ticket, to)).summary();
    assert!(sent.is_complete(), "{sent:?}");
    receiving.summary();
    assert_eq!(tree(&dir.path().join("in")).len(), 1);
}

/// Connects, begins a message that never ends, and begins anew once it is thrown out.
async fn nag(endpoint: Endpoint, ticket: Ticket, held: Arc<AtomicUsize>) {
    let config = client(ALPN);
    loop {
        let connecting = endpoint.connect_with(config.clone(), ticket.addresses[0], "x");
        if let Ok(connection) = connecting.expect("an address").await {
            held.fetch_add(1, Ordering::Relaxed);
            if let Ok((mut out, _back)) = connection.open_bi().await {
                let _ = out.write_all(&[0]).await;
                connection.closed().await;
            }
            held.fetch_sub(1, Ordering::Relaxed);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Waits for something that another thread does.
fn until(what: &str, done: impl Fn() -> bool) {
    for _ in 0..6000 {
        if done() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("it does not come to this: {what}");
}

fn waited(event: &Event) -> bool {
    matches!(event, Event::Unreached { .. } | Event::Lost { .. })
}

#[test]
fn hundreds_who_say_nothing_keep_no_sender_out() {
    let dir = tempfile::tempdir().expect("a folder");
    let receiving = receiving(dir.path());
    let ticket = receiving.ticket.clone();
    let runtime = runtime();
    let held = Arc::new(AtomicUsize::new(0));
    let endpoint = runtime.block_on(async { Endpoint::client(LOOPBACK).expect("loopback") });
    for _ in 0..300 {
        runtime.spawn(nag(endpoint.clone(), ticket.clone(), Arc::clone(&held)));
    }
    until("strangers have all the places that they can have", || held.load(Ordering::Relaxed) >= 8);
    let source = file(dir.path(), "good", 2_000_000, 3);
    let sending = Sending::start(&[source], sending(&ticket, ticket.addresses[0]));
    let told = Arc::clone(&sending.watching);
    let sent = sending.summary();
    assert!(sent.is_complete(), "{sent:?}");
    assert!(!told.saw(waited), "it gets in at once: {:?}", told.events);
    let received = receiving.summary();
    assert_eq!((received.count, received.connections), (1, 1), "{received:?}");
    assert!(received.turned > 50, "the crowd was there: {received:?}");
    assert!(std::fs::read(dir.path().join("in/good")).expect("there") == noise(2_000_000, 3));
}

#[test]
fn whoever_says_nothing_loses_its_place_to_the_next() {
    let dir = tempfile::tempdir().expect("a folder");
    let receiving = receiving(dir.path());
    let ticket = receiving.ticket.clone();
    let runtime = runtime();
    runtime.block_on(async {
        let mut silent = Vec::new();
        while let Ok(raw) = Raw::connect(&ticket, ALPN).await {
            let mut stream = raw.stream().await;
            stream.raw(&[0]).await;
            silent.push((raw, stream));
            assert!(silent.len() < 60, "nobody is turned away");
        }
        // The places are free again without a word from those who had them.
        for (raw, _) in &silent {
            raw.connection.closed().await;
        }
        Raw::greeted(&ticket).await;
    });
    serves(receiving, dir.path());
}

#[test]
fn a_sender_waits_for_a_place_and_says_why() {
    let dir = tempfile::tempdir().expect("a folder");
    let receiving = Receiving::start(
        &dir.path().join("in"),
        false,
        atl_transfer::receiver::Options { keep: true, ..options() },
    );
    let ticket = receiving.ticket;
    let to = ticket.addresses[0];
    let runtime = runtime();
    let crowd = runtime.block_on(async {
        let mut crowd = Vec::new();
        for n in 0..32 {
            crowd.push(Raw::greeted_as(&ticket, [n; 16]).await);
        }
        crowd
    });
    let source = file(dir.path(), "f", 10, 1);
    let send = |options| Sending::start(std::slice::from_ref(&source), options);
    let hasty = sender::Options { patience: Duration::ZERO, ..sending(&ticket, to) };
    let sent = send(hasty).summary();
    assert!(matches!(sent.error, Some(Error::Crowded)), "{sent:?}");
    let patient = send(sending(&ticket, to));
    let told = Arc::clone(&patient.watching);
    until("it is told to wait", || told.saw(waited));
    runtime.block_on(async {
        for (raw, _) in &crowd {
            raw.connection.close(0_u32.into(), b"");
        }
        crowd[0].0.endpoint.wait_idle().await;
    });
    let sent = patient.summary();
    assert!(sent.is_complete(), "{sent:?}");
    let crowded = |event: &Event| matches!(event, Event::Unreached { why, .. } if why.contains("no more connections"));
    assert!(told.saw(crowded), "{:?}", told.events);
}

#[test]
fn a_ticket_that_has_expired_admits_nobody_new() {
    let dir = tempfile::tempdir().expect("a folder");
    let into = dir.path().join("in");
    let expiring = |millis| atl_transfer::receiver::Options {
        expires: Some(Duration::from_millis(millis)),
        keep: true,
        ..options()
    };
    // Nobody comes.
    let summary = Receiving::start(&into, false, expiring(100)).summary();
    assert!(matches!(summary.error, Some(Error::Expired)), "{summary:?}");

    // One has begun in time; it holds its place until the other has been refused.
    let receiving = Receiving::start(&into, false, expiring(4000));
    let ticket = receiving.ticket.clone();
    let runtime = runtime();
    let (raw, mut first) = runtime.block_on(Raw::greeted(&ticket));
    let source = file(dir.path(), "f", 10, 1);
    std::thread::sleep(Duration::from_millis(4100));
    let late = Sending::start(&[source], sending(&ticket, ticket.addresses[0])).summary();
    match late.error {
        Some(Error::Refused(Refusal { reason: Reason::Secret, text })) => {
            assert!(text.contains("expired"), "{text}");
        }
        other => panic!("{other:?}"),
    }
    assert!(receiving.is_done().is_none(), "the first one may go on");
    runtime.block_on(async {
        let mut stream = raw.stream().await;
        stream.say(&Message::Folder { path: vec!["made".into()] }).await;
        assert_eq!(stream.hear().await, Some(Message::Done));
        first.say(&Message::Bye).await;
        raw.connection.closed().await;
    });
    let summary = receiving.summary();
    assert!(summary.error.is_none() && summary.folders == 1, "{summary:?}");
}

#[test]
fn a_sender_waits_for_a_receiver_that_is_not_up_yet() {
    let dir = tempfile::tempdir().expect("a folder");
    let first = receiving(dir.path());
    let ticket = first.ticket.clone();
    let to = ticket.addresses[0];
    first.kill();
    let source = file(dir.path(), "good", 50_000, 3);
    let send = |options| Sending::start(std::slice::from_ref(&source), options);
    let hasty = send(sender::Options { patience: Duration::ZERO, ..sending(&ticket, to) });
    let told = Arc::clone(&hasty.watching);
    let sent = hasty.summary();
    assert!(matches!(&sent.error, Some(Error::Lost(why)) if why.contains("no answer")), "{sent:?}");
    assert!(!told.saw(waited), "without patience there is one attempt");
    let patient = send(sending(&ticket, to));
    let told = Arc::clone(&patient.watching);
    until("the first attempt fails", || told.saw(waited));
    let second = receiving(dir.path());
    assert_eq!(second.ticket, ticket);
    let sent = patient.summary();
    assert!(sent.is_complete(), "{sent:?}");
    assert!(told.saw(|event| matches!(event, Event::Unreached { .. })), "{:?}", told.events);
    assert!(told.saw(|event| matches!(event, Event::Connected { again: false, .. })));
    second.summary();
}
