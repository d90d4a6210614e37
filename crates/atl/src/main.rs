//! The program `atl`.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    atl::main(env::args_os(), Vec::new()).into()
}
