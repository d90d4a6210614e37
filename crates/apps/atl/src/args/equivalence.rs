//! Arguments of `atl equivalence`.

use std::path::PathBuf;

use atl_core::time::Span;
use clap::{Args, ValueHint};

use super::values;

const AFTER: &str = "\
Examples:
  atl equivalence --quick                      a first look, without root: about a minute
  sudo atl equivalence                         everything, with kernel TCP: about 6 minutes
  atl equivalence --only queue-red --only loss-bursts
  atl equivalence --json | jq '.cases[] | select(.verdict != \"equivalent\").name'

Sends UDP probes over the same links in the simulator and in the emulator, in
real time, and compares rates, delays, losses and drops: equivalent within a
stated margin, different, or undecided. A run that did not keep time is run
again, and not judged if that does not help. Leave the machine alone meanwhile.

Kernel TCP (root) is compared with the simulator's, without a verdict: kernels
differ. Where it cannot be had, the command says why and goes on.

A difference is a result, not a failure: the exit status is 0. With --strict it
is 1 unless every case is equivalent. See docs/equivalence.md.";

/// Arguments of `atl equivalence`.
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Equivalence {
    /// Only this case; may be repeated. See --list.
    #[arg(long, value_name = "CASE")]
    pub only: Vec<String>,
    /// Shorter and fewer runs, for a first look: more cases remain undecided.
    #[arg(long)]
    pub quick: bool,
    /// List the cases, and run nothing.
    #[arg(long, conflicts_with_all = ["page", "quick", "only"])]
    pub list: bool,
    /// Leave out kernel TCP, even where it is available.
    #[arg(long)]
    pub no_kernel: bool,
    /// Seed of the emulated runs; the simulator's other runs use the seeds that follow.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Largest number of runs of a case that does not keep time.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=20))]
    pub attempts: u32,
    /// Watch the clock instead of sleeping for this long before a packet is due.
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = values::spin)]
    pub spin: Span,
    /// Do not ask for real-time scheduling (SCHED_FIFO).
    #[arg(long)]
    pub no_fifo: bool,
    /// Also write the results to this file, as a page of Markdown.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub page: Option<PathBuf>,
    /// Print one JSON document on standard output instead of text.
    #[arg(long)]
    pub json: bool,
    /// Exit with status 1 unless every case is equivalent.
    #[arg(long)]
    pub strict: bool,
}
