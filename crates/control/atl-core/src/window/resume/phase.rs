//! The phases of Careful Resume (RFC 9959, sec. 3) in packets, with their notes and their ends.

use super::Saved;
use crate::time::{Span, Time};

/// Least window, in packets (sec. 3.5).
const LEAST: f64 = 2.0;
/// Beta (sec. 2.4): ssthresh after a retreat, as a share of the pipe.
const BETA: f64 = 0.5;
/// A round-trip time above this many times the saved one is another path's (sec. 4.2.1).
const LONGEST: u64 = 10;

/// A phase, with its notes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Phase {
    /// Sends under the initial window, to see whether the path is the one that was observed.
    Reconnaissance {
        /// Packets sent before the first ACK: the initial data.
        initial: u32,
        /// Packets acknowledged so far.
        acked: u32,
    },
    /// Sends up to `jump` packets, paced.
    Unvalidated {
        /// Number of the first packet sent in this phase.
        first: u64,
        jump: f64,
        /// Time between two packets.
        gap: Span,
        /// Time at which the next packet may leave.
        release: Time,
        /// One round-trip time after its start.
        until: Time,
        pipe: Pipe,
    },
    /// Waits until every unvalidated packet is acknowledged.
    Validating {
        /// Number of the last packet sent unvalidated.
        last: u64,
        pipe: Pipe,
    },
    /// After a loss: drains the unvalidated packets.
    Retreat { last: u64, window: f64, pipe: Pipe },
}

/// PipeSize: the packets in flight at the leap, and those acknowledged of the packets sent since.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pipe {
    size: f64,
    /// Packets of the flight before the leap that are not acknowledged yet. They are in `size`
    /// already.
    before: u32,
}

impl Pipe {
    fn new(in_flight: u32) -> Self {
        Pipe { size: f64::from(in_flight), before: in_flight }
    }

    fn carry(&mut self, delivered: u32) {
        self.size += f64::from(delivered.saturating_sub(self.before));
        self.before = self.before.saturating_sub(delivered);
    }
}

/// The stage of a sender under Careful Resume (RFC 9959, Fig. 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Under the initial window, to see whether the path is the one that was observed.
    Reconnaissance,
    /// Sends the packets that the jump allows.
    Unvalidated,
    /// Waits for the acknowledgment of the jump's packets.
    Validating,
    /// Drains the path after a loss.
    SafeRetreat,
    /// Behaves as without Careful Resume.
    Normal,
}

/// The wrapped controller's part at the end of a phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Turn {
    /// The phase goes on.
    Stay,
    /// Goes on from this window, in slow start.
    Window(f64),
    /// The retransmission timer expired during a retreat: the controller reacts as if this had been
    /// its window.
    Expired(f64),
    /// Goes on from this window and this ssthresh.
    Retreated { window: f64, ssthresh: f64 },
    /// Careful Resume is over without a change to the controller.
    Leave,
}

/// A sender that resumes: its phase, and its measurements.
#[derive(Clone, Debug)]
pub(super) struct Careful {
    phase: Phase,
    saved: Saved,
    /// Limit on the packets to jump to: half of the saved window, the configured bound, the receive
    /// window.
    jump: f64,
    initial_window: f64,
    /// Number of the next transmission.
    next_tx: u64,
    in_flight: u32,
    /// The newest and the least round-trip time on this path.
    rtt: Span,
    rtt_min: Span,
    /// Careful Resume has ended.
    over: bool,
}

impl Careful {
    pub(super) fn new(saved: Saved, packet_bytes: u32, initial_window: f64, most: f64) -> Self {
        let packets = saved.cwnd_bytes as f64 / f64::from(packet_bytes.max(1));
        Careful {
            phase: Phase::Reconnaissance { initial: 0, acked: 0 },
            saved,
            jump: (packets / 2.0).min(most),
            initial_window,
            next_tx: 0,
            in_flight: 0,
            rtt: Span::ZERO,
            rtt_min: Span::MAX,
            over: false,
        }
    }

    pub(super) fn stage(&self) -> Stage {
        match self.phase {
            Phase::Reconnaissance { .. } => Stage::Reconnaissance,
            Phase::Unvalidated { .. } => Stage::Unvalidated,
            Phase::Validating { .. } => Stage::Validating,
            Phase::Retreat { .. } => Stage::SafeRetreat,
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.over
    }

    /// The newest round-trip time.
    pub(super) fn rtt(&self) -> Span {
        self.rtt
    }

    /// The window, in phases in which it is not the wrapped controller's.
    pub(super) fn window(&self) -> Option<f64> {
        match self.phase {
            Phase::Unvalidated { jump, .. } => Some(jump),
            Phase::Retreat { window, .. } => Some(window),
            Phase::Reconnaissance { .. } | Phase::Validating { .. } => None,
        }
    }

    /// Time at which the next packet may leave, in phases that pace.
    pub(super) fn release(&self) -> Option<Time> {
        match self.phase {
            Phase::Unvalidated { release, .. } => Some(release),
            _ => None,
        }
    }

    /// Time at which the unvalidated phase ends at the latest.
    pub(super) fn due(&self) -> Option<Time> {
        match self.phase {
            Phase::Unvalidated { until, .. } => Some(until),
            _ => None,
        }
    }

    pub(super) fn on_sent(&mut self, now: Time, tx: u64, in_flight: u32) -> Turn {
        self.next_tx = tx.saturating_add(1);
        self.in_flight = in_flight;
        match &mut self.phase {
            Phase::Reconnaissance { initial, acked: 0 } => *initial = initial.saturating_add(1),
            Phase::Unvalidated { release, gap, jump, .. } => {
                *release = now.max(*release).saturating_add(*gap);
                // Less than one packet of the window is left.
                if f64::from(in_flight) + 1.0 > *jump {
                    return self.cease();
                }
            }
            _ => {}
        }
        Turn::Stay
    }

    /// A round-trip time was measured.
    pub(super) fn on_rtt(&mut self, rtt: Span) {
        self.rtt = rtt;
        self.rtt_min = self.rtt_min.min(rtt);
    }

    /// An ACK showed `delivered` packets to have arrived, the newest of them transmission `newest`,
    /// and left `in_flight`. `eager`: the controller's window, `window`, limits the sender.
    pub(super) fn on_ack(
        &mut self,
        now: Time,
        delivered: u32,
        newest: Option<u64>,
        in_flight: u32,
        eager: Option<f64>,
    ) -> Turn {
        self.in_flight = in_flight;
        let reached = |tx: u64| newest.is_some_and(|newest| newest >= tx);
        match &mut self.phase {
            Phase::Reconnaissance { initial, acked } => {
                *acked = acked.saturating_add(delivered);
                let confirmed = *initial > 0 && *acked >= *initial && !self.rtt.is_zero();
                match eager {
                    Some(window) if confirmed => self.leap(now, window),
                    _ => Turn::Stay,
                }
            }
            Phase::Unvalidated { first, until, pipe, .. } => {
                pipe.carry(delivered);
                let ends = reached(*first) || now >= *until;
                if !self.is_same_path() {
                    self.retreat()
                } else if ends {
                    self.cease()
                } else {
                    Turn::Stay
                }
            }
            Phase::Validating { last, pipe } => {
                pipe.carry(delivered);
                if reached(*last) {
                    self.over = true;
                }
                Turn::Stay
            }
            Phase::Retreat { last, window, pipe } => {
                pipe.carry(delivered);
                if !reached(*last) {
                    return Turn::Stay;
                }
                self.over = true;
                Turn::Retreated { window: *window, ssthresh: (pipe.size * BETA).max(LEAST) }
            }
        }
    }

    /// The time of [`due`](Self::due) may have come.
    pub(super) fn on_tick(&mut self, now: Time) -> Turn {
        match self.phase {
            Phase::Unvalidated { until, .. } if now >= until => self.cease(),
            _ => Turn::Stay,
        }
    }

    /// Handles a loss or a change of path.
    pub(super) fn on_congestion(&mut self) -> Turn {
        match self.phase {
            Phase::Reconnaissance { .. } => self.give_up(),
            Phase::Unvalidated { .. } | Phase::Validating { .. } => self.retreat(),
            Phase::Retreat { .. } => Turn::Stay,
        }
    }

    /// The retransmission timer expired (sec. 3.6). A retreat under way leaves the pipe to the
    /// controller, which then reacts to the expiry as if that had been its window.
    pub(super) fn on_timeout(&mut self) -> Turn {
        self.over = true;
        match self.phase {
            Phase::Retreat { pipe, .. } => Turn::Expired(pipe.size.max(LEAST)),
            _ => Turn::Leave,
        }
    }

    /// Half of the saved round-trip time or less would make the jump faster than what was observed;
    /// ten times as long, it is another path (sec. 3.2 and 4.2.1).
    fn is_same_path(&self) -> bool {
        let saved = self.saved.rtt;
        self.rtt_min > saved / 2 && self.rtt <= saved * LONGEST
    }

    /// Goes from reconnaissance to the unvalidated phase, if the path is the same and the jump
    /// worth it.
    fn leap(&mut self, now: Time, window: f64) -> Turn {
        if !self.is_same_path() || self.jump <= window {
            return self.give_up();
        }
        self.phase = Phase::Unvalidated {
            first: self.next_tx,
            jump: self.jump,
            gap: self.rtt.mul_f64(1.0 / self.jump),
            release: now,
            until: now.saturating_add(self.rtt),
            pipe: Pipe::new(self.in_flight),
        };
        Turn::Stay
    }

    fn give_up(&mut self) -> Turn {
        self.over = true;
        Turn::Leave
    }

    /// Ends the unvalidated phase (sec. 3.3, "check flight_size").
    fn cease(&mut self) -> Turn {
        let Phase::Unvalidated { pipe, .. } = self.phase else { return Turn::Stay };
        // A sender that keeps to the window has at most the jump in flight.
        let flight = f64::from(self.in_flight).min(self.jump);
        if flight < self.initial_window || flight <= pipe.size {
            self.over = true;
            return Turn::Window(pipe.size.min(self.jump).max(self.initial_window));
        }
        self.phase = Phase::Validating { last: self.next_tx.saturating_sub(1), pipe };
        Turn::Window(flight)
    }

    fn retreat(&mut self) -> Turn {
        let (last, pipe) = match self.phase {
            Phase::Unvalidated { pipe, .. } => (self.next_tx.saturating_sub(1), pipe),
            Phase::Validating { last, pipe } => (last, pipe),
            Phase::Reconnaissance { .. } | Phase::Retreat { .. } => return Turn::Stay,
        };
        let window = (pipe.size.min(self.jump) / 2.0).max(LEAST);
        self.phase = Phase::Retreat { last, window, pipe };
        Turn::Stay
    }
}
