//! Commands as sources: their output, their timeout and their end.

use std::fs;
use std::time::{Duration, Instant};

use atl_core::time::{Span, Time};
use atl_device::{CommandSource, LinkSource, SourceError};
use nix::sys::signal::kill;
use nix::unistd::Pid;
use tempfile::tempdir;

fn shell(script: &str, timeout: Span) -> CommandSource {
    CommandSource::new("sh", ["-c".to_owned(), script.to_owned()], timeout)
}

/// Long enough for any shell on a busy machine.
const AMPLE: Span = Span::from_secs(20);

#[test]
fn its_output_is_the_information() {
    let mut source = shell("echo '{\"p_w\": 0.125, \"d_w_s\": 0.3}'", AMPLE);
    for _ in 0..2 {
        let report = source.read(Time::ZERO).unwrap().report().unwrap();
        assert!((report.loss.get() - 0.125).abs() < 1e-15);
        assert_eq!(report.delay, Span::from_millis(300));
    }
}

#[test]
fn failures_are_told() {
    let absent = CommandSource::new("/no/such/program", [], AMPLE).read(Time::ZERO).unwrap_err();
    assert!(absent.to_string().starts_with("starting /no/such/program: No such file"), "{absent}");
    let failed = shell("echo '{}'; exit 3", AMPLE).read(Time::ZERO).unwrap_err();
    assert_eq!(failed.to_string(), "sh failed: exit status: 3");
    let nonsense = shell("echo hello", AMPLE).read(Time::ZERO).unwrap_err();
    assert!(matches!(nonsense, SourceError::Text { .. }), "{nonsense}");
    assert!(nonsense.to_string().starts_with("sh: "), "{nonsense}");
}

#[test]
fn one_that_never_stops_writing_is_stopped() {
    let endless = shell("yes", AMPLE).read(Time::ZERO).unwrap_err();
    assert_eq!(endless.to_string(), "sh: more than 4096 bytes");
}

#[test]
fn one_that_hangs_is_killed_with_its_children() {
    let folder = tempdir().unwrap();
    let note = folder.path().join("pid");
    // The child keeps the output open after the shell has gone.
    let script = format!("sleep 60 & echo $! > {}; echo '{{}}'; exit 0", note.display());
    let began = Instant::now();
    let late = shell(&script, Span::from_millis(1500)).read(Time::ZERO).unwrap_err();
    assert_eq!(late.to_string(), "sh gave no answer within 1500 ms");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    let child: i32 = fs::read_to_string(&note).unwrap().trim().parse().unwrap();
    let end = Instant::now() + Duration::from_secs(10);
    while alive(child) {
        assert!(Instant::now() < end, "the child {child} is still there");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// True while a process exists and is no zombie.
fn alive(id: i32) -> bool {
    let state = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    kill(Pid::from_raw(id), None).is_ok() && !state.contains(") Z ")
}
