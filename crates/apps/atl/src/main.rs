//! The program `atl`.

use std::env;
use std::process::ExitCode;

/// The static program would otherwise have musl's allocator, which makes runs a fifth slower.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    atl::main(env::args_os(), Vec::new()).into()
}
