//! The ticket of a sender as other users of its machine see it: in the list of processes.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::transfer::{Background, text};
use crate::{AMPLE, command, err};

/// A folder with a file to send, and the ticket of a receiver that was killed.
fn without_receiver() -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("film"), "film").expect("written");
    let (receiver, start) = Background::recv(dir.path(), &["--into", "in"]);
    receiver.signal("KILL");
    receiver.end();
    (dir, text(&start, "ticket"))
}

fn started(mut command: Command) -> Child {
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// A file in which the system shows a process.
fn shown(of: &Child, file: &str) -> String {
    let path = format!("/proc/{}/{file}", of.id());
    let text = fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    String::from_utf8_lossy(&text).replace('\0', " ")
}

/// The process's arguments once the ticket is out of them.
fn wiped(sender: &Child, ticket: &str) -> String {
    let begun = Instant::now();
    loop {
        let seen = shown(sender, "cmdline");
        if seen.contains("send") && !seen.contains(ticket) {
            return seen;
        }
        assert!(begun.elapsed() < AMPLE, "{seen}");
        sleep(Duration::from_millis(5));
    }
}

/// The receiver comes again, and gets the file.
fn received(dir: &Path, sender: Child) {
    let (receiver, _) = Background::recv(dir, &["--into", "in"]);
    let sent = sender.wait_with_output().expect("it ends");
    assert_eq!((sent.status.code(), err(&sent).as_str()), (Some(0), ""));
    assert_eq!(receiver.end().0, Some(0));
    assert_eq!(fs::read_to_string(dir.join("in/film")).expect("there"), "film");
}

#[test]
fn a_ticket_in_arguments_does_not_stay_there() {
    let (dir, ticket) = without_receiver();
    let mut sender = command(dir.path(), &["send", "film", &ticket, "-q", "--link-info", "none"]);
    sender.env_remove("ATL_TICKET");
    let sender = started(sender);
    let seen = wiped(&sender, &ticket);
    let words: Vec<&str> = seen.split(' ').collect();
    let start = [env!("CARGO_BIN_EXE_atl"), "send", "film"];
    assert!(words.starts_with(&start), "{seen}");
    assert!(words[3].starts_with("@/dev/fd/"), "{seen}");
    assert_eq!(words[4..], ["-q", "--link-info", "none", ""], "{seen}");
    assert!(!shown(&sender, "environ").contains(&ticket));
    assert_eq!(shown(&sender, "comm"), "atl\n", "those who look for it find it");
    received(dir.path(), sender);
}

/// The file of a program that runs may be replaced or removed.
#[test]
fn a_program_whose_file_is_gone_wipes_it_too() {
    let (dir, ticket) = without_receiver();
    // On the program's own file system, so that it need not be copied.
    let beside = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let gone = beside.path().join("atl");
    fs::hard_link(env!("CARGO_BIN_EXE_atl"), &gone).expect("linked");
    let script = r#"exec 9<"$0"; rm "$0"; exec /proc/self/fd/9 "$@""#;
    let mut sender = Command::new("sh");
    sender.current_dir(dir.path()).env_remove("ATL_TICKET").args(["-c", script]).arg(gone);
    sender.args(["send", "film", &ticket, "-q", "--link-info", "none"]);
    let sender = started(sender);
    let begun = Instant::now();
    while shown(&sender, "comm") == "sh\n" {
        assert!(begun.elapsed() < AMPLE, "the shell starts it");
        sleep(Duration::from_millis(5));
    }
    assert!(wiped(&sender, &ticket).contains(" @/dev/fd/"));
    received(dir.path(), sender);
}

/// Commands that a sender runs do not get the ticket of its environment.
#[test]
fn a_command_for_link_information_does_not_see_the_ticket() {
    let (dir, ticket) = without_receiver();
    let source = "command:printenv > seen.new; mv seen.new seen; echo 'p_w 0'";
    let mut sender = command(dir.path(), &["send", "film", "-q", "--link-info", source]);
    sender.env("ATL_TICKET", &ticket).env("ATL_OTHER", "stays");
    let mut sender = started(sender);
    let begun = Instant::now();
    let seen = loop {
        match fs::read_to_string(dir.path().join("seen")) {
            Ok(seen) => break seen,
            Err(_) => sleep(Duration::from_millis(5)),
        }
        assert!(begun.elapsed() < AMPLE, "the command runs");
    };
    sender.kill().expect("it waits for a receiver");
    sender.wait().expect("killed");
    assert!(seen.contains("ATL_OTHER=stays"), "{seen}");
    assert!(!seen.contains(&ticket) && !seen.contains("ATL_TICKET"), "{seen}");
}
