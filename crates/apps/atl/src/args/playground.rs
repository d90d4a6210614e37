//! Arguments of `atl playground`.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueHint};

const AFTER: &str = "\
Examples:
  atl playground                       and open the address that it prints
  atl playground --open                opens it in the browser
  atl playground mine.toml             with a scenario of your own
  atl playground video-call --port 0   at any free port

The page has an editor, sliders, the report, and one run packet by packet. It
needs no network: the simulator runs in the browser, and nothing leaves this
machine. Only programs on this machine can reach the address.

The page is a folder of static files, which any web host can serve: see
docs/playground.md. `make playground` builds it and a program that contains it.";

/// Arguments of `atl playground`.
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Playground {
    /// Scenario to open: a file, or the name of a built-in scenario [default: showcase/roaming].
    #[arg(value_name = "FILE|NAME", value_hint = ValueHint::FilePath, value_parser = NonEmptyStringValueParser::new())]
    pub scenario: Option<String>,
    /// Port on 127.0.0.1; 0 picks any free one.
    #[arg(long, value_name = "PORT", default_value_t = 7417)]
    pub port: u16,
    /// Open the page in the browser.
    #[arg(long)]
    pub open: bool,
    /// Serve this folder, as `make playground` builds it, instead of the program's own page.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub folder: Option<PathBuf>,
}
