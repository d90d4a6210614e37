//! A flow's parameters as those of a QUIC connection.

use std::sync::Arc;
use std::time::Duration;

use atl_engine::setup::FlowSetup;
use atl_noq::roaming::Config;
use noq_proto::congestion::NewRenoConfig;
use noq_proto::{AckFrequencyConfig, TransportConfig, VarInt};

use crate::controllers::SharedFactory;

/// Bytes of the headers of UDP and IPv4.
pub const BELOW_QUIC: u32 = 28;
/// The least that a path must carry (RFC 9000, sec. 14), in bytes of UDP payload.
pub(crate) const LEAST_MTU: u32 = 1200;
/// Bytes that the application may always write ahead of what is acknowledged, however small the
/// receive window is.
const LEAST_BUFFER: u64 = 1 << 16;

/// Bytes of UDP payload in a full packet: it is as long on the wire as a full packet of the
/// scenario's. `None` if that is too short for QUIC, or too long for UDP.
pub fn mtu(flow: &FlowSetup) -> Option<u16> {
    let payload = (flow.tcp.segment + flow.tcp.header).checked_sub(BELOW_QUIC)?;
    u16::try_from(payload).ok().filter(|mtu| (LEAST_MTU..=65_527).contains(&u32::from(*mtu)))
}

/// Settings of both ends: no choice depends on a clock, on guesses about the path or on batches of
/// the operating system.
fn common(mtu: u16) -> TransportConfig {
    let mut config = TransportConfig::default();
    config
        .initial_mtu(mtu)
        .min_mtu(mtu)
        .mtu_discovery_config(None)
        .max_idle_timeout(None)
        // Draws whether to spin the bit.
        .allow_spin(false)
        // Datagrams are handed over one by one: in batches they would leave at the same instant.
        .enable_segmentation_offload(false);
    config
}

/// The sender's side.
pub fn sender(flow: &FlowSetup, mtu: u16, controllers: SharedFactory) -> TransportConfig {
    let window = window(flow, mtu);
    let mut config = common(mtu);
    config
        .send_window(window.max(LEAST_BUFFER))
        .ack_frequency_config(Some(acknowledgments(flow.tcp.delayed_ack.map(Duration::from))))
        .congestion_controller_factory(controllers);
    config
}

/// The receiver's side. It sends acknowledgments and reports: its own congestion control is never
/// at its limit.
pub fn receiver(flow: &FlowSetup, mtu: u16) -> TransportConfig {
    let window = VarInt::from_u64(window(flow, mtu)).unwrap_or(VarInt::MAX);
    let mut config = common(mtu);
    config
        .stream_receive_window(window)
        .receive_window(window)
        .congestion_controller_factory(Arc::new(NewRenoConfig::default()));
    config
}

/// The same for an end that roams: several paths, and windows that they permit.
pub(crate) fn roaming(
    mut config: TransportConfig,
    roams: &Config,
    flow: &FlowSetup,
    mtu: u16,
) -> TransportConfig {
    roams.prepare(&mut config);
    let window = window(flow, mtu).min(Config::STREAM_WINDOW.into());
    // At most 2^21.
    config.stream_receive_window(VarInt::from_u64(window).unwrap_or(VarInt::MAX));
    config
}

/// The receive window in bytes.
fn window(flow: &FlowSetup, mtu: u16) -> u64 {
    u64::from(flow.tcp.receive_window) * u64::from(mtu)
}

/// Sets the acknowledgments that the sender asks for (QUIC's ACK frequency extension): every packet
/// at once, or every second one and the last one after `delayed`, as the setup says for TCP.
fn acknowledgments(delayed: Option<Duration>) -> AckFrequencyConfig {
    let mut config = AckFrequencyConfig::default();
    let packets: u32 = if delayed.is_some() { 1 } else { 0 };
    config
        .ack_eliciting_threshold(packets.into())
        .max_ack_delay(delayed)
        // As without the extension: a packet out of order is acknowledged at once.
        .reordering_threshold(VarInt::from_u32(1));
    config
}
