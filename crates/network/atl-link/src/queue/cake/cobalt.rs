//! COBALT: CoDel beside BLUE, the law of each queue in CAKE (Palmei and others, "Design and
//! Evaluation of COBALT Queue Discipline", LANMAN 2019; Linux's `sch_cake`).
//!
//! It differs from RFC 8289's CoDel: the count of signals decays at the pace at which it grew once
//! the queue is short, also while the queue is empty, instead of being forgotten or kept; and a
//! queue that overflows is answered with random drops that no mark replaces (BLUE).

use atl_core::time::{Span, Time};

use crate::packet::Packet as _;
use crate::queued::Queued;
use crate::random::Stream;

/// BLUE's probability grows by this much where queues overflow, and falls by a sixteenth of it
/// where this one is empty: Linux's 2^24 and 2^20 of 2^32.
const GROWS: f64 = 1.0 / 256.0;
const FALLS: f64 = 1.0 / 4096.0;

/// The law's parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Law {
    pub target: Span,
    pub interval: Span,
    /// A queue that stands for less than this is none: four packets at the link's rate.
    pub least: Span,
}

/// The law's state.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cobalt {
    /// Signals, from which their rate follows.
    count: u32,
    dropping: bool,
    /// When the next signal is due; without signals, until when the state is of use.
    next: Time,
    /// BLUE's probability, and when it last changed.
    blue: f64,
    changed: Time,
}

impl Cobalt {
    /// One interval / sqrt(count) after `from`. Linux takes the root from a table and by Newton's
    /// method in 32 bits; this is the exact one, from which it is 10^-4 away at most.
    fn after(&self, from: Time, law: &Law) -> Time {
        from.saturating_add(law.interval.mul_f64(1.0 / f64::from(self.count.max(1)).sqrt()))
    }

    /// The queue is the longest where all are full together.
    pub(super) fn on_full(&mut self, law: &Law, now: Time) {
        if now.since(self.changed) > law.target {
            self.blue = (self.blue + GROWS).min(1.0);
            self.changed = now;
        }
        (self.dropping, self.next, self.count) = (true, now, self.count.max(1));
    }

    /// The queue was asked for a packet and had none.
    pub(super) fn on_empty(&mut self, law: &Law, now: Time) {
        if self.blue > 0.0 && now.since(self.changed) > law.target {
            self.blue = (self.blue - FALLS).max(0.0);
            self.changed = now;
        }
        self.dropping = false;
        if self.count > 0 && now >= self.next {
            self.count -= 1;
            self.next = self.after(self.next, law);
        }
    }

    /// True while an empty queue still has to come to rest.
    pub(super) fn decays(&self, now: Time) -> bool {
        self.blue > 0.0 || self.count > 0 || now < self.next
    }

    /// The signal to a packet that leaves, which is marked if that is possible. True if it is to be
    /// dropped.
    pub(super) fn drops(
        &mut self,
        law: &Law,
        now: Time,
        packet: &mut Queued,
        stream: &mut Stream,
    ) -> bool {
        let sojourn = packet.sojourn(now);
        let long = sojourn > law.target && sojourn > law.least;
        // A signal that was due before the queue grew long again is given at once.
        let due = self.count > 0 && now >= self.next;
        if !long {
            self.dropping = false;
        } else {
            if !self.dropping {
                self.dropping = true;
                self.next = self.after(now, law);
            }
            self.count = self.count.max(1);
        }
        let mut drop = false;
        if due {
            if self.dropping {
                drop = !packet.ecn().is_capable();
                packet.mark();
                self.count = self.count.saturating_add(1);
                self.next = self.after(self.next, law);
            } else {
                while self.count > 0 && now >= self.next {
                    self.count -= 1;
                    self.next = self.after(self.next, law);
                }
            }
        }
        // Marks are no answer to a queue that overflows.
        drop |= self.blue > 0.0 && stream.chance(self.blue);
        if self.count == 0 {
            self.next = now.saturating_add(law.interval);
        } else if now > self.next && !drop {
            self.next = now;
        }
        drop
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ecn::Ecn;

    const LAW: Law = Law {
        target: Span::from_millis(5),
        interval: Span::from_millis(100),
        least: Span::from_millis(8),
    };

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    /// The law's answer to a packet that has waited for `waited`, and the packet.
    fn asked(cobalt: &mut Cobalt, now: Time, waited: Span, ecn: Ecn) -> (bool, Queued) {
        let mut packet = Queued::new(now - waited, 1500).with_ecn(ecn);
        let drop = cobalt.drops(&LAW, now, &mut packet, &mut Stream::new(1, "cobalt"));
        (drop, packet)
    }

    #[test]
    fn blue_grows_and_falls_once_in_each_target_time() {
        let mut cobalt = Cobalt::default();
        cobalt.on_full(&LAW, ms(5));
        assert!(cobalt.blue.abs() < 1e-15, "no more than the target since the start");
        assert_eq!((cobalt.dropping, cobalt.next, cobalt.count), (true, ms(5), 1));
        cobalt.on_full(&LAW, ms(6));
        cobalt.on_full(&LAW, ms(11));
        assert!((cobalt.blue - GROWS).abs() < 1e-15);
        cobalt.on_full(&LAW, ms(12));
        assert!((cobalt.blue - 2.0 * GROWS).abs() < 1e-15);

        cobalt.on_empty(&LAW, ms(17));
        assert!((cobalt.blue - 2.0 * GROWS).abs() < 1e-15);
        cobalt.on_empty(&LAW, ms(18));
        assert!((cobalt.blue - (2.0 * GROWS - FALLS)).abs() < 1e-15);
        assert_eq!(cobalt.changed, ms(18));

        let mut full = Cobalt { blue: 1.0 - GROWS / 2.0, ..cobalt };
        full.on_full(&LAW, ms(100));
        assert!((full.blue - 1.0).abs() < 1e-15);
        let mut low = Cobalt { blue: FALLS / 2.0, ..cobalt };
        low.on_empty(&LAW, ms(100));
        assert!(low.blue.abs() < 1e-15);
        // Without a probability there is nothing to change.
        low.on_empty(&LAW, ms(200));
        assert_eq!(low.changed, ms(100));
    }

    #[test]
    fn an_empty_queue_forgets_a_signal_at_a_time() {
        let mut cobalt = Cobalt { count: 4, dropping: true, next: ms(100), ..Cobalt::default() };
        cobalt.on_empty(&LAW, ms(99));
        assert_eq!((cobalt.count, cobalt.dropping, cobalt.next), (4, false, ms(100)));
        cobalt.on_empty(&LAW, ms(100));
        // The next comes after the interval over the root of what is left.
        let later = ms(100) + LAW.interval.mul_f64(1.0 / 3.0_f64.sqrt());
        assert_eq!((cobalt.count, cobalt.next), (3, later));
        let mut last = Cobalt { count: 1, next: ms(100), ..Cobalt::default() };
        last.on_empty(&LAW, ms(150));
        assert_eq!((last.count, last.next), (0, ms(200)));
        last.on_empty(&LAW, ms(300));
        assert_eq!((last.count, last.next), (0, ms(200)));
    }

    #[test]
    fn a_queue_is_at_rest_without_signals_probability_and_due_time() {
        let rest = Cobalt { next: ms(10), ..Cobalt::default() };
        assert!(rest.decays(ms(9)) && !rest.decays(ms(10)));
        assert!(Cobalt { count: 1, ..rest }.decays(ms(10)));
        assert!(Cobalt { blue: FALLS, ..rest }.decays(ms(10)));
    }

    #[test]
    fn a_queue_is_long_above_target_and_least() {
        for (waited, long) in [(5, false), (8, false), (9, true)] {
            let mut cobalt = Cobalt::default();
            let (drop, _) = asked(&mut cobalt, ms(1000), Span::from_millis(waited), Ecn::NotEct);
            assert!(!drop, "the first signal is due after an interval");
            assert_eq!((cobalt.dropping, cobalt.count), (long, u32::from(long)), "{waited} ms");
            // Also without signals the state is of use for an interval.
            assert_eq!(cobalt.next, ms(1100));
        }
        // The target decides where four packets take less.
        let slow = Law { least: Span::from_millis(1), ..LAW };
        let mut cobalt = Cobalt::default();
        let mut packet = Queued::new(ms(995), 1500);
        cobalt.drops(&slow, ms(1000), &mut packet, &mut Stream::new(1, "cobalt"));
        assert!(!cobalt.dropping, "5 ms are the target");
    }

    #[test]
    fn signals_come_closer_and_mark_what_can_be_marked() {
        let waited = Span::from_millis(20);
        let mut cobalt = Cobalt::default();
        assert!(!asked(&mut cobalt, ms(1000), waited, Ecn::NotEct).0);
        assert!(!asked(&mut cobalt, ms(1099), waited, Ecn::NotEct).0);
        assert!(asked(&mut cobalt, ms(1100), waited, Ecn::NotEct).0);
        let second = ms(1100) + LAW.interval.mul_f64(1.0 / 2.0_f64.sqrt());
        assert_eq!((cobalt.count, cobalt.next), (2, second));
        let (drop, packet) = asked(&mut cobalt, second, waited, Ecn::Ect0);
        assert!(!drop && packet.ecn() == Ecn::Ce);
        assert_eq!(cobalt.count, 3);
        assert_eq!(cobalt.next, second + LAW.interval.mul_f64(1.0 / 3.0_f64.sqrt()));
        // Between signals nothing is marked.
        let (drop, packet) = asked(&mut cobalt, second, waited, Ecn::Ect0);
        assert!(!drop && packet.ecn() == Ecn::Ect0);
    }

    #[test]
    fn a_late_drop_keeps_the_pace_and_a_late_mark_does_not() {
        let waited = Span::from_millis(20);
        let cobalt = Cobalt { count: 1, dropping: true, next: ms(100), ..Cobalt::default() };
        let mut dropped = cobalt;
        assert!(asked(&mut dropped, ms(900), waited, Ecn::NotEct).0);
        assert_eq!(dropped.next, ms(100) + LAW.interval.mul_f64(1.0 / 2.0_f64.sqrt()));
        let mut marked = cobalt;
        assert!(!asked(&mut marked, ms(900), waited, Ecn::Ect1).0);
        assert_eq!(marked.next, ms(900));
    }

    #[test]
    fn a_short_queue_forgets_all_signals_that_were_due() {
        let mut cobalt = Cobalt { count: 3, dropping: true, next: ms(100), ..Cobalt::default() };
        let (drop, _) = asked(&mut cobalt, ms(180), Span::from_millis(1), Ecn::NotEct);
        assert!(!drop && !cobalt.dropping);
        let second = ms(100) + LAW.interval.mul_f64(1.0 / 2.0_f64.sqrt());
        assert_eq!((cobalt.count, cobalt.next), (1, second + LAW.interval));
        // The last one, and then none.
        let (drop, _) = asked(&mut cobalt, ms(400), Span::from_millis(1), Ecn::NotEct);
        assert!(!drop);
        assert_eq!((cobalt.count, cobalt.next), (0, ms(500)));
    }

    #[test]
    fn blue_drops_what_could_be_marked() {
        let mut cobalt = Cobalt { blue: 1.0, ..Cobalt::default() };
        let (drop, packet) = asked(&mut cobalt, ms(1000), Span::ZERO, Ecn::Ect0);
        assert!(drop && packet.ecn() == Ecn::Ect0);
        let mut none = Cobalt::default();
        assert!(!asked(&mut none, ms(1000), Span::ZERO, Ecn::Ect0).0);
    }
    /// Otherwise each packet of a calm queue would change what is drawn for all later ones.
    #[test]
    fn without_a_probability_nothing_is_drawn() {
        let drawn = |blue| {
            let mut stream = Stream::new(1, "cobalt");
            let mut packet = Queued::new(ms(1000), 1500);
            Cobalt { blue, ..Cobalt::default() }.drops(&LAW, ms(1000), &mut packet, &mut stream);
            stream.next_u64()
        };
        let mut fresh = Stream::new(1, "cobalt");
        assert_eq!(drawn(0.0), fresh.next_u64());
        assert_eq!(drawn(f64::MIN_POSITIVE), fresh.next_u64());
    }
}
