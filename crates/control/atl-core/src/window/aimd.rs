//! The AIMD window that Reno, Westwood and TCP-ATL share (RFC 5681, sec. 3).

use core::num::NonZeroU32;

use super::{Ack, Loss, Start, Timeout};

/// Least ssthresh in packets (RFC 5681, eq. 4).
const MIN_SSTHRESH: f64 = 2.0;

/// Largest window in packets. It only keeps an endless run without loss finite: 10^12 packets of 1
/// KB a second are far above any link.
const MAX_WINDOW: f64 = 1e12;

/// The quantity of which beta is a share.
///
/// RFC 5681 (eq. 4) takes the data in flight; ns-2 and Linux take cwnd. At high loss rates, where
/// the window is seldom full, the choice changes throughput by up to 1.8 times. The default is
/// cwnd: the papers' results come from ns-2, it is the stronger baseline, and since a window here
/// grows only while it limits the sender, cwnd cannot run away from the data in flight, which the
/// RFC guards against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Halving {
    /// cwnd, as in ns-2 and Linux.
    #[default]
    Window,
    /// The packets in flight, as in RFC 5681.
    Flight,
}

/// The events that make a window grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Counting {
    /// Each acknowledged packet, at most two per ACK (RFC 3465 with L = 2). The model's b is then 1
    /// whatever the receiver does.
    #[default]
    Packets,
    /// Each ACK of new data, whatever it covers (RFC 5681's older way, and ns-2's): b counts.
    Acks,
}

impl Counting {
    /// Limit on the packets of one ACK that count (see
    /// [`WindowController::ack_limit`](super::WindowController::ack_limit)).
    pub(super) const fn limit(self) -> Option<NonZeroU32> {
        match self {
            Counting::Packets => NonZeroU32::new(2),
            Counting::Acks => None,
        }
    }

    /// Packets for which this ACK lets the window grow: the lesser of what arrived and what the
    /// cumulative point moved by. A duplicate ACK gives nothing (RFC 5681, sec. 3.1), and the ACK
    /// that closes a repaired hole counts what it newly shows, not the whole hole.
    #[inline]
    pub(super) fn packets(self, ack: &Ack) -> f64 {
        let limit = match self {
            Counting::Packets => 2,
            Counting::Acks => 1,
        };
        f64::from(ack.delivered.min(ack.cumulative).min(limit))
    }
}

/// cwnd and ssthresh, with the moves that RFC 5681 allows them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) cwnd: f64,
    pub(super) ssthresh: f64,
}

impl Window {
    pub(super) fn new(start: &Start) -> Self {
        // `max` turns NaN into the bound.
        Window {
            cwnd: 1.0f64.max(start.initial_window).min(MAX_WINDOW),
            ssthresh: MIN_SSTHRESH.max(start.ssthresh),
        }
    }

    /// Slow start below ssthresh, `alpha` packets per RTT above it. One acknowledged packet never
    /// adds more than one packet: no alpha, however large, outruns slow start
    /// (docs/protocols/atl.md).
    #[inline]
    pub(super) fn grow(&mut self, ack: &Ack, counting: Counting, alpha: f64) {
        let alpha = if self.cwnd < self.ssthresh { f64::INFINITY } else { alpha };
        self.avoid(ack, counting, alpha);
    }

    /// `alpha` packets per RTT whatever ssthresh is, for a controller that does not start by slow
    /// start.
    #[inline]
    pub(super) fn avoid(&mut self, ack: &Ack, counting: Counting, alpha: f64) {
        if !ack.window_limited || ack.in_recovery {
            return;
        }
        let step = (alpha / self.cwnd).min(1.0);
        self.cwnd = (self.cwnd + counting.packets(ack) * step).min(MAX_WINDOW);
    }

    /// One more packet, for other evidence than an ACK of data.
    pub(super) fn add_packet(&mut self) {
        self.cwnd = (self.cwnd + 1.0).min(MAX_WINDOW);
    }

    fn share(&self, beta: f64, halving: Halving, in_flight: u32) -> f64 {
        let whole = match halving {
            Halving::Window => self.cwnd,
            Halving::Flight => f64::from(in_flight),
        };
        (beta * whole).max(MIN_SSTHRESH)
    }

    /// A loss found by ACKs: RFC 5681, eq. 4. The sender inflates the window for duplicate ACKs.
    pub(super) fn reduce(&mut self, beta: f64, halving: Halving, loss: &Loss) {
        self.ssthresh = self.share(beta, halving, loss.in_flight);
        self.cwnd = self.ssthresh.min(self.cwnd);
    }

    /// The retransmission timer expired: back to one packet. ssthresh shrinks at the first of
    /// consecutive expiries only: the same segment is lost again (RFC 5681, sec. 3.1).
    pub(super) fn collapse(&mut self, beta: f64, halving: Halving, timeout: &Timeout) {
        if timeout.consecutive <= 1 {
            self.ssthresh = self.share(beta, halving, timeout.in_flight);
        }
        self.cwnd = 1.0;
    }

    /// Sets a measured ssthresh; never below two packets.
    pub(super) fn set_ssthresh(&mut self, packets: f64) {
        self.ssthresh = packets.clamp(MIN_SSTHRESH, MAX_WINDOW);
    }
}
