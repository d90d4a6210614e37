//! The arguments of the command line, and the help that teaches them.

mod aal_t;
mod fading;
mod model;
mod values;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;

pub use aal_t::AalT;
pub use fading::Fading;
pub use model::{Arc, ModelOf, PathArgs, RateModel, RcpAtl, TcpAtl, Throughput};

/// The adaptive transport suite: simulate TCP-ATL and others, reproduce papers, evaluate equations.
#[derive(Debug, Parser)]
#[command(name = "atl", version, after_help = AFTER, max_term_width = 100, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const AFTER: &str = "\
Examples:
  atl list                               what there is: scenarios and protocols
  atl run showcase/roaming --quick       a first look at a roaming phone
  atl reproduce --quick                  the papers' figures and claims
  atl model tcp-atl --p 0.02 --pw 0.015 --rtt 120ms --dw 50ms
  atl show showcase/roaming > mine.toml  a scenario of your own: copy, change,
  atl validate mine.toml                 check,
  atl run mine.toml                      run

Units:
  times 10ms, 1.5s, 2min; rates 250kb/s, 2Mb/s (bits); sizes 1500B, 10MB;
  shares 0.01 or 1%

Exit status:
  0    done
  1    failed on the way, such as a file that cannot be written
  2    wrong arguments, or a wrong scenario
  130  interrupted; nothing was written

NO_COLOR=1 turns colours off.";

/// Commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a scenario: table, verdicts, HTML report and Parquet files.
    Run(Run),
    /// Run the papers' scenarios and hold them to what the papers say.
    Reproduce(Reproduce),
    /// List the built-in scenarios and the protocols.
    List(List),
    /// Check scenario files and show everything that is wrong with them.
    Validate(Validate),
    /// Print a built-in scenario's file, to copy and change.
    Show(Show),
    /// Evaluate the equations, for a path or an AIMD sender.
    Model(Model),
    /// Print a completion script for a shell.
    Completions(Completions),
}

/// What the command line changes in a scenario.
#[derive(Args, Debug, Default)]
pub struct Changes {
    /// Change a variable or any value of the file; may be repeated. A list makes a sweep.
    ///
    /// A variable: `--set queue=400`, `--set protocol=tcp-atl,bbr`. A path into the file:
    /// `--set network.wifi.loss=0`, `--set link.air.delay=20ms`, `--set flow.upload.tcp.min-rto=1s`.
    #[arg(long, value_name = "KEY=VALUE", value_parser = values::key_value)]
    pub set: Vec<(String, String)>,
    /// A number of seeds (`5`: the seeds 1 to 5) or a list of them (`1,4,7`); by default those of the file.
    #[arg(long, value_name = "N|LIST")]
    pub seeds: Option<String>,
    /// Simulated time of each run (`60s`); by default that of the file.
    #[arg(long, value_name = "TIME")]
    pub duration: Option<String>,
    /// Less of everything, for a first look: the file's `[quick]` table takes effect.
    #[arg(long)]
    pub quick: bool,
}

/// How runs are carried out.
#[derive(Args, Debug)]
pub struct Running {
    /// Runs at the same time; by default one for each processor core. Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Print one JSON document on standard output, and nothing else there.
    #[arg(long)]
    pub json: bool,
    /// Write CSV files beside the Parquet files.
    #[arg(long)]
    pub csv: bool,
}

const AFTER_RUN: &str = "\
Examples:
  atl run showcase/roaming               a built-in scenario (`atl list`)
  atl run mine.toml --out results/mine   a file of your own
  atl run showcase/roaming --set protocol=tcp-atl,cubic --seeds 30
  atl run showcase/recorded-trace --set network.lte.trace=verizon-lte-short.up
  atl run showcase/roaming --json | jq '.points[].total.goodput_bps'

Writes report.html, runs.parquet, flows.parquet, links.parquet and, where the
scenario records over time, samples.parquet: all of them at the end, or none.
Data files of an earlier run in the same directory are replaced. The table holds
means over the seeds with their 95 % intervals.";

/// Arguments of `atl run`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_RUN)]
pub struct Run {
    /// A scenario file, or a built-in scenario (`atl list`).
    #[arg(value_name = "FILE|NAME", value_hint = ValueHint::FilePath)]
    pub scenario: String,
    /// Directory for the report and the data [default: out/ and the scenario's name].
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub changes: Changes,
    #[command(flatten)]
    pub running: Running,
}

const AFTER_REPRODUCE: &str = "\
Examples:
  atl reproduce --quick             all papers, few seeds: minutes
  atl reproduce                     all papers as printed: long
  atl reproduce atl/fig06 atl/fig07 some scenarios
  atl reproduce atl/fig --seeds 3   all whose names begin so

Writes one report.html with every figure, and each scenario's data into a
directory of its own.

A verdict is computed from the measurements, and \"not met\" is a result, not a
failure: the exit status is 0. With --strict it is 1 if any quote is not met or
could not be measured (\"same direction\" passes).";

/// Arguments of `atl reproduce`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_REPRODUCE)]
pub struct Reproduce {
    /// Built-in scenarios, or beginnings of their names (`atl`, `atl/fig`) [default: all of the papers].
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Directory for the report and the data.
    #[arg(long, value_name = "DIR", default_value = "out/reproduce", value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
    /// Exit with status 1 if a quote is not met.
    #[arg(long)]
    pub strict: bool,
    #[command(flatten)]
    pub changes: Changes,
    #[command(flatten)]
    pub running: Running,
}

/// Arguments of `atl list`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  atl list --json | jq -r '.scenarios[].name'")]
pub struct List {
    /// Print one JSON document.
    #[arg(long)]
    pub json: bool,
}

const AFTER_VALIDATE: &str = "\
Examples:
  atl validate mine.toml
  atl validate scenarios/*/*.toml
  atl validate mine.toml --set queue=0   would this change be accepted?

Every error is shown, each with its place and what is allowed there; the exit
status is 2 if there is one.";

/// Arguments of `atl validate`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_VALIDATE)]
pub struct Validate {
    /// Scenario files, or built-in scenarios.
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub files: Vec<String>,
    #[command(flatten)]
    pub changes: Changes,
    /// Print one JSON document: what each file holds, or its errors.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `atl show`.
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  atl show showcase/roaming > mine.toml && atl run mine.toml --quick"
)]
pub struct Show {
    /// A built-in scenario (`atl list`).
    pub name: String,
}

/// Arguments of `atl model`.
#[derive(Args, Debug)]
#[command(arg_required_else_help = true)]
pub struct Model {
    /// What to evaluate.
    #[command(subcommand)]
    pub what: ModelOf,
}

const AFTER_COMPLETIONS: &str = "\
Examples:
  bash  atl completions bash > ~/.local/share/bash-completion/completions/atl
  zsh   atl completions zsh > ~/.zfunc/_atl            (with ~/.zfunc in $fpath)
  fish  atl completions fish > ~/.config/fish/completions/atl.fish";

/// Arguments of `atl completions`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_COMPLETIONS)]
pub struct Completions {
    /// The shell.
    pub shell: Shell,
}
