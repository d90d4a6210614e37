//! Senders for the unit tests of this module.

use super::params::Tcp;
use super::recovery::Recovery;
use crate::app::Source;
use atl_core::time::Time;
use atl_core::window::{ControllerConfig, Start, reno};
use atl_link::random::Stream;

use super::sender::{Outgoing, Sender};
use crate::app::App;

/// A Reno controller with its default parameters.
pub(super) fn reno() -> ControllerConfig {
    ControllerConfig::from(reno::Config::default())
}

/// A sender whose connection has just started.
pub(super) fn sender(
    controller: &ControllerConfig,
    recovery: Recovery,
    initial_window: f64,
    source: &Source,
) -> Sender {
    let tcp = Tcp { segment: 1000, header: 40, initial_window, ..Tcp::default() };
    let controller = controller.build(
        &Start::default()
            .initial_window(initial_window)
            .packet_bytes(tcp.segment + tcp.header)
            .receive_window(tcp.receive_window)
            .seed(1),
    );
    let app = App::new(source, tcp.segment, Time::ZERO, Stream::new(1, "app"));
    Sender::new(recovery, controller, &tcp, app)
}

/// Sends what may go out now, and returns the data segments.
pub(super) fn send(sender: &mut Sender, now: Time) -> Vec<u64> {
    std::iter::from_fn(|| sender.poll_send(now))
        .filter_map(|out| match out {
            Outgoing::Data { seq, .. } => Some(seq),
            _ => None,
        })
        .collect()
}
