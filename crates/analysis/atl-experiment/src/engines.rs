//! The engines that `--on` offers.

use atl_engine::{Engine, Engines, RegisterError};
use atl_quic::{Crypto, QuicSim};
use atl_sim::Sim;
#[cfg(target_os = "linux")]
use atl_sockets::{kernel::Kernel, quic::Quic, udp::Udp};

use crate::error::Error;

/// Name of the engine without `--on`.
pub const DEFAULT: &str = atl_scenario::repeat::USUAL_ENGINE;

#[cfg(target_os = "linux")]
const OURS: &[&dyn Engine] =
    &[&Sim, &Udp, &QuicSim::new(Crypto::Null), &QuicSim::new(Crypto::Tls), &Quic, &Kernel];

/// Those in real time need Linux.
#[cfg(not(target_os = "linux"))]
const OURS: &[&dyn Engine] = &[&Sim, &QuicSim::new(Crypto::Null), &QuicSim::new(Crypto::Tls)];

static ENGINES: Engines = Engines::new(OURS);

/// All engines that this program has.
pub fn all() -> &'static Engines {
    &ENGINES
}

/// Lets `--on` name these engines too, for the life of the process: all at once, and before one is
/// chosen. To register the same names again changes nothing.
///
/// # Errors
/// If a name is taken, or the engines have been asked for already.
pub fn register(engines: &[&'static dyn Engine]) -> Result<(), RegisterError> {
    ENGINES.register(engines)
}

/// The engines with these names.
///
/// # Errors
/// [`Error::Usage`] if a name is unknown or repeated.
pub fn choose(names: &[String]) -> Result<Vec<&'static dyn Engine>, Error> {
    all().choose(names).map_err(|bad| Error::Usage(format!("--on {}: {bad}", names.join(","))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_exists() {
        assert!(choose(&[DEFAULT.to_owned()]).is_ok());
    }
}
