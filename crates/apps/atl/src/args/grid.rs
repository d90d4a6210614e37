//! Arguments of `atl grid`.

use std::path::PathBuf;

use atl_experiment::grid::SEEDS_AGAIN;
use clap::{Args, ValueHint};

fn after() -> String {
    let [again, more] = SEEDS_AGAIN;
    format!(
        "\
Examples:
  atl grid                          60 networks: about half a minute
  atl grid --points 1000            the whole grid: about seven minutes on two cores
  atl grid --points 20 --out grid   also the worst points, as files for `atl run`
  atl grid --json > grid.json       every number

Draws networks with one lossy link: 1 Mb/s to 1 Gb/s, round trips of 10 to 600 ms,
queues of .1 to 4 bandwidth-delay products, all evenly in the logarithm; losses of 0
(a fifth of the points) or 1e-4 to 1e-1, half of them in bursts of 2 to 20 packets;
one flow (half) or 2 to 8, down or up the link; 5 to 30 s from the start. At each
point `residual` runs with nothing told, with p_w, with p_w and d_w, and with all
that the link can tell, beside CUBIC, BBRv3, SACK, TCP-ATL and TCP-ATL robust, each
alone on its link, and `residual` with fewer or more packets of its own in the queue
(its `backlog`). Each point has seeds of its own. Where a rung has less than .98 of the
one below, luck may have decided: the point runs again with {again} other seeds, and
if it still has less, with {more} more. The same seed gives the same networks and the
same bytes."
    )
}

/// Arguments of `atl grid`.
#[derive(Args, Debug)]
#[command(after_help = after())]
pub(crate) struct Grid {
    /// Number of networks.
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub points: u32,
    /// Seed of the grid: the same seed draws the same networks.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Number of runs of each sender at each point.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub seeds: u32,
    /// Print all results as JSON.
    #[arg(long)]
    pub json: bool,
    /// Write the results as a page in Markdown.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub page: Option<PathBuf>,
    /// Directory for a scenario file of the worst point of each target.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,
    /// Number of parallel runs [default: number of processors]. Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// The exit status is 1 if a target is missed.
    #[arg(long)]
    pub strict: bool,
}
