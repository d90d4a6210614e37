//! The senders that run at each point.

/// A sender: its label, and its options in TOML. All run on RACK's recovery.
#[derive(Clone, Copy, Debug)]
pub struct Sender {
    /// Label in results.
    pub label: &'static str,
    pub(super) options: &'static str,
}

/// The same sender with more and more knowledge of its link. The first knows nothing, the last all.
pub const RUNGS: &[Sender] = &[
    Sender {
        label: "nothing",
        options: "name = \"residual\", use-loss = false, use-delay = false, use-marks = false, use-rate = false",
    },
    Sender {
        label: "p_w",
        options: "name = \"residual\", use-delay = false, use-marks = false, use-rate = false",
    },
    Sender {
        label: "p_w and d_w",
        options: "name = \"residual\", use-marks = false, use-rate = false",
    },
    Sender { label: "all", options: "name = \"residual\"" },
];

/// Senders that others have, and the suite's own before it. TCP-ATL and its robust form are told
/// what the rungs' last is.
pub const RIVALS: &[Sender] = &[
    Sender { label: "CUBIC", options: "name = \"cubic\"" },
    Sender { label: "BBRv3", options: "name = \"bbr3\"" },
    Sender { label: "SACK", options: "name = \"sack\"" },
    Sender { label: "TCP-ATL", options: "name = \"tcp-atl\"" },
    Sender { label: "TCP-ATL robust", options: "name = \"tcp-atl-robust\"" },
];

/// The last rung with fewer or more packets of its own in the queue (`backlog`, by default 0.2 and
/// at least 2): what it would have of goodput, delay and fairness then.
pub const FRONTIER: &[Sender] = &[
    Sender {
        label: "backlog 0.05",
        options: "name = \"residual\", backlog = 0.05, least-backlog = 0.5",
    },
    Sender {
        label: "backlog 0.1",
        options: "name = \"residual\", backlog = 0.1, least-backlog = 1.0",
    },
    Sender {
        label: "backlog 0.4",
        options: "name = \"residual\", backlog = 0.4, least-backlog = 4.0",
    },
    Sender {
        label: "backlog 0.8",
        options: "name = \"residual\", backlog = 0.8, least-backlog = 8.0",
    },
];

/// All of them, in the order of a scenario's points.
pub fn contestants() -> Vec<Sender> {
    [RUNGS, FRONTIER, RIVALS].concat()
}
