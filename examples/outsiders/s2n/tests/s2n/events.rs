//! Events as the tests of this folder write them.

use atl_core::time::{Span, Time};
use atl_core::window::{Ack, Detection, Loss};

pub(crate) fn ack(
    now: Time,
    delivered: u32,
    newest: Option<(u64, Time)>,
    rtt: Option<Span>,
    in_flight: u32,
) -> Ack {
    Ack::new(now)
        .delivered(delivered)
        .cumulative(delivered)
        .newest(newest)
        .rtt(rtt)
        .srtt(rtt.unwrap_or(Span::ZERO))
        .rtt_min(rtt.unwrap_or(Span::ZERO))
        .in_flight(in_flight)
}

pub(crate) fn loss(now: Time, tx: u64, packets: u32, in_flight: u32, detection: Detection) -> Loss {
    Loss::new(now, tx, packets, in_flight).packets(packets).detection(detection)
}
