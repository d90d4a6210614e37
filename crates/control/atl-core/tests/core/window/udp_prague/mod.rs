//! Prague against its reference: udp_prague of the L4S team (Apache-2.0), whose controller is
//! fed the same ACKs.
//!
//! `recorded.txt` holds what the reference has made of them: measured values, none of its code.
//! Where `ATL_UDP_PRAGUE` names a checkout of it (github.com/L4STeam/udp_prague) and there is a C++
//! compiler, the reference itself runs, and the recorded values must be its own;
//! `ATL_GENERATE=1` records them anew.
//!
//! Both differ where this comparison does not look: the reference begins with alpha = 0 and without
//! slow start, grows by a millisecond of its rate after seven or more round trips without a mark
//! above 11 Mb/s, and paces by a rate instead of a window where a round trip is below 2 ms.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use atl_core::time::{Span, Time};
use atl_core::window::prague::{Config, Prague};
use atl_core::window::{Ack, Marked, Sent, Start, WindowController as _};

const PACKET: u32 = 1400;
const FIRST_RATE: u32 = 1_000_000;
/// Number of ACKs from one recorded value to the next.
const EVERY: usize = 50;
/// ACKs after which the different beginnings are forgotten: some hundred rounds at 1/16. The values
/// before are recorded and not compared.
const BEGINNING: usize = 4500;
const CHECKOUT: &str = "ATL_UDP_PRAGUE";

/// An ACK: its time and round trip in microseconds, and packets received, marked and sent so far.
#[derive(Clone, Copy, Debug)]
struct Told {
    now: u64,
    rtt: u64,
    received: u64,
    marked: u64,
    sent: u64,
}

/// ACKs of packets that leave one by one, 1.4 ms apart, over 20 ms or 50 ms, with shares of marks
/// that change each thousand packets.
fn sequence(rtt: u64) -> Vec<Told> {
    let shares = [10, 10, 10, 10, 5, 20, 40, 10, 60, 5, 15];
    let (mut marked, mut state) = (0, 0x2545_f491_4f6c_dd1d_u64);
    let mut told = Vec::new();
    for packet in 0..11_000 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        marked += u64::from(state % 100 < shares[packet / 1000]);
        let now = 1 + rtt + 1400 * packet as u64;
        let received = packet as u64 + 1;
        told.push(Told { now, rtt, received, marked, sent: received + rtt / 1400 });
    }
    told
}

/// alpha and the rate in bytes per second after each ACK.
fn ours(acks: &[Told]) -> Vec<(f64, f64)> {
    let rtt = Span::from_micros(acks[0].rtt);
    let window = f64::from(FIRST_RATE) * rtt.secs() / f64::from(PACKET);
    let start = Start::default().packet_bytes(PACKET).initial_window(window).ssthresh(2.0);
    let mut law = Prague::new(&Config::default(), &start);
    let (mut sent, mut marked) = (0, 0);
    let mut found = Vec::new();
    for ack in acks {
        let now = Time::ZERO + Span::from_micros(ack.now);
        let in_flight = (ack.sent - ack.received) as u32;
        let tx = ack.received - 1;
        while sent < ack.sent {
            law.on_sent(&Sent::new(now, sent, PACKET, in_flight));
            sent += 1;
        }
        let told = Ack::new(now).delivered(1).cumulative(1).newest(Some((tx, now - rtt)));
        law.on_ack(&told.rtt(Some(rtt)).srtt(rtt).rtt_min(rtt).in_flight(in_flight));
        if ack.marked > marked {
            law.on_marked(&Marked::new(now, tx, in_flight));
        }
        marked = ack.marked;
        let rate = law.pacing_rate().expect("an RTT is known").bytes_per_sec();
        found.push((law.marked_share(), rate));
    }
    found
}

/// The same by the reference.
fn theirs(checkout: &Path, acks: &[Told]) -> Vec<(f64, f64)> {
    let dir = tempfile::tempdir().expect("a folder");
    let program = dir.path().join("driver");
    let driver =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/core/window/udp_prague/driver.cpp");
    let built = Command::new("c++")
        .args(["-std=c++17", "-O1", "-I"])
        .arg(checkout)
        .arg(driver)
        .arg(checkout.join("prague_cc.cpp"))
        .arg("-o")
        .arg(&program)
        .status()
        .expect("a C++ compiler");
    assert!(built.success(), "the driver and prague_cc.cpp of {}", checkout.display());
    let mut input = format!("{PACKET} {FIRST_RATE}\n");
    for Told { now, rtt, received, marked, sent } in acks {
        writeln!(input, "{now} {rtt} {received} {marked} {sent}").expect("a text");
    }
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the driver starts");
    let mut stdin = child.stdin.take().expect("piped");
    let feeding = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the driver ends");
    feeding.join().expect("no panic").expect("taken");
    parse(&String::from_utf8(output.stdout).expect("numbers"))
}

fn parse(text: &str) -> Vec<(f64, f64)> {
    let number = |word: Option<&str>| word.and_then(|w| w.parse::<f64>().ok()).expect("a number");
    let pairs = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut words = line.split(' ');
        (number(words.next()), number(words.next()))
    });
    pairs.collect()
}

/// rfc9331 4.3: The response to marks is that of the reference implementation: alpha and the rate
/// are within 1 % over a recorded sequence of marks, at 20 and 50 ms.
#[test]
fn alpha_and_rate_are_those_of_udp_prague() {
    let sequences = [20_000, 50_000].map(sequence);
    let recorded = parse(include_str!("recorded.txt"));
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/core/window/udp_prague/recorded.txt");
    let (checkout, record) = (std::env::var_os(CHECKOUT), std::env::var_os("ATL_GENERATE"));
    match checkout.map(PathBuf::from) {
        Some(checkout) => {
            let mut kept = Vec::new();
            for acks in &sequences {
                kept.extend(theirs(&checkout, acks).into_iter().step_by(EVERY));
            }
            if record.is_some() {
                let mut text = "# alpha and rate in bytes/s of udp_prague, by mod.rs\n".to_owned();
                for (alpha, rate) in &kept {
                    writeln!(text, "{alpha:.6} {rate}").expect("a text");
                }
                std::fs::write(file, text).expect("writable");
            }
            assert_eq!(kept, recorded, "the reference has changed");
        }
        None => {
            let _ = writeln!(
                std::io::stderr(),
                "SKIPPED: udp_prague itself, since {CHECKOUT} names no checkout; its recorded \
                 values are compared"
            );
        }
    }
    let each = recorded.len() / sequences.len();
    let mut worst = [0.0_f64; 2];
    for (acks, recorded) in sequences.iter().zip(recorded.chunks(each)) {
        let ours = ours(acks);
        for (at, theirs) in (0..).step_by(EVERY).zip(recorded).filter(|(at, _)| *at >= BEGINNING) {
            // Ours takes a round into alpha as late as with the ACK after its last one.
            let off = [ours[at], ours[at + 1]].map(|ours| (ours.0 / theirs.0 - 1.0).abs());
            worst[0] = worst[0].max(off[0].min(off[1]));
            worst[1] = worst[1].max((ours[at].1 / theirs.1 - 1.0).abs());
        }
    }
    assert!(worst.iter().all(|worst| *worst < 0.01), "alpha and rate differ by {worst:?}");
}
