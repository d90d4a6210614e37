//! `atl link`, `atl recv` and `atl send --link-info socket`: the sender learns which of its packets
//! the link lost.
#![cfg(unix)]

use std::os::fd::AsRawFd as _;
use std::path::Path;
use std::thread;

use atl_wire::link_query::Request;
use nix::sys::socket::{
    AddressFamily, Backlog, MsgFlags, SockFlag, SockType, UnixAddr, accept, bind, listen, recv,
    send, socket,
};
use serde_json::Value;

use crate::json::holds;
use crate::transfer::{Background, text};
use crate::{command, err, out};

/// A receiver, and a link towards it with these options. It loses 3 % of the sender's packets and
/// nothing else: the reverse direction is clean, and the queue is longer than all data sent.
struct Lossy {
    receiver: Background,
    link: Background,
    to: String,
}

impl Lossy {
    fn open(dir: &Path, options: &[&str]) -> Lossy {
        let (receiver, start) = Background::recv(dir, &["--anyone"]);
        let at = text(&start, "listen");
        let air =
            ["link", "--rate", "20Mb/s", "--delay", "50ms", "--loss", "3%", "--back-loss", "0"];
        let place = ["--queue", "10000", "--listen", "127.0.0.1:0", "--to", &at, "--json"];
        let args = [&air[..], &place, options].concat();
        let (link, start) = Background::start(command(dir, &args));
        let to = start["ports"]["listen"].as_str().expect("an address").to_owned();
        Lossy { receiver, link, to }
    }

    /// Sends this amount of generated load. Gives its summary and its messages.
    fn send(&self, dir: &Path, size: &str, options: &[&str]) -> (Value, String) {
        let to = ["send", &self.to, "--insecure", "--generate", size, "--json"];
        let sent = command(dir, &[&to[..], options].concat()).output().expect("it runs");
        assert_eq!(sent.status.code(), Some(0), "{}", err(&sent));
        (serde_json::from_str(&out(&sent)).expect("JSON"), err(&sent))
    }

    /// Ends both and gives the number of packets that the link towards the receiver lost.
    fn end(self) -> u64 {
        self.link.signal("INT");
        let (_, lines, told) = self.link.end();
        let last = lines.lines().last().unwrap_or_else(|| panic!("no summary: {told}"));
        let summary: Value = serde_json::from_str(last).expect("JSON");
        let (_, _, told) = self.receiver.end();
        let lost = summary["links"][0]["lost"].as_u64();
        lost.unwrap_or_else(|| panic!("no losses in {summary}, {told}"))
    }
}

#[test]
fn a_sender_learns_which_of_its_packets_the_link_lost() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = Lossy::open(dir.path(), &["--link-socket", "links"]);
    let socket = ["--link-info", "socket:links", "--cc", "tcp-atl-robust"];
    let (sent, messages) = path.send(dir.path(), "4MB", &socket);
    holds(&sent, "atl-sent/1");
    let lost = path.end();
    let marks = |key: &str| {
        sent["marks"][key].as_u64().unwrap_or_else(|| panic!("marks.{key} in {sent}: {messages}"))
    };
    // 3 % of at least 2750 packets: less than 40 in one of 10^7 runs.
    assert!(lost >= 40, "{lost} of {sent}");
    // All packets that the link lost since the sender began, except those in flight at the end.
    assert!(marks("told") <= lost && marks("told") + 3 >= lost, "{lost} lost, {sent}");
    assert_eq!((marks("missed"), marks("refused")), (0, 0), "{sent}");
    // A few datagrams carry only acknowledgments.
    assert!(10 * marks("matched") >= 9 * marks("told"), "{sent}");
    assert!(marks("in_time") + marks("late") >= marks("matched"), "{sent}");
    // The rest depends on the speed of this machine: an ACK takes 50 ms, the report of a loss less
    // than one.
    assert!(2 * marks("in_time") >= marks("matched"), "{sent}");
    // Nothing else lost packets, so these were the sender's.
    let packets = sent["packets_lost"].as_u64().expect("a number");
    assert!(10 * marks("matched") >= 8 * packets, "{sent}");
}

#[test]
fn a_controller_that_does_not_listen_has_no_marks() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = Lossy::open(dir.path(), &["--link-socket", "links"]);
    let (sent, _) =
        path.send(dir.path(), "50kB", &["--link-info", "socket:links", "--cc", "noq-cubic"]);
    assert_eq!(sent["marks"], Value::Null, "{sent}");
    holds(&sent, "atl-sent/1");
    path.end();
}

#[test]
fn with_a_link_that_does_not_tell_the_sender_goes_on() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = Lossy::open(dir.path(), &[]);
    // A socket that understands no question: it reads and never answers.
    let kind = (AddressFamily::Unix, SockType::SeqPacket, SockFlag::SOCK_CLOEXEC);
    let listener = socket(kind.0, kind.1, kind.2, None).expect("a socket");
    bind(listener.as_raw_fd(), &UnixAddr::new(&dir.path().join("links")).expect("short"))
        .expect("free");
    listen(&listener, Backlog::new(8).expect("few")).expect("listening");
    thread::spawn(move || {
        while let Ok(client) = accept(listener.as_raw_fd()) {
            thread::spawn(move || {
                let mut request = [0; 200];
                while let Ok(length @ 1..) = recv(client, &mut request, MsgFlags::empty()) {
                    assert!(Request::decode(&request[..length]).is_ok());
                    let _ = send(client, b"what?", MsgFlags::MSG_NOSIGNAL);
                }
            });
        }
    });
    let (sent, messages) = path.send(dir.path(), "50kB", &["--link-info", "socket:links"]);
    assert_eq!(sent["marks"]["told"], 0, "{sent}");
    assert_eq!(sent["complete"], true, "{sent}");
    assert!(messages.contains("links gave no answer within 500 ms"), "{messages}");
    path.end();
}

/// Needs root; reports when skipped.
#[cfg(target_os = "linux")]
#[test]
fn a_sender_behind_the_link_finds_its_socket_by_itself() {
    if crate::program::skipped() {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let atl = env!("CARGO_BIN_EXE_atl");
    let server = format!("{atl} recv --anyone --listen 0.0.0.0:5000 --into in --keep -q");
    let link = ["link", "--rate", "20Mb/s", "--delay", "50ms", "--loss", "3%", "--back-loss", "0"];
    let server = ["--server-wait", "60s", "--server", &server, "--"];
    let options = [&["--queue", "10000", "--link-socket", "links"][..], &server].concat();
    let send = [atl, "send", "server:5000", "--insecure", "--generate", "1MB", "--json"];
    let run = command(dir.path(), &[&link[..], &options, &send].concat()).output();
    let run = run.expect("it runs");
    assert_eq!(run.status.code(), Some(0), "{}", err(&run));
    let sent: Value = serde_json::from_str(&out(&run)).expect("JSON");
    let marks = |key: &str| sent["marks"][key].as_u64().unwrap_or_else(|| panic!("{sent}"));
    // 3 % of 690 packets: none in one of 10^9 runs.
    assert!(marks("matched") > 0, "{sent}");
    assert_eq!((marks("missed"), marks("refused")), (0, 0), "{sent}");
    assert!(10 * marks("matched") >= 9 * marks("told"), "{sent}");
}
