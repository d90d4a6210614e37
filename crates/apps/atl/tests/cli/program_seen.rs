//! Observing the links behind which COMMAND runs: captures, the live view, the link socket. Needs
//! root; reports when skipped.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::Read as _;
use std::net::UdpSocket;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use atl_core::time::{Span, Time};
use atl_device::{EmulatedSource, LinkSource as _};
use atl_wire::link_query::LinkName;
use nix::pty::openpty;
use nix::sys::termios::{OutputFlags, SetArg, tcgetattr, tcsetattr};

use crate::program::{shell, skipped};
use crate::{command, err, names, out};

/// Variable with the role of this test program when it runs as COMMAND.
const ROLE: &str = "ATL_TEST_ROLE";

/// Arguments of `atl` that run this test program as COMMAND or server in a role.
fn in_role(role: &str) -> Vec<String> {
    let this = std::env::current_exe().expect("a path").display().to_string();
    let role = format!("{ROLE}={role}");
    let test = "program_seen::a_role_of_this_program";
    ["env", &role, &this, "--exact", test, "--nocapture"].map(str::to_owned).to_vec()
}

/// Not a test by itself: other tests run it behind links.
#[test]
fn a_role_of_this_program() {
    let Some(role) = std::env::var_os(ROLE) else { return };
    match role.to_str().expect("UTF-8").split_once('@').expect("role and argument") {
        // Sends this many datagrams of 72 octets to the other host.
        ("send", count) => {
            let socket = UdpSocket::bind("0.0.0.0:0").expect("a socket");
            socket.connect("server:9").expect("a route");
            for _ in 0..count.parse().expect("a number") {
                // The port is closed, which the next call reports.
                let _ = socket.send(&[7; 72]);
            }
        }
        // Asks immediately and only once.
        ("ask", path) => {
            let ample = Span::from_secs(20);
            let name = LinkName::own();
            let info = EmulatedSource::new(Path::new(path), name, ample, ample).read(Time::ZERO);
            let delay = info.map(|info| info.delay.map(|delay| delay.value.millis()));
            // Standard error, since the test harness prints to standard output.
            let _ = std::io::Write::write_all(
                &mut std::io::stderr(),
                format!("answer: {delay:?}\n").as_bytes(),
            );
        }
        other => panic!("{other:?}"),
    }
}

fn run(dir: &Path, options: &[&str], program: &[String]) -> std::process::Output {
    let program: Vec<&str> = program.iter().map(String::as_str).collect();
    command(dir, &[&["link"], options, &["--"], &program].concat()).output().expect("it runs")
}

/// Time in nanoseconds since 1970, length and protocol of each packet of a capture.
fn packets(path: &Path) -> Vec<(u64, usize, u8)> {
    let file = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four octets"));
    assert_eq!((word(0), word(20)), (0xa1b2_3c4d, 101), "nanoseconds, raw IP");
    let mut packets = Vec::new();
    let mut at = 24;
    while at < file.len() {
        let length = word(at + 8) as usize;
        let time = u64::from(word(at)) * 1_000_000_000 + u64::from(word(at + 4));
        packets.push((time, length, file[at + 16 + 9]));
        at += 16 + length;
    }
    packets
}

#[test]
fn every_host_s_packets_are_captured_with_the_time_at_which_they_passed() {
    if skipped() {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let options = ["--rate", "8Mb/s", "--delay", "30ms", "--pcap", "seen", "--json"];
    // The server lives until the packets have arrived; COMMAND ends while the last answer is in
    // flight.
    let script = format!("{}; sleep .3", in_role("send@3").join(" "));
    let output = command(dir.path(), &shell(&options, &script)).output().expect("it runs");
    assert!(output.status.success(), "{}", err(&output));
    assert_eq!(names(dir.path()), ["seen-client.pcap", "seen-server.pcap"]);
    let [client, server] =
        ["client", "server"].map(|host| packets(&dir.path().join(format!("seen-{host}.pcap"))));
    const UDP: u8 = 17;
    let sent: Vec<_> = client.iter().filter(|packet| packet.2 == UDP).collect();
    let arrived: Vec<_> = server.iter().filter(|packet| packet.2 == UDP).collect();
    assert!(!sent.is_empty() && sent.len() == arrived.len(), "{client:?} {server:?}");
    for (sent, arrived) in sent.iter().zip(&arrived) {
        assert_eq!((sent.1, arrived.1), (100, 100));
        // 100 bytes at 8 Mb/s take .1 ms.
        assert!(arrived.0 >= sent.0 + 30_100_000, "{} and {} ns", sent.0, arrived.0);
    }
    // The kernel answers with ICMP that the port is closed, quoting the packet.
    let answers = |packets: &[(u64, usize, u8)]| packets.iter().filter(|p| p.2 == 1).count();
    assert!(answers(&server) > 0 && answers(&client) == answers(&server), "{client:?} {server:?}");
    let summary: serde_json::Value =
        serde_json::from_str(err(&output).lines().last().expect("lines")).expect("JSON");
    assert_eq!(summary["capture_left_out"], 0, "{summary}");
    assert_eq!(summary["links"][0]["delivered"].as_u64(), Some(arrived.len() as u64), "{summary}");
}

#[test]
fn a_capture_that_cannot_be_written_starts_nothing() {
    if skipped() {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let options = ["--rate", "8Mb/s", "--pcap", "no/such/place"];
    let output = command(dir.path(), &shell(&options, "echo started")).output().expect("it runs");
    assert_eq!((output.status.code(), out(&output)), (Some(1), String::new()));
    assert!(err(&output).contains("cannot write no/such/place-*.pcap: No such file"), "{output:?}");
}

#[test]
fn nobody_asks_the_links_too_early() {
    if skipped() {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let links = dir.path().join("links").display().to_string();
    let ask = in_role(&format!("ask@{links}"));
    let server = ask.join(" ");
    let options =
        ["--rate", "8Mb/s", "--delay", "30ms", "--link-socket", &links, "--server", &server];
    let output = run(dir.path(), &options, &ask);
    assert!(output.status.success(), "{}", err(&output));
    let answers: Vec<String> =
        err(&output).lines().filter(|l| l.starts_with("answer: ")).map(str::to_owned).collect();
    assert_eq!(answers, ["answer: Ok(Some(30.0))"; 2], "{}", err(&output));
    assert!(names(dir.path()).is_empty(), "{:?} is left", names(dir.path()));
}

/// Runs `atl` with a terminal as standard error, and as standard output if `both`. Gives the
/// terminal's content and the other standard output.
fn on_terminal(args: &[&str], both: bool) -> (String, String) {
    let pty = openpty(None, None).expect("a terminal");
    let mut settings = tcgetattr(&pty.slave).expect("a terminal");
    // The terminal must not add carriage returns.
    settings.output_flags.remove(OutputFlags::OPOST);
    tcsetattr(&pty.slave, SetArg::TCSANOW, &settings).expect("a terminal");
    let slave = || Stdio::from(pty.slave.try_clone().expect("a descriptor"));
    let mut atl: Command = command(Path::new("."), args);
    atl.env("TERM", "xterm").stdin(Stdio::null()).stderr(slave());
    atl.stdout(if both { slave() } else { Stdio::piped() });
    let mut child = atl.spawn().expect("the program starts");
    // Closing the last copy of this end ends the terminal's output.
    drop(atl);
    drop(pty.slave);
    let mut terminal = File::from(pty.master);
    let reader = thread::spawn(move || {
        let (mut all, mut buffer) = (Vec::new(), [0; 4096]);
        // Reading fails at the end of a terminal.
        while let Ok(length @ 1..) = terminal.read(&mut buffer) {
            all.extend_from_slice(&buffer[..length]);
        }
        String::from_utf8_lossy(&all).into_owned()
    });
    let mut output = String::new();
    if let Some(mut stdout) = child.stdout.take() {
        stdout.read_to_string(&mut output).expect("UTF-8");
    }
    assert!(child.wait().expect("it ends").success());
    (reader.join().expect("no panic"), output)
}

#[test]
fn the_links_are_shown_below_what_programs_print() {
    if skipped() {
        return;
    }
    let script = "echo to output; echo to error >&2; sleep .6; printf unfinished";
    let args =
        |view: &'static str| shell(&["--rate", "8Mb/s", "--every", "50ms", "--view", view], script);
    let shown = |terminal: &str| terminal.contains(" Mb/s ") && terminal.contains("p_w");
    // Output of COMMAND to a pipe is not changed.
    let (terminal, output) = on_terminal(&args("auto"), false);
    assert!(shown(&terminal), "{terminal}");
    assert!(terminal.contains("to error\n"), "{terminal}");
    assert!(terminal.contains("from client to server and back"), "the summary: {terminal}");
    assert_eq!(output, "to output\nunfinished");
    // If COMMAND writes to the same terminal, there is no view unless requested.
    let (terminal, _) = on_terminal(&args("auto"), true);
    assert!(!shown(&terminal) && terminal.contains("to output\n"), "{terminal}");
    let (terminal, _) = on_terminal(&args("always"), true);
    assert!(shown(&terminal), "{terminal}");
    for line in ["to output\n", "to error\n", "unfinished\n"] {
        assert!(terminal.contains(line), "{line}: {terminal}");
    }
    let (terminal, _) = on_terminal(&args("never"), false);
    assert!(!shown(&terminal) && terminal.contains("to error"), "{terminal}");
}

#[test]
fn a_view_needs_a_terminal() {
    let args = ["link", "--rate", "8Mb/s", "--view", "always", "--listen", "127.0.0.1:0"];
    let args = [&args[..], &["--to", "127.0.0.1:9", "--duration", "1s"]].concat();
    let told = crate::refused(Path::new("."), &args, 2);
    assert!(told.contains("--view always: standard error is not a terminal"), "{told}");
}
