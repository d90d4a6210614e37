//! `atl link`: real packets over the links of a scenario.

mod above;
mod answers;
mod captured;
mod network;
#[cfg_attr(not(target_os = "linux"), path = "no_program.rs")]
mod program;
mod proxy;
mod record;
mod runner;
mod running;
mod save;
mod summary;
mod trust;
mod view;
mod watcher;

use crate::args::{Link, Uplink};
use crate::failure::Failure;
use crate::interrupt;
use crate::status::Status;
use network::Network;
pub(crate) use program::supervise;
use runner::Runner;

/// Runs links in real time until the duration is over or the program is interrupted.
///
/// # Errors
/// If the scenario or the options are wrong, an address or a namespace is not available, or the
/// links do something that real packets cannot experience.
pub(crate) fn link(args: &Link) -> Result<Status, Failure> {
    check(args)?;
    let run: Runner = if args.command.is_empty() { proxy::run } else { program::runner()? };
    let network = Network::open(args)?;
    if let Some(path) = &args.one.save {
        save::save(path, args.scenario.as_deref(), &args.one)?;
    }
    let (status, interrupted) =
        interrupt::cancellable(|cancel| (run(&network, args, cancel), cancel.is_cancelled()));
    if interrupted {
        if let Err(failure) = &status {
            crate::complaint::report(failure);
        }
        // The summary has been shown; the signal handler ends the program.
        interrupt::wait_for_exit();
    }
    status
}

/// Checks for options that need a COMMAND.
fn check(args: &Link) -> Result<(), Failure> {
    let option = match &args.program {
        _ if !args.command.is_empty() => return Ok(()),
        program if program.server.is_some() => "--server",
        program if !program.at.is_empty() => "--at",
        program if program.uplink != Uplink::None => "--uplink",
        _ => return Ok(()),
    };
    Err(Failure::Usage(format!(
        "{option} belongs to a COMMAND: add one, as in -- iperf3 -c server"
    )))
}
