//! TCP-Peach: low-priority dummy segments probe the path for free capacity, and their ACKs open the
//! window.
//!
//! **Reconstructed.** Source: Akyildiz, Morabito, Palazzo, "TCP-Peach: A new congestion control
//! scheme for satellite IP networks", IEEE/ACM Transactions on Networking 9(3), 2001. Only its
//! abstract and descriptions by others were available, not its text. No implementation was found
//! that is more than the name.
//!
//! Routers serve dummies after all data and drop them first, so that the ACK of a dummy proves
//! unused capacity:
//! - **Sudden Start**, instead of slow start: rwnd - 1 dummies evenly over the first round trip.
//!   Each of their ACKs adds a packet to the window, which thus reaches the free capacity two round
//!   trips after the beginning.
//! - **Congestion Avoidance**: one packet per round trip (RFC 5681).
//! - **Fast Retransmit** at the third duplicate ACK, then **Rapid Recovery**, instead of fast
//!   recovery: the window W is halved, and W dummies are sent. After congestion the halving itself
//!   frees W/2 packets per round trip, so that the first W/2 ACKs of dummies (`wdsn`) prove nothing
//!   and are skipped. Each further one adds a packet. If the link and not congestion lost the
//!   packet, nearly all W arrive, and the window is what it was after two round trips.
//!
//! Public descriptions give the phases, dummies that carry nothing new, at low priority, and a
//! packet for the ACK of one. The counts (rwnd - 1 dummies at intervals of RTT/rwnd; W of them
//! after a loss, `wdsn` = W/2; rwnd = 64 packets in the paper's experiments) are the paper's from
//! memory, not checked against its text. Assumed:
//! - Sudden Start is bounded by [`Config::start_window`] as well as by the receiver's window. The
//!   default is the paper's rwnd; ten thousand packets would make it a flood. It begins with the
//!   first RTT sample (the paper knows the RTT from the handshake), from the host's initial window
//!   rather than one packet;
//! - it also follows a timeout, where TCP would use slow start: at once after the first of several
//!   in a row, otherwise with the next ACK, so that a dead link is not probed;
//! - there is no slow start. If no dummy arrives, the window grows by one packet per round trip;
//! - Rapid Recovery's dummies are spread over one SRTT, too. W is rounded down, `wdsn` up, so that
//!   they never make the window larger than W;
//! - dummies are numbered, so that each ACK counts for the loss that its dummy answers: `wdsn` of
//!   its own, whatever was lost since. (With one counter for all, which each loss sets anew, the
//!   dummies of two losses in successive round trips would open the window further than it was.) A
//!   loss replaces the dummies that were not sent yet, and a timeout invalidates those in flight;
//! - ACKs of data do not add to the window while losses are repaired; ACKs of dummies do;
//! - an application that had nothing more to send gains nothing from a dummy's ACK, and at most as
//!   many ACKs count as dummies were sent.
//!
//! Dummies have a sequence space of their own and do not count in the window. Links need the
//! two-band queue with push-out: a plain FIFO carries dummies like data, so that their ACKs prove
//! nothing and the window is far too large.

use core::num::NonZeroU32;

use std::collections::VecDeque;

use super::aimd::Window;
use super::{
    Ack, Aimd, BuildController, Counting, Detection, Halving, Loss, Probe, ProbeAck, Sent, Start,
    Timeout, WindowController,
};
use crate::probe::Pacer;
use crate::time::{Span, Time};

/// Rounds of probes that may be in flight: at most one begins per round trip, and its last answer
/// comes two later.
const MAX_ROUNDS: usize = 4;

/// Parameters of TCP-Peach and of TCP-Peach+.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// Largest window, in packets, that Sudden Start (or Jump Start) probes for; the receiver's
    /// window bounds it too. 1 to 10 000; with 1 there is no Sudden Start.
    pub start_window: u32,
    /// The events that make the window grow in congestion avoidance.
    pub counting: Counting,
}

impl Default for Config {
    fn default() -> Self {
        Config { start_window: 64, counting: Counting::default() }
    }
}

impl BuildController for Config {
    fn check(&self) -> Result<(), &'static str> {
        if !(1..=10_000).contains(&self.start_window) {
            return Err("start-window must be from 1 to 10000");
        }
        Ok(())
    }

    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        Box::new(Peach::new(self, start))
    }
}

/// Probes that were sent for the same reason.
#[derive(Clone, Copy, Debug)]
struct Round {
    /// Number of the first probe.
    first: u64,
    /// Probes not acknowledged yet.
    unanswered: u32,
    /// wdsn: ACKs that are skipped before the next ones count.
    passing: u32,
}

/// The rounds whose ACKs still count, in order.
#[derive(Clone, Debug, Default)]
struct Rounds {
    /// Number of the next probe.
    next: u64,
    rounds: VecDeque<Round>,
}

impl Rounds {
    /// Starts a round: the probes from now on have a new reason.
    fn begin(&mut self, passing: u32) {
        if self.rounds.len() == MAX_ROUNDS {
            self.rounds.pop_front();
        }
        self.rounds.push_back(Round { first: self.next, unanswered: 0, passing });
    }

    /// Makes all probes sent so far ineffective.
    fn forget(&mut self) {
        self.rounds.clear();
    }

    fn on_sent(&mut self) {
        self.next += 1;
        if let Some(round) = self.rounds.back_mut() {
            round.unanswered = round.unanswered.saturating_add(1);
        }
    }

    /// True if the window may grow for this answer.
    fn on_ack(&mut self, number: u64) -> bool {
        let Some(round) = self.rounds.iter_mut().rev().find(|r| r.first <= number) else {
            return false;
        };
        if number >= self.next || round.unanswered == 0 {
            return false;
        }
        round.unanswered -= 1;
        let counts = round.passing == 0;
        round.passing = round.passing.saturating_sub(1);
        counts
    }
}

/// A window that probes open.
#[derive(Clone, Debug)]
pub struct Peach {
    window: Window,
    counting: Counting,
    /// The content of the probes.
    kind: Probe,
    /// Probes of a Sudden Start.
    start_probes: u32,
    pacer: Pacer,
    rounds: Rounds,
    srtt: Span,
    /// A Sudden Start begins with the next ACK of new data.
    starts: bool,
    /// A packet was lost.
    lossy: bool,
    /// The application had nothing more to send.
    idle: bool,
}

impl Peach {
    /// A window at the start of a connection.
    pub fn new(config: &Config, start: &Start) -> Self {
        Peach::with_probes(config, Probe::Dummy, start)
    }

    /// The same with probes of another kind.
    pub(super) fn with_probes(config: &Config, kind: Probe, start: &Start) -> Self {
        Peach {
            window: Window::new(start),
            counting: config.counting,
            kind,
            start_probes: config.start_window.min(start.receive_window).saturating_sub(1),
            pacer: Pacer::default(),
            rounds: Rounds::default(),
            srtt: Span::ZERO,
            starts: true,
            lossy: false,
            idle: false,
        }
    }

    fn sudden_start(&mut self, now: Time) {
        self.starts = false;
        self.rounds.begin(0);
        self.pacer.start(now, self.start_probes, self.srtt);
    }
}

impl WindowController for Peach {
    fn on_sent(&mut self, sent: &Sent) {
        self.idle = sent.app_limited;
    }

    fn on_ack(&mut self, ack: &Ack) {
        self.srtt = ack.srtt;
        self.window.avoid(ack, self.counting, Aimd::TCP.alpha);
        if self.starts && ack.delivered > 0 && !ack.srtt.is_zero() {
            self.sudden_start(ack.now);
        }
    }

    fn on_loss(&mut self, loss: &Loss) {
        if !loss.new_episode || loss.detection != Detection::Acks {
            return;
        }
        let before = self.window.cwnd as u32;
        self.window.reduce(Aimd::TCP.beta, Halving::Window, loss);
        self.lossy = true;
        self.rounds.begin(before.div_ceil(2));
        self.pacer.start(loss.now, before, self.srtt);
    }

    fn on_timeout(&mut self, timeout: &Timeout) {
        self.window.collapse(Aimd::TCP.beta, Halving::Window, timeout);
        self.lossy = true;
        self.rounds.forget();
        if timeout.consecutive <= 1 && !self.srtt.is_zero() {
            self.sudden_start(timeout.now);
        } else {
            self.pacer.stop();
            self.starts = true;
        }
    }

    fn poll_probe(&mut self, now: Time) -> Option<Probe> {
        if !self.pacer.poll(now) {
            return None;
        }
        self.rounds.on_sent();
        Some(self.kind)
    }

    fn on_probe_ack(&mut self, ack: &ProbeAck) {
        if self.rounds.on_ack(ack.number) && !self.idle {
            self.window.add_packet();
        }
    }

    fn next_timeout(&self) -> Option<Time> {
        self.pacer.next()
    }

    fn on_tick(&mut self, now: Time) {
        self.pacer.tick(now);
    }

    fn window(&self) -> f64 {
        self.window.cwnd
    }

    fn ssthresh(&self) -> f64 {
        if self.lossy { self.window.ssthresh } else { f64::INFINITY }
    }

    fn ack_limit(&self) -> Option<NonZeroU32> {
        self.counting.limit()
    }

    fn aimd(&self) -> Option<Aimd> {
        Some(Aimd::TCP)
    }
}
