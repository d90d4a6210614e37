//! The measurement of a new path by the dummies that arrive on it.

use atl_core::path::PathId;
use atl_core::rate::{Arrived, Statistics};
use atl_core::time::{Span, Time};

use super::dummy::Dummy;
use crate::handoff::HandoffReport;

/// First wait before a report is repeated, at least.
const LEAST_WAIT: Span = Span::from_millis(100);
/// Times that a report is sent if nothing shows that it arrived.
const MOST_REPORTS: u32 = 5;

/// Arrivals of a probe's dummies, from which the receiver computes the rate of a new path.
#[derive(Clone, Debug)]
pub(in crate::paced) struct Measurement {
    path: PathId,
    probe: u8,
    first: Time,
    last: Time,
    highest: u32,
    received: u32,
    bytes: u64,
    statistics: Statistics,
    /// When it ends, or the report is sent again; [`Time::MAX`] after the last time.
    due: Time,
    /// The measurement's result, once it has ended.
    report: Option<HandoffReport>,
    sent: u32,
}

impl Measurement {
    /// A measurement that lasts `over` and begins with this dummy.
    pub(in crate::paced) fn new(arrived: &Arrived, dummy: Dummy, over: Span) -> Self {
        let mut statistics = Statistics::default();
        statistics.on_data(arrived);
        Measurement {
            path: arrived.path,
            probe: dummy.probe,
            first: arrived.now,
            last: arrived.now,
            highest: dummy.index,
            received: 1,
            bytes: u64::from(arrived.bytes),
            statistics,
            due: arrived.now.saturating_add(over),
            report: None,
            sent: 0,
        }
    }

    pub(in crate::paced) fn path(&self) -> PathId {
        self.path
    }

    pub(in crate::paced) fn probe(&self) -> u8 {
        self.probe
    }

    /// Another dummy of the probe arrived. One that comes twice, late, or after the end is not
    /// counted.
    pub(in crate::paced) fn on_dummy(&mut self, arrived: &Arrived, dummy: Dummy) {
        if self.report.is_some() || arrived.now > self.due || dummy.index <= self.highest {
            return;
        }
        self.highest = dummy.index;
        self.last = arrived.now;
        self.received = self.received.saturating_add(1);
        self.bytes = self.bytes.saturating_add(u64::from(arrived.bytes));
        self.statistics.on_data(arrived);
    }

    /// The measurement ends now, if it has not.
    pub(in crate::paced) fn end(&mut self, now: Time) {
        if self.report.is_none() {
            self.due = self.due.min(now);
        }
    }

    /// When [`poll`](Self::poll) has something to do.
    pub(in crate::paced) fn next(&self) -> Time {
        self.due
    }

    /// The report to send now, if one is due. The sender's estimate of the RTT is `rtt`.
    pub(in crate::paced) fn poll(&mut self, now: Time, rtt: Span) -> Option<HandoffReport> {
        if now < self.due {
            return None;
        }
        let window = now.since(self.first);
        let report = *self.report.get_or_insert_with(|| HandoffReport {
            path: self.path,
            probe: self.probe,
            highest: self.highest,
            received: self.received,
            bytes: self.bytes,
            span: self.last.since(self.first),
            window,
            jitter: self.statistics.report(now).jitter,
            tag: 0,
        });
        let wait = (rtt * 2).max(LEAST_WAIT) * (1 << self.sent);
        self.sent += 1;
        self.due = if self.sent < MOST_REPORTS { now.saturating_add(wait) } else { Time::MAX };
        Some(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    fn arrived(index: u32, at: u64) -> (Arrived, Dummy) {
        let dummy = Dummy { probe: 3, challenge: false, index };
        let arrived = Arrived::new(ms(at), dummy.number(), ms(at - 20), 500).path(PathId::new(1));
        (arrived, dummy)
    }

    fn begun() -> Measurement {
        let (first, dummy) = arrived(2, 100);
        let mut m = Measurement::new(&first, dummy, Span::from_millis(500));
        // 3 twice, 5 and 4 in the wrong order, and 9 after the end.
        for (index, at) in [(3, 110), (3, 111), (5, 140), (4, 150), (9, 601)] {
            let (arrived, dummy) = arrived(index, at);
            m.on_dummy(&arrived, dummy);
        }
        m
    }

    #[test]
    fn each_dummy_counts_once_until_the_time_is_over() {
        let mut m = begun();
        assert_eq!((m.next(), m.poll(ms(599), Span::ZERO)), (ms(600), None));
        let report = m.poll(ms(600), Span::ZERO).expect("due");
        assert_eq!((report.path, report.probe), (PathId::new(1), 3));
        assert_eq!((report.received, report.highest, report.bytes), (3, 5, 1500));
        assert_eq!((report.span, report.window), (Span::from_millis(40), Span::from_millis(500)));
    }

    #[test]
    fn the_report_is_repeated_later_and_later_and_does_not_change() {
        let mut m = begun();
        let first = m.poll(ms(600), Span::from_millis(30));
        let mut times = Vec::new();
        while m.next() < Time::MAX {
            let now = m.next();
            times.push(now);
            assert_eq!(m.poll(now, Span::from_millis(30)), first);
        }
        // Twice the RTT is less than 100 ms.
        assert_eq!(times, [ms(700), ms(900), ms(1300), ms(2100)]);
        let mut slow = begun();
        slow.poll(ms(600), Span::from_millis(300));
        assert_eq!(slow.next(), ms(1200));
    }

    #[test]
    fn a_move_ends_it_early() {
        let mut m = begun();
        m.end(ms(200));
        let report = m.poll(ms(200), Span::ZERO).expect("due");
        assert_eq!((report.received, report.window), (3, Span::from_millis(100)));
        let due = m.next();
        m.end(ms(201));
        assert_eq!(m.next(), due, "it ends once");
    }
}
