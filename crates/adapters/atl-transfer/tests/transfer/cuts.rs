//! Transfers over connections that break at an arbitrary byte.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use atl_transfer::observer::Event;
use atl_transfer::sender::{self, Fate};

use crate::support::{Receiving, Road, Sending, file, noise, options, sending, tree};

/// Bytes of the file, which are more than four pieces.
const SIZE: usize = 300_000;
const CASES: usize = 100;
/// Transfers that run at the same time.
const THREADS: usize = 25;

/// The part that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    Path,
    Receiver,
    Sender,
}

/// The byte at which the n-th transfer breaks. The sequence covers the file evenly (multiples of
/// the golden ratio).
fn place(n: usize) -> u64 {
    let part = (n as f64 * 0.618_033_988_749_895).fract();
    (part * SIZE as f64) as u64
}

fn transfer(n: usize) {
    let cut = [Cut::Path, Cut::Receiver, Cut::Sender][n % 3];
    let dir = tempfile::tempdir().expect("a folder");
    let into = dir.path().join("in");
    let source = file(dir.path(), "a file", SIZE, n as u64);
    let receiving = Receiving::start(&into, false, options());
    let ticket = receiving.ticket.clone();
    let road = Road::to(ticket.addresses[0]);
    let alarm = receiving.watching.alarm(place(n));
    let start = |options| Sending::start(std::slice::from_ref(&source), options);
    // The receiver may have ended before another sender begins, which then waits in vain.
    let again = || {
        let patience = Duration::from_secs(5);
        start(sender::Options { patience, ..sending(&ticket, road.address) })
    };
    let mut sender = start(sending(&ticket, road.address));
    alarm.recv_timeout(Duration::from_secs(60)).expect("it gets there");
    let mut receiver = receiving;
    match cut {
        Cut::Path => {
            road.open.store(false, Ordering::Relaxed);
            thread::sleep(Duration::from_millis(900));
            road.open.store(true, Ordering::Relaxed);
        }
        Cut::Receiver => {
            if let Some(received) = receiver.kill() {
                // The kill came after the end of the transfer.
                assert_eq!(received.count, 1, "{n}");
                return;
            }
            receiver = Receiving::start(&into, false, options());
            assert_eq!((&receiver.ticket, receiver.continues), (&ticket, true), "{n}");
        }
        Cut::Sender => {
            sender.kill();
            if receiver.is_done().is_some() {
                return;
            }
            sender = again();
        }
    }
    let mut sent = sender.summary();
    // On a busy machine the receiver may have got the goodbye after all, and have ended, or its
    // answer may take longer than connections here may be idle.
    for _ in 0..40 {
        if sent.traffic.connections > 0 {
            break;
        }
        if let Some(received) = receiver.is_done() {
            assert_eq!(received.count, 1, "{n} {cut:?}");
            return;
        }
        thread::sleep(Duration::from_millis(100));
        sent = again().summary();
    }
    assert!(sent.is_complete(), "{n} {cut:?}: {sent:?}");
    let Fate::Done { from, .. } = sent.fates[0] else { panic!("{n}: {sent:?}") };
    let Some(received) = receiver.summary_within(Duration::from_secs(20)) else {
        // Everything had arrived before the break. On a busy machine the goodbyes did not reach the
        // next receiver, so that it waits for more.
        assert!(matches!(cut, Cut::Receiver), "{n} {cut:?}: it ends");
        assert!(tree(&into)["a file"] == Some(noise(SIZE, n as u64)), "{n} {cut:?}: it is intact");
        return;
    };
    assert_eq!((received.refused, received.unfinished), (0, 0), "{n} {cut:?}");
    // A break at the very end comes after the file: then the file exists, and a receiver that has
    // just started may only have got the goodbye.
    let fewest = u64::from(!matches!(cut, Cut::Receiver));
    assert!((fewest..=2).contains(&received.count), "{n} {cut:?}: {received:?}");
    if let Some(last) = received.files.last() {
        assert_eq!(last.from, from, "{n}: both ends know where it went on");
    }
    let found = tree(&into);
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    assert_eq!(names, ["a file"], "{n} {cut:?}: nothing else is left");
    assert!(found["a file"] == Some(noise(SIZE, n as u64)), "{n} {cut:?}: it is intact");
}

#[test]
fn files_are_intact_after_a_hundred_cuts() {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= CASES {
                        break;
                    }
                    transfer(n);
                }
            });
        }
    });
}

#[test]
fn a_receiver_that_is_started_again_says_so_and_goes_on() {
    let dir = tempfile::tempdir().expect("a folder");
    let into = dir.path().join("in");
    let source = file(dir.path(), "f", 1_000_000, 7);
    let receiving = Receiving::start(&into, false, options());
    assert!(!receiving.continues);
    let road = Road::to(receiving.ticket.addresses[0]);
    let alarm = receiving.watching.alarm(500_000);
    let sending = Sending::start(&[source], sending(&receiving.ticket, road.address));
    alarm.recv_timeout(Duration::from_secs(60)).expect("half of it");
    receiving.kill();

    let again = Receiving::start(&into, false, options());
    let told = std::sync::Arc::clone(&sending.watching);
    let sent = sending.summary();
    assert!(sent.is_complete(), "{sent:?}");
    assert!(told.saw(|event| matches!(event, Event::Connected { restarted: true, .. })));
    // Written data is not sent again, apart from the pieces that were in buffers.
    let resumed = |event: &Event| matches!(event, Event::Resumed { from, .. } if *from > 100_000);
    assert!(told.saw(resumed), "{:?}", told.events);
    assert!(again.watching.saw(resumed));
    assert!(again.watching.saw(
        |event| matches!(event, Event::Unfinished(file) if file.path == [b"f"] && file.size == 1_000_000)
    ));
    assert_eq!(again.summary().unfinished, 0);
    assert_eq!(fs::read(into.join("f")).expect("there"), noise(1_000_000, 7));
}

#[test]
fn a_file_that_is_another_one_now_does_not_go_on() {
    let dir = tempfile::tempdir().expect("a folder");
    let into = dir.path().join("in");
    let source = file(dir.path(), "f", 3_000_000, 1);
    let receiving = Receiving::start(&into, false, options());
    let road = Road::to(receiving.ticket.addresses[0]);
    let alarm = receiving.watching.alarm(200_000);
    let first =
        Sending::start(std::slice::from_ref(&source), sending(&receiving.ticket, road.address));
    alarm.recv_timeout(Duration::from_secs(60)).expect("half of it");
    first.kill();

    file(dir.path(), "f", 3_000_000, 2);
    let second = Sending::start(&[source], sending(&receiving.ticket, road.address));
    let told = std::sync::Arc::clone(&second.watching);
    let sent = second.summary();
    assert!(matches!(sent.fates[0], Fate::Done { from: 0, .. }), "{sent:?}");
    assert!(told.saw(|event| matches!(event, Event::Differs { same: 0, .. })));
    receiving.summary();
    assert!(fs::read(into.join("f")).expect("there") == noise(3_000_000, 2));
}

#[test]
fn a_change_of_address_does_not_break_the_connection() {
    let dir = tempfile::tempdir().expect("a folder");
    let into = dir.path().join("in");
    let source = file(dir.path(), "f", 1_000_000, 5);
    let receiving = Receiving::start(&into, false, options());
    let road = Road::to(receiving.ticket.addresses[0]);
    let alarm = receiving.watching.alarm(300_000);
    let sending = Sending::start(&[source], sending(&receiving.ticket, road.address));
    alarm.recv_timeout(Duration::from_secs(60)).expect("a part of it");
    road.rebind.store(true, Ordering::Relaxed);
    let sent = sending.summary();
    assert!(sent.is_complete(), "{sent:?}");
    assert_eq!(sent.traffic.connections, 1, "{sent:?}");
    assert_eq!(receiving.summary().connections, 1);
    assert!(fs::read(into.join("f")).expect("there") == noise(1_000_000, 5));
}
