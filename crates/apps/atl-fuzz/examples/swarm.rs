//! Runs the swarm: `cargo run --release -p atl-fuzz --example swarm -- --time 1min --seed 7`.
//! With `--cases 1` it runs the case of one seed, and with `--print` it only shows that.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it tells what it found")]
#![expect(clippy::disallowed_methods, reason = "it runs for a time on the wall clock")]

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use atl_fuzz::swarm::{Find, draw, examine, shrunk, text};

/// Where the files of finds go.
const OUT: &str = "out/swarm";

struct Args {
    time: Duration,
    seed: u64,
    cases: u64,
    print: bool,
}

fn args() -> Result<Args, String> {
    let mut out = Args { time: Duration::from_hours(1), seed: 1, cases: u64::MAX, print: false };
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        if name == "--print" {
            out.print = true;
            continue;
        }
        let value = given.next().ok_or_else(|| format!("{name}: a value is missing"))?;
        let whole = || value.parse().map_err(|_| format!("{name} {value}: not a whole number"));
        match name.as_str() {
            "--seed" => out.seed = whole()?,
            "--cases" => out.cases = whole()?,
            "--time" => {
                let time = atl_scenario::units::time(&value)
                    .map_err(|e| format!("{name} {value}: {e}"))?;
                out.time = Duration::from_nanos(time.nanos());
            }
            _ => return Err(format!("{name}: allowed are --time, --seed, --cases and --print")),
        }
    }
    Ok(out)
}

fn main() -> ExitCode {
    let args = match args() {
        Ok(args) => args,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    if args.print {
        print!("{}", text(&draw(args.seed)));
        return ExitCode::SUCCESS;
    }
    // A panic is a find, and told as one.
    std::panic::set_hook(Box::new(|_| {}));
    let (next, verdicts, begun) = (AtomicU64::new(0), AtomicU64::new(0), Instant::now());
    let finds: Mutex<Vec<(u64, Find)>> = Mutex::new(Vec::new());
    let jobs = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while begun.elapsed() < args.time {
                    let case = next.fetch_add(1, Ordering::Relaxed);
                    if case >= args.cases {
                        break;
                    }
                    let seed = args.seed + case;
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
    let cases = next.into_inner().min(args.cases);
    println!(
        "{cases} cases from seed {}, {} verdicts, {:.0} s: {} finds",
        args.seed,
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
