//! Searches for the paths that hurt a controller of quinn or s2n-quic most, as `atl attack path`
//! does for those of atl and noq (docs/protocols/paths.md):
//!
//! ```sh
//! cargo run --release -p atl-lab --all-features --example attack -- --controllers quinn-bbr --time 10min
//! cargo run --release -p atl-lab --all-features --example attack -- --controllers quinn-bbr,noq-bbr3 --run FILE
//! ```

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it tells what it found")]
#![expect(clippy::disallowed_methods, reason = "the length of a search is time on the wall clock")]

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use atl_core::time::Span;
use atl_engine::{Cancel, Engine, Options, run_plans};
use atl_experiment::attack::path::{OBJECTIVES, Objective, PathSearch};
use atl_lab::{Hosted, Own};
use atl_report::store;
use atl_scenario::{Overrides, load, units};
use clap::Parser;
use quinn_proto::congestion as quinn;
use s2n_quic_core::recovery::{bbr, cubic};

/// Controllers that can be attacked, besides the window protocols of `atl list`.
const LIBRARIES: &[&str] = &["quinn-newreno", "quinn-cubic", "quinn-bbr", "s2n-cubic", "s2n-bbr2"];

/// Search for the path that hurts a controller of a QUIC library most.
#[derive(Parser)]
struct Args {
    /// Controllers: quinn-newreno, quinn-cubic, quinn-bbr, s2n-cubic, s2n-bbr2, or a window
    /// protocol of atl.
    #[arg(long, value_name = "NAME[,NAME]", value_delimiter = ',', required = true)]
    controllers: Vec<String>,
    /// Aims of the path, as in `atl attack path --help`.
    #[arg(long, value_name = "WHAT[,WHAT]", value_delimiter = ',', value_parser = str::parse::<Objective>)]
    objectives: Vec<Objective>,
    /// Time to search for, for each controller.
    #[arg(long, value_name = "TIME", value_parser = units::time, default_value = "1min")]
    time: Span,
    /// Seed of the search.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of parallel runs [default: number of processors].
    #[arg(long)]
    jobs: Option<NonZeroUsize>,
    /// Directory for the scenario files.
    #[arg(long, default_value = "out/attack")]
    out: PathBuf,
    /// Runs a file that was found, and shows what each flow gets, instead of a search.
    #[arg(long, value_name = "FILE")]
    run: Option<PathBuf>,
}

/// The engine in which the stand-in's flows have this controller.
fn engine(name: &str) -> Result<Hosted, String> {
    let engine = match name {
        "quinn-newreno" => Hosted::quinn(name, quinn::NewRenoConfig::default()),
        "quinn-cubic" => Hosted::quinn(name, quinn::CubicConfig::default()),
        "quinn-bbr" => Hosted::quinn(name, quinn::BbrConfig::default()),
        "s2n-cubic" => Ok(Hosted::s2n(name, cubic::builder::Builder::default().build())),
        "s2n-bbr2" => Ok(Hosted::s2n(name, bbr::Endpoint::default())),
        _ => Own::named(name).map(|own| Hosted::new(name, own)),
    };
    engine.map_err(|error| format!("--controllers {name}: {error}; or {}", LIBRARIES.join(", ")))
}

fn main() -> ExitCode {
    let args = Args::parse();
    let engines: Result<Vec<Hosted>, String> =
        args.controllers.iter().map(|name| engine(name)).collect();
    let done = engines.and_then(|engines| {
        engines.iter().try_for_each(|engine| match &args.run {
            Some(file) => replay(engine, file),
            None => search(engine, &args),
        })
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn search(engine: &Hosted, args: &Args) -> Result<(), String> {
    // Before the search, which takes its time.
    fs::create_dir_all(&args.out).map_err(|error| format!("{}: {error}", args.out.display()))?;
    let objectives = if args.objectives.is_empty() { OBJECTIVES } else { &args.objectives };
    let laws = [Hosted::STAND_IN.to_owned()];
    let cancel = Cancel::default();
    let mut search = PathSearch::new((&laws, objectives), args.seed, engine, args.jobs, &cancel);
    let begun = Instant::now();
    while begun.elapsed().as_secs_f64() < args.time.secs() {
        search.step().map_err(|error| error.to_string())?;
    }
    let took = begun.elapsed().as_secs_f64();
    let (name, tried) = (engine.name(), search.tried());
    println!("{name}: {tried} paths in {took:.0} s, {:.0} an hour", tried as f64 / took * 3600.0);
    for found in search.finish().map_err(|error| error.to_string())? {
        let objective = found.case.objective;
        let file = args.out.join(format!("{name}-{}.toml", objective.name()));
        let head = format!(
            "# {name} in place of {}:\n# `cargo run --release -p atl-lab --all-features --example attack -- --controllers {name} --run FILE`\n",
            Hosted::STAND_IN
        );
        let text = head + &found.case.file(found.seeds, "quic-sim");
        store::write_text(&file, &text).map_err(|error| format!("{}: {error}", file.display()))?;
        println!(
            "{:<12} {}\n{:12} {}",
            objective.name(),
            objective.words(found.score),
            "",
            file.display()
        );
    }
    Ok(())
}

fn replay(engine: &Hosted, file: &Path) -> Result<(), String> {
    let scenario = load(file, &Overrides::default()).map_err(|errors| errors.to_string())?;
    let cancel = Cancel::default();
    let options = Options { jobs: None, cancel: &cancel, progress: &|_| {} };
    let results = run_plans(engine, &[&scenario], options).map_err(|error| error.to_string())?;
    println!("{}", engine.about());
    for (seed, run) in scenario.seeds.iter().zip(results.iter().flatten().flatten()) {
        for (flow, setup) in run.flows.iter().zip(&scenario.points[0].setup.flows) {
            let count = |count: Option<u64>| count.map_or("-".to_owned(), |n| n.to_string());
            println!(
                "seed {seed} {:<12} {:8.3} Mb/s, {} dropped, {} lost",
                setup.name,
                flow.goodput_bps / 1e6,
                count(flow.dropped),
                count(flow.lost)
            );
        }
    }
    Ok(())
}
