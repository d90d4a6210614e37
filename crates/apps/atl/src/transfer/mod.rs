//! The commands `atl send` and `atl recv`.

mod congestion;
mod destination;
mod link_info;
mod pipe;
mod record;
mod recv;
mod send;
mod show;
#[cfg(unix)]
pub(crate) mod wipe;

use std::future::Future;
use std::path::Path;
use std::time::Duration;

use atl_engine::Cancel;
use atl_transfer::Error;

use crate::failure::Failure;

pub(crate) use recv::recv;
pub(crate) use send::send;

/// Interval of checks for an interrupt.
const LOOK: Duration = Duration::from_millis(20);

/// Completes when the program is to stop.
async fn cancelled(cancel: &Cancel) {
    while !cancel.is_cancelled() {
        tokio::time::sleep(LOOK).await;
    }
}

/// Runs a future of a transfer.
fn run<T>(future: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime =
        runtime.map_err(|error| Failure::Runtime(format!("cannot start threads: {error}")))?;
    let done = runtime.block_on(future);
    // Pending reads and writes of files must not delay the end.
    runtime.shutdown_background();
    Ok(done)
}

/// The word to those who ask a program without qlogs of QUIC for one.
pub(crate) const WITHOUT_QLOG: &str = "this program was built without qlogs, which slow QUIC down; build one with \
     `cargo build --release -p atl --features qlog`, or take a package (docs/install.md)";

/// Creates the folder for qlogs.
fn qlog(folder: Option<&Path>) -> Result<(), Failure> {
    let Some(folder) = folder else { return Ok(()) };
    if !cfg!(feature = "qlog") {
        return Err(Failure::Usage(WITHOUT_QLOG.to_owned()));
    }
    std::fs::create_dir_all(folder).map_err(|error| Failure::file("create", folder, &error))
}

fn failure(error: &Error) -> Failure {
    match error {
        Error::Source(what) => Failure::Usage(what.clone()),
        other => Failure::Runtime(other.to_string()),
    }
}
