//! `atl link`: real packets over the links of a scenario.

mod network;
mod proxy;
mod record;
mod running;
mod save;
mod summary;
mod watcher;

use crate::args::Link;
use crate::failure::Failure;
use crate::interrupt;
use crate::status::Status;
use network::Network;

/// Runs links in real time until their time is over or the program is interrupted.
///
/// # Errors
/// If the scenario or the options are wrong, an address cannot be had, or the links of the scenario are nothing for real
/// packets.
pub(crate) fn link(args: &Link) -> Result<Status, Failure> {
    let network = Network::open(args)?;
    if let Some(path) = &args.one.save {
        save::save(path, &args.one)?;
    }
    let (status, interrupted) = interrupt::cancellable(|cancel| {
        let status = proxy::run(&network, args, cancel);
        (status, cancel.is_cancelled())
    });
    if interrupted {
        if let Err(failure) = &status {
            crate::complaint::report(failure);
        }
        // The summary has been shown; the signal's handler ends the program.
        interrupt::wait_for_exit();
    }
    status
}
