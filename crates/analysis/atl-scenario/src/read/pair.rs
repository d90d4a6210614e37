//! The flow in the other direction of a connection.

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_engine::setup::{FlowMobile, FlowSetup, Path, Tcp};

/// The flow that carries the answers of the application of `flow`, with its parameters, over the
/// same links in the other direction. `local` gives what depends on the links that it begins with:
/// the rate of its access link that the host knows, and the delay of packets in the host.
pub(super) fn answers(
    flow: &FlowSetup,
    local: impl FnOnce(&[Path]) -> (Option<Rate>, Span),
) -> FlowSetup {
    let turned = |path: &Path| Path { forward: path.back.clone(), back: path.forward.clone() };
    let paths: Vec<Path> = flow.paths.iter().map(turned).collect();
    let (access_rate, overhead) = local(&paths);
    FlowSetup {
        name: format!("{}.back", flow.name),
        group: format!("{}.back", flow.group),
        mobile: flow.mobile.map(|mobile| FlowMobile { sends: !mobile.sends, ..mobile }),
        paths,
        overhead,
        // There is one handshake in a connection, before the first request.
        tcp: Tcp { access_rate, handshake: false, ..flow.tcp.clone() },
        // It begins with the first answer.
        start_jitter: Span::ZERO,
        ..flow.clone()
    }
}
