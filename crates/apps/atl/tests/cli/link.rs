//! `atl link` as a UDP proxy, which needs neither root nor special devices.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::UdpSocket;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{TINY, atl, command, err, fine, names, out, refused};

/// `atl link --json` with a client and a server in this process.
pub(crate) struct Running {
    child: Child,
    stdout: BufReader<ChildStdout>,
    pub(crate) server: UdpSocket,
    pub(crate) client: UdpSocket,
}

impl Running {
    pub(crate) fn start(dir: &Path, args: &[&str]) -> Running {
        let [server, client] = [0, 1].map(|_| UdpSocket::bind("127.0.0.1:0").expect("loopback"));
        server.set_read_timeout(Some(Duration::from_secs(5))).expect("a timeout");
        let to = server.local_addr().expect("bound").to_string();
        let proxy = ["--listen", "127.0.0.1:0", "--to", &to, "--json"];
        let args: Vec<&str> =
            ["link"].into_iter().chain(args.iter().copied()).chain(proxy).collect();
        let mut child = command(dir, &args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("a line");
        let Ok(start) = serde_json::from_str::<Value>(&line) else {
            let mut told = String::new();
            let _ = child.stderr.take().expect("piped").read_to_string(&mut told);
            panic!("{args:?}: {line} {told}");
        };
        assert_eq!((&start["type"], &start["ports"]["to"]), (&"start".into(), &to.into()));
        client.connect(start["ports"]["listen"].as_str().expect("an address")).expect("connected");
        Running { child, stdout, server, client }
    }

    /// Time that a datagram takes to the server.
    fn one_way(&self, payload: &[u8]) -> Duration {
        let begun = Instant::now();
        self.client.send(payload).expect("sent");
        let mut buffer = [0; 2000];
        let length = received(&self.server, &mut buffer).expect("a datagram in time");
        assert_eq!(&buffer[..length], payload);
        begun.elapsed()
    }

    /// Interrupts it and returns its lines after the first.
    pub(crate) fn interrupt(mut self) -> Vec<Value> {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", "INT", &pid]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        let lines = lines(&mut self.stdout);
        assert_eq!(self.child.wait().expect("it ends").code(), Some(130));
        lines
    }

    /// Waits for its end and returns its lines after the first.
    fn wait(mut self) -> Vec<Value> {
        let lines = lines(&mut self.stdout);
        assert_eq!(self.child.wait().expect("it ends").code(), Some(0));
        lines
    }
}

/// Length of the next datagram. A process that was stopped for a moment has its calls with a
/// timeout interrupted (signal(7)).
pub(crate) fn received(socket: &UdpSocket, buffer: &mut [u8]) -> std::io::Result<usize> {
    loop {
        match socket.recv(buffer) {
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

fn lines(stdout: &mut BufReader<ChildStdout>) -> Vec<Value> {
    let parsed = stdout.lines().map(|line| {
        let line = line.expect("UTF-8");
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e} in {line}"))
    });
    let lines: Vec<Value> = parsed.collect();
    let (last, others) = lines.split_last().expect("a summary");
    assert_eq!(last["type"], "summary");
    assert!(others.iter().all(|line| line["type"] == "snapshot"), "{others:?}");
    lines
}

#[test]
fn datagrams_arrive_once_with_the_links_delay_and_losses_agree_with_the_summary() {
    const COUNT: u64 = 300;
    let dir = tempfile::tempdir().expect("a directory");
    let options = ["--rate", "10Mb/s", "--delay", "30ms", "--loss", "20%", "--back-loss", "0"];
    let running = Running::start(dir.path(), &[&options[..], &["--every", "50ms"]].concat());
    let server = running.server.try_clone().expect("a handle");
    let receiver = thread::spawn(move || {
        server.set_read_timeout(Some(Duration::from_millis(700))).expect("a timeout");
        let (mut buffer, mut seen) = ([0; 100], Vec::new());
        while let Ok(length) = received(&server, &mut buffer) {
            seen.push(u64::from_le_bytes(buffer[..length].try_into().expect("a number")));
        }
        seen
    });
    for n in 0..COUNT {
        running.client.send(&n.to_le_bytes()).expect("sent");
        thread::sleep(Duration::from_millis(1));
    }
    let seen = receiver.join().expect("no panic");
    assert!(seen.windows(2).all(|pair| pair[0] < pair[1]), "once and in order: {seen:?}");
    // The mean is 240, the standard deviation 7.
    assert!((190..290).contains(&seen.len()), "{}", seen.len());

    let lines = running.interrupt();
    assert!(lines.len() > 5, "a snapshot each 50 ms");
    let summary = lines.last().expect("a summary");
    let up = &summary["links"][0];
    assert_eq!((&up["name"], &up["offered"]), (&"link".into(), &COUNT.into()));
    assert_eq!(up["delivered"].as_u64(), Some(seen.len() as u64));
    assert_eq!(up["lost"].as_u64(), Some(COUNT - seen.len() as u64));
    assert_eq!((&up["dropped"], &up["held"]), (&0.into(), &0.into()));
    assert_eq!(summary["lateness"]["packets"].as_u64(), Some(seen.len() as u64));
    assert_eq!(summary["ports"]["clients"], 1);
    assert_eq!(summary["links"][1]["name"], "link.back");
}

#[test]
fn a_scenario_changes_networks_on_time() {
    let dir = tempfile::tempdir().expect("a directory");
    let scenario = r#"title = "From a near to a far network"
duration = "60s"
[network.near]
rate = "10Mb/s"
delay = "5ms"
[network.far]
rate = "10Mb/s"
delay = "150ms"
[[link]]
name = "air"
from = "phone"
to = "access"
network = "near"
roam = [{ at = "1s", network = "far" }]
[[link]]
name = "wire"
from = "access"
to = "server"
rate = "100Mb/s"
delay = "10ms"
[[flow]]
name = "upload"
from = "phone"
to = "server"
protocol = "sack"
"#;
    fs::write(dir.path().join("mine.toml"), scenario).expect("writable");
    let args =
        ["mine.toml", "--between", "phone,server", "--duration", "2500ms", "--every", "50ms"];
    let running = Running::start(dir.path(), &args);
    assert!(running.one_way(b"before") >= Duration::from_millis(15));
    thread::sleep(Duration::from_millis(1200));
    assert!(running.one_way(b"after") >= Duration::from_millis(160));
    let lines = running.wait();
    let mut networks: Vec<&str> =
        lines.iter().filter_map(|line| line["links"][0]["network"].as_str()).collect();
    networks.dedup();
    assert_eq!(networks, ["near", "far"]);
    let links = lines[0]["links"].as_array().expect("a list");
    let names: Vec<&str> = links.iter().filter_map(|link| link["name"].as_str()).collect();
    assert_eq!(names, ["air", "air.back", "wire", "wire.back"]);
}

#[test]
fn both_ends_are_captured() {
    let dir = tempfile::tempdir().expect("a directory");
    let args = ["--delay", "5ms", "--pcap", "seen", "--duration", "1s"];
    let running = Running::start(dir.path(), &args);
    for _ in 0..3 {
        running.one_way(b"12345678");
    }
    let lines = running.wait();
    assert_eq!(lines.last().expect("a summary")["capture_left_out"], 0);
    assert_eq!(names(dir.path()), ["seen-client.pcap", "seen-server.pcap"]);
    for name in names(dir.path()) {
        let file = fs::read(dir.path().join(&name)).expect("a file");
        // A file header, and three packets of 28 + 8 bytes.
        assert_eq!(file.len(), 24 + 3 * (16 + 36), "{name}");
        assert_eq!(file[..4], 0xa1b2_3c4d_u32.to_le_bytes(), "{name}");
    }
}

#[test]
fn without_a_terminal_there_is_a_summary_and_little_else() {
    let args = ["link", "--delay", "1ms", "--listen", "127.0.0.1:0", "--to", "127.0.0.1:9"];
    let output = atl(Path::new("."), &[&args[..], &["--duration", "200ms"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert_eq!(err(&output).lines().count(), 1, "{}", err(&output));
    let told = out(&output);
    for word in ["from client to server and back", "link.back", "no packet left", "scheduled"] {
        assert!(told.contains(word), "{word} in {told}");
    }
    assert!(!told.contains("NOT TO BE TRUSTED"), "{told}");
}

#[test]
fn options_are_refused_as_typed_with_what_is_allowed() {
    let dir = tempfile::tempdir().expect("a directory");
    let tunnel = TINY.replace("wireless = true", "wireless = true\nadaptation = \"aal5\"");
    fs::write(dir.path().join("tunnel.toml"), tunnel).expect("writable");
    let places = ["--listen", "127.0.0.1:0", "--to", "127.0.0.1:9"];
    let cases: &[(&[&str], &[&str])] = &[
        (&["--rate", "2mbit"], &["--rate 2mbit", "Mb/s"]),
        (&["--rate", "2Mb/s", "--back-queue", "0"], &["--back-queue 0", "from 1 to"]),
        (&["--loss", "2"], &["--loss 2", "from 0 to 1"]),
        (&["--delay", "10"], &["--delay 10", "ms"]),
        (&["--trace", "missing.up"], &["--trace missing.up", "missing.up"]),
        (&[], &["name a scenario", "--rate"]),
        (&["--delay", "1ms", "--spin", "1s"], &["--spin", "0s to 10ms"]),
        (&["showcase/roaming", "--delay", "1ms"], &["cannot be used with"]),
        (&["showcase/roaming", "--between", "phone,moon"], &["`moon`", "hosts: "]),
        (&["showcase/arq-tunnel"], &["differ", "--set 'tunnel=...'"]),
        (&["tunnel.toml"], &["`air`", "cells"]),
        (&["showcase/bus"], &["move between cells"]),
    ];
    for (options, words) in cases {
        let args = [&["link"], *options, &places].concat();
        let told = refused(dir.path(), &args, 2);
        for word in *words {
            assert!(told.contains(word), "{options:?}: {word} in {told}");
        }
    }
    let told = refused(dir.path(), &["link", "--delay", "1ms"], 2);
    assert!(told.contains("--listen") && told.contains("--to"), "{told}");
    let told = refused(dir.path(), &["link", "--delay", "1ms", "--listen", "5000"], 2);
    assert!(told.contains("127.0.0.1:5000"), "{told}");
    assert_eq!(names(dir.path()), ["tunnel.toml"]);
}

#[test]
fn a_port_in_use_is_a_failure_with_a_way_out() {
    let taken = UdpSocket::bind("127.0.0.1:0").expect("loopback");
    let at = taken.local_addr().expect("bound").to_string();
    let args = ["link", "--delay", "1ms", "--listen", &at, "--to", "127.0.0.1:9"];
    let told = refused(Path::new("."), &args, 1);
    assert!(told.contains(&at) && told.contains("another port"), "{told}");
}

#[test]
fn a_described_link_becomes_a_scenario() {
    let dir = tempfile::tempdir().expect("a directory");
    let places = ["--listen", "127.0.0.1:0", "--to", "127.0.0.1:9", "--duration", "100ms"];
    let options = ["--rate", "2Mb/s", "--loss", "1%", "--queue", "20", "--back-delay", "7ms"];
    let args = [&["link"], &options[..], &["--save", "mine.toml"], &places].concat();
    assert_eq!(atl(dir.path(), &args).status.code(), Some(0));
    fine(dir.path(), &["validate", "mine.toml"]);
    let text = fs::read_to_string(dir.path().join("mine.toml")).expect("written");
    for line in ["rate = \"2Mb/s\"", "loss = \"1%\"", "queue = 20", "delay = \"7ms\""] {
        assert!(text.lines().any(|other| other == line), "{line} in {text}");
    }
    assert!(!text.contains("unlimited"), "{text}");
    let again = [&["link", "mine.toml"], &places[..]].concat();
    assert_eq!(atl(dir.path(), &again).status.code(), Some(0));
    // An existing file is kept.
    let told = refused(dir.path(), &args, 1);
    assert!(told.contains("mine.toml"), "{told}");
}

/// Commands and option lists on the page. Text after ` -- ` belongs to another program.
#[test]
fn the_page_names_only_options_that_exist() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/real-links.md");
    let page = fs::read_to_string(page).expect("a page");
    let help = fine(Path::new("."), &["link", "--help"]);
    let shown = page.lines().filter_map(|line| match line.split_once("atl link ") {
        Some((_, args)) => Some(args.split(" -- ").next().unwrap_or(args)),
        None => line.strip_prefix("| `--").map(|_| line),
    });
    let words =
        shown.flat_map(|args| args.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')));
    let options: Vec<&str> = words.filter(|w| w.starts_with("--") && w.len() > 3).collect();
    assert!(options.len() > 20, "{options:?}");
    for option in options {
        let known = help.lines().any(|line| line.split([' ', ',']).any(|word| word == option));
        assert!(known, "{option}");
    }
}
