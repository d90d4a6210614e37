//! What an agent decides about an ACK that passes.

/// What happens to an ACK.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It goes on to the sender.
    Pass,
    /// The agent has answered it; the sender does not get it.
    Suppress,
}
