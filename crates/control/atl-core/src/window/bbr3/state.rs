//! The states of the machine, with the gains that each has.

/// State of the sender (BBR.state).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Startup,
    Drain,
    Down,
    Cruise,
    Refill,
    Up,
    ProbeRtt,
}

/// Meaning of the ACKs that arrive, with respect to the last probe for bandwidth (BBR.ack_phase).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AckPhase {
    Init,
    Refilling,
    ProbeStarting,
    ProbeFeedback,
    ProbeStopping,
}

impl State {
    /// BBR.pacing_gain ("Summary of Control Behavior in the State Machine"); `drain` is that of
    /// Drain.
    pub(super) fn pacing_gain(self, drain: f64) -> f64 {
        match self {
            // 4 ln 2.
            State::Startup => 2.77,
            State::Drain => drain,
            State::Down => 0.9,
            State::Up => 1.25,
            State::Cruise | State::Refill | State::ProbeRtt => 1.0,
        }
    }

    /// BBR.cwnd_gain.
    pub(super) fn cwnd_gain(self) -> f64 {
        match self {
            State::Up => 2.25,
            State::ProbeRtt => 0.5,
            _ => 2.0,
        }
    }

    /// IsInAProbeBWState.
    pub(super) fn is_probe_bw(self) -> bool {
        matches!(self, State::Down | State::Cruise | State::Refill | State::Up)
    }

    /// IsProbingBW: it sends more than it knows to arrive, and losses do not lower the short-term
    /// model.
    pub(super) fn is_probing(self) -> bool {
        matches!(self, State::Startup | State::Refill | State::Up)
    }
}
