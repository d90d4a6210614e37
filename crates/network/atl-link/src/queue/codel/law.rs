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

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;
    use crate::ecn::Ecn;
    use crate::packet::Packet as _;

    const CODEL: CoDel = CoDel {
        target: Span::from_millis(5),
        interval: Span::from_millis(100),
        ecn: true,
        mtu: 1514,
    };

    impl Fifo for VecDeque<Queued> {
        fn take(&mut self) -> Option<Queued> {
            self.pop_front()
        }

        fn bytes(&self) -> u64 {
            self.iter().map(|packet| u64::from(packet.wire_bytes())).sum()
        }
    }

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    /// Packets of 1000 bytes that came at 0.
    fn waiting(packets: usize, ecn: Ecn) -> VecDeque<Queued> {
        (0..packets).map(|_| Queued::new(ms(0), 1000).with_ecn(ecn)).collect()
    }

    /// A law that was above target for long enough, and drops no longer.
    fn late() -> Control {
        Control { first_above: Some(ms(10)), ..Control::default() }
    }

    /// Dropping begins at `now`; returns the law after it.
    fn begun(mut control: Control, now: Time) -> Control {
        let mut dropped = Vec::new();
        let head = control.dequeue(&CODEL, &mut waiting(9, Ecn::NotEct), now, &mut dropped);
        assert!(head.is_some() && dropped.len() == 1 && control.dropping, "{control:?}");
        control
    }

    /// rfc8289 5.5: Dropping goes on at the count of drops that it had, if it had more than one and
    /// if less than 16 intervals have passed.
    #[test]
    fn a_count_of_more_than_one_is_kept_for_16_intervals() {
        let now = ms(2000);
        for (count, last_count, pause, kept) in [
            (5, 2, 1599, 3),
            (5, 2, 1600, 1),
            (5, 3, 1599, 2),
            (5, 4, 1599, 1),
            (5, 5, 1599, 1),
            (2, 5, 1599, 1),
        ] {
            let drop_next = now - Span::from_millis(pause);
            let before = Control { count, last_count, drop_next, inverse_root: 30_000, ..late() };
            let after = begun(before.clone(), now);
            assert_eq!((after.count, after.last_count), (kept, kept), "{before:?}");
            // Only a count that is kept has a root to start from.
            assert_eq!(after.inverse_root == u16::MAX, kept == 1, "{before:?}: {after:?}");
            assert!(after.drop_next > now && after.drop_next <= now + CODEL.interval);
        }
    }

    /// rfc8289 5.6: Below the target, or with a packet's length or less left, nothing is dropped,
    /// and the interval begins anew.
    #[test]
    fn a_short_queue_is_spared() {
        for (now, packets, bytes, spared) in [
            (Time::from_nanos(4_999_999), 9, 1000, true),
            (ms(5), 9, 1000, false),
            (ms(5), 2, 1514, true),
            (ms(5), 2, 1515, false),
            (ms(5), 1, 9000, true),
        ] {
            let mut control = Control::default();
            let mut queue: VecDeque<_> = (0..packets).map(|_| Queued::new(ms(0), bytes)).collect();
            assert!(control.dequeue(&CODEL, &mut queue, now, &mut Vec::new()).is_some());
            let until = (!spared).then_some(now + CODEL.interval);
            assert_eq!(control.first_above, until, "{now:?} {packets} {bytes}");
        }
    }

    /// The first drop comes when the interval is over, and not before.
    #[test]
    fn a_queue_may_be_long_for_an_interval() {
        for (now, drops) in [(Time::from_nanos(109_999_999), false), (ms(110), true)] {
            let mut control = Control { first_above: Some(ms(110)), ..Control::default() };
            let mut dropped = Vec::new();
            control.dequeue(&CODEL, &mut waiting(9, Ecn::NotEct), now, &mut dropped);
            assert_eq!((dropped.len() == 1, control.dropping), (drops, drops));
        }
    }

    /// A mark takes the place of a drop, at the same pace, and lets its packet go.
    #[test]
    fn what_can_be_marked_is_not_dropped() {
        let mut control = Control {
            dropping: true,
            drop_next: ms(200),
            count: 3,
            // 2^16 over the root of 3.
            inverse_root: 37_837,
            ..late()
        };
        let (mut queue, mut dropped) = (waiting(9, Ecn::Ect0), Vec::new());
        for (now, marked) in [(ms(199), false), (ms(200), true), (ms(201), false)] {
            let packet = control.dequeue(&CODEL, &mut queue, now, &mut dropped).expect("one");
            assert_eq!(packet.ecn() == Ecn::Ce, marked, "{now:?}");
        }
        assert_eq!((dropped.len(), control.count), (0, 4));
    }

    /// 1 / sqrt(2) to within 16 bits, after a few steps from 1.
    #[test]
    fn the_root_is_refined_step_by_step() {
        let mut control = Control { count: 2, ..Control::default() };
        (0..6).for_each(|_| control.refine());
        let exact = 65_536.0 / 2f64.sqrt();
        assert!((f64::from(control.inverse_root) - exact).abs() < 3.0, "{control:?}");
        assert_eq!(
            control.after(ms(0), Span::from_nanos(1 << 16)).nanos(),
            control.inverse_root.into()
        );
    }
}
