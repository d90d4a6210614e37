//! Arguments of the command line, with their help texts.

mod aal_t;
mod artefact;
mod attack;
mod battery;
mod compare;
mod equivalence;
mod fading;
mod figure;
mod grid;
mod link;
mod link_info;
mod merge;
mod model;
mod path;
mod playground;
mod plot;
mod trace;
mod transfer;
mod values;

use std::ffi::OsString;
use std::path::PathBuf;

use atl_experiment::engines;
use atl_experiment::shard::Shard;
use atl_scenario::ablation::Ablation;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;

pub(crate) use aal_t::AalT;
pub(crate) use artefact::Artefact;
pub(crate) use attack::{
    Adversary, Attack, AttackBy, Medium, Receiver as AttackReceiver, Searching,
};
pub(crate) use battery::Battery;
pub(crate) use compare::Compare;
pub(crate) use equivalence::Equivalence;
pub(crate) use fading::Fading;
pub(crate) use figure::{Figure, Format as FigureFormat};
pub(crate) use grid::Grid;
pub(crate) use link::{Link, LinkRunning, OneLink, ProxyOptions, Uplink, View};
pub(crate) use link_info::LinkInfo;
pub(crate) use merge::Merge;
pub(crate) use model::{Arc, ModelOf, PathArgs, RateModel, RcpAtl, TcpAtl, Throughput};
pub(crate) use path::{Path as PathArguments, described};
pub(crate) use playground::Playground;
pub(crate) use plot::PlotWhen;
pub(crate) use trace::{Import, Trace, TraceWhat, Way as TraceWay};
pub(crate) use transfer::{LinkInfoSource, Recv, RoamHow, SendFiles};

/// A command line as its parser can read it: the arrow between two networks of a path begins like
/// an option.
pub(crate) fn readable(arguments: Vec<OsString>) -> Vec<OsString> {
    match arguments.get(1) {
        Some(command) if command == "path" => path::without_arrows(arguments).collect(),
        _ => arguments,
    }
}

/// Run transport protocols on wireless paths, reproduce papers about them, and evaluate their
/// equations.
#[derive(Debug, Parser)]
#[command(name = "atl", version, after_help = AFTER, max_term_width = 100, arg_required_else_help = true)]
#[command(mut_subcommands = path::with_networks)]
pub(crate) struct Cli {
    /// The command to carry out.
    #[command(subcommand)]
    pub command: Command,
}

const AFTER: &str = "\
Examples:
  atl path wifi --then leo@20s           which transport survives this path?
  atl list                               scenarios, protocols and engines
  atl run showcase/roaming --quick       a phone that roams between networks
  atl reproduce --quick                  a first look at the papers, too short for verdicts
  atl model tcp-atl --p 0.02 --pw 0.015 --rtt 120ms --dw 50ms

Your own scenario:
  atl show showcase/roaming > mine.toml  copy one and edit it,
  atl validate mine.toml                 check it,
  atl run mine.toml                      run it

Your own program, over UDP:
  atl link --rate 2Mb/s --delay 50ms --listen 127.0.0.1:5000 --to 127.0.0.1:6000

Files, over QUIC:
  atl recv                               shows a ticket for the sender
  atl send FILE TICKET

Units:
  times 10ms, 1.5s, 2min; rates 250kb/s, 2Mb/s (bits); sizes 1500B, 10MB;
  probabilities 0.01 or 1%

Exit status:
  0    success
  1    failure, such as a file that cannot be written
  2    wrong arguments, a wrong scenario, or one that an engine cannot run
  130  interrupted; nothing was written (`atl link` has shown its summary)

NO_COLOR=1 turns colours off.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say which transport survives your path, and what it gains from knowing its wireless link.
    Path(PathArguments),
    /// Run a scenario; write a report and data files.
    Run(Run),
    /// Run the scenarios of the papers and compare the results with the papers' claims.
    Reproduce(Reproduce),
    /// Put any UDP program behind the links of a scenario, in real time.
    Link(Box<Link>),
    /// Turn recorded links of others into traces for scenarios and `atl link`.
    Trace(Trace),
    /// Merge the parts of a sweep that `atl run --shard` carried out.
    Merge(Merge),
    /// Compare the links of `atl link` with the simulator's: a battery of cases, statistics,
    /// verdicts.
    Equivalence(Equivalence),
    /// Send files over QUIC, with a congestion controller that knows its wireless link.
    Send(Box<SendFiles>),
    /// Receive files from `atl send`.
    Recv(Recv),
    /// Turn what a device's tool prints into link information for `atl send`.
    LinkInfo(LinkInfo),
    /// Search for what hurts most, the lie of a receiver or a path, as a scenario file.
    Attack(Attack),
    /// Measure what link knowledge buys, on networks drawn at random.
    Grid(Grid),
    /// Is a verdict an artefact? Run a comparison with each impairment in its other form.
    #[command(visible_alias = "artifact")]
    Artefact(Artefact),
    /// Compare two folders of results: what changed, and which differences are real.
    Compare(Compare),
    /// Write a figure or table of a report as a file: SVG, PNG, CSV, PGF, LaTeX, text.
    Figure(Figure),
    /// Write scenarios and watch them run, in a browser.
    Playground(Playground),
    /// List scenarios, protocols and engines.
    List(List),
    /// Check scenario files and report all errors.
    Validate(Validate),
    /// Print a built-in scenario, as a starting point for your own.
    Show(Show),
    /// Print the JSON Schema of scenario files, for completion in an editor.
    #[command(after_help = AFTER_SCHEMA)]
    Schema,
    /// Evaluate the equations of the papers.
    Model(Model),
    /// Print a completion script for a shell.
    Completions(Completions),
    /// Print the manual page, or write the pages of all commands.
    Man(Man),
}

/// Changes to a scenario, by options.
#[derive(Args, Debug, Default)]
pub(crate) struct Changes {
    /// Set a variable or any other value of the scenario; may be repeated. A list makes a sweep.
    ///
    /// KEY is the name of a variable (`--set queue=400`, `--set protocol=tcp-atl,bbr3`) or a path
    /// into the file (`--set network.wifi.loss=0`, `--set link.air.delay=20ms`, `--set
    /// flow.upload.tcp.min-rto=1s`).
    #[arg(long, value_name = "KEY=VALUE", value_parser = values::key_value)]
    pub set: Vec<(String, String)>,
    /// Number of seeds (`5` means 1 to 5) or a list of seeds (`1,4,7`) [default: those of the
    /// scenario].
    #[arg(long, value_name = "N|LIST")]
    pub seeds: Option<String>,
    /// Duration of each run (`60s`) [default: that of the scenario].
    #[arg(long, value_name = "TIME")]
    pub duration: Option<String>,
    /// Shorter and fewer runs, for a first look: apply the scenario's `[quick]` table.
    #[arg(long)]
    pub quick: bool,
}

/// Options for carrying out runs.
#[derive(Args, Debug)]
pub(crate) struct Running {
    /// Engine that carries out the runs, or several separated by commas (see `atl list`).
    ///
    /// With several engines, each of them runs everything, one after the other. Tables and verdicts
    /// are shown per engine; the data files hold the runs of all engines, with their names in the
    /// column `engine`. If an engine cannot carry out part of a scenario, nothing is run and all
    /// such parts are listed.
    #[arg(long, value_name = "ENGINE[,ENGINE]", value_delimiter = ',', default_value = engines::DEFAULT)]
    pub on: Vec<String>,
    /// Number of parallel runs [default: number of processors]. Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Print one JSON document on standard output instead of text.
    #[arg(long)]
    pub json: bool,
    /// Write CSV files in addition to the Parquet files.
    #[arg(long)]
    pub csv: bool,
    /// Print nothing but errors, warnings and the document of --json: no table, no progress. Files
    /// are written as always.
    #[arg(short, long)]
    pub quiet: bool,
}

const AFTER_RUN: &str = "\
Examples:
  atl run showcase/roaming               a built-in scenario (see `atl list`)
  atl run mine.toml --out results/mine   your own scenario
  atl show roaming | sed s/1e-2/0/ | atl run -
  atl run showcase/roaming --set protocol=tcp-atl,cubic --seeds 30
  atl run showcase/recorded-trace --set network.lte.trace=verizon-lte-short.up
  atl run roaming --ablate link-reports  what do link reports buy?
  atl run roaming --quick --plot         figures in the terminal
  atl run mine.toml --seeds 1 --qlog logs --pcap captures
  atl run showcase/roaming --json | jq -r .headline
  atl run showcase/roaming --json | jq '.points[].total.goodput_bps'

Shows a table of means over the seeds with 95 % confidence intervals, and a
verdict on each quote. Writes report.html, runs.parquet, flows.parquet,
links.parquet and, if the scenario records samples over time, samples.parquet.
The files appear together at the end, or not at all, and replace those of an
earlier run in the same directory, which the last line then says.";

/// Arguments of `atl run`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_RUN)]
pub(crate) struct Run {
    /// Scenario file, name of a built-in scenario (see `atl list`; its last part is enough), or `-`
    /// for standard input.
    #[arg(value_name = "FILE|NAME", value_hint = ValueHint::FilePath, value_parser = NonEmptyStringValueParser::new())]
    pub scenario: String,
    /// Directory for the report and the data files [default: out/ followed by the scenario's name
    /// and what is changed in it, such as out/mine+queue=400].
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,
    /// Carry out only part K of N of the runs, and write its results to a file for `atl merge`.
    ///
    /// Each part has every N-th run. Parts can run on different machines, in any order. A part that
    /// failed is run again; `atl merge` says which are missing.
    #[arg(long, value_name = "K/N", conflicts_with_all = ["ablate", "csv"])]
    pub shard: Option<Shard>,
    /// Run everything once more without this, or without each of several separated by commas, and
    /// say what it is worth: `link-reports` (what wireless links tell their hosts), `recovery`
    /// (each TCP gets NewReno's), `probing` (of a path that a mobile moves to).
    ///
    /// Runs are paired by seed. The data files hold both, with what was left out in the column
    /// `without`.
    #[arg(long, value_name = "WHAT[,WHAT]", value_delimiter = ',')]
    pub ablate: Vec<Ablation>,
    /// Write a qlog of each flow's sender into this folder, FLOW.sqlog, for qvis and the like.
    ///
    /// This is for one run: choose it with `--seeds 1` and `--set`. The run is carried out once
    /// more for it.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with_all = ["shard", "ablate"])]
    pub qlog: Option<PathBuf>,
    /// Write a capture of each end of each link into this folder, LINK-NODE.pcap, for Wireshark and
    /// tcpdump. For one run, as `--qlog`.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with_all = ["shard", "ablate"])]
    pub pcap: Option<PathBuf>,
    /// Plot the figures in the terminal, too [default: never].
    #[arg(long, value_name = "WHEN", value_enum, default_value = "never", default_missing_value = "always",
        hide_default_value = true, num_args = 0..=1, require_equals = true, conflicts_with_all = ["json", "quiet", "shard"])]
    pub plot: PlotWhen,
    #[command(flatten)]
    pub changes: Changes,
    #[command(flatten)]
    pub running: Running,
}

const AFTER_REPRODUCE: &str = "\
Examples:
  atl reproduce --quick              all papers, short runs without verdicts: a minute
  atl reproduce                      all papers at full length: about ten minutes
  atl reproduce atl/fig06 table2     two scenarios
  atl reproduce atl/fig --seeds 3    all scenarios whose names begin with atl/fig

Writes one report.html with all figures, and the data files of each scenario to
a directory of its own.

Each scenario quotes what its paper claims, and the verdict on each quote is
computed from the measurements. \"Not met\" is a result, not a failure: the exit
status is 0. With --strict it is 1 if any quote is not met or could not be
measured (\"same direction\" passes).";

/// Arguments of `atl reproduce`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_REPRODUCE)]
pub(crate) struct Reproduce {
    /// Built-in scenarios by their names, the last parts of these (`table2`), or prefixes (`atl`,
    /// `atl/fig`) [default: those of all papers].
    #[arg(value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub names: Vec<String>,
    /// Directory for the report and the data files [default: out/reproduce, followed by what is
    /// changed].
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,
    /// Exit with status 1 if any quote is not met.
    #[arg(long)]
    pub strict: bool,
    /// Also write the claims, measurements and verdicts to this file, as a page of Markdown.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub page: Option<PathBuf>,
    #[command(flatten)]
    pub changes: Changes,
    #[command(flatten)]
    pub running: Running,
}

/// Arguments of `atl list`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  atl list --json | jq -r '.scenarios[].name'")]
pub(crate) struct List {
    /// Print one JSON document instead of text.
    #[arg(long)]
    pub json: bool,
}

const AFTER_VALIDATE: &str = "\
Examples:
  atl validate mine.toml
  atl validate scenarios/*/*.toml
  atl validate mine.toml --set queue=0   would this value be accepted?

Reports every error with its place and what is allowed there. The exit status is
2 if there are any.";

/// Arguments of `atl validate`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_VALIDATE)]
pub(crate) struct Validate {
    /// Scenario files, names of built-in scenarios, or `-` for standard input.
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath, value_parser = NonEmptyStringValueParser::new())]
    pub files: Vec<String>,
    #[command(flatten)]
    pub changes: Changes,
    /// Print one JSON document: for each file its size, or its errors.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `atl show`.
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  atl show showcase/roaming > mine.toml && atl run mine.toml --quick"
)]
pub(crate) struct Show {
    /// Name of a built-in scenario (see `atl list`).
    pub name: String,
}

const AFTER_SCHEMA: &str = "\
Example:
  atl schema > atl.schema.json

Editors that read TOML with Taplo (such as Even Better TOML for Visual Studio
Code) find it by the first line of a scenario:
  #:schema atl.schema.json";

/// Arguments of `atl model`.
#[derive(Args, Debug)]
#[command(arg_required_else_help = true)]
pub(crate) struct Model {
    /// The model to evaluate.
    #[command(subcommand)]
    pub what: ModelOf,
}

const AFTER_MAN: &str = "\
Examples:
  atl man | man -l -
  atl man --out ~/.local/share/man/man1    then: man atl, man atl-run";

/// Arguments of `atl man`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_MAN)]
pub(crate) struct Man {
    /// Write a page for each command into this folder.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,
}

const AFTER_COMPLETIONS: &str = "\
Examples:
  bash  atl completions bash > ~/.local/share/bash-completion/completions/atl
  zsh   atl completions zsh > ~/.zfunc/_atl            (with ~/.zfunc in $fpath)
  fish  atl completions fish > ~/.config/fish/completions/atl.fish";

/// Arguments of `atl completions`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_COMPLETIONS)]
pub(crate) struct Completions {
    /// Shell to complete commands in.
    pub shell: Shell,
}
