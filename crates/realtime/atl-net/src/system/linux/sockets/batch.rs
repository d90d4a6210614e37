//! Limits of the batches in which datagrams pass sockets, and the errors that end none.

use nix::errno::Errno;

/// Messages per system call. A message is a datagram, or several of one length that the system
/// takes and gives as one (`UDP_SEGMENT`, `UDP_GRO`).
pub(super) const BATCH: usize = 64;

/// True of errors by which a connected socket reports an ICMP message about an earlier datagram.
/// Reading such an error clears it.
pub(super) fn is_news(error: Errno) -> bool {
    matches!(error, Errno::ECONNREFUSED)
}
