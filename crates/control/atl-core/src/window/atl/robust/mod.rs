//! TCP-ATL robust: the law that this project recommends. It takes the knowledge of the wireless
//! link from TCP-ATL, the growth of the window from CUBIC, and keeps queues short where it can.
//!
//! Sources: RFC 9438 (CUBIC), RFC 9406 (HyStart++), Akan and Akyildiz, ATL (2004), eq. 7 and 9;
//! H-TCP (Leith and Shorten, 2004) for a beta that follows the delay; Swift (Kumar et al., SIGCOMM
//! 2020) for a delay target that falls with the root of the window. docs/protocols/atl-robust.md
//! has the equations with what they were measured to do; the parameters are at [`Config`].
//!
//! - **Losses.** Those that the sender's own MAC marked change nothing. Any other is congestion:
//!   once per window the sender keeps beta of it, the share that empties the queue, RTTmin/RTTmax
//!   of the round trip, between 0.7 and 0.75.
//! - **Growth** is CUBIC's, with C scaled by (1 - beta)/0.3, so that the time back to the old
//!   window is CUBIC's own (`curve.rs`). Nothing is faster than slow start.
//! - **Reports.** Loss that the receiver's link reports, or the own link without marking it, raises
//!   the alpha of the Reno-friendly region to that of eq. 9, with the bounds on claims of
//!   [`crate::path`]. d_w alone raises nothing: the cubic curve does not depend on the RTT. Without
//!   reports the law is CUBIC with a gentler beta.
//! - **Queues.** If the least RTT of a round trip is more than RTTmin/sqrt(cwnd), and 4 ms, above
//!   RTTmin, the window falls by just that queue (`brake.rs`). If others fill it again, the window
//!   is taken back, and delay ignored for 10 to 80 s.
//! - **Draining.** If no RTT has been near RTTmin for 10 s and 50 RTTmin, half of the window is
//!   sent for a round trip, so that flows which began on that queue see the path without it
//!   (`drain.rs`).
//! - **Slow start** ends when eight packets in a row waited longer than that, when the delivery
//!   rate has not grown by a quarter for three round trips, or at a loss. After a loss the window
//!   becomes 0.95 of what the path was found to deliver in RTTmin (`judge.rs`).
//! - **Pacing**: 1.2 windows per SRTT, 2 in slow start, and no faster than the access link if its
//!   rate is known: queues of five packets leave no room for bursts.
//! - **Handoffs.** After one of its own the sender probes the new network by slow start from the
//!   window that it has. After one that the receiver claims it only measures anew.
//! - **Timeouts** keep 0.7; all, if only marked losses were found. If the next packet that arrives
//!   left before the timer expired, the path never stopped delivering, and the timeout was a loss
//!   like others.

mod adapt;
mod bounds;
mod brake;
mod config;
mod curve;
mod drain;
mod judge;
mod moves;
mod rounds;
mod start;

pub use config::Config;

use core::num::NonZeroU32;

use self::bounds::{LARGEST_WINDOW, LEAST_WINDOW};
use self::brake::Brake;
use self::curve::{Curve, friendly_alpha};
use self::drain::Drain;
use self::rounds::Rounds;
use crate::measure::Counts;
use crate::model::{Adaptation, TcpModel};
use crate::path::{End, LinkReport, PathView};
use crate::time::{Span, Time};
use crate::units::Rate;
use crate::window::pace::Pace;
use crate::window::{
    Ack, Aimd, Counting, Detection, Handoff, Loss, Quench, Sent, Start, Timeout, WindowController,
};

/// A window that grows like CUBIC's, spares the losses of its own link, and gives way to its own
/// queue.
#[derive(Clone, Debug)]
pub struct TcpAtlRobust {
    config: Config,
    model: TcpModel,
    /// Rate of the access link in packets per second, which T_hat cannot exceed.
    cap: Option<f64>,
    packet_bytes: u32,
    cwnd: f64,
    ssthresh: f64,
    curve: Curve,
    brake: Brake,
    drain: Drain,
    pace: Pace,
    rounds: Rounds,
    path: PathView,
    /// The adaptation to reported losses that were not marked.
    adaptation: Option<Adaptation>,
    /// The beta of the last loss.
    beta: f64,
    next_update: Time,
    /// First transmission after the last reduction: losses before it belong to the same event.
    reduced_tx: u64,
    /// A timeout found a loss that the MAC had not marked.
    unmarked_timeout: bool,
    /// The window collapsed before this transmission, and nothing has arrived since.
    collapsed: Option<u64>,
    /// The rate of the last round of slow start that grew by a quarter, in packets per second, and
    /// the rounds since.
    full_rate: f64,
    full_rounds: u32,
    /// Losses ended slow start, and the round trip that shows the path's capacity is not over.
    settling: bool,
    /// Least growth of an exploring window, in packets per round trip.
    stride: f64,
    /// The last reduction was the brake's, without a loss nearby.
    by_delay: bool,
    /// Time of the last congestion loss that ACKs found.
    lost_at: Option<Time>,
}

impl TcpAtlRobust {
    /// A window at the start of a connection.
    pub fn new(config: &Config, start: &Start) -> Self {
        let rate = start.access_rate.filter(|_| config.pace_at_access_rate);
        let least = rate.map_or(Span::ZERO, |rate| rate.time_for(start.packet_bytes.into()));
        let b = match config.counting {
            Counting::Packets => 1.0,
            Counting::Acks => start.acked_per_ack,
        };
        TcpAtlRobust {
            model: TcpModel { b, ..TcpModel::default() },
            cap: start.access_rate.map(|rate| rate.packets_per_sec(start.packet_bytes.max(1))),
            packet_bytes: start.packet_bytes,
            cwnd: 1.0f64.max(start.initial_window).min(LARGEST_WINDOW),
            ssthresh: LEAST_WINDOW.max(start.ssthresh),
            curve: Curve::new(),
            brake: Brake::new(),
            drain: Drain::new(),
            pace: Pace::new(least),
            rounds: Rounds::new(),
            path: PathView::new(config.view()),
            adaptation: None,
            beta: config.largest_beta,
            next_update: Time::ZERO,
            reduced_tx: 0,
            unmarked_timeout: false,
            collapsed: None,
            full_rate: 0.0,
            full_rounds: 0,
            settling: false,
            stride: 0.0,
            by_delay: false,
            lost_at: None,
            config: config.clone(),
        }
    }
}

impl WindowController for TcpAtlRobust {
    #[inline]
    fn on_sent(&mut self, sent: &Sent) {
        self.path.on_sent(sent.tx);
        if f64::from(sent.in_flight) > self.cwnd + 1.0 {
            // It was sent beyond the window, behind the excess packets: its loss would be part of
            // the same event.
            self.reduced_tx = self.path.next();
        }
        self.pace.on_sent(sent.now, self.rate());
    }

    #[inline]
    fn on_ack(&mut self, ack: &Ack) {
        let newest = ack.newest.map(|(tx, _)| tx);
        if self.path.is_fresh(newest) {
            if ack.delivered > 0 {
                let delivered = u64::from(ack.delivered);
                self.path.record(ack.now, Counts { delivered, ..Counts::default() });
            }
            if let Some(rtt) = ack.rtt {
                self.path.on_rtt(rtt, 1);
                if self.ssthresh.is_infinite() {
                    self.on_start_rtt(ack.now, rtt);
                }
                self.drain_queue(ack.now, newest, rtt);
            }
            if let Some(rtt) = ack.rtt {
                self.path.on_evidence(ack.now, rtt);
            }
            let next = self.path.next();
            let srtt = self.path.srtt().unwrap_or(ack.srtt);
            let round = self.rounds.on_ack(ack.now, ack.delivered, newest, ack.rtt, srtt, next);
            if let Some(round) = round {
                self.on_round(ack.now, &round);
            }
        }
        if ack.delivered > 0
            && let Some(since) = self.collapsed.take()
        {
            self.on_first_arrival(newest, since);
        }
        if ack.now >= self.next_update {
            self.update(ack.now);
        }
        // In recovery, only losses that reduced the window hold its growth.
        if ack.in_recovery && newest.is_none_or(|tx| tx < self.reduced_tx) {
            return;
        }
        if !self.drain.is_under_way() {
            self.grow(ack);
        }
    }

    fn on_loss(&mut self, loss: &Loss) {
        self.path.on_loss();
        if self.path.is_current(loss.tx) {
            let counts = Counts {
                delivered: 0,
                lost: u64::from(loss.packets),
                link_failures: u64::from(loss.link_failures),
            };
            self.path.record(loss.now, counts);
            self.rounds.on_link_failures(loss.link_failures);
            if loss.detection == Detection::Acks && loss.packets > loss.link_failures {
                self.path.on_evident_loss();
            }
        }
        let unmarked = loss.packets > loss.link_failures;
        if loss.detection == Detection::Timeout {
            self.unmarked_timeout |= unmarked;
        } else if unmarked && loss.tx >= self.reduced_tx {
            self.update(loss.now);
            self.reduce(loss.now);
        }
    }

    fn on_timeout(&mut self, timeout: &Timeout) {
        self.update(timeout.now);
        let unmarked = core::mem::take(&mut self.unmarked_timeout);
        let spared = self.path.is_marked() && !unmarked;
        self.collapse(timeout, if spared { 1.0 } else { self.config.least_beta });
    }

    fn on_quench(&mut self, quench: &Quench) {
        self.update(quench.now);
        let Quench { now, in_flight } = *quench;
        self.collapse(&Timeout::new(now, in_flight), self.config.least_beta);
    }

    fn on_link_report(&mut self, now: Time, report: &LinkReport) {
        if self.path.on_link_report(report) {
            self.update(now);
        }
    }

    fn on_peer_report(&mut self, now: Time, report: &LinkReport) {
        if self.path.on_peer_report(now, report) {
            self.update(now);
        }
    }

    fn listens(&self) -> bool {
        true
    }

    fn on_handoff(&mut self, handoff: &Handoff) {
        if self.path.on_handoff(handoff) {
            self.rounds.forget(self.path.next());
            self.drain.restart(handoff.now);
            if handoff.end == End::Own {
                self.ssthresh = f64::INFINITY;
                self.full_rate = 0.0;
                self.full_rounds = 0;
                self.curve.restart();
            }
        }
        self.update(handoff.now);
    }

    #[inline]
    fn window(&self) -> f64 {
        self.cwnd
    }

    #[inline]
    fn ssthresh(&self) -> f64 {
        self.ssthresh
    }

    #[inline]
    fn release_at(&self) -> Option<Time> {
        self.config.pace.map(|_| self.pace.next())
    }

    fn pacing_rate(&self) -> Option<Rate> {
        self.rate().map(|rate| Rate::from_bytes_per_sec(rate * f64::from(self.packet_bytes)))
    }

    fn ack_limit(&self) -> Option<NonZeroU32> {
        self.config.counting.limit()
    }

    fn aimd(&self) -> Option<Aimd> {
        let alpha = self.alpha().max(friendly_alpha(self.beta));
        Some(Aimd { alpha, beta: self.beta })
    }

    fn adaptation(&self) -> Option<Adaptation> {
        self.adaptation
    }
}
