//! `atl link ... -- COMMAND`: needs root, and says so where it skips.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::{atl, command, err, out, refused};

const HERE: &str = ".";

/// True where this machine has no labs: then a test has nothing to say, and says so.
fn skipped() -> bool {
    let output = atl(Path::new(HERE), &["link", "--rate", "1Mb/s", "--", "true"]);
    if output.status.success() {
        return false;
    }
    let why = err(&output);
    assert!(why.contains("not allowed to") || why.contains("no /dev/net/tun"), "{why}");
    // Not eprintln!, which the test harness hides.
    let _ = write!(std::io::stderr(), "SKIPPED: {why}");
    true
}

fn shell<'a>(options: &[&'a str], script: &'a str) -> Vec<&'a str> {
    [&["link"], options, &["--", "sh", "-c", script]].concat()
}

#[test]
fn output_and_exit_status_are_the_command_s() {
    if skipped() {
        return;
    }
    let output = atl(Path::new(HERE), &shell(&["--rate", "8Mb/s"], "echo hello; exit 9"));
    assert_eq!(output.status.code(), Some(9), "{}", err(&output));
    assert_eq!(out(&output), "hello\n");
    assert!(err(&output).contains("from client to server and back"), "{}", err(&output));

    let output = atl(Path::new(HERE), &shell(&["--rate", "8Mb/s"], "kill -9 $$"));
    assert_eq!(output.status.code(), Some(137), "{}", err(&output));

    let output = atl(Path::new(HERE), &["link", "--rate", "8Mb/s", "--", "no-such-program"]);
    assert_eq!(output.status.code(), Some(127));
    assert!(err(&output).contains("error: cannot start no-such-program"), "{}", err(&output));
}

#[test]
fn a_command_sees_its_own_devices_and_processes_and_the_hosts_names() {
    if skipped() {
        return;
    }
    let script = "grep : /proc/net/dev | cut -d: -f1; ls -d /proc/[0-9]*; cat /etc/hosts";
    let output = atl(Path::new(HERE), &shell(&["--rate", "8Mb/s"], script));
    let text = out(&output);
    let devices: Vec<&str> = text.lines().filter(|line| line.starts_with(' ')).collect();
    assert_eq!(
        devices.iter().map(|name| name.trim()).collect::<Vec<_>>(),
        ["lo", "atl0"],
        "{text}"
    );
    assert!(text.lines().filter(|line| line.starts_with("/proc/")).count() <= 4, "{text}");
    for line in ["198.19.0.1 client", "2001:2::2 server"] {
        assert!(text.lines().any(|other| other == line), "{text}");
    }
    // Its mounts are its own.
    assert!(!fs::read_to_string("/etc/hosts").unwrap_or_default().contains("198.19.0.1"));
}

#[test]
fn a_server_on_this_machine_is_reached_over_the_links() {
    if skipped() {
        return;
    }
    if !Path::new("/bin/bash").exists() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: no bash, whose /dev/tcp is the client");
        return;
    }
    let listener = TcpListener::bind("0.0.0.0:0").expect("a free port");
    let port = listener.local_addr().expect("bound").port();
    let server = std::thread::spawn(move || {
        let (mut stream, from) = listener.accept().expect("a connection");
        stream.write_all(b"from outside\n").expect("connected");
        from.ip().to_string()
    });
    let script = format!("exec 3<>/dev/tcp/server/{port}; read -r line <&3; echo \"$line\"");
    let args = ["link", "--rate", "8Mb/s", "--delay", "60ms", "--uplink", "host", "--json"];
    let begun = Instant::now();
    let args = [&args, &["--", "bash", "-c", script.as_str()][..]].concat();
    let output = atl(Path::new(HERE), &args);
    assert_eq!(out(&output), "from outside\n", "{}", err(&output));
    assert!(server.join().expect("no panic").starts_with("198.19."));
    assert!(
        begun.elapsed() >= Duration::from_millis(240),
        "SYN, SYN-ACK, ACK, data: two round trips"
    );
    let summary: serde_json::Value =
        serde_json::from_str(err(&output).lines().last().expect("lines")).expect("JSON");
    assert_eq!(summary["type"], "summary");
    assert!(summary["links"][0]["delivered"].as_u64() >= Some(3), "{summary}");
    assert_eq!(summary["ports"]["overruns"], 0, "{summary}");
}

#[test]
fn programs_on_several_hosts_of_a_scenario() {
    if skipped() {
        return;
    }
    let dir = crate::with_tiny();
    // The address of another host comes out of its own namespace.
    let args = [
        "link",
        "tiny.toml",
        "--server",
        "echo server >&2; sleep 60",
        "--at",
        "ap=echo ap; sleep 60",
    ];
    let args = [&args, &["--", "sh", "-c", "sleep .5; cat /etc/hosts"][..]].concat();
    let begun = Instant::now();
    let output = atl(dir.path(), &args);
    assert!(begun.elapsed() < Duration::from_secs(20), "they end with COMMAND");
    for name in ["198.19.0.1 phone", "198.19.0.2 server", "198.19.0.3 ap"] {
        assert!(out(&output).lines().any(|line| line == name), "{}", out(&output));
    }
    assert!(!out(&output).lines().any(|line| line == "ap"), "standard output is COMMAND's");
    for word in ["server", "ap"] {
        assert!(err(&output).lines().any(|line| line == word), "{}", err(&output));
    }
}

/// Processes with this in their arguments, and their network namespaces.
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

/// A run on this machine's own uplink with two processes that do not want to end, one of them a daemon. `mark` is a number
/// of seconds that nothing else sleeps.
fn stubborn(mark: &str) -> (Child, String) {
    let script = format!("trap '' INT TERM; setsid sleep {mark} & while :; do sleep {mark}; done");
    let mut child =
        command(Path::new(HERE), &shell(&["--rate", "1Mb/s", "--uplink", "host"], &script))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
    let mut line = String::new();
    let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
    stderr.read_line(&mut line).expect("UTF-8");
    // The rest is nobody's: it must find a reader.
    std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
    let (_, address) = line.split_once("server is ").unwrap_or_else(|| panic!("{line}"));
    let address = address.split(' ').next().expect("a word").to_owned();
    let begun = Instant::now();
    // atl, its copy, the shell, and two that sleep.
    while processes(mark).len() < 5 {
        assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", processes(mark));
        sleep(Duration::from_millis(5));
    }
    (child, address)
}

/// Checks that no process, namespace or address of such a run is left.
fn nothing_left(mark: &str, namespaces: &[String], address: &str) {
    let begun = Instant::now();
    loop {
        let processes = processes(mark);
        let inside =
            self::processes("").into_iter().filter(|(_, ns)| namespaces.contains(ns)).count();
        let addresses = fs::read_to_string("/proc/net/fib_trie").expect("Linux");
        let address_there = addresses.lines().any(|line| line.ends_with(&format!("-- {address}")));
        if processes.is_empty() && inside == 0 && !address_there {
            return;
        }
        // The kernel takes some milliseconds after the process is gone.
        let left = (processes, inside, address_there);
        assert!(begun.elapsed() < Duration::from_secs(3), "{left:?}");
        sleep(Duration::from_millis(10));
    }
}

#[test]
fn whatever_ends_it_nothing_is_left() {
    if skipped() {
        return;
    }
    for (signal, mark, status) in [
        ("INT", "91827361", Some(130)),
        ("TERM", "91827362", Some(130)),
        ("KILL", "91827363", None),
    ] {
        let (mut child, address) = stubborn(mark);
        let own = fs::read_link("/proc/self/ns/net").expect("Linux").display().to_string();
        let mut namespaces: Vec<String> = processes(mark).into_iter().map(|(_, ns)| ns).collect();
        namespaces.retain(|ns| *ns != own);
        assert!(!namespaces.is_empty());
        let begun = Instant::now();
        let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        let ended = child.wait().expect("it ends");
        let took = begun.elapsed();
        assert_eq!(ended.code(), status, "{signal}: {ended:?}, signal {:?}", ended.signal());
        assert!(took < Duration::from_millis(500), "{signal}: it took {took:?}");
        nothing_left(mark, &namespaces, &address);
    }
}

#[test]
fn the_end_of_the_time_ends_a_command() {
    if skipped() {
        return;
    }
    let args = shell(&["--rate", "1Mb/s", "--duration", "300ms"], "sleep 60");
    let begun = Instant::now();
    let output = atl(Path::new(HERE), &args);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn mistakes() {
    let here = Path::new(HERE);
    let link = |args: &[&str]| refused(here, &[&["link", "--rate", "1Mb/s"], args].concat(), 2);
    let message = link(&["--server", "true", "--listen", "127.0.0.1:0", "--to", "127.0.0.1:9"]);
    assert!(
        message.contains("--server belongs to a COMMAND: add one, as in -- iperf3 -c server"),
        "{message}"
    );
    let message = link(&["--at", "nowhere=true", "--", "true"]);
    assert!(
        message.contains("--at: there is no host `nowhere`") && message.contains("client, server"),
        "{message}"
    );
    let message = link(&["--at", "nowhere", "--", "true"]);
    assert!(message.contains("expected a host of the scenario and a command"), "{message}");
    let message = link(&["--listen", "127.0.0.1:0", "--", "true"]);
    assert!(message.contains("cannot be used with"), "{message}");
    let message = link(&["--mtu", "500", "--", "true"]);
    assert!(message.contains("1280"), "{message}");
}
