//! Events passed to controllers in Python. Times are in seconds of simulated time, counts in
//! packets.

use atl_core::time::{Span, Time};
use atl_core::window::{self, Detection};
use pyo3::prelude::*;

/// Seconds since the run began.
pub(crate) fn seconds(time: Time) -> f64 {
    time.since(Time::ZERO).secs()
}

fn measured(span: Span) -> Option<f64> {
    (!span.is_zero()).then(|| span.secs())
}

/// State of a connection at the start.
#[pyclass(frozen, get_all, module = "atl")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    /// Initial window in packets.
    initial_window: f64,
    /// Slow-start threshold in packets; infinite unless the path was probed beforehand.
    ssthresh: f64,
    /// Round-trip time in seconds, if measured beforehand.
    rtt: Option<f64>,
    /// Bytes of a full data packet on the wire, headers included.
    packet_bytes: u32,
    /// Rate of the sender's access link in bits per second, if the sender knows it.
    access_rate_bps: Option<f64>,
    /// The receiver's window in packets.
    receive_window: u32,
    /// Seed for random draws: the same seed must give the same draws.
    seed: u64,
}

impl From<&window::Start> for Start {
    fn from(start: &window::Start) -> Start {
        Start {
            initial_window: start.initial_window,
            ssthresh: start.ssthresh,
            rtt: start.rtt.map(Span::secs),
            packet_bytes: start.packet_bytes,
            access_rate_bps: start.access_rate.map(|rate| rate.bps()),
            receive_window: start.receive_window,
            seed: start.seed,
        }
    }
}

/// A data packet left the sender.
#[pyclass(frozen, get_all, module = "atl")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sent {
    /// Time of sending, in seconds.
    now: f64,
    /// Number of this transmission, from 0 without gaps; a retransmission has a number of its own.
    tx: u64,
    /// Bytes on the wire, headers included.
    bytes: u32,
    /// Packets in flight, this one included.
    in_flight: u32,
    /// True if the data was sent before.
    retransmission: bool,
    /// True if the application has no more data to send.
    app_limited: bool,
}

impl From<&window::Sent> for Sent {
    fn from(sent: &window::Sent) -> Sent {
        let window::Sent { now, tx, bytes, in_flight, retransmission, app_limited, .. } = *sent;
        Sent { now: seconds(now), tx, bytes, in_flight, retransmission, app_limited }
    }
}

/// The event of an ACK that arrived.
#[pyclass(frozen, get_all, module = "atl")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ack {
    /// Time of arrival, in seconds.
    now: f64,
    /// Number of packets newly reported as arrived, cumulatively or selectively.
    delivered: u32,
    /// Packets by which the cumulative ACK point moved.
    cumulative: u32,
    /// True for a duplicate ACK (RFC 5681, sec. 2).
    duplicate: bool,
    /// Number of the newest transmission reported as arrived.
    newest: Option<u64>,
    /// Time at which that was sent, in seconds.
    newest_sent: Option<f64>,
    /// Measured round-trip time in seconds; `None` if the transmission is ambiguous.
    rtt: Option<f64>,
    /// Smoothed RTT including this measurement (RFC 6298), in seconds; `None` before the first one.
    srtt: Option<f64>,
    /// Minimum RTT of the connection so far, in seconds; `None` before the first measurement.
    rtt_min: Option<f64>,
    /// Packets in flight after the ACK.
    in_flight: u32,
    /// True while the sender repairs losses, up to and including the ACK that ends the recovery.
    /// The window must not grow by AIMD.
    in_recovery: bool,
    /// True if the window, not the application, limited the sender since the previous ACK.
    /// Otherwise the window must not grow.
    window_limited: bool,
}

impl From<&window::Ack> for Ack {
    fn from(ack: &window::Ack) -> Ack {
        Ack {
            now: seconds(ack.now),
            delivered: ack.delivered,
            cumulative: ack.cumulative,
            duplicate: ack.duplicate,
            newest: ack.newest.map(|(tx, _)| tx),
            newest_sent: ack.newest.map(|(_, at)| seconds(at)),
            rtt: ack.rtt.map(Span::secs),
            srtt: measured(ack.srtt),
            rtt_min: measured(ack.rtt_min),
            in_flight: ack.in_flight,
            in_recovery: ack.in_recovery,
            window_limited: ack.window_limited,
        }
    }
}

/// Packets were found lost.
#[pyclass(frozen, get_all, module = "atl")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loss {
    /// Time of detection, in seconds.
    now: f64,
    /// Number of packets lost.
    packets: u32,
    /// Number of those that the sender's own wireless link reported as failed, so not lost to
    /// congestion.
    link_failures: u32,
    /// Transmission number of the newest lost packet.
    tx: u64,
    /// True for the first loss of an episode; a window shrinks once per episode.
    new_episode: bool,
    /// True if the retransmission timer detected the loss; `on_timeout` follows.
    by_timeout: bool,
    /// Packets in flight before the detection.
    in_flight: u32,
}

impl From<&window::Loss> for Loss {
    fn from(loss: &window::Loss) -> Loss {
        Loss {
            now: seconds(loss.now),
            packets: loss.packets,
            link_failures: loss.link_failures,
            tx: loss.tx,
            new_episode: loss.new_episode,
            by_timeout: loss.detection == Detection::Timeout,
            in_flight: loss.in_flight,
        }
    }
}

/// Routers marked packets as having met congestion (ECN).
#[pyclass(frozen, get_all, module = "atl")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marked {
    /// When that became known, in seconds.
    now: f64,
    /// Marked packets, as far as the host knows.
    packets: u32,
    /// The newest transmission that is known to have arrived.
    tx: u64,
    /// It is the first sign of congestion in a round trip.
    new_episode: bool,
    /// Packets in flight.
    in_flight: u32,
}

impl From<&window::Marked> for Marked {
    fn from(marked: &window::Marked) -> Marked {
        let window::Marked { now, packets, tx, new_episode, in_flight, .. } = *marked;
        Marked { now: seconds(now), packets, tx, new_episode, in_flight }
    }
}

/// The retransmission timer expired.
#[pyclass(frozen, get_all, module = "atl")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeout {
    /// Time of expiry, in seconds.
    now: f64,
    /// Packets in flight before the expiry.
    in_flight: u32,
    /// Number of successive timeouts, including this one: 1 for the first after an ACK of new data.
    consecutive: u32,
}

impl From<&window::Timeout> for Timeout {
    fn from(timeout: &window::Timeout) -> Timeout {
        let window::Timeout { now, in_flight, consecutive, .. } = *timeout;
        Timeout { now: seconds(now), in_flight, consecutive }
    }
}
