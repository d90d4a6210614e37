//! The control law of CoDel, over any queue that is first in, first out.

use atl_core::time::{Span, Time};

use super::CoDel;
use crate::queued::Queued;

/// The queue under the law: CoDel's own, or one flow's in FQ-CoDel.
pub(in crate::queue) trait Fifo {
    /// Removes the packet that came first.
    fn take(&mut self) -> Option<Queued>;

    /// Bytes left.
    fn bytes(&self) -> u64;
}

/// After a pause of less than this many intervals drops go on about as often as they were right
/// (RFC 8289, section 5.5).
const RECENT: u64 = 16;

/// The law's state. The RFC calls its fields `first_above_time_`, `drop_next_`, `count_`,
/// `lastcount_` and `dropping_`.
#[derive(Clone, Debug)]
pub(in crate::queue) struct Control {
    /// If the sojourn stays above target until then, packets may be dropped.
    first_above: Option<Time>,
    drop_next: Time,
    /// Drops since dropping began.
    count: u32,
    /// `count` as dropping began.
    last_count: u32,
    dropping: bool,
    /// 1 / sqrt(count) in units of 2^-16, as Linux keeps it.
    inverse_root: u16,
}

impl Default for Control {
    fn default() -> Self {
        let (count, last_count, dropping) = (0, 0, false);
        let (first_above, drop_next) = (None, Time::ZERO);
        Control { first_above, drop_next, count, last_count, dropping, inverse_root: u16::MAX }
    }
}

impl Control {
    /// The packet whose transmission begins now (RFC 8289, section 5.5, `dequeue`).
    pub(in crate::queue) fn dequeue(
        &mut self,
        config: &CoDel,
        queue: &mut impl Fifo,
        now: Time,
        dropped: &mut Vec<Queued>,
    ) -> Option<Queued> {
        let (mut head, late) = self.take(config, queue, now);
        if !self.dropping {
            return if late { self.begin(config, queue, head?, now, dropped) } else { head };
        }
        self.dropping = late;
        while self.dropping && now >= self.drop_next {
            let mut packet = head?;
            self.count = self.count.saturating_add(1);
            self.refine();
            if config.marks(&mut packet) {
                self.drop_next = self.after(self.drop_next, config.interval);
                return Some(packet);
            }
            dropped.push(packet);
            (head, self.dropping) = self.take(config, queue, now);
            if self.dropping {
                self.drop_next = self.after(self.drop_next, config.interval);
            }
        }
        head
    }

    /// Marks or drops the first packet of a queue that was above target for an interval.
    fn begin(
        &mut self,
        config: &CoDel,
        queue: &mut impl Fifo,
        mut packet: Queued,
        now: Time,
        dropped: &mut Vec<Queued>,
    ) -> Option<Queued> {
        let next = if config.marks(&mut packet) {
            Some(packet)
        } else {
            dropped.push(packet);
            self.take(config, queue, now).0
        };
        self.dropping = true;
        let delta = self.count.saturating_sub(self.last_count);
        if delta > 1 && now.since(self.drop_next) < config.interval * RECENT {
            self.count = delta;
            self.refine();
        } else {
            self.count = 1;
            self.inverse_root = u16::MAX;
        }
        self.last_count = self.count;
        self.drop_next = self.after(now, config.interval);
        next
    }

    /// The head, and true if it may be dropped: the sojourn has been above target for an interval,
    /// and more than a packet is left (RFC 8289, section 5.6, `dodequeue`).
    fn take(&mut self, config: &CoDel, queue: &mut impl Fifo, now: Time) -> (Option<Queued>, bool) {
        let head = queue.take();
        let sojourn = head.as_ref().map_or(Span::ZERO, |packet| packet.sojourn(now));
        if sojourn < config.target || queue.bytes() <= u64::from(config.mtu) {
            self.first_above = None;
            return (head, false);
        }
        let interval_ends = now.saturating_add(config.interval);
        let late = now >= *self.first_above.get_or_insert(interval_ends);
        (head, late)
    }

    /// One interval / sqrt(count) after `from` (RFC 8289, section 5.6, `control_law`).
    fn after(&self, from: Time, interval: Span) -> Time {
        // A product of 64 and 16 bits, shifted by 16, has 64.
        let step = (u128::from(interval.nanos()) * u128::from(self.inverse_root)) >> 16;
        from.saturating_add(Span::from_nanos(step as u64))
    }

    /// A step of Newton's method for 1 / sqrt(count): x (3 - count x^2) / 2, rounded down to 16
    /// bits.
    fn refine(&mut self) {
        let root = u64::from(self.inverse_root) << 16;
        let square = (root * root) >> 32;
        // Positive: the root is at most 1 / sqrt(count - 1), or was that of a larger count.
        let rest = (3_u64 << 32).saturating_sub(u64::from(self.count) * square);
        self.inverse_root = (((rest >> 2) * root) >> 47) as u16;
    }
}
