//! Exit statuses.

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// It succeeded.
    Success,
    /// It failed (a file could not be written), or `--strict` found a quote that is not met.
    Failure,
    /// It was asked for something impossible: an unknown option, a wrong scenario, a host that cannot run it.
    Usage,
    /// The command that it ran ended with this status.
    OfCommand(u8),
}

/// Exit status after Ctrl-C: 128 and the number of SIGINT, as in shells.
pub(crate) const INTERRUPTED: i32 = 130;

impl From<Status> for u8 {
    fn from(status: Status) -> u8 {
        match status {
            Status::Success => 0,
            Status::Failure => 1,
            Status::Usage => 2,
            Status::OfCommand(status) => status,
        }
    }
}
