//! Runs the swarm: `cargo run --release -p atl-fuzz --example swarm -- --time 1min --seed 7`.
//! With `--cases 1` it runs the case of one seed, and with `--print` it only shows that. The lines
//! of `--digests` are the same from any build.

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

use atl_fuzz::swarm::{Find, digest, draw, examine, shrunk, text};
use budget::Budget;
use clap::Parser;

/// Where the files of finds go.
const OUT: &str = "out/swarm";

/// Random scenarios before judges that share no code with what they judge
///
/// It takes an hour unless --time says otherwise. docs/testing.md says more.
#[derive(Parser)]
#[command(name = "swarm")]
struct Args {
    #[command(flatten)]
    budget: Budget,
    /// Only show the scenario of the seed
    #[arg(long)]
    print: bool,
    /// Show a digest of each case's results instead, to compare builds by (needs --cases)
    #[arg(long, requires = "cases", conflicts_with = "print")]
    digests: bool,
}

fn main() -> ExitCode {
    let Args { budget, print, digests } = Args::parse();
    let time = budget.time.unwrap_or(Duration::from_hours(1));
    if print {
        print!("{}", text(&draw(budget.seed)));
        return ExitCode::SUCCESS;
    }
    // A panic is a find, and told as one.
    std::panic::set_hook(Box::new(|_| {}));
    if digests {
        for seed in budget.seed..budget.seed.saturating_add(budget.cases) {
            println!("{seed} {}", digest(&draw(seed)));
        }
        return ExitCode::SUCCESS;
    }
    let (next, verdicts, begun) = (AtomicU64::new(0), AtomicU64::new(0), Instant::now());
    let finds: Mutex<Vec<(u64, Find)>> = Mutex::new(Vec::new());
    let jobs = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while begun.elapsed() < time {
                    let case = next.fetch_add(1, Ordering::Relaxed);
                    if case >= budget.cases {
                        break;
                    }
                    let seed = budget.seed + case;
                    match examine(&draw(seed), seed) {
                        Ok(given) => _ = verdicts.fetch_add(given, Ordering::Relaxed),
                        Err(find) => {
                            eprintln!("seed {seed}: {find}");
                            finds.lock().expect("no panic").push((seed, find));
                        }
                    }
                }
            });
        }
    });
    let finds = finds.into_inner().expect("no panic");
    let cases = next.into_inner().min(budget.cases);
    println!(
        "{cases} cases from seed {}, {} verdicts, {:.0} s: {} finds",
        budget.seed,
        verdicts.into_inner(),
        begun.elapsed().as_secs_f64(),
        finds.len()
    );
    for (seed, find) in &finds {
        let path = Path::new(OUT).join(format!("{seed}-{}.toml", find.judge));
        let (tree, find) = shrunk(&draw(*seed), find);
        let file = format!("# seed {seed}, {find}\n\n{}", text(&tree));
        let written = fs::create_dir_all(OUT).and_then(|()| fs::write(&path, file));
        match written {
            Ok(()) => println!("{}", path.display()),
            Err(error) => eprintln!("cannot write {}: {error}", path.display()),
        }
    }
    if finds.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
