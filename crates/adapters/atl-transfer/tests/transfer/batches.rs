//! Bytes on their way to the disk.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use atl_transfer::wire::{Message, Modified, Offer};

use crate::raw::Raw;
use crate::support::{Receiving, noise, options, runtime};

/// Bytes in the only part of a receiver's folder.
fn part(into: &Path) -> usize {
    let found = fs::read_dir(into.join(".atl-recv")).expect("a folder");
    let mut parts = found.map(|entry| entry.expect("readable").path());
    let part = parts.find(|path| path.extension().is_some_and(|end| end == "part"));
    fs::metadata(part.expect("begun")).expect("there").len() as usize
}

/// A receiver that is killed loses little of a slow transfer: what came is written although its
/// batch is not full, and a full batch although the file is not complete.
#[test]
fn bytes_that_come_slowly_do_not_wait_for_the_rest() {
    let dir = tempfile::tempdir().expect("a folder");
    let receiving = Receiving::start(dir.path(), false, options());
    let ticket = receiving.ticket.clone();
    let bytes = noise(700_000, 1);
    let waits_for = |length: usize| {
        while part(dir.path()) != length {
            sleep(Duration::from_millis(20));
        }
    };
    runtime().block_on(async {
        let (raw, _first) = Raw::greeted(&ticket).await;
        let mut stream = raw.stream().await;
        let (modified, path) = (Modified::default(), vec!["slow".into()]);
        let offer = Offer { size: bytes.len() as u64, mode: 0o644, modified, path };
        stream.say(&Message::Offer(offer)).await;
        stream.hear().await;
        stream.say(&Message::From(0)).await;
        stream.raw(&bytes[..1000]).await;
        // Packets leave while this thread waits: the endpoint has a thread of its own.
        waits_for(1000);
        stream.raw(&bytes[1000..600_000]).await;
        waits_for(600_000);
    });
    receiving.kill();
}
