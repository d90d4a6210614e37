//! Exit statuses of the program.

/// Exit status of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// The command did what was asked.
    Success,
    /// The command failed, or `--strict` found a quote that is not met.
    Failure,
    /// The request was impossible: an unknown option, a wrong scenario, an engine that cannot run
    /// it.
    Usage,
    /// Status of the COMMAND that `atl link` ran.
    OfCommand(u8),
}

/// Exit status after Ctrl-C: 128 plus the number of SIGINT, as in shells.
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
