//! A round of mutated inputs through every target, without libFuzzer:
//! `cargo run -p atl-fuzz --example rounds -- --time 20s --seed 7`. With `--target NAME` it takes
//! one target; with `--cases 1` only the first case of each, that of the seed.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it tells what it found")]
#![expect(clippy::disallowed_methods, reason = "it runs for a time on the wall clock")]

use std::any::Any;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use atl_fuzz::{TARGETS, Target, mutated};

/// Where inputs go that break a target.
const OUT: &str = "out/fuzz";
/// A target that takes this long for one input is a find too.
const SLOW: Duration = Duration::from_secs(20);
/// Runs that making an input small may take.
const TRIALS: usize = 400;

struct Args {
    time: Duration,
    seed: u64,
    cases: u64,
    target: Option<String>,
}

fn args() -> Result<Args, String> {
    let mut out = Args { time: Duration::from_mins(1), seed: 1, cases: u64::MAX, target: None };
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        let value = given.next().ok_or_else(|| format!("{name}: a value is missing"))?;
        let whole = || value.parse().map_err(|_| format!("{name} {value}: not a whole number"));
        match name.as_str() {
            "--seed" => out.seed = whole()?,
            "--cases" => out.cases = whole()?,
            "--target" if TARGETS.iter().any(|(target, _)| *target == value) => {
                out.target = Some(value);
            }
            "--target" => {
                let names: Vec<&str> = TARGETS.iter().map(|(target, _)| *target).collect();
                return Err(format!("--target {value}: it is one of {}", names.join(", ")));
            }
            "--time" => {
                let time = atl_scenario::units::time(&value)
                    .map_err(|e| format!("{name} {value}: {e}"))?;
                out.time = Duration::from_nanos(time.nanos());
            }
            _ => return Err(format!("{name}: allowed are --time, --seed, --cases and --target")),
        }
    }
    Ok(out)
}

/// A target with its seeds.
struct Room {
    name: &'static str,
    target: Target,
    corpus: Vec<Vec<u8>>,
    cases: AtomicU64,
    /// It has had its share of the time, or a find.
    closed: Mutex<Duration>,
}

struct Find {
    room: usize,
    seed: u64,
    what: String,
}

fn main() -> ExitCode {
    let args = match args() {
        Ok(args) => args,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let chosen = |name: &str| args.target.as_ref().is_none_or(|target| target == name);
    let rooms: Vec<Room> = TARGETS
        .iter()
        .filter(|(name, _)| chosen(name))
        .map(|(name, target)| Room {
            name,
            target: *target,
            corpus: corpus(name),
            cases: AtomicU64::new(0),
            closed: Mutex::new(Duration::ZERO),
        })
        .collect();
    // A panic is a find, and told as one.
    std::panic::set_hook(Box::new(|_| {}));
    let share = args.time / rooms.len() as u32;
    let jobs = thread::available_parallelism().map_or(1, usize::from);
    let finds: Mutex<Vec<Find>> = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                for (at, room) in rooms.iter().enumerate() {
                    work(at, room, &args, share * jobs as u32, &finds);
                }
            });
        }
    });
    let finds = finds.into_inner().expect("no panic");
    let cases: u64 = rooms.iter().map(|room| room.cases.load(Ordering::Relaxed)).sum();
    println!(
        "{cases} cases of {} targets from seed {}: {} finds",
        rooms.len(),
        args.seed,
        finds.len()
    );
    for room in &rooms {
        println!("{:>16} {}", room.name, room.cases.load(Ordering::Relaxed));
    }
    for find in &finds {
        let room = &rooms[find.room];
        let data = shrunk(room, mutated(find.seed, &room.corpus));
        let path = Path::new(OUT).join(format!("{}-{}", room.name, find.seed));
        let written = fs::create_dir_all(OUT).and_then(|()| fs::write(&path, data));
        match written {
            Ok(()) => println!("{}: {}", path.display(), find.what),
            Err(error) => eprintln!("cannot write {}: {error}", path.display()),
        }
    }
    if finds.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Cases of one target, until it has had its time on all threads together, or a find.
fn work(at: usize, room: &Room, args: &Args, share: Duration, finds: &Mutex<Vec<Find>>) {
    loop {
        if *room.closed.lock().expect("no panic") >= share {
            return;
        }
        let case = room.cases.fetch_add(1, Ordering::Relaxed);
        if case >= args.cases {
            room.cases.fetch_sub(1, Ordering::Relaxed);
            return;
        }
        let seed = args.seed.wrapping_add(case);
        let begun = Instant::now();
        let outcome = run(room.target, &mutated(seed, &room.corpus));
        let took = begun.elapsed();
        *room.closed.lock().expect("no panic") += took;
        let what = match outcome {
            Err(what) => what,
            Ok(()) if took > SLOW => format!("it takes {took:?}"),
            Ok(()) => continue,
        };
        eprintln!("{} {seed}: {what}", room.name);
        finds.lock().expect("no panic").push(Find { room: at, seed, what });
        *room.closed.lock().expect("no panic") = Duration::MAX / 2;
    }
}

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../fuzz/corpus").join(name);
    let files = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("readable").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("readable")).collect()
}

/// Runs a target.
///
/// # Errors
/// The words of its panic.
fn run(target: Target, data: &[u8]) -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(|| target(data))).map_err(|panic| message(&*panic))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_default().chars().take(2000).collect()
}

/// A smaller input that breaks the target too: parts go, from large to small.
fn shrunk(room: &Room, mut data: Vec<u8>) -> Vec<u8> {
    let mut trials = 0;
    let mut part = data.len().div_ceil(2);
    while part > 0 && trials < TRIALS {
        let mut at = 0;
        while at < data.len() && trials < TRIALS {
            let mut less = data.clone();
            less.drain(at..(at + part).min(data.len()));
            trials += 1;
            if run(room.target, &less).is_err() {
                data = less;
            } else {
                at += part;
            }
        }
        part /= 2;
    }
    data
}
