//! What a controller in Python is told. Times are in seconds of simulated time, counts in packets.

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

/// What a controller knows of its connection at the start.
#[pyclass(frozen, get_all, module = "atl")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    /// Initial window in packets.
    initial_window: f64,
    /// Slow-start threshold in packets; infinite unless the path was probed beforehand.
    ssthresh: f64,
    /// Round-trip time in seconds, where it was measured beforehand.
    rtt: Option<f64>,
    /// Bytes of a full data packet on the wire, headers included.
    packet_bytes: u32,
    /// Rate of the sender's access link in bits per second, if the host knows it.
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
    /// When it left, in seconds.
    now: f64,
    /// Number of this transmission, from 0 without gaps; a retransmission has a number of its own.
    tx: u64,
    /// Bytes on the wire, headers included.
    bytes: u32,
    /// Packets in flight, this one included.
    in_flight: u32,
    /// It carries data that was sent before.
    retransmission: bool,
    /// The application has no more data to send.
    app_limited: bool,
}

impl From<&window::Sent> for Sent {
    fn from(sent: &window::Sent) -> Sent {
        let window::Sent { now, tx, bytes, in_flight, retransmission, app_limited, .. } = *sent;
        Sent { now: seconds(now), tx, bytes, in_flight, retransmission, app_limited }
    }
}

/// An acknowledgment arrived.
#[pyclass(frozen, get_all, module = "atl")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ack {
    /// When it arrived, in seconds.
    now: f64,
    /// Packets that it newly shows to have arrived, cumulatively or selectively.
    delivered: u32,
    /// Packets by which the cumulative ACK point moved.
    cumulative: u32,
    /// It is a duplicate ACK (RFC 5681, sec. 2).
    duplicate: bool,
    /// Number of the newest transmission that it shows to have arrived.
    newest: Option<u64>,
    /// When that was sent, in seconds.
    newest_sent: Option<f64>,
    /// Round-trip time that it measures, in seconds; `None` where the transmission is ambiguous.
    rtt: Option<f64>,
    /// Smoothed RTT after it (RFC 6298), in seconds; `None` before the first measurement.
    srtt: Option<f64>,
    /// Minimum RTT of the connection so far, in seconds; `None` before the first measurement.
    rtt_min: Option<f64>,
    /// Packets in flight after it.
    in_flight: u32,
    /// The sender repairs losses: the window must not grow by AIMD. Still true for the ACK that ends the recovery.
    in_recovery: bool,
    /// The window, and not the application, limited the sender since the ACK before. A window must not grow otherwise.
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
    /// When, in seconds.
    now: f64,
    /// How many.
    packets: u32,
    /// How many of them the sender's own wireless link reported as failed: certainly not lost to congestion.
    link_failures: u32,
    /// The newest of them.
    tx: u64,
    /// It is the first loss of an episode: a window shrinks once per episode.
    new_episode: bool,
    /// The retransmission timer found it; `on_timeout` follows.
    by_timeout: bool,
    /// Packets in flight before it was found.
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

/// The retransmission timer expired.
#[pyclass(frozen, get_all, module = "atl")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeout {
    /// When, in seconds.
    now: f64,
    /// Packets in flight before it expired.
    in_flight: u32,
    /// Timeouts in a row, this one included: 1 for the first after an ACK of new data.
    consecutive: u32,
}

impl From<&window::Timeout> for Timeout {
    fn from(timeout: &window::Timeout) -> Timeout {
        let window::Timeout { now, in_flight, consecutive, .. } = *timeout;
        Timeout { now: seconds(now), in_flight, consecutive }
    }
}
