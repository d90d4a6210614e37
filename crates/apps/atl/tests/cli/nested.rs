//! Labs within labs, ways out of them, and programs that COMMAND waits for. Needs root; reports
//! when skipped.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::time::{Duration, Instant};

use crate::program::{skip, skipped};
use crate::{atl, err, out};

const LINK: [&str; 4] = ["--rate", "20Mb/s", "--delay", "10ms"];

/// On a busy machine an interpreter takes longer to begin than the three seconds that COMMAND waits
/// for it by default.
const PATIENT: [&str; 2] = ["--server-wait", "60s"];

/// True if something is missing here. The test is then skipped with a message.
fn cannot() -> bool {
    if skipped() {
        return true;
    }
    // Its /dev/tcp is the client.
    let missing = !Path::new("/bin/bash").exists();
    if missing {
        skip("no bash");
    }
    missing
}

/// A server that tells each client its address, by the program's own interpreter of Python.
const SERVER: &str = "python3 -c 'import socket
s = socket.create_server((\"0.0.0.0\", 4000))
while True:
    c, a = s.accept()
    c.sendall(f\"{a[0]}\\n\".encode())
    c.close()'";

const CLIENT: &str = "exec 3<>/dev/tcp/198.19.0.2/4000; read -r line <&3; echo \"$line\"";

fn has_python() -> bool {
    let found = std::process::Command::new("python3").arg("--version").output().is_ok();
    if !found {
        skip("no python3, which is the server");
    }
    found
}

/// Each lab has a block of addresses of its own, and packets pass all three levels.
#[test]
fn labs_nest_to_depth_three() {
    if cannot() || !has_python() {
        return;
    }
    let me = env!("CARGO_BIN_EXE_atl");
    let inner: Vec<&str> = [&[me, "link"][..], &LINK, &["--uplink", "host", "--"]].concat();
    let outer = [&["link"][..], &LINK, &PATIENT, &["--server", SERVER, "--"]].concat();
    for depth in 1..=3 {
        let mut args = outer.clone();
        for _ in 1..depth {
            args.extend(&inner);
        }
        args.extend(["bash", "-c", CLIENT]);
        let begun = Instant::now();
        let output = atl(Path::new("."), &args);
        // The outermost lab sees its own host alone: those behind it have its address.
        assert_eq!(out(&output), "198.19.0.1\n", "{depth}: {}", err(&output));
        // SYN, SYN-ACK, and the line: at least a round trip and a half over each level.
        assert!(begun.elapsed() >= Duration::from_millis(30 * depth), "{depth}");
    }
}

/// Names are looked up by a resolver on the machine's end.
#[test]
fn a_way_out_has_a_resolver() {
    if cannot() {
        return;
    }
    let me = env!("CARGO_BIN_EXE_atl");
    let inner = [&[me, "link"][..], &LINK, &["--uplink", "nat", "--"]].concat();
    let show = ["sh", "-c", "cat /etc/resolv.conf; cat /proc/net/route"];
    let args = [&["link"][..], &LINK, &["--"], &inner, &show].concat();
    let output = atl(Path::new("."), &args);
    let text = out(&output);
    assert!(text.contains("nameserver 198.19.1.2"), "{text} {}", err(&output));
    assert!(text.lines().any(|line| line.starts_with("atl0\t00000000\t")), "{text}");
}

/// COMMAND begins once the server listens, which this one does late.
#[test]
fn a_command_waits_for_its_server() {
    if cannot() || !has_python() {
        return;
    }
    let late = format!("sleep 1; {SERVER}");
    let program = ["--server", &late, "--", "bash", "-c", CLIENT];
    let output = atl(Path::new("."), &[&["link"][..], &LINK, &PATIENT, &program].concat());
    assert_eq!(out(&output), "198.19.0.1\n", "{}", err(&output));
    let never = ["--server", "sleep 60", "--server-wait", "300ms", "--", "echo", "begun"];
    let output = atl(Path::new("."), &[&["link"][..], &LINK, &never].concat());
    assert_eq!(out(&output), "begun\n");
    let note =
        "note: `sleep 60` on server opened no port within 0.30 s; COMMAND began all the same";
    assert!(err(&output).contains(note), "{}", err(&output));
}

#[test]
fn a_server_that_dies_at_once_is_told_with_its_status() {
    if cannot() {
        return;
    }
    let args = ["--server", "exit 7", "--", "echo", "begun"];
    let output = atl(Path::new("."), &[&["link"][..], &LINK, &args].concat());
    assert_eq!((out(&output).as_str(), output.status.code()), ("", Some(1)));
    let why = "`exit 7` on server ended before COMMAND began: exit status: 7";
    assert!(err(&output).contains(why), "{}", err(&output));
}
