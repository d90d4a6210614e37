//! The direction of the data.

/// Direction of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the server to the phone.
    Down,
    /// From the phone to the server.
    Up,
}
