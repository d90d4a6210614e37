//! A sender's choices on a new path, and its knowledge of one before it sends data there: the same
//! for TCP and paced senders (`atl-endpoint`) and for QUIC (`atl-noq`).

use crate::probe::{Found, LEAST_WINDOW};
use crate::time::Span;
use crate::window::resume::Store;
use crate::window::{Start, pad};

/// A sender's choice on a path that it has not used before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum NewPath {
    /// Nothing: window or rate, RTT and loss detection go on as if the path were the same. QUIC
    /// begins anew with each path that its connection knows of (RFC 9000, sec. 9.4), so there this
    /// is for a layer beneath it.
    #[default]
    Keep,
    /// Starts again with the initial window or rate, and without an RTT (RFC 9000, sec. 9.4).
    Reset,
    /// Probes the path with low-priority dummies before it moves (Taleb et al., IEEE Transactions
    /// on Vehicular Technology 57(6), 2008, sec. III-C and III-D).
    Probe(Probe),
    /// Starts again, and on a path that it has left before goes on from half of what that carried,
    /// if this proves right: Careful Resume (RFC 9959). Only of a window-based sender; a paced one
    /// resets.
    Resume(Resume),
    /// Starts again, and fills what the application leaves of the window with low-priority dummies,
    /// so that the window can grow (after BBR-Copilot, 2026). Only of TCP; other senders reset.
    Pad(Pad),
}

impl NewPath {
    /// Probes as [`Probe::DEFAULT`] says.
    pub const PROBE: NewPath = NewPath::Probe(Probe::DEFAULT);
    /// Resumes as [`Resume::DEFAULT`] says.
    pub const RESUME: NewPath = NewPath::Resume(Resume::DEFAULT);
    /// Pads as [`Pad::DEFAULT`] says.
    pub const PAD: NewPath = NewPath::Pad(Pad::DEFAULT);

    /// The paths that data takes between a survey and the handoff; the old one if there is no
    /// survey.
    pub const fn meanwhile(self) -> Meanwhile {
        match self {
            NewPath::Probe(probe) => probe.meanwhile,
            _ => Meanwhile::Old,
        }
    }
}

/// Padding of a sender's window, on every path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pad {
    /// The window up to which padding makes it grow, in packets.
    pub target: u32,
    /// The most dummies on one path, from one move to the next.
    pub budget: u32,
}

impl Pad {
    /// The controller's own defaults.
    pub const DEFAULT: Pad = Pad { target: pad::Config::TARGET, budget: pad::Config::BUDGET };
}

impl Default for Pad {
    fn default() -> Self {
        Pad::DEFAULT
    }
}

/// Rules for resuming on a path that the sender has left before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resume {
    /// Time for which the observations of a path stay valid.
    pub lifetime: Span,
    /// The most packets to begin with; `None`: half of what the path carried.
    pub most: Option<u32>,
}

impl Resume {
    /// From what is at most five minutes old.
    pub const DEFAULT: Resume = Resume { lifetime: Store::LIFETIME, most: None };
}

impl Default for Resume {
    fn default() -> Self {
        Resume::DEFAULT
    }
}

/// Rules for probing a new path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// Dummies to send on a window-based sender; `None`: as many as the receive window holds, and
    /// at most [`MOST_DUMMIES`](Self::MOST_DUMMIES).
    pub dummies: Option<u32>,
    /// Time to spread them over; `None`: one RTT of the new path with a window, half a second with
    /// a paced sender.
    pub over: Option<Span>,
    /// Validates the path before more than three times what came from it is sent. QUIC always does.
    pub validate: bool,
    /// The path of the data between the probe and the handoff, of a window-based sender.
    pub meanwhile: Meanwhile,
    /// The rate that a paced sender takes from a report of the dummies.
    pub from_report: FromReport,
}

impl Probe {
    /// Most dummies of a survey unless more are asked for: a receive window without a limit must
    /// not become a flood. At 1500 bytes they fill a round trip of 100 ms at 120 Mb/s.
    pub const MOST_DUMMIES: u32 = 1000;

    /// A survey of a validated path over one round trip, after which data takes both paths.
    pub const DEFAULT: Probe = Probe {
        dummies: None,
        over: None,
        validate: true,
        meanwhile: Meanwhile::Both,
        from_report: FromReport::Arrived,
    };
}

impl Default for Probe {
    fn default() -> Self {
        Probe::DEFAULT
    }
}

/// The rate that a paced sender takes from a report of the dummies (handoff paper, sec. III-D: it
/// computes it "as in the case of receiving an RTCP RR packet").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FromReport {
    /// That at which dummies arrived.
    #[default]
    Arrived,
    /// The paper's words taken literally with LDA+: the dummies' rate times `1 - sqrt(l)`, where l
    /// is the share of them that was lost.
    LdaPlus,
}

/// Which path data takes after a window-based sender has probed a new one, until the mobile host
/// moves there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Meanwhile {
    /// The new one: the sender moves as soon as the probe ends.
    New,
    /// The old one: the window found is kept until the host moves.
    Old,
    /// Both, each with a window, an RTT and loss detection of its own.
    #[default]
    Both,
}

/// Knowledge that a window-based sender has of a path before it sends data there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Knowledge {
    /// Window and slow start threshold in packets; otherwise the connection's initial ones.
    pub window: Option<(f64, f64)>,
    /// Its round-trip time.
    pub rtt: Option<Span>,
    /// The window was measured, and is to be filled over a round trip instead of at once: a burst
    /// of it would overflow the queue that the survey has just measured.
    pub paced: bool,
    /// The window is that of a whole survey, or of an earlier stay: nothing older is worth more.
    pub sure: bool,
}

impl Knowledge {
    /// The result of a survey. Until a dummy's ACK could have come, which `answerable` tells, its
    /// absence says nothing of the window.
    pub fn from_survey(found: Found, answerable: bool) -> Self {
        if found.acks == 0 && !answerable {
            return Knowledge { rtt: found.rtt, ..Knowledge::default() };
        }
        let sure = found.rtt.is_some_and(|rtt| found.counted >= rtt);
        Knowledge { window: Some(found.window()), rtt: found.rtt, paced: true, sure }
    }

    /// Only its RTT.
    pub fn of_rtt(rtt: Span) -> Self {
        Knowledge { rtt: Some(rtt), ..Knowledge::default() }
    }

    /// A path on which nothing was sent for a while: the window and slow start threshold to go on
    /// with.
    pub fn after_idle(window: (f64, f64), rtt: Option<Span>) -> Self {
        Knowledge { window: Some(window), rtt, paced: false, sure: true }
    }

    /// A path that answered nothing is full.
    pub fn full() -> Self {
        Knowledge { window: Some((LEAST_WINDOW, f64::INFINITY)), ..Knowledge::default() }
    }

    /// Knowledge that a controller starts with there.
    #[must_use]
    pub fn start(&self, start: Start) -> Start {
        let start = start.rtt(self.rtt);
        match self.window {
            Some((window, ssthresh)) => start.initial_window(window).ssthresh(ssthresh),
            None => start,
        }
    }
}
