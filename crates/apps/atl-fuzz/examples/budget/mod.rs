//! The options that a round and a swarm share.

use std::time::Duration;

use clap::Args;

/// When it ends, and its cases: case k has the number `seed` + k.
#[derive(Args)]
pub(crate) struct Budget {
    /// Time on the wall clock, such as 20s or 1h
    #[arg(long, value_parser = time)]
    pub(crate) time: Option<Duration>,
    /// Seed of the first case; each case has the next one
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Cases at most
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true)]
    pub(crate) cases: u64,
}

fn time(text: &str) -> Result<Duration, String> {
    atl_scenario::units::time(text).map(|time| Duration::from_nanos(time.nanos()))
}
