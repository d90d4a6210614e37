//! Arguments of `atl merge`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

const AFTER_MERGE: &str = "\
Examples:
  atl run roaming --shard 1/2 --out parts    on one machine
  atl run roaming --shard 2/2 --out parts    on another
  atl merge parts --out results              both in one folder: the whole

The report and the data files are those that one machine would have written. The
scenario is read again, so run this where its file is. If parts are missing or
damaged, nothing is written, and they are named. So are parts by different builds
of atl, unless --other-builds allows them.";

/// Arguments of `atl merge`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_MERGE)]
pub(crate) struct Merge {
    /// Files of parts (`shard-1-of-2.atl`), or folders that hold them.
    #[arg(value_name = "FILE|DIR", required = true, value_hint = ValueHint::AnyPath)]
    pub parts: Vec<PathBuf>,
    /// Directory for the report and the data files [default: that of `atl run` for
    /// the whole].
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub out: Option<PathBuf>,
    /// Merge parts that different builds of atl have run, although their results may differ. The
    /// report and the data files name all of the builds.
    #[arg(long)]
    pub other_builds: bool,
    /// Print one JSON document on standard output instead of text.
    #[arg(long)]
    pub json: bool,
    /// Write CSV files in addition to the Parquet files.
    #[arg(long)]
    pub csv: bool,
    /// Print nothing but errors, warnings and the document of --json. Files are written as always.
    #[arg(short, long)]
    pub quiet: bool,
}
