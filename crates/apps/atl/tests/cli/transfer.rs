//! `atl send` and `atl recv`.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::UdpSocket;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{AMPLE, atl, command, err, fine, names, out, refused};

/// A program in the background, with its output.
pub(crate) struct Background {
    child: Child,
    stdout: BufReader<ChildStdout>,
}

impl Background {
    pub(crate) fn start(mut command: Command) -> (Self, Value) {
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("a line");
        let Ok(start) = serde_json::from_str(&line) else {
            let mut told = String::new();
            let _ = child.stderr.take().expect("piped").read_to_string(&mut told);
            panic!("{line} {told}");
        };
        (Background { child, stdout }, start)
    }

    /// Runs `atl recv --json` on loopback.
    pub(crate) fn recv(dir: &Path, args: &[&str]) -> (Self, Value) {
        let fixed = ["recv", "--listen", "127.0.0.1:0", "--json", "--link-info", "none"];
        Self::start(command(dir, &[&fixed[..], args].concat()))
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &pid]).status();
        assert!(sent.is_ok_and(|status| status.success()));
    }

    /// Waits for its end. Gives its status, the rest of its output, and its messages.
    pub(crate) fn end(mut self) -> (Option<i32>, String, String) {
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).expect("UTF-8");
        let mut told = String::new();
        let _ = self.child.stderr.take().expect("piped").read_to_string(&mut told);
        (self.child.wait().expect("it ends").code(), rest, told)
    }
}

/// Standard output of a program that succeeds, with or without messages.
fn done(dir: &Path, args: &[&str]) -> String {
    let output = atl(dir, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", err(&output));
    out(&output)
}

pub(crate) fn text(start: &Value, key: &str) -> String {
    start[key].as_str().unwrap_or_else(|| panic!("{key} in {start}")).to_owned()
}

/// The plan is told without a receiver.
#[test]
fn a_dry_run_lists_what_would_be_sent() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(dir.path().join("tree/empty")).expect("made");
    for (name, text) in [("tree/a.txt", "hello"), ("tree/b.tmp", "x"), ("tree/c\\d", "x")] {
        fs::write(dir.path().join(name), text).expect("written");
    }
    let send = |more: &[&str]| {
        let to = ["--insecure", "127.0.0.1:9"];
        atl(dir.path(), &[&["send", "tree"][..], &to, more].concat())
    };
    let dry = send(&["--exclude", "*.tmp", "--dry-run"]);
    let plan = "tree/a.txt  5 B\ntree/c\\\\d  1 B\ntree/empty/\nWould send 2 files and 1 empty folder: 6 B\n";
    assert_eq!((dry.status.code(), out(&dry).as_str()), (Some(0), plan), "{}", err(&dry));
    let bad = send(&["--exclude", "a***"]);
    assert_eq!(bad.status.code(), Some(2));
    assert!(err(&bad).contains("a***"), "{}", err(&bad));
}

/// A receiver that takes portable names only gets the others' list at once, and the rest; a strict
/// sender sends nothing.
#[test]
fn names_that_a_receiver_cannot_hold_are_listed_and_left_out() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::create_dir(dir.path().join("tree")).expect("made");
    for name in ["a:b", "con", "fine", "z\\"] {
        fs::write(dir.path().join("tree").join(name), "x").expect("written");
    }
    let (recv, start) = Background::recv(dir.path(), &["--into", "in", "--portable", "--keep"]);
    let ticket = text(&start, "ticket");
    let send = |more: &[&str]| atl(dir.path(), &[&["send", "tree", &ticket][..], more].concat());
    let strict = send(&["--strict"]);
    assert_eq!(strict.status.code(), Some(1));
    let told = err(&strict);
    let why = "nothing was sent: the receiver's file system cannot hold 3 names";
    assert!(told.contains(why) && !dir.path().join("in/tree").exists(), "{told}");
    let sent = send(&[]);
    assert_eq!(sent.status.code(), Some(1));
    let told = err(&sent);
    for name in ["tree/a:b", "tree/con", "tree/z\\\\"] {
        let why = "was refused: the receiver's file system cannot hold this name";
        assert!(told.contains(&format!("{name} {why}")), "{name}: {told}");
    }
    assert_eq!(names(&dir.path().join("in/tree")), ["fine"]);
    recv.signal("INT");
    recv.end();
}

/// One end's standard input becomes the other's standard output, whole and right.
#[test]
fn a_pipe_goes_from_machine_to_machine() {
    let dir = tempfile::tempdir().expect("a folder");
    let fixed = ["recv", "--listen", "127.0.0.1:0", "--link-info", "none", "-q"];
    let mut recv = command(dir.path(), &[&fixed[..], &["--into", "-"]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut told = BufReader::new(recv.stderr.take().expect("piped"));
    let mut ticket = String::new();
    told.read_line(&mut ticket).expect("the ticket");
    let contents = [&b"\0\xff\n"[..], &[b'x'; 300_000]].concat();
    let sent = |more: &[&str]| {
        let mut send = command(dir.path(), &[&["send", "-"][..], more].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = send.stdin.take().expect("piped");
        let _ = stdin.write_all(&contents);
        drop(stdin);
        send.wait_with_output().expect("it ends")
    };
    let both = sent(&["-"]);
    assert_eq!(both.status.code(), Some(2));
    assert!(err(&both).contains("cannot be the ticket, too"), "{}", err(&both));
    let sent = sent(&[ticket.trim()]);
    assert_eq!(sent.status.code(), Some(0), "{}", err(&sent));
    let got = recv.wait_with_output().expect("it ends");
    assert_eq!(got.status.code(), Some(0));
    assert!(got.stdout == contents, "{} octets", got.stdout.len());
    assert_eq!(names(dir.path()).len(), 0, "nothing is left");
}

#[test]
fn files_arrive_and_both_ends_say_so() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::create_dir(dir.path().join("photos")).expect("made");
    let contents = "0123456789".repeat(20_000);
    fs::write(dir.path().join("photos/one"), &contents).expect("written");
    fs::write(dir.path().join("notes.txt"), "hello").expect("written");
    let (receiver, start) = Background::recv(dir.path(), &["--into", "in", "--qlog", "logs"]);
    assert_eq!(start["type"], "start");
    let ticket = text(&start, "ticket");
    let args = ["send", "photos", "notes.txt", &ticket, "--json", "--cc", "noq-cubic"];
    let sent: Value = serde_json::from_str(&done(dir.path(), &args)).expect("JSON");
    assert_eq!((&sent["complete"], &sent["arrived_bytes"]), (&true.into(), &200_005.into()));
    // SHA-256 of the file, as other tools give it.
    let hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    assert_eq!(sent["files"][1]["sha256"], hello);
    assert_eq!(sent["files"][0]["path"], "photos/one");
    let (status, rest, told) = receiver.end();
    assert_eq!(status, Some(0), "{told}");
    let summary: Value = serde_json::from_str(&rest).expect("JSON");
    assert_eq!((&summary["type"], &summary["finished"]), (&"summary".into(), &2.into()));
    assert!(summary["duration_s"].as_f64().expect("a number") > 0.0, "{summary}");
    assert_eq!(names(&dir.path().join("in")), ["notes.txt", "photos"]);
    assert_eq!(fs::read_to_string(dir.path().join("in/photos/one")).expect("there"), contents);
    let logs = names(&dir.path().join("logs"));
    assert!(logs.len() == 1 && logs[0].ends_with(".qlog"), "{logs:?}");

    // A different file with the name exists.
    fs::write(dir.path().join("in/notes.txt"), "other").expect("written");
    let (receiver, start) = Background::recv(dir.path(), &["--into", "in"]);
    let output =
        atl(dir.path(), &["send", "notes.txt", &text(&start, "ticket"), "--cc", "tcp-atl"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("another `notes.txt` is there"), "{}", err(&output));
    assert!(out(&output).contains("Sent 0 of 1 file"), "{}", out(&output));
    assert_eq!(receiver.end().0, Some(1));
    assert_eq!(fs::read_to_string(dir.path().join("in/notes.txt")).expect("there"), "other");

    // The second time it is replaced without a message.
    let (receiver, start) = Background::recv(dir.path(), &["--into", "in", "--force"]);
    assert_eq!(fine(dir.path(), &["send", "-q", "notes.txt", &text(&start, "ticket")]), "");
    assert_eq!(receiver.end().0, Some(0));
    assert_eq!(fs::read_to_string(dir.path().join("in/notes.txt")).expect("there"), "hello");
}

#[test]
fn a_killed_receiver_goes_on_where_it_was() {
    let dir = tempfile::tempdir().expect("a folder");
    let contents: Vec<u8> = (0..1_500_000_u32).map(|n| (n.wrapping_mul(n) >> 7) as u8).collect();
    fs::write(dir.path().join("film"), &contents).expect("written");
    let (receiver, first) = Background::recv(dir.path(), &["--into", "in", "--anyone"]);
    // Slow enough to be killed half way.
    let to = text(&first, "listen");
    let place = ["link", "--rate", "8Mb/s", "--delay", "5ms", "--listen", "127.0.0.1:0", "--json"];
    let args = [&place[..], &["--to", &to, "--duration", "1min"]].concat();
    let (link, started) = Background::start(command(dir.path(), &args));
    let at = text(&started["ports"], "listen");
    let mark = text(&first, "fingerprint");
    let send = ["send", "film", &at, "--fingerprint", &mark, "--link-info", "none"];
    let sender = command(dir.path(), &send).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let sender = sender.expect("the program starts");
    let state = dir.path().join("in/.atl-recv");
    let held = || {
        let parts = names(&state).into_iter().filter(|name| name.ends_with(".part"));
        parts.filter_map(|part| fs::metadata(state.join(part)).ok()).map(|data| data.len()).max()
    };
    let begun = Instant::now();
    while held().is_none_or(|held| held < 500_000) {
        assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", held());
        sleep(Duration::from_millis(10));
    }
    receiver.signal("KILL");
    receiver.end();
    assert!(!dir.path().join("in/film").exists());

    let (receiver, second) = Background::recv(dir.path(), &["--into", "in", "--anyone"]);
    assert_eq!(second["continues"], true);
    for key in ["ticket", "fingerprint", "listen"] {
        assert_eq!(first[key], second[key], "{key}");
    }
    let sent = sender.wait_with_output().expect("it ends");
    let told = err(&sent);
    assert_eq!(sent.status.code(), Some(0), "{told}");
    for word in ["connection is lost", "again: the receiver was restarted", "film goes on at"] {
        assert!(told.contains(word), "{word} in {told}");
    }
    let (status, _, told) = receiver.end();
    assert_eq!(status, Some(0), "{told}");
    assert!(told.contains("Unfinished: film") && told.contains("film goes on at"), "{told}");
    assert!(fs::read(dir.path().join("in/film")).expect("there") == contents);
    assert_eq!(names(&dir.path().join("in")), ["film"]);
    link.signal("INT");
    link.end();
}

#[test]
fn a_full_disk_is_told_to_both_and_nothing_half_written_appears() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("big"), vec![7; 3_000_000]).expect("written");
    // Writes fail beyond 1 MB, as on a full disk.
    let mut limited = Command::new("sh");
    let recv = "trap '' XFSZ; ulimit -f 2000; exec \"$0\" recv --listen 127.0.0.1:0 --json --into in --link-info none";
    limited.current_dir(dir.path()).args(["-c", recv, env!("CARGO_BIN_EXE_atl")]);
    let (receiver, start) = Background::start(limited);
    let output = atl(dir.path(), &["send", "big", &text(&start, "ticket")]);
    assert_eq!(output.status.code(), Some(1), "{}", out(&output));
    assert!(err(&output).contains("the receiver cannot write the file"), "{}", err(&output));
    let (status, _, told) = receiver.end();
    assert_eq!(status, Some(1), "{told}");
    assert_eq!(names(&dir.path().join("in")), [".atl-recv"]);

    // Without the limit the rest is sent.
    let (receiver, start) = Background::recv(dir.path(), &["--into", "in"]);
    let output = atl(dir.path(), &["send", "big", &text(&start, "ticket")]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(err(&output).contains("big goes on at"), "{}", err(&output));
    assert_eq!(receiver.end().0, Some(0));
    assert!(fs::read(dir.path().join("in/big")).expect("there") == vec![7; 3_000_000]);
}

#[test]
fn an_interrupted_receiver_keeps_what_it_has_and_its_ticket() {
    let dir = tempfile::tempdir().expect("a folder");
    let (receiver, start) = Background::recv(dir.path(), &["--into", "in", "--keep"]);
    let ticket = text(&start, "ticket");
    let load = done(dir.path(), &["send", "--generate", "1MB", &ticket, "--json", "--cc", "cubic"]);
    let load: Value = serde_json::from_str(&load).expect("JSON");
    assert_eq!(load["load"]["bytes"], 1_000_000);
    let begun = Instant::now();
    receiver.signal("INT");
    let (status, rest, _) = receiver.end();
    assert_eq!(status, Some(130));
    assert!(begun.elapsed() < AMPLE, "{:?}", begun.elapsed());
    let summary: Value = serde_json::from_str(&rest).expect("JSON");
    assert_eq!((&summary["error"], &summary["finished"]), (&"interrupted".into(), &0.into()));
    assert!(names(&dir.path().join("in")).is_empty(), "nothing is unfinished");
}

/// A receiver tells what has arrived five times a second, and has done so several times by then.
#[test]
fn an_interrupted_sender_tells_what_has_arrived() {
    const SIZE: u64 = 1 << 30;
    let dir = tempfile::tempdir().expect("a folder");
    let big = fs::File::create(dir.path().join("big")).expect("made");
    big.set_len(SIZE).expect("a file without content takes no room");
    let (receiver, start) = Background::recv(dir.path(), &["--into", "in", "--keep"]);
    let ticket = text(&start, "ticket");
    let args = ["send", "big", &ticket, "--json", "--link-info", "none"];
    let send = command(dir.path(), &args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let here = || -> u64 {
        let parts = fs::read_dir(dir.path().join("in/.atl-recv")).into_iter().flatten();
        parts.filter_map(|part| Some(part.ok()?.metadata().ok()?.len())).sum()
    };
    let begun = Instant::now();
    while here() < 30_000_000 {
        assert!(begun.elapsed() < AMPLE, "nothing arrives");
        sleep(Duration::from_millis(1));
    }
    let sent = Command::new("kill").args(["-s", "INT", &send.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    let output = send.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{}", err(&output));
    let summary: Value = serde_json::from_str(&out(&output)).expect("JSON");
    let arrived = summary["arrived_bytes"].as_u64().expect("a number");
    assert!((1_000_000..SIZE).contains(&arrived), "{summary}");
    receiver.signal("INT");
    receiver.end();
}

/// Nobody listens there.
#[test]
fn a_sender_may_try_once() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("f"), "x").expect("written");
    let nobody = UdpSocket::bind("127.0.0.1:0").expect("loopback").local_addr().expect("bound");
    let to = nobody.to_string();
    let args = ["send", "f", &to, "--insecure", "--link-info", "none", "--retry-for", "0s"];
    let output = atl(dir.path(), &args);
    let told = err(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(!told.contains("trying again"), "{told}");
}

#[test]
fn mistakes_are_told_with_what_is_allowed() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("f"), "x").expect("written");
    fs::write(dir.path().join("ticket"), "127.0.0.1:9").expect("written");
    fs::create_dir(dir.path().join("tree")).expect("made");
    let word = format!("atl{}", "a".repeat(98));
    let cases: &[(&[&str], &[&str])] = &[
        (&["@ticket"], &["send what to @ticket", "--generate"]),
        (&["f"], &["there is no receiver: f is a file to send", "ticket or address", "ATL_TICKET"]),
        (&["f", "--dry-run", "tree"], &["there is no receiver: tree is a folder to send"]),
        (&["f", "127.0.0.1:9"], &["who is at 127.0.0.1:9", "--fingerprint", "--insecure"]),
        (&["f", "nonsense"], &["nonsense", "not a ticket", "192.0.2.7:5000"]),
        (&["f", &word], &["copy it again"]),
        (&["missing", "127.0.0.1:9", "--insecure"], &["cannot read missing"]),
        (&["f", "127.0.0.1:9", "--insecure", "--cc", "arc"], &["--cc arc", "tcp-atl", "noq-bbr3"]),
        (&["f", "127.0.0.1:9", "--insecure", "--cc", "x"], &["no such controller"]),
        (&["f", "127.0.0.1:9", "--insecure", "--generate", "1MB"], &["no files"]),
        (&["127.0.0.1:9", "--generate", "0MB", "--insecure"], &["greater than 0B"]),
        (&["f", "127.0.0.1:9", "--fingerprint", "ab"], &["64 hexadecimal digits"]),
        (&["f", "127.0.0.1:9", "--insecure", "--link-info", "radio"], &["interface:NAME"]),
        (&["f", "127.0.0.1:9", "--insecure", "--link-info", "interface:no"], &["interface no"]),
    ];
    for (args, words) in cases {
        let told = refused(dir.path(), &[&["send"], *args].concat(), 2);
        for word in *words {
            assert!(told.contains(word), "{args:?}: {word} in {told}");
        }
    }
    let taken = UdpSocket::bind("127.0.0.1:0").expect("loopback");
    let at = taken.local_addr().expect("bound").to_string();
    let told = refused(dir.path(), &["recv", "--listen", &at, "--into", "in"], 1);
    assert!(told.contains(&at), "{told}");
    let told = refused(dir.path(), &["recv", "--into", "f"], 1);
    assert!(told.contains("cannot") && told.contains('f'), "{told}");
    // A receiver that failed to listen leaves nothing behind.
    assert_eq!(names(dir.path()), ["f", "in", "ticket", "tree"]);
    assert!(names(&dir.path().join("in")).is_empty());
    // Roaming options that contradict each other.
    let to = ["f", "127.0.0.1:9", "--insecure", "--link-info", "none"];
    let told = refused(
        dir.path(),
        &[&["send"], &to[..], &["--roam", "probe", "--cc", "noq-cubic"]].concat(),
        2,
    );
    assert!(told.contains("--roam reset"), "{told}");
    let told = refused(
        dir.path(),
        &[&["send"], &to[..], &["--roam", "off", "--also", "192.0.2.9"]].concat(),
        2,
    );
    assert!(told.contains("--also"), "{told}");
    let told = refused(
        dir.path(),
        &[&["send"], &to[..], &["--bind", "127.0.0.1:0", "--also", "192.0.2.9"]].concat(),
        2,
    );
    assert!(told.contains("--bind"), "{told}");
    let told = refused(dir.path(), &[&["send"], &to[..], &["--roam", "soon"]].concat(), 2);
    assert!(told.contains("resume, probe, reset, off"), "{told}");
}

/// Runs `atl send` with this on standard input, and these variables.
fn send_with(dir: &Path, args: &[&str], input: &str, variables: &[(&str, &str)]) -> Output {
    let mut sender = command(dir, &[&["send", "--link-info", "none"], args].concat());
    let sender = sender.envs(variables.iter().copied()).stdin(Stdio::piped());
    let mut sender = sender.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
    // A program that needs none may be gone.
    let _ = sender.stdin.take().expect("piped").write_all(input.as_bytes());
    sender.wait_with_output().expect("it ends")
}

#[test]
fn a_ticket_need_not_be_an_argument() {
    let dir = tempfile::tempdir().expect("a folder");
    for name in ["a", "b", "c", "d"] {
        fs::write(dir.path().join(name), name).expect("written");
    }
    let (receiver, start) = Background::recv(dir.path(), &["--into", "in", "--keep"]);
    let ticket = text(&start, "ticket");
    fs::write(dir.path().join("ticket"), format!("\n {ticket}\n")).expect("written");
    let other = ticket.replace(['a', 'b'], "c");
    let cases: [(&[&str], &str, &str); 4] = [
        (&["a", "-"], &format!("{ticket}\n"), ""),
        (&["b", "@ticket"], "", ""),
        (&["c"], "", &ticket),
        // An argument that is a receiver comes first.
        (&["d", &ticket], "", &other),
    ];
    for (args, input, variable) in cases {
        let variables = [("ATL_TICKET", variable)];
        let variables = if variable.is_empty() { &[][..] } else { &variables };
        let sent = send_with(dir.path(), args, input, variables);
        assert_eq!(sent.status.code(), Some(0), "{args:?}: {}", err(&sent));
        assert!(!err(&sent).contains(&ticket) && !out(&sent).contains(&ticket), "{args:?}");
    }
    assert_eq!(names(&dir.path().join("in")), [".atl-recv", "a", "b", "c", "d"]);
    for (args, input, word) in [
        (&["a", "-"][..], "nonsense", "standard input: not a ticket"),
        (&["a", "-"], "", "standard input: not a ticket"),
        (&["a", "@missing"], "", "missing"),
        (&["-"], &ticket, "send what to standard input"),
        (&[], "", "ATL_TICKET"),
    ] {
        let sent = send_with(dir.path(), args, input, &[]);
        let told = err(&sent);
        assert!(sent.status.code() != Some(0) && told.contains(word), "{args:?}: {told}");
        assert!(!told.contains(&ticket), "{args:?}: {told}");
    }
    receiver.signal("INT");
    receiver.end();
}

#[test]
fn the_last_gigabyte_of_a_disk_is_not_filled() {
    let dir = tempfile::tempdir().expect("a folder");
    let (receiver, start) = Background::recv(dir.path(), &["--into", "in"]);
    let limit = start["limit_bytes"].as_u64().expect("a limit");
    // A file of holes, which takes no space here.
    let big = fs::File::create(dir.path().join("big")).expect("made");
    big.set_len(limit + 1).expect("holes");
    let sent = atl(dir.path(), &["send", "big", &text(&start, "ticket"), "--link-info", "none"]);
    assert_eq!(sent.status.code(), Some(1), "{}", err(&sent));
    assert!(err(&sent).contains("--limit"), "{}", err(&sent));
    assert_eq!(receiver.end().0, Some(1));
    assert!(names(&dir.path().join("in")).is_empty());
}

#[test]
fn both_ends_count_the_same_and_take_time() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(dir.path().join("tree/empty")).expect("made");
    fs::create_dir_all(dir.path().join("tree/hollow")).expect("made");
    for name in ["a", "b", "c"] {
        fs::write(dir.path().join("tree").join(name), vec![7; 100_000]).expect("written");
    }
    let recv = ["recv", "--listen", "127.0.0.1:0", "--into", "in", "--link-info", "none"];
    let receiver = command(dir.path(), &recv).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut receiver = receiver.expect("it starts");
    let mut lines = BufReader::new(receiver.stdout.take().expect("piped")).lines();
    let ticket = lines.by_ref().find_map(|line| {
        line.expect("UTF-8").trim().strip_prefix("atl send FILE... ").map(str::to_owned)
    });
    let ticket = ticket.expect("a ticket");
    let sent = done(dir.path(), &["send", "tree", &ticket, "--link-info", "none"]);
    assert!(sent.starts_with("Sent 3 of 3 files and 2 empty folders: 300.0 kB in "), "{sent}");
    let told: Vec<String> = lines.map(|line| line.expect("UTF-8")).collect();
    let told = told.last().expect("a summary");
    assert!(told.starts_with("Received 3 files and 2 empty folders: 300.0 kB in "), "{told}");
    // There is a rate only if time has passed.
    assert!(told.contains("b/s"), "{told}");
    assert!(receiver.wait().expect("it ends").success());
}

#[test]
fn one_folder_has_one_receiver() {
    let dir = tempfile::tempdir().expect("a folder");
    let (receiver, _) = Background::recv(dir.path(), &[]);
    let told = refused(dir.path(), &["recv", "--listen", "127.0.0.1:0"], 1);
    assert!(told.contains("another `atl recv`"), "{told}");
    receiver.signal("TERM");
    assert_eq!(receiver.end().0, Some(130));
}

/// A command tells a sender of its link, and what it says is not JSON is told once.
#[test]
fn a_command_is_a_source_of_link_information() {
    let dir = tempfile::tempdir().expect("a folder");
    let (recv, start) = Background::recv(dir.path(), &["--into", "in", "--keep"]);
    let ticket = text(&start, "ticket");
    let send = |source: &str| {
        let load = ["send", "--for", "2500ms", &ticket, "--cc", "tcp-atl", "--link-info", source];
        atl(dir.path(), &load)
    };
    let script = "command:echo . >> runs; echo '{\"p_w\": 0.01, \"d_w_s\": 0.02}'";
    let sent = send(script);
    assert_eq!(sent.status.code(), Some(0), "{}", err(&sent));
    assert!(!err(&sent).contains("nothing is known"), "{}", err(&sent));
    let runs = fs::read_to_string(dir.path().join("runs")).expect("it ran").lines().count();
    assert!((2..=4).contains(&runs), "once a second: {runs}");
    let sent = send("command:echo nonsense");
    assert!(err(&sent).contains("nothing is known of the link"), "{}", err(&sent));
    let wrong = send("command:");
    assert_eq!(wrong.status.code(), Some(2));
    recv.signal("INT");
    recv.end();
}

/// Outputs of a tool become link information in a file, which `--link-info file:` takes.
#[test]
fn a_tool_s_output_becomes_a_file() {
    let dir = tempfile::tempdir().expect("a folder");
    let run = |args: &[&str], input: &str| {
        let mut child = command(dir.path(), args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("piped");
        stdin.write_all(input.as_bytes()).expect("written");
        drop(stdin);
        child.wait_with_output().expect("it ends")
    };
    let dish = r#"{"dishGetStatus": {"popPingDropRate": 0.5, "popPingLatencyMs": 40}}"#;
    let printed = run(&["link-info", "starlink"], dish);
    let line = "{\"p_w\":0.5,\"p_w_low\":0.0,\"p_w_high\":0.5,\"d_w_s\":0.02,\"d_w_low_s\":0.0,\"d_w_high_s\":0.04,\"epoch\":0}\n";
    assert_eq!(out(&printed), line, "{}", err(&printed));
    let kept = run(&["link-info", "starlink", "--into", "link"], dish);
    assert_eq!((kept.status.code(), out(&kept).as_str()), (Some(0), ""));
    assert_eq!(fs::read_to_string(dir.path().join("link")).expect("written"), line);
    assert_eq!(names(dir.path()), ["link"]);
    let wrong = run(&["link-info", "starlink"], "no JSON");
    assert_eq!(wrong.status.code(), Some(1));
    assert!(err(&wrong).contains("not JSON"), "{}", err(&wrong));
}
