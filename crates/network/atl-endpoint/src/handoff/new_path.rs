//! What a sender does with a path that is new to it.

use atl_core::time::Span;
use atl_core::window::pad;
use atl_core::window::resume::Store;

/// What a sender does with a path that is new to it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum NewPath {
    /// Nothing: window or rate, RTT and loss detection go on as if the path were the same.
    #[default]
    Keep,
    /// Starts again with the initial window or rate, and without an RTT (RFC 9000, sec. 9.4).
    Reset,
    /// Probes the path with low-priority dummies before it moves (Taleb et al., sec. III-C and III-D).
    Probe(Probe),
    /// Starts again, and on a path that it has left before goes on from half of what that carried, if this proves
    /// right: Careful Resume (RFC 9959). Only of a window-based sender; a paced one resets.
    Resume(Resume),
    /// Starts again, and fills what the application leaves of the window with low-priority dummies, so that the window can
    /// grow (after BBR-Copilot, 2026). Only of a window-based sender; a paced one resets.
    Pad(Pad),
}

/// How a sender pads its window, on every path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pad {
    /// The window up to which padding makes it grow, in packets.
    pub target: u32,
    /// The most dummies on one path, from one move to the next.
    pub budget: u32,
}

impl Default for Pad {
    fn default() -> Self {
        Pad { target: pad::Config::TARGET, budget: pad::Config::BUDGET }
    }
}

/// How a sender resumes on a path that it has left before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resume {
    /// How long what was observed of a path is valid.
    pub lifetime: Span,
    /// The most packets to begin with; `None`: half of what the path carried.
    pub most: Option<u32>,
}

impl Default for Resume {
    fn default() -> Self {
        Resume { lifetime: Store::LIFETIME, most: None }
    }
}

/// How a sender probes a new path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// Dummies to send on a window-based sender; `None`: as many as the receive window holds, and at most 1000.
    pub dummies: Option<u32>,
    /// Time to spread them over; `None`: one RTT of the new path with TCP, half a second with a paced sender.
    pub over: Option<Span>,
    /// Validates the path before more than three times what came from it is sent.
    pub validate: bool,
    /// The path of the data between the probe and the handoff, of a window-based sender.
    pub meanwhile: Meanwhile,
}

impl Probe {
    /// Most dummies of a survey unless more are asked for: a receive window without a limit must not become a flood. At 1500
    /// bytes they fill a round trip of 100 ms at 120 Mb/s.
    pub const MOST_DUMMIES: u32 = 1000;
}

impl Default for Probe {
    fn default() -> Self {
        Probe { dummies: None, over: None, validate: true, meanwhile: Meanwhile::Both }
    }
}

/// Which path data takes after a window-based sender has probed a new one, until the mobile host moves there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Meanwhile {
    /// The new one: the sender moves as soon as the probe ends.
    New,
    /// The old one: the window found is kept until the host moves, and then filled over a round trip.
    Old,
    /// Both, each with a window, an RTT and loss detection of its own.
    #[default]
    Both,
}
