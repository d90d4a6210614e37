//! The verdict of an agent on an ACK that passes.

/// The fate of an ACK at an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It goes on to the sender.
    Pass,
    /// The agent has answered it; the sender does not get it.
    Suppress,
}
