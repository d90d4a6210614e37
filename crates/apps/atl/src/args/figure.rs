//! Arguments of `atl figure`.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum, ValueHint};

const AFTER: &str = "\
Examples:
  atl figure out/showcase/roaming                      lists its figures and tables
  atl figure out/showcase/roaming 2 --as txt           shows one in the terminal
  atl figure out/showcase/roaming 1 --as svg > left.svg
  atl figure out/showcase/roaming goodput-over-time --out goodput.pgf
  atl figure out/showcase/roaming 2 --scale 2 --out slide.png
  atl figure out/showcase/roaming results --as tex     the table of results for LaTeX

The figures come from report.html alone, which may have moved. Each file says
which version, scenario hash and command it comes from. The page itself has
buttons for the same files.";

/// Arguments of `atl figure`.
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Figure {
    /// A folder of results, or a report.
    #[arg(value_name = "RESULT", value_hint = ValueHint::AnyPath)]
    pub result: PathBuf,
    /// Number, name or part of the name of a figure or table [default: list them].
    #[arg(value_name = "FIGURE", value_parser = NonEmptyStringValueParser::new())]
    pub figure: Option<String>,
    /// Format of the file; a table has only csv and tex [default: by the ending of --out, otherwise
    /// svg].
    #[arg(long = "as", value_name = "FORMAT", value_enum)]
    pub format: Option<Format>,
    /// File to write [default: standard output].
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub out: Option<PathBuf>,
    /// Width of an SVG or PNG in pixels (1/96 inch).
    #[arg(long, value_name = "PIXELS", default_value_t = 720, value_parser = clap::value_parser!(u32).range(200..=4000))]
    pub width: u32,
    /// Height of an SVG or PNG in pixels.
    #[arg(long, value_name = "PIXELS", default_value_t = 420, value_parser = clap::value_parser!(u32).range(200..=4000))]
    pub height: u32,
    /// Dots of a PNG for each pixel of width and height: 3 are 288 dots per inch.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=8))]
    pub scale: u32,
}

/// A format of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A picture for papers and slides.
    Svg,
    /// The same as pixels, for programs that cannot show SVG.
    Png,
    /// The same in characters, for a terminal.
    Txt,
    /// Its numbers, one row for each point.
    Csv,
    /// A picture that LaTeX draws, with `pgfplots`.
    Pgf,
    /// A table for LaTeX, with `booktabs`.
    Tex,
}
