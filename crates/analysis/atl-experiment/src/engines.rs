//! The engines that `--on` offers.

use std::sync::LazyLock;

use atl_engine::{Engine, Engines};
use atl_quic::{Crypto, QuicSim};
use atl_sim::Sim;
use atl_sockets::quic::Quic;
use atl_sockets::udp::Udp;

use crate::error::Error;

/// Name of the engine without `--on`.
pub const DEFAULT: &str = atl_scenario::repeat::USUAL_ENGINE;

static ENGINES: LazyLock<Engines> = LazyLock::new(|| {
    Engines::new(vec![
        Box::new(Sim),
        Box::new(Udp),
        Box::new(QuicSim::new(Crypto::Null)),
        Box::new(QuicSim::new(Crypto::Tls)),
        Box::new(Quic),
    ])
});

/// All engines that this program has.
pub fn all() -> &'static Engines {
    &ENGINES
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
