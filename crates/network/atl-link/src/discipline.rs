//! The joint for queue disciplines: what a link asks of its queue.

use core::fmt::Debug;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;

use crate::limit::Limit;
use crate::packet::Packet;
use crate::queued::Queued;
use crate::random::Stream;

/// A queue discipline with its packets.
///
/// Disciplines of others implement it for [`Queued`], and then serve the links of every engine.
/// The link's own carry its packets themselves (`P`), which saves a look-up per packet.
///
/// # Contract
///
/// The link promises:
///
/// - `now` never decreases from one call to the next, whichever calls they are.
/// - [`dequeue`](Self::dequeue) is called when a transmission is to begin, with the time of that
///   instant: the sojourn of a packet is known exactly, however late the link works it out. At a
///   change to a network with a queue of its own it is called until nothing waits, and that queue
///   takes each packet, which has come then.
/// - A packet that finds the link idle finds the queue empty too. It is transmitted at once without
///   entering the queue, and [`on_bypass`](Self::on_bypass) tells of it, unless the discipline
///   wants to judge it too ([`bypasses`](Self::bypasses)).
/// - `dropped` is empty when a call begins.
///
/// The discipline promises, and [`conformance::queue`](crate::conformance::queue) checks:
///
/// - **Conservation.** Each packet that it was given it holds, has handed over once, or has pushed
///   onto `dropped` once. It may drop the packet offered, packets that wait, or both.
/// - **Order.** Packets of the same flow and priority leave in the order in which they came, those
///   of L4S (ECT(1), CE) apart from the others.
/// - **Work conservation.** `dequeue` returns `None` only if nothing is left waiting.
/// - **Lengths.** [`len`](Self::len) and [`bytes`](Self::bytes) are those of the packets held, and
///   after each call within the limit that it was built with.
/// - **Marks.** It changes a packet by [`mark`](Packet::mark) alone, and only if its
///   [ECN field](Packet::ecn) is capable.
/// - **Determinism.** The same calls give the same answers. Random numbers come from the stream
///   that it was built with, and from nowhere else.
pub trait QueueDiscipline<P: Packet = Queued> {
    /// Takes a packet at the end of its way to the link. What the discipline drops because of it,
    /// the packet itself included, it pushes onto `dropped`.
    fn enqueue(&mut self, now: Time, packet: P, dropped: &mut Vec<P>);

    /// Hands over the packet whose transmission begins now. What the discipline drops first, any
    /// number of packets, it pushes onto `dropped`.
    fn dequeue(&mut self, now: Time, dropped: &mut Vec<P>) -> Option<P>;

    /// Packets waiting.
    fn len(&self) -> usize;

    /// Bytes waiting.
    fn bytes(&self) -> u64;

    /// True if no packet waits.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// False if packets that find the link idle enter the queue too. What it then takes it must
    /// hand over at once.
    fn bypasses(&self) -> bool {
        true
    }

    /// A packet went straight to the transmitter, which had been idle for `idle`.
    fn on_bypass(&mut self, now: Time, idle: Span) {
        let _ = (now, idle);
    }

    /// The link's rate from now on: told before anything else, and at each change of network. The
    /// mean rate where it follows a recorded trace; `None` where transmission takes no time.
    fn on_rate(&mut self, now: Time, rate: Option<Rate>) {
        let _ = (now, rate);
    }
}

/// Parameters that a queue discipline is built from.
pub trait BuildDiscipline: Debug + Send + Sync + 'static {
    /// Checks that the parameters are in their ranges.
    ///
    /// # Errors
    /// The range that is allowed for the first parameter outside of its own.
    fn check(&self) -> Result<(), &'static str> {
        Ok(())
    }

    /// The capacity where a scenario says none; `None` if it must say one.
    fn usual_limit(&self) -> Option<Limit> {
        None
    }

    /// An empty queue of this capacity that draws its random numbers, if any, from `stream`.
    fn build(&self, limit: Limit, stream: Stream) -> Box<dyn QueueDiscipline + Send>;
}
