//! The contract between an endpoint and the host that drives it.

use atl_core::time::Time;

/// An endpoint that sends: [`tcp::Sender`](crate::tcp::Sender),
/// [`PacedSender`](crate::paced::PacedSender).
///
/// An endpoint does no I/O and has no clock. Its host hands it what happens, with the time, and
/// obeys these rules:
///
/// 1. **Hand in an input** (`on_ack`, `on_report`, `on_link_report`, [`on_timer`](Self::on_timer),
///    ...). Time never goes backwards from one call to the next, across all methods.
/// 2. **Drain the output.** After each input, and once at the start, call
///    [`poll_output`](Self::poll_output) with the same time until it returns `None`, and send each
///    packet at once.
/// 3. **Come back.** Then ask [`next_timer`](Self::next_timer). At that time call
///    [`on_timer`](Self::on_timer) and drain again, unless another input comes first: that may move
///    the timer, so ask again after each.
///
/// In return, whatever comes from the network:
///
/// - An endpoint that is drained has nothing more to send at that time: polling again returns
///   `None` and changes nothing.
/// - After `on_timer` and draining, the next timer is in the future, or never ([`Time::MAX`]): a
///   host that obeys the rules does not spin.
/// - Calling `on_timer` too early changes nothing, and calling it late does what was due, once.
/// - Inputs that make no sense (an ACK of data never sent, a report on packets never sent) are
///   ignored.
///
/// Receivers answer on the spot: each packet handed to a [`tcp::Receiver`](crate::tcp::Receiver) or
/// a [`PacedReceiver`](crate::paced::PacedReceiver) returns the answer to send, if any. Where
/// answers are delayed (delayed ACKs, periodic reports) they have a timer under rule 3.
///
/// A complete host of some 200 lines, which runs a TCP and a paced flow over the same links, is the
/// test `tests/endpoint/host.rs`.
pub trait Endpoint {
    /// A packet of this endpoint, before its host gives it a place in the network.
    type Output;

    /// The next packet to send now, if there is one.
    fn poll_output(&mut self, now: Time) -> Option<Self::Output>;

    /// When [`on_timer`](Self::on_timer) is due; [`Time::MAX`] if no timer runs.
    fn next_timer(&mut self, now: Time) -> Time;

    /// A timer may be due.
    fn on_timer(&mut self, now: Time);
}

impl Endpoint for crate::tcp::Sender {
    type Output = crate::tcp::Outgoing;

    fn poll_output(&mut self, now: Time) -> Option<Self::Output> {
        self.poll_send(now)
    }

    fn next_timer(&mut self, now: Time) -> Time {
        self.next_timer(now)
    }

    fn on_timer(&mut self, now: Time) {
        self.on_timer(now);
    }
}

impl Endpoint for crate::paced::PacedSender {
    type Output = crate::paced::Outgoing;

    fn poll_output(&mut self, now: Time) -> Option<Self::Output> {
        self.poll_send(now)
    }

    fn next_timer(&mut self, now: Time) -> Time {
        self.next_timer(now)
    }

    fn on_timer(&mut self, now: Time) {
        self.on_timer(now);
    }
}
