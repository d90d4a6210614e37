//! The kernel's congestion controls, and the protocols that stand for them.

use std::fs;

use atl_core::window::{ControllerConfig, cubic, reno, vegas, westwood};
use atl_engine::protocol::{Recovery, TcpProtocol};

/// The kernel's list of the congestion controls that it has loaded.
const AVAILABLE: &str = "/proc/sys/net/ipv4/tcp_available_congestion_control";

/// The kernel's name for the congestion control that a protocol is.
///
/// # Errors
/// The reason why no congestion control of the kernel is this protocol, as a gap says it.
pub(super) fn name(tcp: &TcpProtocol) -> Result<&'static str, &'static str> {
    if tcp.freeze.is_some() {
        return Err("the kernel's TCP cannot be frozen: use the engine `sim`");
    }
    if matches!(tcp.recovery, Recovery::None | Recovery::GoBackN) {
        return Err("the kernel repairs losses with SACK and RACK-TLP: use the engine `sim`");
    }
    of_controller(&tcp.controller)
}

fn of_controller(config: &ControllerConfig) -> Result<&'static str, &'static str> {
    let given = |default: bool, name| match default {
        true => Ok(name),
        false => Err("the kernel's parameters are fixed: leave them out, or use the engine `sim`"),
    };
    if let Some(cubic) = config.get::<cubic::Config>() {
        let unpaced = cubic::Config { pacing: cubic.pacing, ..cubic::Config::default() };
        given(*cubic == unpaced, "cubic")
    } else if let Some(reno) = config.get::<reno::Config>() {
        given(*reno == reno::Config::default(), "reno")
    } else if let Some(vegas) = config.get::<vegas::Config>() {
        given(*vegas == vegas::Config::default(), "vegas")
    } else if let Some(westwood) = config.get::<westwood::Config>() {
        given(*westwood == westwood::Config::default(), "westwood")
    } else {
        Err("it stands for no congestion control of the kernel (cubic, reno, vegas and westwood \
             are): use the engine `sim`")
    }
}

/// True if this kernel lists a congestion control: it has it built in or loaded.
pub(super) fn is_available(name: &str) -> bool {
    available().split_whitespace().any(|known| known == name)
}

/// The congestion controls that this kernel has, as it lists them.
pub(super) fn available() -> String {
    fs::read_to_string(AVAILABLE).unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn protocol(controller: impl Into<ControllerConfig>, recovery: Recovery) -> TcpProtocol {
        TcpProtocol { recovery, controller: controller.into(), freeze: None }
    }

    #[test]
    fn renos_of_any_recovery_are_the_kernels_reno() {
        for recovery in [Recovery::Reno, Recovery::NewReno, Recovery::Sack, Recovery::Rack] {
            assert_eq!(name(&protocol(reno::Config::default(), recovery)), Ok("reno"));
        }
        let cubic = cubic::Config { pacing: false, ..cubic::Config::default() };
        assert_eq!(name(&protocol(cubic, Recovery::Rack)), Ok("cubic"));
    }

    #[test]
    fn other_parameters_and_other_laws_are_refused_with_a_reason() {
        let odd = reno::Config { beta: 0.7, ..reno::Config::default() };
        assert!(name(&protocol(odd, Recovery::Sack)).is_err_and(|why| why.contains("fixed")));
        let atl = atl_core::window::atl::Config::default();
        assert!(name(&protocol(atl, Recovery::Sack)).is_err_and(|why| why.contains("cubic, reno")));
        let without = protocol(reno::Config::default(), Recovery::GoBackN);
        assert!(name(&without).is_err_and(|why| why.contains("RACK")));
    }
}
