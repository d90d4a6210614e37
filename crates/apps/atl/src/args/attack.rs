//! Arguments of `atl attack`.

use std::path::PathBuf;

use atl_core::time::Span;
use atl_experiment::attack::path::{OBJECTIVES, Objective};
use atl_experiment::attack::{SEEDS_TOLD, STRATEGIES};
use atl_experiment::engines;
use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::values;

/// Arguments of `atl attack`.
#[derive(Args, Debug)]
pub(crate) struct Attack {
    /// The end that attacks.
    #[command(subcommand)]
    pub by: AttackBy,
}

/// An end that can attack.
#[derive(Debug, Subcommand)]
pub(crate) enum AttackBy {
    /// Search for the lie of a receiver that pays most.
    Receiver(Receiver),
    /// Search for the path that hurts a sender most: its rate, delays, losses and other traffic.
    Path(Adversary),
}

fn after() -> String {
    let mut out = format!(
        "\
Examples:
  atl attack receiver                            every protocol that listens: some minutes
  atl attack receiver --protocols arc --runs 2000
  atl attack receiver --medium wire --time 1min
  atl run out/attack/tcp-atl-wire.toml           run what was found

Draws networks (200 kb/s to 1 Gb/s, round trips of 5 to 600 ms, queues of 3 to
400 packets) and lies at random, and changes those that paid most. The worst of
each protocol and medium is run again with other seeds, made as simple as it can
be, and written as a scenario file. Its figures come from {SEEDS_TOLD} seeds that had no
part in that. A lie's bound is twice a SACK neighbour's goodput on a wire, and 1.5
times its own as an honest receiver on a wireless link. See docs/protocols/lies.md.

What the receiver does:
",
    );
    for strategy in STRATEGIES {
        out.push_str(&format!("  {:<10} {}\n", strategy.name, strategy.about));
    }
    out
}

/// Arguments of `atl attack receiver`.
#[derive(Args, Debug)]
#[command(after_help = after())]
pub(crate) struct Receiver {
    /// Protocols to lie to, by name (see `atl list`) [default: all that listen to their receiver].
    #[arg(long, value_name = "NAME[,NAME]", value_delimiter = ',')]
    pub protocols: Vec<String>,
    /// The last link of the path [default: both].
    #[arg(long, value_enum)]
    pub medium: Option<Medium>,
    #[command(flatten)]
    pub search: Searching,
    /// The exit status is 1 if a lie breaks its bound.
    #[arg(long)]
    pub strict: bool,
}

/// The extent of a search.
#[derive(Args, Debug)]
pub(crate) struct Searching {
    /// Number of cases to try [default: 300 lies, or 5000 paths].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub runs: Option<u32>,
    /// Stop trying after this time, however many cases that were.
    #[arg(long, value_name = "TIME", value_parser = values::some_time)]
    pub time: Option<Span>,
    /// Seed of the search. The same seed and number of cases find the same.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Directory for the scenario files. Files of an earlier search there are replaced.
    #[arg(long, value_name = "DIR", default_value = "out/attack", value_hint = ValueHint::DirPath)]
    pub out: PathBuf,
    /// Number of parallel runs [default: number of processors]. Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

/// The last link of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Medium {
    /// A wire, with SACK neighbours.
    Wire,
    /// A wireless link, with honest neighbours.
    Wireless,
}

fn after_path() -> String {
    let mut out = format!(
        "\
Examples:
  atl attack path --protocols bbr3 --time 10min
  atl attack path --protocols reno,cubic --objectives low-rate
  atl attack path --on quic-sim --protocols noq-cubic,noq-newreno
  atl run out/attack/bbr3-utilisation.toml       run what was found

Draws paths of 1 to 50 Mb/s and 10 to 200 ms whose rate, delays and losses
change over 10 or 20 s, with bursts of other traffic, and changes and crosses
those that hurt most. The worst of each protocol and objective is run again with
other seeds, made as simple as it can be, and written as a scenario file. Its
figures come from {SEEDS_TOLD} seeds that had no part in that. See docs/protocols/paths.md.

Aims of the path, and its means:
",
    );
    for objective in OBJECTIVES {
        out.push_str(&format!("  {:<12} {}\n", objective.name(), objective.about()));
    }
    out
}

/// Arguments of `atl attack path`.
#[derive(Args, Debug)]
#[command(after_help = after_path())]
pub(crate) struct Adversary {
    /// Protocols to hurt, by name (see `atl list`). Their senders always have data.
    #[arg(long, value_name = "NAME[,NAME]", value_delimiter = ',', required = true)]
    pub protocols: Vec<String>,
    /// The aims of the path [default: all].
    #[arg(long, value_name = "WHAT[,WHAT]", value_delimiter = ',', value_parser = str::parse::<Objective>)]
    pub objectives: Vec<Objective>,
    /// Engine that carries out the runs, one in virtual time.
    #[arg(long, value_name = "ENGINE", default_value = engines::DEFAULT)]
    pub on: String,
    #[command(flatten)]
    pub search: Searching,
}
