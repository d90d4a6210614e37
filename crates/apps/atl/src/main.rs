//! The program `atl`, which calls the library.

use std::env;
use std::process::ExitCode;

/// musl's own allocator would make runs a fifth slower in the static program.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    atl::App::new().run(env::args_os()).into()
}
