//! RTT samples of a sender without timestamps.
//!
//! Source: Karn and Partridge, "Improving round-trip time estimates in reliable transport
//! protocols", SIGCOMM 1987; RFC 6298, sec. 3; ns-2 2.35 (`tcp.cc`) without `timestamps_`, which is
//! its default. One segment at a time is timed, from its first transmission to the ACK that covers
//! it. A fast retransmit or a timeout abandons the measurement, since an ACK that waited for a
//! repair says nothing of the path. So no segment that was resent gives a sample, and the back-off
//! of the timer lasts until a segment that was sent after the timeout is acknowledged without a
//! further loss.

use atl_core::time::{Span, Time};

/// The segment that is being timed, and when it was sent.
#[derive(Debug, Default)]
pub(super) struct Timing(Option<(u64, Time)>);

impl Timing {
    /// A new segment was sent.
    pub(super) fn on_sent(&mut self, seq: u64, now: Time) {
        self.0.get_or_insert((seq, now));
    }

    /// A loss or a pause spoils the measurement.
    pub(super) fn abandon(&mut self) {
        self.0 = None;
    }

    /// Everything below `una` is acknowledged. The sample, if the timed segment is among it.
    pub(super) fn on_ack(&mut self, una: u64, now: Time) -> Option<Span> {
        let (_, sent_at) = self.0.take_if(|(seq, _)| *seq < una)?;
        Some(now.since(sent_at))
    }
}
