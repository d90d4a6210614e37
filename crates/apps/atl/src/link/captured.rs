//! The files of `--pcap`.

use std::path::PathBuf;

use atl_net::capture::{Capture, Writer};
use atl_net::clock::Clock;

use crate::args::LinkRunning;
use crate::failure::Failure;

/// Starts capturing the packets of these hosts, each in its own file, if `--pcap` was given.
///
/// # Errors
/// If a file cannot be created.
pub(super) fn start<'a>(
    hosts: impl IntoIterator<Item = &'a str>,
    options: &LinkRunning,
    clock: Clock,
) -> Result<(Option<Capture>, Option<Writer>), Failure> {
    let Some(prefix) = &options.pcap else { return Ok((None, None)) };
    let files = hosts.into_iter().map(|host| PathBuf::from(format!("{prefix}-{host}.pcap")));
    let started = Capture::start(files, clock);
    let (capture, writer) = started
        .map_err(|error| Failure::Runtime(format!("cannot write {prefix}-*.pcap: {error}")))?;
    Ok((Some(capture), Some(writer)))
}

/// Waits until all is written. Returns the number of packets left out.
///
/// # Errors
/// If a file could not be written to.
pub(super) fn finish(writer: Option<Writer>) -> Result<u64, Failure> {
    let left_out = writer.map(Writer::finish).transpose();
    let failed = |error| Failure::Runtime(format!("cannot write the captured packets: {error}"));
    left_out.map(Option::unwrap_or_default).map_err(failed)
}
