//! Arguments of `atl trace`.

use std::path::PathBuf;
use std::sync::LazyLock;

use atl_core::time::Span;
use atl_experiment::recording::{Column, FORMATS};
use atl_scenario::units;
use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser};
use clap::{Args, Subcommand, ValueEnum, ValueHint};

use super::values;

/// Arguments of `atl trace`.
#[derive(Args, Debug)]
#[command(arg_required_else_help = true)]
pub(crate) struct Trace {
    /// The work to do.
    #[command(subcommand)]
    pub what: TraceWhat,
}

/// Work on a trace.
#[derive(Debug, Subcommand)]
pub(crate) enum TraceWhat {
    /// Turn a recorded link of others into a trace for scenarios and `atl link`.
    Import(Box<Import>),
}

/// The list of formats comes from the formats themselves.
static AFTER: LazyLock<String> = LazyLock::new(|| {
    let mut out = String::from(
        "\
Writes one of the two kinds of traces that links take:
  trace        a time in ms for each packet of 1500 bytes that could cross, as
               mahimahi has it, from a rate over time
  delay-trace  a one-way delay in ms for each 10 ms (--delay)
Standard error says what was read: its duration, mean rate, longest gap.

Examples:
  atl trace import drive.csv --column time=t:s --column rate=mean:Mb/s --out drive.down
  atl run showcase/recorded-trace --set network.lte.trace=drive.down
  atl trace import bw_7.txt --out starlink.down
  atl trace import delay_7.txt --out starlink.delay
  atl link --trace starlink.down --delay-trace starlink.delay -- iperf3 -c server
  atl trace import net_iperf.csv --direction up --duration 5min > dish.up
  atl trace import drive.csv --column time=t:s --column rate=mean:Mb/s --out drive.down --json
  atl trace import spec.txt --from picoquic --delay --out link.delay
  atl trace import pings.csv --column time=timestamp:s --column rtt=rtt:ms --out leo.delay

Formats:
",
    );
    for format in FORMATS {
        out.push_str(&format!("  {:<12} {}\n", format.name(), format.about()));
    }
    out.push_str("\ndocs/traces.md says where to get each set of recordings, and its licence.");
    out
});

/// Arguments of `atl trace import`.
#[derive(Args, Debug)]
#[command(after_help = AFTER.as_str())]
pub(crate) struct Import {
    /// The recorded file, or `-` for standard input.
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = NonEmptyStringValueParser::new())]
    pub file: String,
    /// Format of the file [default: what its name and content say beyond doubt].
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(FORMATS.iter().map(|format| format.name())))]
    pub from: Option<String>,
    /// A column of a table, and its role: `time`, `rate`, `delay` or `rtt` (half of it is taken).
    /// May be repeated.
    ///
    /// NAME is the column's name in the first row, or its number. UNIT is s, ms, us or ns, or b/s,
    /// kb/s, Mb/s, Gb/s (bits) or B/s, kB/s, MB/s (bytes); it may be left out where the name ends
    /// with it (`capacity_mbps`), and for times with dates.
    #[arg(long, value_name = "ROLE=NAME[:UNIT]", value_parser = str::parse::<Column>)]
    pub column: Vec<Column>,
    /// Make a trace of delays [default: one of rates, or of delays if the file has nothing else].
    #[arg(long)]
    pub delay: bool,
    /// Direction, for files that have both: `down` is to the user [default: down].
    #[arg(long, value_name = "WAY", value_enum)]
    pub direction: Option<Way>,
    /// Leave out this much of the beginning.
    #[arg(long, value_name = "TIME", value_parser = units::time)]
    pub begin: Option<Span>,
    /// Take no more than this [default: all].
    #[arg(long, value_name = "TIME", value_parser = values::any_time)]
    pub duration: Option<Span>,
    /// A value in a table holds until the next row, but no longer than this; the rest was not
    /// measured and is left out [default: however long].
    #[arg(long, value_name = "TIME", value_parser = values::any_time)]
    pub gap: Option<Span>,
    /// File to write, which must not exist yet [default: standard output].
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,
    /// Print the trace in a few numbers as JSON to standard output, which needs --out; see
    /// docs/json.md.
    #[arg(long, requires = "out")]
    pub json: bool,
    /// Do not say what was read.
    #[arg(short, long)]
    pub quiet: bool,
}

/// A direction of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Way {
    /// To the user.
    Down,
    /// From the user.
    Up,
}
