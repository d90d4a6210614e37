//! Arguments of `atl compare`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

const AFTER: &str = "\
Examples:
  atl run roaming --out a
  atl run roaming --set queue=400 --out b
  atl compare a b                      what a deeper queue changes
  atl compare a b --json | jq '.differences[] | select(.real)'

Runs are paired by engine, point of the sweep, flow group and seed, so both met
the same losses. A difference is real if its 95 % interval does not cover 0;
of twenty that are only chance, one looks real.";

/// Arguments of `atl compare`.
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Compare {
    /// Folder of results, as `atl run` writes it.
    #[arg(value_name = "A", value_hint = ValueHint::DirPath)]
    pub first: PathBuf,
    /// Folder to compare with it.
    #[arg(value_name = "B", value_hint = ValueHint::DirPath)]
    pub second: PathBuf,
    /// List all differences, not only the real ones.
    #[arg(long)]
    pub all: bool,
    /// Print one JSON document instead of text.
    #[arg(long)]
    pub json: bool,
}
