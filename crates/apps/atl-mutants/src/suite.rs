//! The tests: which there are, how long each takes, and which mutants each meets.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::compile::Program;

/// Memory that a test program may take, in KiB: a mutant may fill it without end.
const MEMORY_KIB: u64 = 6 << 20;

/// A test that takes more of the processor is left out: each survivor would wait for it.
const LONGEST_S: u64 = 30;

/// A test, as it runs alone in the sound program.
#[derive(Clone, Debug)]
pub struct Test {
    /// Which program it is in.
    pub program: usize,
    /// Its name there.
    pub name: String,
    /// Wall clock of a run alone.
    pub time: Duration,
    /// Numbers of the mutants that it meets.
    pub meets: Vec<u32>,
}

/// The end of a run of some tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// None of them noticed anything.
    Passed,
    /// This one failed, or ended the program.
    Failed(String),
    /// They took too long.
    TooLong,
}

fn command(program: &Program, arguments: &[&str], seconds: u64) -> Command {
    let mut command = Command::new("sh");
    // Time of the processor, which other programs do not take.
    let limits = format!("ulimit -t {seconds}; ulimit -v {MEMORY_KIB}; exec \"$@\"");
    command
        .args(["-c", &limits, "sh"])
        .arg(&program.path)
        .args(arguments)
        .current_dir(&program.folder)
        .env("CARGO_MANIFEST_DIR", &program.folder)
        // Tests may leave nothing in the sources, and a failure need not be made small.
        .env("INSTA_UPDATE", "no")
        .env("INSTA_FORCE_PASS", "0")
        .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1")
        .env("PROPTEST_MAX_SHRINK_ITERS", "0")
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

fn names(program: &Program, ignored: bool) -> Result<BTreeSet<String>, String> {
    let mut arguments = vec!["--list", "--format", "terse"];
    if ignored {
        arguments.push("--ignored");
    }
    let output = command(program, &arguments, 60)
        .output()
        .map_err(|e| format!("{}: {e}", program.path.display()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

/// Runs each test of the programs alone. Returns those that pass, and the names of those that fail
/// without any mutant, which can notice nothing, or take too long. Knowledge of a program from an
/// earlier run is kept in `work`, as long as the program is the same.
///
/// # Errors
///
/// A program cannot be run, or `work` cannot be written.
pub fn measure(
    programs: &[Program],
    work: &Path,
    jobs: usize,
    skip: &[String],
) -> Result<(Vec<Test>, Vec<String>), String> {
    let (mut tests, mut broken) = (Vec::new(), Vec::new());
    let skipped = |name: &str| skip.iter().any(|part| name.contains(part.as_str()));
    for (at, program) in programs.iter().enumerate() {
        let notes = Notes::of(program, work);
        let known = notes.read();
        let all = match known {
            Some(known) => known,
            None => {
                let measured = of_program(program, work, jobs, &skipped)?;
                if skip.is_empty() {
                    notes.write(&measured)?;
                }
                measured
            }
        };
        for (name, alone) in all.into_iter().filter(|(name, _)| !skipped(name)) {
            match alone {
                Some((time, meets)) => tests.push(Test { program: at, name, time, meets }),
                None => broken.push(name),
            }
        }
    }
    Ok((tests, broken))
}

/// A test's time and the mutants that it meets; `None` for one that fails.
type Alone = Option<(Duration, Vec<u32>)>;

fn of_program(
    program: &Program,
    work: &Path,
    jobs: usize,
    skipped: &(dyn Fn(&str) -> bool + Sync),
) -> Result<BTreeMap<String, Alone>, String> {
    let ignored = names(program, true)?;
    let all = names(program, false)?;
    let open: Vec<&String> = all.difference(&ignored).filter(|name| !skipped(name)).collect();
    let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let failed: Mutex<Option<String>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for job in 0..jobs {
            let (open, next, done, failed) = (&open, &next, &done, &failed);
            let record = work.join(format!("met-{job}"));
            scope.spawn(move || {
                while let Some(name) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match alone(program, name, &record) {
                        Ok(alone) => {
                            done.lock().expect("no panic").insert((*name).clone(), alone);
                        }
                        Err(error) => *failed.lock().expect("no panic") = Some(error),
                    }
                }
            });
        }
    });
    match failed.into_inner().expect("no panic") {
        Some(error) => Err(error),
        None => Ok(done.into_inner().expect("no panic")),
    }
}

/// The file that keeps the times and the reach of a program's tests.
struct Notes {
    path: PathBuf,
    /// The program, as it was then.
    program: String,
}

impl Notes {
    fn of(program: &Program, work: &Path) -> Notes {
        let name = program.path.file_name().unwrap_or_default().to_string_lossy();
        let built = fs::metadata(&program.path).and_then(|there| there.modified()).ok();
        Notes { path: work.join(format!("{name}.tests")), program: format!("{built:?}") }
    }

    fn read(&self) -> Option<BTreeMap<String, Alone>> {
        let text = fs::read_to_string(&self.path).ok()?;
        let mut lines = text.lines();
        if lines.next() != Some(&self.program) {
            return None;
        }
        let entry = |line: &str| {
            let mut columns = line.split('\t');
            let (name, time) = (columns.next()?.to_owned(), columns.next()?);
            if time == "fails" {
                return Some((name, None));
            }
            let time = Duration::from_nanos(time.parse().ok()?);
            let meets = columns.next()?.split(',').filter(|number| !number.is_empty());
            let meets = meets.map(|number| number.parse().ok()).collect::<Option<Vec<u32>>>()?;
            Some((name, Some((time, meets))))
        };
        lines.map(entry).collect()
    }

    fn write(&self, tests: &BTreeMap<String, Alone>) -> Result<(), String> {
        let mut text = format!("{}\n", self.program);
        for (name, alone) in tests {
            match alone {
                None => text += &format!("{name}\tfails\n"),
                Some((time, meets)) => {
                    let meets: Vec<String> = meets.iter().map(u32::to_string).collect();
                    text += &format!("{name}\t{}\t{}\n", time.as_nanos(), meets.join(","));
                }
            }
        }
        fs::write(&self.path, text).map_err(|e| format!("{}: {e}", self.path.display()))
    }
}

fn alone(program: &Program, name: &str, record: &PathBuf) -> Result<Alone, String> {
    let at = |error: std::io::Error| format!("{}: {error}", record.display());
    fs::write(record, b"").map_err(at)?;
    let begun = Instant::now();
    let mut command = command(program, &["--exact", name, "--test-threads=1"], LONGEST_S);
    let child = command.env("ATL_MUTANT_REACHED", record).spawn();
    let child = child.map_err(|e| format!("{}: {e}", program.path.display()))?;
    let ended = watched(child, Duration::from_secs(900));
    let time = begun.elapsed();
    let bytes = fs::read(record).map_err(at)?;
    let numbers = bytes.chunks_exact(4).map(|n| u32::from_le_bytes([n[0], n[1], n[2], n[3]]));
    Ok((ended == Ended::Passed).then(|| (time, numbers.collect())))
}

/// Runs tests of one program with a mutant, one after the other, until one fails.
///
/// # Errors
///
/// The program cannot be run.
pub fn run(program: &Program, tests: &[&Test], mutant: u32) -> Result<Ended, String> {
    let mut arguments = vec!["--test-threads=1", "--exact"];
    arguments.extend(tests.iter().map(|test| test.name.as_str()));
    let sound: Duration = tests.iter().map(|test| test.time).sum();
    // Four times what the sound program took, on a clock that other programs hold up.
    let seconds = 2 + (4.0 * sound.as_secs_f64()).ceil() as u64;
    let child = command(program, &arguments, seconds)
        .env("ATL_MUTANT", mutant.to_string())
        .spawn()
        .map_err(|e| format!("{}: {e}", program.path.display()))?;
    Ok(watched(child, Duration::from_secs(60 + 10 * seconds)))
}

/// Reads what a test program says until it ends, fails a test, or takes too long.
fn watched(mut child: Child, limit: Duration) -> Ended {
    let (told, hears) = mpsc::channel();
    let out = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let Some(out) = out else { return };
        for line in BufReader::new(out).split(b'\n').map_while(Result::ok) {
            if told.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
        }
    });
    let begun = Instant::now();
    let mut under_way = String::new();
    let ended = loop {
        match hears.recv_timeout(limit.saturating_sub(begun.elapsed())) {
            Ok(line) => {
                if let Some(rest) = line.strip_prefix("test ")
                    && let Some((name, state)) = rest.split_once(" ... ")
                {
                    under_way = name.trim_end_matches(" - should panic").to_owned();
                    if state.ends_with("FAILED") {
                        break Ended::Failed(under_way);
                    }
                }
            }
            Err(mpsc::RecvTimeoutError::Timeout) => break Ended::TooLong,
            Err(mpsc::RecvTimeoutError::Disconnected) => match child.wait() {
                Ok(status) if status.success() => break Ended::Passed,
                Ok(status) => break by_signal(status, under_way),
                Err(_) => break Ended::TooLong,
            },
        }
    };
    // It may have ended by itself.
    _ = child.kill();
    _ = child.wait();
    drop(hears);
    _ = reader.join();
    ended
}

fn by_signal(status: std::process::ExitStatus, under_way: String) -> Ended {
    use std::os::unix::process::ExitStatusExt;
    /// The signals of a limit on processor time.
    const OUT_OF_TIME: [i32; 2] = [24, 9];
    match status.signal() {
        Some(signal) if OUT_OF_TIME.contains(&signal) => Ended::TooLong,
        _ => Ended::Failed(under_way),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_a_program_is_forgotten_when_it_changes() {
        let folder = std::env::temp_dir().join(format!("atl-mutants-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let notes = |program: &str| Notes { path: folder.join("p"), program: program.to_owned() };
        let tests = BTreeMap::from([
            ("a::b".to_owned(), Some((Duration::from_millis(3), vec![1, 20]))),
            ("c".to_owned(), Some((Duration::from_secs(1), Vec::new()))),
            ("d".to_owned(), None),
        ]);
        notes("built today").write(&tests).expect("written");
        assert_eq!(notes("built today").read(), Some(tests));
        assert_eq!(notes("built tomorrow").read(), None);
        fs::remove_dir_all(&folder).expect("removed");
    }
}
