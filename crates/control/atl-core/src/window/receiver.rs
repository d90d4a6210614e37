//! The receiver's half of protocols whose receiver does more than acknowledge.

use core::fmt::Debug;

use crate::time::Time;

/// A data packet arrived at the receiver.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Arrived {
    /// The time at which it arrived.
    pub now: Time,
    /// Number of its transmission ([`Sent::tx`](super::Sent)). A gap shows a loss, even the loss of
    /// a retransmission.
    pub tx: u64,
    /// The time at which it was sent, by the sender's clock.
    pub sent_at: Time,
    /// Bytes on the wire, headers included.
    pub bytes: u32,
}

impl Arrived {
    /// Transmission `tx` of `bytes` bytes, sent at `sent_at`, arrived at `now`.
    #[inline]
    pub const fn new(now: Time, tx: u64, sent_at: Time, bytes: u32) -> Self {
        Arrived { now, tx, sent_at, bytes }
    }
}

/// The receiver's half of a protocol: it sees each arrival, and its answer travels in the ACKs.
pub trait ReceiverHalf: Debug + Send + Sync {
    /// A data packet arrived. Duplicates are included.
    fn on_data(&mut self, arrived: &Arrived);
    /// The rate that the next ACK requests of the sender, in packets per second; `None` while the
    /// receiver requests none.
    fn rate(&self) -> Option<f64>;
}
