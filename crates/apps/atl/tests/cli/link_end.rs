//! `atl link` leaves nothing behind, however it ends. Tests that need root report when they are
//! skipped.
#![cfg(target_os = "linux")]

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::UdpSocket;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::link::received;
use crate::program::{shell, skipped};
use crate::{AMPLE, command, names};

/// Time from Ctrl-C to the end that we promise.
const BOUND: Duration = Duration::from_millis(500);
/// Additional time for a machine busy compiling.
const SLACK: Duration = Duration::from_millis(1500);

/// Signals and the exit status of each.
const SIGNALS: [(&str, Option<i32>); 3] = [("INT", Some(130)), ("TERM", Some(130)), ("KILL", None)];

/// Sends a signal, checks that the process ends in time, and returns its status.
fn end(child: &mut Child, signal: &str) -> ExitStatus {
    let begun = Instant::now();
    let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    let ended = child.wait().expect("it ends");
    let took = begun.elapsed();
    assert!(took < BOUND + SLACK, "{signal}: it took {took:?}");
    ended
}

fn until(what: &str, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < AMPLE, "{what}");
        sleep(Duration::from_millis(5));
    }
}

/// A proxy at this address with a link socket and captures in this folder. Also gives the address
/// that it got.
fn proxy(dir: &TempDir, listen: &str) -> (Child, String) {
    let server = UdpSocket::bind("127.0.0.1:0").expect("loopback");
    let to = server.local_addr().expect("bound").to_string();
    let link = ["link", "--delay", "5ms", "--link-socket", "links", "--pcap", "seen", "--json"];
    let mut child = command(dir.path(), &[&link[..], &["--listen", listen, "--to", &to]].concat())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
    stdout.read_line(&mut line).expect("a line");
    // Keeps reading, so that the pipe does not fill up.
    std::thread::spawn(move || std::io::copy(&mut stdout, &mut std::io::sink()));
    let start: Value = serde_json::from_str(&line).expect("JSON");
    let at = start["ports"]["listen"].as_str().expect("an address").to_owned();
    let client = UdpSocket::bind("127.0.0.1:0").expect("loopback");
    client.send_to(b"question", &at).expect("sent");
    let mut buffer = [0; 20];
    server.set_read_timeout(Some(AMPLE)).expect("a timeout");
    received(&server, &mut buffer).expect("through the link");
    (child, at)
}

#[test]
fn a_proxy_that_was_killed_hinders_no_other_and_the_next_cleans_up() {
    let dir = tempfile::tempdir().expect("a folder");
    let captures = ["seen-client.pcap", "seen-server.pcap"];
    let mut listen = "127.0.0.1:0".to_owned();
    for (signal, status) in [SIGNALS[2], SIGNALS[0], SIGNALS[2], SIGNALS[1]] {
        // Uses the same port and path as the one before.
        let (mut child, at) = proxy(&dir, &listen);
        assert!(dir.path().join("links").exists());
        let ended = end(&mut child, signal);
        assert_eq!(ended.code(), status, "{signal}: {ended:?}");
        if signal == "KILL" {
            assert_eq!(ended.signal(), Some(9));
        } else {
            assert_eq!(names(dir.path()), captures, "{signal}");
        }
        listen = at;
    }
    for name in captures {
        let length = fs::metadata(dir.path().join(name)).expect("a file").len();
        assert_eq!(length, 24 + 16 + 28 + 8, "{name}: the question of the last run");
    }
}

/// Processes with this text in their arguments, with their network namespaces.
fn processes(mark: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir("/proc").expect("Linux");
    let ours = entries.filter_map(|entry| {
        let path = entry.ok()?.path();
        let arguments = fs::read(path.join("cmdline")).ok()?;
        let namespace = fs::read_link(path.join("ns/net")).ok()?.display().to_string();
        let found = String::from_utf8_lossy(&arguments).contains(mark);
        found.then(|| (path.display().to_string(), namespace))
    });
    ours.collect()
}

/// Network devices of this machine by name and index, which the kernel does not reuse.
fn devices() -> BTreeSet<(String, String)> {
    let entries = fs::read_dir("/sys/class/net").expect("Linux");
    let device = |entry: fs::DirEntry| {
        let index = fs::read_to_string(entry.path().join("ifindex")).ok()?;
        Some((index.trim().to_owned(), entry.file_name().to_string_lossy().into_owned()))
    };
    entries.filter_map(|entry| device(entry.ok()?)).collect()
}

/// Rules of routing and packet filters; empty where no program lists them.
fn rules() -> Vec<String> {
    let commands: [&[&str]; 4] =
        [&["ip", "rule"], &["ip", "-6", "rule"], &["nft", "list", "ruleset"], &["iptables-save"]];
    let shown = commands.iter().filter_map(|line| {
        let output = Command::new(line[0]).args(&line[1..]).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        // Counters and dates vary.
        let lines = text.lines().filter(|line| !line.starts_with(['#', ':']));
        Some(lines.map(str::to_owned).collect::<Vec<_>>())
    });
    shown.flatten().collect()
}

/// A run on this machine's uplink with two processes that ignore signals, one of them a daemon.
#[derive(Debug)]
struct Stubborn {
    child: Child,
    mark: &'static str,
    address: String,
    device: (String, String),
    namespaces: Vec<String>,
}

impl Stubborn {
    /// `mark` is a number of seconds that no other process sleeps.
    fn start(dir: &Path, mark: &'static str) -> Stubborn {
        let script =
            format!("trap '' INT TERM; setsid sleep {mark} & while :; do sleep {mark}; done");
        let options =
            ["--rate", "1Mb/s", "--uplink", "host", "--link-socket", "links", "--pcap", "seen"];
        let mut child = command(dir, &shell(&options, &script))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
        stderr.read_line(&mut line).expect("UTF-8");
        std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
        let (_, address) = line.split_once("server is ").unwrap_or_else(|| panic!("{line}"));
        let address = address.split(' ').next().expect("a word").to_owned();
        // atl, its supervisor, the shell, and two sleeping processes.
        until("five processes", || processes(mark).len() == 5);
        let own = fs::read_link("/proc/self/ns/net").expect("Linux").display().to_string();
        let mut namespaces: Vec<String> = processes(mark).into_iter().map(|(_, ns)| ns).collect();
        namespaces.retain(|ns| *ns != own);
        assert!(!namespaces.is_empty());
        let device = Self::device(&address);
        Stubborn { child, mark, address, device, namespaces }
    }

    /// The device that leads to the host next to this address.
    fn device(address: &str) -> (String, String) {
        let block = address.rsplit_once('.').expect("IPv4").0;
        let [a, b, c] = *block.split('.').collect::<Vec<_>>() else { panic!("{address}") };
        let number = |octet: &str| octet.parse::<u8>().expect("an octet");
        let client = format!("01{:02X}{:02X}{:02X}", number(c), number(b), number(a));
        let routes = fs::read_to_string("/proc/net/route").expect("Linux");
        let route = routes.lines().find(|line| line.split('\t').nth(1) == Some(&client));
        let name = route.and_then(|route| route.split('\t').next()).expect("a route");
        let device = devices().into_iter().find(|device| device.1 == name);
        device.expect("the device of a route")
    }

    /// Checks that no process, namespace, device or address remains.
    fn left_nothing(&self) {
        let left = || {
            let processes = processes(self.mark);
            let inside = self::processes("");
            let inside = inside.into_iter().filter(|(_, ns)| self.namespaces.contains(ns)).count();
            let addresses = fs::read_to_string("/proc/net/fib_trie").expect("Linux");
            let line = format!("-- {}", self.address);
            let address = addresses.lines().any(|other| other.ends_with(&line));
            let device = devices().contains(&self.device);
            (!processes.is_empty(), inside > 0, address, device)
        };
        // The kernel takes a few milliseconds to clean up after a process.
        until("processes, namespace, address or device are left", || {
            left() == (false, false, false, false)
        });
    }
}

#[test]
fn programs_behind_links_leave_no_process_namespace_device_address_rule_or_file() {
    if skipped() {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let before = rules();
    let captures = ["seen-client.pcap", "seen-server.pcap"];
    // Each `kill -9` is followed by another start in the same folder.
    let marks = ["91827361", "91827362", "91827363", "91827364"];
    let signals = [SIGNALS[2], SIGNALS[0], SIGNALS[2], SIGNALS[1]];
    for ((signal, status), mark) in signals.into_iter().zip(marks) {
        let mut run = Stubborn::start(dir.path(), mark);
        assert!(dir.path().join("links").exists());
        let ended = end(&mut run.child, signal);
        assert_eq!(ended.code(), status, "{signal}: {ended:?}");
        run.left_nothing();
        if signal != "KILL" {
            assert_eq!(names(dir.path()), captures, "{signal}");
        }
        assert_eq!(rules(), before, "{signal}");
    }
}
