//! Counts of datagrams outside the links.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counters that the proxy's thread writes and other threads read.
#[derive(Debug, Default)]
pub struct Counters {
    pub(crate) received: AtomicU64,
    pub(crate) sent: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) no_room: AtomicU64,
    pub(crate) unsendable: AtomicU64,
    pub(crate) stray: AtomicU64,
    pub(crate) clients: AtomicU64,
    pub(crate) refused_clients: AtomicU64,
    pub(crate) forgotten: AtomicU64,
    pub(crate) overflowed: AtomicU64,
    pub(crate) receiving_calls: AtomicU64,
    pub(crate) sending_calls: AtomicU64,
    pub(crate) messages_received: AtomicU64,
    pub(crate) messages_sent: AtomicU64,
}

/// The values of [`Counters`] at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Datagrams received from clients and from the server.
    pub received: u64,
    /// Datagrams sent to clients and to the server.
    pub sent: u64,
    /// ICMP messages by which a peer's host reported a closed port, where the system tells.
    pub refused: u64,
    /// Datagrams that the system had no room for when they left (`EAGAIN`, `ENOBUFS`).
    pub no_room: u64,
    /// Datagrams that the system would not send: too long for the interface, no route.
    pub unsendable: u64,
    /// Datagrams that left the links after their client was forgotten.
    pub stray: u64,
    /// Clients since the start.
    pub clients: u64,
    /// Datagrams of clients for which there was no room in the table, or no socket.
    pub refused_clients: u64,
    /// Clients forgotten because they were silent.
    pub forgotten: u64,
    /// Datagrams lost before they entered a link because the proxy did not read in time. Known when
    /// it has ended, and counted on Linux alone. The kernel counts those that came as one message
    /// as one: they are taken to have been as many as in the messages that were read.
    pub overflowed: u64,
    /// System calls that brought at least one datagram.
    pub receiving_calls: u64,
    /// System calls that sent at least one datagram.
    pub sending_calls: u64,
    /// Messages in which datagrams were received: one for each, or for a batch that the system
    /// handed over as one.
    pub messages_received: u64,
    /// Messages in which datagrams were sent, of the same kind.
    pub messages_sent: u64,
}

impl Counters {
    pub(crate) fn add(&self, which: fn(&Counters) -> &AtomicU64, count: u64) {
        which(self).fetch_add(count, Ordering::Relaxed);
    }

    /// A receiving call brought these.
    pub(crate) fn read(&self, messages: usize, datagrams: usize) {
        self.add(|c| &c.received, datagrams as u64);
        self.add(|c| &c.receiving_calls, 1);
        self.add(|c| &c.messages_received, messages as u64);
    }

    /// The present values of all counters.
    pub fn counts(&self) -> Counts {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counts {
            received: of(&self.received),
            sent: of(&self.sent),
            refused: of(&self.refused),
            no_room: of(&self.no_room),
            unsendable: of(&self.unsendable),
            stray: of(&self.stray),
            clients: of(&self.clients),
            refused_clients: of(&self.refused_clients),
            forgotten: of(&self.forgotten),
            overflowed: of(&self.overflowed),
            receiving_calls: of(&self.receiving_calls),
            sending_calls: of(&self.sending_calls),
            messages_received: of(&self.messages_received),
            messages_sent: of(&self.messages_sent),
        }
    }
}
