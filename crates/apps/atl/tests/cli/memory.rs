//! A large sweep takes about as much memory as a small one.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Variable with the program to measure, if not the one built for tests.
const PROGRAM: &str = "ATL";

/// A sweep of this many points, each a run of a few packets.
fn tiny(points: usize, more: &str) -> String {
    let delays: Vec<String> = (1..=points).map(|i| format!("\"{i}us\"")).collect();
    format!(
        r#"title = "Many tiny runs"
duration = "200ms"
{more}
[sweep]
delay = [{}]
[[link]]
name = "air"
from = "phone"
to = "server"
wireless = true
rate = "1Mb/s"
delay = "$delay"
[[flow]]
name = "up"
from = "phone"
to = "server"
protocol = "newreno"
"#,
        delays.join(", ")
    )
}

/// Peak memory of the program (`VmHWM`) in kB.
fn peak(program: &Path, dir: &Path, seeds: usize) -> u64 {
    let mut command = Command::new(program);
    command.current_dir(dir).args(["run", "tiny.toml", "-q", "--seeds"]);
    let out = Stdio::null();
    let mut child = command.arg(seeds.to_string()).stdout(out).spawn().expect("it starts");
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    let ended = loop {
        // It never decreases, so the last value before the end is the peak.
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kb = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
        most = most.max(kb.unwrap_or(0));
        if let Some(ended) = child.try_wait().expect("a child") {
            break ended;
        }
        sleep(Duration::from_millis(2));
    };
    assert!(ended.success() && most > 0, "{ended}, {most} kB");
    most
}

/// The ratio of the large sweep's memory to the small one's is at most `most`.
fn compare(program: &Path, scenario: &str, points: usize, (few, many): (usize, usize), most: f64) {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("tiny.toml"), scenario).expect("writable");
    let (small, large) = (peak(program, dir.path(), few), peak(program, dir.path(), many));
    let ratio = large as f64 / small as f64;
    let runs = |seeds: usize| points * seeds;
    let told =
        format!("{} runs: {small} kB; {} runs: {large} kB; {ratio:.2}", runs(few), runs(many));
    // The lints forbid eprintln!.
    let _ = writeln!(std::io::stderr(), "{told}");
    assert!(ratio <= most, "{told}");
}

/// In memory, the results of the large one would take several times what the program does.
#[test]
fn forty_thousand_runs_take_the_memory_of_a_thousand() {
    let program = Path::new(env!("CARGO_BIN_EXE_atl"));
    compare(program, &tiny(100, ""), 100, (11, 400), 1.5);
}

/// Each run has forty samples, which take more memory than everything else of it.
#[test]
fn runs_with_samples_take_the_memory_of_a_few() {
    let program = Path::new(env!("CARGO_BIN_EXE_atl"));
    compare(program, &tiny(80, "record = { every = \"5ms\" }"), 80, (1, 20), 1.2);
}

#[test]
#[ignore = "takes minutes, and wants the optimised program: make memory-check"]
fn a_million_runs_take_the_memory_of_a_thousand() {
    #[allow(clippy::disallowed_methods, reason = "the program is the caller's choice")]
    let program =
        std::env::var_os(PROGRAM).unwrap_or_else(|| panic!("{PROGRAM} names the program"));
    // Eight bytes of each run stay in memory, for the ranking.
    compare(&PathBuf::from(program), &tiny(1000, ""), 1000, (1, 1000), 1.5);
}
