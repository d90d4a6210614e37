//! A run of the kernel's TCP, or the reason why there is none.

use atl_engine::Stopped;
use atl_net::tun::Error;
use serde::Serialize;

/// The reason why kernel TCP is not measured.
#[derive(Debug)]
pub enum NoKernel {
    /// This machine does not allow it: no root, no TUN devices, no such congestion control.
    NotHere(String),
    /// A run failed or was cancelled.
    Stopped(Stopped),
}

impl From<Stopped> for NoKernel {
    fn from(stopped: Stopped) -> NoKernel {
        NoKernel::Stopped(stopped)
    }
}

impl From<Error> for NoKernel {
    fn from(error: Error) -> NoKernel {
        match error {
            Error::NotAllowed { .. } | Error::NoTun => NoKernel::NotHere(error.to_string()),
            other => NoKernel::Stopped(Stopped::Failed(Box::new(other))),
        }
    }
}

/// A run of the kernel's TCP.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KernelRun {
    /// Seed of the links.
    pub seed: u64,
    /// Bytes that the receiving program read after the warm-up, in bits per second.
    pub goodput_bps: f64,
    /// Lateness of departures, 90 % quantile, in seconds.
    pub late_p90_s: f64,
    /// Share of packets that left later than a packet time.
    pub late_share: f64,
    /// True if the emulator kept time and read every packet: only such runs count.
    pub trusted: bool,
}
