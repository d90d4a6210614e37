//! The kernel's congestion controls, and the protocols that stand for them.

use std::fs;

use atl_core::window::{ControllerConfig, cubic, reno, vegas, westwood};
use atl_engine::protocol::{Recovery, TcpProtocol, Transport};
use atl_engine::setup::FlowSetup;

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
    match namesake(config) {
        Some((name, true)) => Ok(name),
        Some((_, false)) => {
            Err("the kernel's parameters are fixed: leave them out, or use the engine `sim`")
        }
        None => Err("it stands for no congestion control of the kernel (cubic, reno, vegas and \
                     westwood are): use the engine `sim`"),
    }
}

/// True if the protocol paces: Linux does so only where it is asked for.
pub(super) fn is_paced(tcp: &TcpProtocol) -> bool {
    tcp.controller.get::<cubic::Config>().is_some_and(|cubic| cubic.pacing)
}

/// Linux's congestion control of the same law, and whether the law's parameters are those of Linux.
fn namesake(config: &ControllerConfig) -> Option<(&'static str, bool)> {
    if let Some(cubic) = config.get::<cubic::Config>() {
        let unpaced = cubic::Config { pacing: cubic.pacing, ..cubic::Config::default() };
        Some(("cubic", *cubic == unpaced))
    } else if let Some(reno) = config.get::<reno::Config>() {
        Some(("reno", *reno == reno::Config::default()))
    } else if let Some(vegas) = config.get::<vegas::Config>() {
        Some(("vegas", *vegas == vegas::Config::default()))
    } else if let Some(westwood) = config.get::<westwood::Config>() {
        Some(("westwood", *westwood == westwood::Config::default()))
    } else {
        None
    }
}

/// True of a flow with a window that Linux has no congestion control for: it runs over QUIC, beside
/// the kernel's. A law of the kernel never does, whatever its parameters.
pub(super) fn is_over_quic(flow: &FlowSetup) -> bool {
    match &flow.protocol.transport {
        Transport::Tcp(tcp) => tcp.freeze.is_none() && namesake(&tcp.controller).is_none(),
        Transport::Quic(_) => true,
        Transport::Paced(_) => false,
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
        for pacing in [false, true] {
            let cubic = cubic::Config { pacing, ..cubic::Config::default() };
            let cubic = protocol(cubic, Recovery::Rack);
            assert_eq!((name(&cubic), is_paced(&cubic)), (Ok("cubic"), pacing));
        }
        assert!(!is_paced(&protocol(reno::Config::default(), Recovery::Rack)));
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
