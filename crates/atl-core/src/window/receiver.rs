//! The receiver's half of a protocol whose receiver does more than acknowledge.

use core::fmt::Debug;

use crate::time::Time;

/// A data packet arrived at the receiver.
#[derive(Clone, Copy, Debug)]
pub struct Arrived {
    /// When.
    pub now: Time,
    /// Number of its transmission ([`Sent::tx`](super::Sent)): a gap shows a loss, also that of a
    /// retransmission.
    pub tx: u64,
    /// When it was sent, by the sender's clock.
    pub sent_at: Time,
    /// Bytes on the wire, headers included.
    pub bytes: u32,
}

/// The receiver's half of a protocol: it is told what arrives, and its answer travels in the ACKs.
pub trait ReceiverHalf: Debug + Send {
    /// A data packet arrived, duplicates included.
    fn on_data(&mut self, arrived: &Arrived);
    /// The rate that the next ACK asks the sender for, in packets per second; `None` while there is nothing to
    /// say.
    fn rate(&self) -> Option<f64>;
}
