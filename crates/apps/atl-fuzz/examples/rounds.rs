//! A round of mutated inputs through every target, without libFuzzer:
//! `cargo run -p atl-fuzz --example rounds -- --time 20s --seed 7`. With `--target NAME` it takes
//! one target; with `--cases 1` only the first case of each, that of the seed.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it tells what it found")]
#![expect(clippy::disallowed_methods, reason = "it runs for a time on the wall clock")]

mod budget;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use atl_fuzz::{TARGETS, Target, caught, corpus, mutated};
use budget::Budget;
use clap::Parser;
use clap::builder::PossibleValuesParser;

/// Where inputs go that break a target.
const OUT: &str = "out/fuzz";
/// A target that takes so much processor time for one input is a find too.
const SLOW: Duration = Duration::from_secs(20);
/// Time between two readings of the processor time, each of which takes as long as a small case.
const READ_EVERY: Duration = Duration::from_millis(100);
/// Runs that making an input small may take.
const TRIALS: usize = 400;
/// Characters of a panic that are told.
const WORDS: usize = 2000;

/// Mutations of the fuzz corpus through every target, without libFuzzer
///
/// It takes a minute unless --time says otherwise. docs/testing.md says more.
#[derive(Parser)]
#[command(name = "rounds")]
struct Args {
    #[command(flatten)]
    budget: Budget,
    /// One target instead of all
    #[arg(long, value_parser = PossibleValuesParser::new(TARGETS.iter().map(|(name, _)| *name)))]
    target: Option<String>,
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
    let Args { budget, target } = Args::parse();
    let time = budget.time.unwrap_or(Duration::from_mins(1));
    let chosen = |name: &str| target.as_ref().is_none_or(|target| target == name);
    let rooms: Vec<Room> = TARGETS
        .iter()
        .filter(|(name, _)| chosen(name))
        .map(|(name, target)| Room {
            name,
            target: *target,
            corpus: corpus(name).into_iter().map(|(_, data)| data).collect(),
            cases: AtomicU64::new(0),
            closed: Mutex::new(Duration::ZERO),
        })
        .collect();
    // A panic is a find, and told as one.
    std::panic::set_hook(Box::new(|_| {}));
    let share = time / rooms.len() as u32;
    let jobs = thread::available_parallelism().map_or(1, usize::from);
    let finds: Mutex<Vec<Find>> = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                for (at, room) in rooms.iter().enumerate() {
                    work(at, room, &budget, share * jobs as u32, &finds);
                }
            });
        }
    });
    let finds = finds.into_inner().expect("no panic");
    let cases: u64 = rooms.iter().map(|room| room.cases.load(Ordering::Relaxed)).sum();
    println!(
        "{cases} cases of {} targets from seed {}: {} finds",
        rooms.len(),
        budget.seed,
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
fn work(at: usize, room: &Room, budget: &Budget, share: Duration, finds: &Mutex<Vec<Find>>) {
    let mut read = (Instant::now(), processor_time());
    loop {
        if *room.closed.lock().expect("no panic") >= share {
            return;
        }
        let case = room.cases.fetch_add(1, Ordering::Relaxed);
        if case >= budget.cases {
            room.cases.fetch_sub(1, Ordering::Relaxed);
            return;
        }
        let seed = budget.seed.wrapping_add(case);
        let begun = Instant::now();
        if begun - read.0 > READ_EVERY {
            read = (begun, processor_time());
        }
        let outcome = caught(|| (room.target)(&mutated(seed, &room.corpus)));
        let took = begun.elapsed();
        *room.closed.lock().expect("no panic") += took;
        let what = match outcome {
            Err(words) => words.chars().take(WORDS).collect(),
            Ok(()) if took <= SLOW => continue,
            Ok(()) => {
                // Beside others, at the lowest priority, a case waits for most of that time.
                let own = read.1.zip(processor_time()).map_or(took, |(from, to)| to - from);
                if own <= SLOW {
                    continue;
                }
                format!("it takes {own:?}")
            }
        };
        eprintln!("{} {seed}: {what}", room.name);
        finds.lock().expect("no panic").push(Find { room: at, seed, what });
        *room.closed.lock().expect("no panic") = Duration::MAX / 2;
    }
}

/// Time that this thread has had the processor for, where the system tells (proc(5), schedstat).
fn processor_time() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    stat.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
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
            if caught(|| (room.target)(&less)).is_err() {
                data = less;
            } else {
                at += part;
            }
        }
        part /= 2;
    }
    data
}
