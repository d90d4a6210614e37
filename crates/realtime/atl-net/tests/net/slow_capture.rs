//! Captures to files that are too slow.

use std::fs::File;
use std::io::Read as _;
use std::thread;

use atl_core::time::Span;
use atl_net::capture::{Capture, End};
use atl_net::clock::Clock;
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;

/// Packets of a file, by the first octets of each.
fn numbers(mut file: &[u8]) -> Vec<u32> {
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes[..4].try_into().expect("four octets"));
    file = &file[24..];
    let mut numbers = Vec::new();
    while !file.is_empty() {
        let length = word(&file[8..]) as usize;
        numbers.push(word(&file[16..]));
        file = &file[16 + length..];
    }
    numbers
}

/// One file is a pipe that is not read. The emulator's thread goes on, and packets without room are
/// counted. 17 MB wait; the part that is written in the end is whole and in order.
#[test]
fn what_is_left_out_because_a_file_is_slow_is_counted() {
    const COUNT: u32 = 1000;
    const LENGTH: usize = 30_000;
    let dir = tempfile::tempdir().expect("a folder");
    let [slow, fast] = ["slow", "fast"].map(|name| dir.path().join(name));
    mkfifo(&slow, Mode::S_IRWXU).expect("a pipe");
    let path = slow.clone();
    // Opening one end of a pipe waits for the other end.
    let opened = thread::spawn(move || File::open(path).expect("a pipe"));
    let clock = Clock::start();
    let (mut capture, writer) = Capture::start([slow, fast], clock).expect("files");
    let mut pipe = opened.join().expect("no panic");
    let mut packet = vec![0; LENGTH];
    for number in 0..COUNT {
        packet[..4].copy_from_slice(&number.to_le_bytes());
        capture.packet(End(0), clock.now(), &packet);
    }
    capture.tick(clock.now().saturating_add(Span::from_secs(1)));
    let reader = thread::spawn(move || {
        let mut all = Vec::new();
        pipe.read_to_end(&mut all).expect("readable");
        all
    });
    drop(capture);
    let left_out = writer.finish().expect("written");
    let written = numbers(&reader.join().expect("no panic"));
    assert_eq!(written.len() as u64 + left_out, u64::from(COUNT));
    // 64 blocks of 8 packets wait, one is being written and one filled.
    assert!((400..600).contains(&written.len()), "{}", written.len());
    assert_eq!(written, (0..written.len() as u32).collect::<Vec<_>>(), "the first ones");
    assert_eq!(std::fs::read(dir.path().join("fast")).expect("a file").len(), 24);
}
