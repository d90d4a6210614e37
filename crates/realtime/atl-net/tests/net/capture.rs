//! Captures of both ends, compared with the same link in virtual time and with theory. Seeds are
//! fixed.
//!
//! The seed and the time of entry, which the near capture shows, determine the fate of a packet.
//! Only its lateness depends on the machine, and only for that there are margins here.

use std::io::Write as _;
use std::net::UdpSocket;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_link::relay::Frame;
use atl_link::relay::{Event, RouteId};
use atl_link::{Config, Loss};
use atl_net::capture::{Capture, End};
use atl_net::proxy::Limits;

use crate::pcap::{self, Captured};
use crate::{Kind, Running, SEED, clean, link, listen};

over_both! {
    a_gilbert_elliott_link_loses_the_very_packets_of_virtual_time_in_runs_of_geometric_length
    rate_and_delays_of_bursts_are_those_of_the_link
    both_ends_show_their_own_addresses
}

/// Sends `count` numbered datagrams of `length` bytes in bursts, over a captured proxy. A burst
/// waits until the one before has been read, as sockets do not hold many. Returns both captures.
fn captured<S: Kind>(
    up: Config,
    count: u64,
    length: usize,
    burst: u64,
    pause: Duration,
) -> [Vec<Captured>; 2] {
    let dir = tempfile::tempdir().expect("a directory");
    let files: [PathBuf; 2] = ["near.pcap", "far.pcap"].map(|name| dir.path().join(name));
    let server = UdpSocket::bind("127.0.0.1:0").expect("loopback");
    let to = server.local_addr().expect("bound");
    let (listener, at) = listen::<S>("127.0.0.1:0", to, Limits::default());
    let running = Running::captured(listener, up, clean(1000.0, 1), Some(files.clone()));
    let client = UdpSocket::bind("127.0.0.1:0").expect("loopback");
    for n in 0..count {
        let mut datagram = vec![0; length];
        datagram[..8].copy_from_slice(&n.to_le_bytes());
        client.send_to(&datagram, at).expect("sent");
        if n % burst == burst - 1 {
            thread::sleep(pause);
            running.wait_for(|counts| counts.received > n);
        }
    }
    // The last ones have left when nothing more does.
    let mut before = None;
    loop {
        let sent = running.counters.counts().sent;
        if before.replace(sent) == Some(sent) {
            break;
        }
        thread::sleep(Duration::from_millis(400));
    }
    running.end();
    files.map(|file| pcap::read(&file))
}

fn number(packet: &Captured) -> u64 {
    u64::from_le_bytes(packet.payload[..8].try_into().expect("a number"))
}

/// The time at which each packet of the near capture leaves the same link in virtual time; `None`
/// if it is lost.
fn predicted(up: Config, near: &[Captured]) -> Vec<Option<u64>> {
    // The link's time counts from zero.
    let begin = near[0].at;
    let mut relay = atl_engine::setup::relay(&[link("up", up)], vec![vec![0]], SEED);
    let mut leaves = vec![None; near.len()];
    for (index, packet) in near.iter().enumerate() {
        let now = Time::from_nanos(packet.at - begin);
        let mut bytes = packet.payload.clone();
        bytes[..8].copy_from_slice(&(index as u64).to_le_bytes());
        relay.offer(now, Frame::new(bytes, RouteId(0), now, 28));
    }
    while let Some(event) = relay.poll(Time::from_nanos(u64::MAX - 1)) {
        if let Event::Arrived { frame, due, .. } = event {
            let index = u64::from_le_bytes(frame.bytes[..8].try_into().expect("a number"));
            leaves[index as usize] = Some(begin + due.nanos());
        }
    }
    leaves
}

/// The greatest distance between the distribution of a sample and a distribution function
/// (Kolmogorov-Smirnov).
fn distance(mut sample: Vec<f64>, cdf: impl Fn(f64) -> f64) -> f64 {
    sample.sort_by(f64::total_cmp);
    let n = sample.len() as f64;
    let at = |(i, x): (usize, &f64)| {
        let expected = cdf(*x);
        (expected - i as f64 / n).abs().max((expected - (i + 1) as f64 / n).abs())
    };
    sample.iter().enumerate().map(at).fold(0.0, f64::max)
}

fn a_gilbert_elliott_link_loses_the_very_packets_of_virtual_time_in_runs_of_geometric_length<
    S: Kind,
>() {
    // Mean run of 4 losses.
    const TO_GOOD: f64 = 0.25;
    let mut up = clean(1000.0, 5);
    up.initial.loss = Loss::GilbertElliott {
        to_bad: Probability::clamped(0.02),
        to_good: Probability::clamped(TO_GOOD),
        loss_good: Probability::ZERO,
        loss_bad: Probability::clamped(1.0),
    };
    let [near, far] = captured::<S>(up.clone(), 20_000, 64, 40, Duration::from_millis(2));
    assert_eq!(near.len(), 20_000);
    let leaves = predicted(up, &near);
    let survivors = near.iter().zip(&leaves).filter(|(_, leaves)| leaves.is_some());
    let expected: Vec<u64> = survivors.map(|(packet, _)| number(packet)).collect();
    assert_eq!(far.iter().map(number).collect::<Vec<_>>(), expected, "the same losses");

    // Chi-squared of the lengths 1 to 8 and longer, from about 370 runs: 8 degrees of freedom,
    // exceeded by 31.8 once in 10 000 seeds.
    let mut runs = [0_u32; 9];
    let mut run = 0_usize;
    for leaves in &leaves {
        match leaves {
            None => run += 1,
            Some(_) if run > 0 => {
                runs[run.min(9) - 1] += 1;
                run = 0;
            }
            Some(_) => {}
        }
    }
    let total = f64::from(runs.iter().sum::<u32>());
    assert!(total > 250.0, "{runs:?}");
    let share = |k: i32| (1.0 - TO_GOOD).powi(k) * if k == 8 { 1.0 } else { TO_GOOD };
    let chi_squared: f64 = runs
        .iter()
        .zip(0..)
        .map(|(seen, k)| (f64::from(*seen) - total * share(k)).powi(2) / (total * share(k)))
        .sum();
    assert!(chi_squared < 31.8, "{chi_squared}: {runs:?}");
}

fn rate_and_delays_of_bursts_are_those_of_the_link<S: Kind>() {
    // 530 bytes at 4 Mb/s: 1.06 ms each. A burst of 100 is gone before the next.
    const BURST: u64 = 100;
    let delay = Span::from_millis(20);
    let packet_time = 530.0 * 8.0 / 4e6;
    let up = Config::constant(Rate::from_mbps(4.0), delay, 1000);
    let [near, far] = captured::<S>(up.clone(), 20 * BURST, 502, BURST, Duration::from_millis(130));
    assert_eq!((near.len(), far.len()), (2000, 2000));
    let leaves = predicted(up, &near);
    let delays: Vec<f64> = near.iter().zip(&far).map(|(a, b)| (b.at - a.at) as f64 / 1e9).collect();
    let due: Vec<f64> =
        near.iter().zip(&leaves).map(|(a, b)| (b.expect("no loss") - a.at) as f64 / 1e9).collect();
    for ((seen, due), packet) in far.iter().zip(leaves.iter().flatten()).zip(&near) {
        assert!(seen.at >= *due, "packet {} left {} ns early", number(packet), due - seen.at);
    }

    // Bursts that this machine sent and let go on time. A busy one does neither for some.
    let late = 5_000_000;
    let leaves: Vec<u64> = leaves.into_iter().map(|leaves| leaves.expect("no loss")).collect();
    let on_time = |nth: &usize| {
        let mut burst = nth * BURST as usize..(nth + 1) * BURST as usize;
        let idle = burst
            .start
            .checked_sub(1)
            .is_none_or(|before| leaves[before] - delay.nanos() <= near[burst.start].at);
        let together = near[burst.end - 1].at - near[burst.start].at < late;
        idle && together && burst.all(|i| far[i].at - leaves[i] < late)
    };
    let bursts: Vec<usize> = (0..20).filter(on_time).collect();
    if bursts.is_empty() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: no burst was on time on this machine");
        return;
    }
    let of = |all: &[f64]| -> Vec<f64> {
        bursts
            .iter()
            .flat_map(|nth| &all[nth * BURST as usize..][..BURST as usize])
            .copied()
            .collect()
    };
    let (delays, due) = (of(&delays), of(&due));

    // The margin of 0.05 is for lateness (5 ms of the spread of 106 ms), 0.01 for steps instead of
    // a line; the rest is exceeded once in 1000 samples of independent delays.
    let end = BURST as f64 * packet_time;
    let uniform = |x: f64| ((x - delay.secs()) / end).clamp(0.0, 1.0);
    let critical = 1.95 / (delays.len() as f64).sqrt() + 0.05;
    let theory = distance(delays.clone(), uniform);
    assert!(theory < critical + 0.01, "{theory} from a uniform distribution");
    let mut sorted = due;
    sorted.sort_by(f64::total_cmp);
    let virtual_time =
        |x: f64| sorted.partition_point(|due| *due <= x) as f64 / sorted.len() as f64;
    let link = distance(delays, virtual_time);
    assert!(link < critical, "{link} from the link in virtual time");

    // The rate within a burst. Both ends of the median burst may be late by a few per cent of it.
    let mut rates: Vec<f64> = bursts
        .iter()
        .map(|nth| &far[nth * BURST as usize..][..BURST as usize])
        .map(|burst| (BURST - 1) as f64 / ((burst[99].at - burst[0].at) as f64 / 1e9))
        .collect();
    rates.sort_by(f64::total_cmp);
    let rate = rates[rates.len() / 2] * packet_time;
    let margin = if bursts.len() > 10 { 0.02 } else { 0.06 };
    assert!((rate - 1.0).abs() < margin, "{rate} of the link's rate");
}

/// Dates are whole nanoseconds, whenever a capture begins: on the edge of a second, at the end of
/// the 32 bits of seconds.
#[test]
fn times_are_exact_whenever_a_capture_begins() {
    const SECOND: u64 = 1_000_000_000;
    let dates =
        [0, SECOND - 1, SECOND, 1_700_000_000 * SECOND + 999_999_999, u64::from(u32::MAX) * SECOND];
    let more = (0..200).map(|i| 1_700_000_000 * SECOND + i * 86_399_123_456_789);
    let at = [0, 1, 199_999_999, 200_000_000, 210_000_000, 999_999_999];
    let here = "127.0.0.1:9".parse().expect("an address");
    let dir = tempfile::tempdir().expect("a directory");
    for date in dates.into_iter().chain(more) {
        let file = dir.path().join("one.pcap");
        let epoch = Span::from_nanos(date);
        let (mut capture, writer) = Capture::since([file.clone()], epoch).expect("writable");
        for at in at {
            capture.datagram(
                End(0),
                Time::from_nanos(at),
                here,
                here,
                atl_link::Ecn::NotEct,
                b"any",
            );
        }
        drop(capture);
        assert_eq!(writer.finish().expect("written"), 0);
        let found: Vec<u64> = pcap::read(&file).iter().map(|packet| packet.at).collect();
        assert_eq!(found, at.map(|at| date + at));
    }
}

/// Over IPv6 and in both directions, with the addresses that each end sees.
fn both_ends_show_their_own_addresses<S: Kind>() {
    let dir = tempfile::tempdir().expect("a directory");
    let files: [PathBuf; 2] = ["near.pcap", "far.pcap"].map(|name| dir.path().join(name));
    let [server, client] = [0, 1].map(|_| UdpSocket::bind("[::1]:0").expect("loopback"));
    let to = server.local_addr().expect("bound");
    let (listener, at) = listen::<S>("[::1]:0", to, Limits::default());
    let up = Config::constant(Rate::from_mbps(10.0), Span::from_millis(10), 10);
    let running = Running::captured(listener, up.clone(), up, Some(files.clone()));
    client.send_to(b"question", at).expect("sent");
    let mut buffer = [0; 100];
    let (_, mapped) = server.recv_from(&mut buffer).expect("a datagram");
    server.send_to(b"answer", mapped).expect("sent");
    client.recv_from(&mut buffer).expect("an answer");
    running.end();
    let [near, far] = files.map(|file| pcap::read(&file));
    let here = client.local_addr().expect("bound");
    let shown = |packets: &[Captured]| -> Vec<_> {
        packets.iter().map(|p| (p.from, p.to, p.payload.clone())).collect()
    };
    let (question, answer) = (b"question".to_vec(), b"answer".to_vec());
    assert_eq!(shown(&near), [(here, at, question.clone()), (at, here, answer.clone())]);
    assert_eq!(shown(&far), [(mapped, to, question), (to, mapped, answer)]);
    assert!(far[0].at - near[0].at >= 10_000_000 && near[1].at - far[1].at >= 10_000_000);
}
