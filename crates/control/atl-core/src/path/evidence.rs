//! The sender's own evidence about losses that the receiver blames on its link: the queues at which
//! they come.
//!
//! A FIFO queue drops packets when it is full. A link loses them at any queue. So if a share F of
//! all packets finds the queue full, so does F of a link's losses, and all of the queue's own: of
//! the losses L = s F + (1 - s) come at a full queue, where s is the link's share. Then
//! s = (1 - L)/(1 - F), whoever fills the queue, and without any help from the receiver. A claim is
//! held against it: losses that come with full queues are not the link's, and a path that loses
//! packets in its queues has a wired part that others may use too, whatever delay the receiver
//! claims.
//!
//! A queue that is full nearly always gives no s. It is not a neighbour's that reacts to losses,
//! since that would leave the top of the queue after each of them: then nothing is the link's.
//! Where no queue shows, nothing is held against the link.
//!
//! The round-trip times of a packet's neighbours show which queue it found: the ACKs that show a
//! loss are those of packets sent just after it. A loss found by the timer has no such witness and
//! says nothing: the timer also finds what a blackout of the link has lost. The share L is taken
//! over losses, not over time or packets: a flow that loses one packet in thousands is judged by
//! its last losses, however long ago they were. Losses that one ACK shows are one event, or a short
//! blackout would outweigh all that came before.
//!
//! The longest queue is one that four packets in a row came through, of the last 32 to 64 round
//! trips: a few ACKs that the receiver holds back do not move it. One that makes all round trips
//! alike hides the queue, and pays with a longer round trip; one that holds back many ACKs at
//! random blurs the evidence. A receiver that forges what ACKs echo can deceive any sender (Savage
//! et al. 1999); that is not prevented here.

use crate::time::{Span, Time};

/// Packets in a row that show how long a queue is.
const ROW: usize = 4;

/// Round-trip times after which the longest queue of a period is set aside.
const PERIOD: u64 = 32;

/// A queue is full if it is at most one part in this many shorter than the longest.
const TOP: u64 = 8;

/// A packet moves F by one part in this many: F is known over many rounds, or a sender that is held
/// back for filling the queue would soon be free to fill it again.
const PACKET_GAIN: f64 = 2048.0;

/// A loss moves L by one part in this many: some 16 losses are remembered.
const LOSS_GAIN: f64 = 16.0;

/// Weight of the assumption that all losses are the link's, so that a few losses of a sender that
/// rarely sees the queue full do not decide.
const DOUBT: f64 = 0.05;

/// Up to the first of these F, s is as it is estimated; from the second on nothing is the link's.
const OFTEN: f64 = 0.5;
const ALWAYS: f64 = 0.6;

/// Links and hosts delay packets by up to this part of the least round-trip time, and by up to this
/// many nanoseconds, without a queue; packets that leave together by their time on the wire. Queues
/// of up to twice as much do not show.
const JITTER: u64 = 50;
const LEAST_JITTER: u64 = 1_000_000;

/// Largest sample: an hour. It keeps sums from overflowing.
const MAX_SAMPLE: u64 = 3_600_000_000_000;

/// The queues that packets found, and those that losses found.
#[derive(Clone, Debug)]
pub(crate) struct Evidence {
    /// The last round-trip times in nanoseconds, and when they were taken.
    recent: [(u64, Time); ROW],
    /// The shortest time in nanoseconds in which a packet followed another, as the mean of a row.
    packet: u64,
    /// The longest round-trip times of this period and of the one before, in nanoseconds.
    longest: [u64; 2],
    period_ends: Option<Time>,
    /// The last packets found the queue full.
    full: bool,
    /// F, a running mean over packets.
    full_packets: f64,
    /// L, a running mean over losses.
    full_losses: f64,
}

impl Evidence {
    /// No evidence yet: claims about losses are accepted.
    pub(crate) fn new() -> Self {
        Evidence {
            recent: [(0, Time::ZERO); ROW],
            packet: MAX_SAMPLE,
            longest: [0; 2],
            period_ends: None,
            full: false,
            full_packets: 0.0,
            full_losses: 0.0,
        }
    }

    pub(crate) fn restart(&mut self) {
        *self = Evidence::new();
    }

    /// A packet came through in `rtt`, on a path whose least round-trip time is `least`.
    #[inline]
    pub(crate) fn on_rtt(&mut self, now: Time, rtt: Span, least: Span) {
        let rtt = rtt.nanos().min(MAX_SAMPLE);
        let since = now.since(self.recent[0].1).nanos();
        self.packet = self.packet.min(since / ROW as u64);
        self.recent.rotate_left(1);
        self.recent[ROW - 1] = (rtt, now);
        let row = || self.recent.iter().map(|(rtt, _)| *rtt);
        let shortest_of_row = row().fold(u64::MAX, u64::min);
        if self.period_ends.is_none_or(|end| now >= end) {
            self.longest = [0, self.longest[0]];
            self.period_ends = Some(now.saturating_add(Span::from_nanos(rtt) * PERIOD));
        }
        self.longest[0] = self.longest[0].max(shortest_of_row);
        let longest = self.longest[0].max(self.longest[1]);
        let queue = longest.saturating_sub(least.nanos());
        let jitter = LEAST_JITTER.max(least.nanos() / JITTER).max(self.packet);
        let longest_of_row = row().fold(0, u64::max);
        let shows = queue > 2 * jitter;
        self.full = shows && longest_of_row >= longest - queue / TOP;
        self.full_packets += (share(self.full) - self.full_packets) / PACKET_GAIN;
    }

    /// Notes losses in one ACK that the sender's own link did not mark.
    pub(crate) fn on_loss(&mut self) {
        self.full_losses += (share(self.full) - self.full_losses) / LOSS_GAIN;
    }

    /// Share of the recent losses that may be the link's, from 0 to 1.
    pub(crate) fn share(&self) -> f64 {
        let share = (1.0 - self.full_losses + DOUBT) / (1.0 - self.full_packets + DOUBT);
        let seldom = (ALWAYS - self.full_packets) / (ALWAYS - OFTEN);
        share.min(1.0) * seldom.clamp(0.0, 1.0)
    }
}

/// 1 if so, else 0.
fn share(so: bool) -> f64 {
    f64::from(u8::from(so))
}

#[cfg(test)]
mod tests;
