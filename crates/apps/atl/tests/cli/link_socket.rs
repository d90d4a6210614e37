//! `atl link --link-socket`: a program asks for its link's loss and delay.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader};
use std::net::UdpSocket;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use atl_core::time::{Span, Time};
use atl_device::{EmulatedSource, LinkSource};
use atl_wire::link_query::LinkName;
use serde_json::Value;

use crate::{command, names};

#[test]
fn a_program_behind_the_link_learns_its_loss_and_delay() {
    let dir = tempfile::tempdir().expect("a folder");
    let server = UdpSocket::bind("127.0.0.1:0").expect("loopback");
    let to = server.local_addr().expect("bound").to_string();
    let link = ["link", "--rate", "8Mb/s", "--delay", "20ms", "--loss", "20%", "--every", "100ms"];
    let place = ["--listen", "127.0.0.1:0", "--to", &to, "--json", "--link-socket", "links"];
    let mut child = command(dir.path(), &[&link[..], &place[..]].concat())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
    stdout.read_line(&mut line).expect("a line");
    let start: Value = serde_json::from_str(&line).expect("JSON");
    let client = UdpSocket::bind("127.0.0.1:0").expect("loopback");
    client.connect(start["ports"]["listen"].as_str().expect("an address")).expect("connected");
    for _ in 0..500 {
        client.send(&[0; 500]).expect("sent");
        sleep(Duration::from_millis(1));
    }
    let ample = Span::from_secs(20);
    let path = dir.path().join("links");
    let mut source = EmulatedSource::new(&path, LinkName::own(), ample, ample);
    let begun = Instant::now();
    let info = loop {
        let info = source.read(Time::ZERO).ok();
        let packets = info.and_then(|info| info.loss).and_then(|loss| loss.packets);
        if let Some(info) = info.filter(|_| packets == Some(500)) {
            break info;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{info:?}");
        sleep(Duration::from_millis(20));
    };
    let loss = info.loss.expect("packets");
    // Within six standard deviations.
    assert!((loss.value.get() - 0.2).abs() < 6.0 * (0.16_f64 / 500.0).sqrt(), "{loss:?}");
    assert_eq!(info.delay.expect("known").value, Span::from_millis(20));
    assert!(info.rate.is_some_and(|rate| (rate.bps() - 8e6).abs() < 1.0), "{info:?}");

    let sent = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    child.wait().expect("it ends");
    assert!(names(dir.path()).is_empty(), "{:?} is left behind", names(dir.path()));
}

#[test]
fn a_path_that_cannot_be_had_is_told() {
    let dir = tempfile::tempdir().expect("a folder");
    let args = ["link", "--rate", "8Mb/s", "--listen", "127.0.0.1:0", "--to", "127.0.0.1:9"];
    let output = command(dir.path(), &[&args[..], &["--link-socket", "no/such/place"]].concat())
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("cannot open the link socket at no/such/place: No such file"), "{told}");
}
