//! `atl link ... -- COMMAND`. Needs root; reports when skipped.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::{atl, err, out, refused};

const HERE: &str = ".";

/// True if network namespaces are not available here. The test is then skipped with a message.
pub(crate) fn skipped() -> bool {
    let output = atl(Path::new(HERE), &["link", "--rate", "1Mb/s", "--", "true"]);
    if output.status.success() {
        return false;
    }
    let why = err(&output);
    assert!(why.contains("not allowed to") || why.contains("no /dev/net/tun"), "{why}");
    skip(&why);
    true
}

/// Says why a test is skipped. The test harness hides the output of eprintln!.
pub(crate) fn skip(why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {}", why.trim_end());
}

pub(crate) fn shell<'a>(options: &[&'a str], script: &'a str) -> Vec<&'a str> {
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
    // The machine's own file is unchanged.
    assert!(!fs::read_to_string("/etc/hosts").unwrap_or_default().contains("198.19.0.1"));
}

#[test]
fn a_server_on_this_machine_is_reached_over_the_links() {
    if skipped() {
        return;
    }
    if !Path::new("/bin/bash").exists() {
        skip("no bash, whose /dev/tcp is the client");
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
    // The address must belong to that host's namespace.
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

/// Becomes an ordinary user who is root in a user namespace, with a /dev/net/tun of this mode, and
/// runs COMMAND. Status 77: this machine does not support such namespaces.
const ORDINARY: &str = r#"
mount -t tmpfs none /mnt && mknod -m "$1" /mnt/tun c 10 200 && chmod "$1" /mnt/tun &&
    mount --bind /mnt/tun /dev/net/tun || exit 77
shift
user="setpriv --reuid 65534 --regid 65534 --clear-groups unshare --user --map-root-user"
$user true || exit 77
exec $user "$@"
"#;

#[test]
fn an_ordinary_user_needs_a_user_namespace_and_an_open_device() {
    if skipped() {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).expect("ours");
    // A place where every user may run it.
    let copy = dir.path().join("atl");
    fs::copy(env!("CARGO_BIN_EXE_atl"), &copy).expect("a copy");
    let copy = copy.display().to_string();
    let ordinary = |mode: &str| {
        let program = ["link", "--rate", "8Mb/s", "--", "sh", "-c", "cat /proc/net/dev; exit 5"];
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-c", ORDINARY, "sh", mode, &copy]).args(program);
        command.current_dir("/").output()
    };
    let Ok(open) = ordinary("666") else {
        skip("no unshare");
        return;
    };
    if matches!(open.status.code(), Some(77 | 127)) {
        skip(&err(&open));
        return;
    }
    assert_eq!(open.status.code(), Some(5), "{}", err(&open));
    assert!(out(&open).contains("atl0:"), "{}", out(&open));
    let closed = ordinary("600").expect("as before");
    assert_eq!(closed.status.code(), Some(1));
    let told = err(&closed);
    assert!(told.contains("not allowed to open /dev/net/tun") && told.contains("chmod"), "{told}");
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
    for mtu in ["500", "65536"] {
        let message = link(&["--mtu", mtu, "--", "true"]);
        assert!(message.contains(mtu) && message.contains("1280..=65535"), "{message}");
    }
}
