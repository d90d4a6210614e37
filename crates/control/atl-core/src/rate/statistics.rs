//! Reception statistics of RFC 3550 and a receiver that reports them periodically.

use super::{Arrived, Report, ReportingReceiver};
use crate::time::{Span, Time};

/// A receiver's counts (RFC 3550, sec. 6.4.1, A.3 and A.8). Packets are numbered from 0, so that
/// losses before the first arrival are known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    highest: u64,
    received: u64,
    marked: u64,
    clear: u64,
    /// Packets expected and received at the previous report.
    prior: (u64, u64),
    /// 16 J, in nanoseconds.
    jitter16: u64,
    /// Sending time and time of arrival of the last packet.
    last: Option<(Time, Time)>,
    /// The same of the packet with the highest number.
    newest: Option<(Time, Time)>,
}

impl Statistics {
    /// Counts a packet that arrived.
    #[inline]
    pub fn on_data(&mut self, arrived: &Arrived) {
        let Arrived { now, seq, sent_at, .. } = *arrived;
        self.received += 1;
        self.marked += u64::from(arrived.marked);
        self.clear += u64::from(arrived.clear);
        if let Some((sent_before, came_before)) = self.last.replace((sent_at, now)) {
            let apart = |a: Time, b: Time| (a.since(b).nanos(), b.since(a).nanos());
            let (there, back) = apart(now, came_before);
            let (there_sent, back_sent) = apart(sent_at, sent_before);
            // D = (R_j - R_i) - (S_j - S_i), of which one of each pair is zero.
            let d = (there.saturating_add(back_sent)).abs_diff(back.saturating_add(there_sent));
            self.jitter16 = self.jitter16 - self.jitter16 / 16 + d.min(u64::MAX / 32);
        }
        if self.newest.is_none() || seq > self.highest {
            self.highest = seq;
            self.newest = Some((sent_at, now));
        }
    }

    /// Packets received, duplicates included.
    pub fn received(&self) -> u64 {
        self.received
    }

    fn expected(&self) -> u64 {
        if self.received == 0 { 0 } else { self.highest.saturating_add(1) }
    }

    /// The report at `now`; the next one's fraction counts from here.
    pub fn report(&mut self, now: Time) -> Report {
        let expected = self.expected();
        let (since, got) = (expected - self.prior.0, self.received - self.prior.1);
        self.prior = (expected, self.received);
        let (echo, came) = self.newest.unwrap_or_default();
        Report {
            highest: self.highest,
            received: self.received,
            cumulative_lost: i64::try_from(i128::from(expected) - i128::from(self.received))
                .unwrap_or(i64::MAX),
            fraction_lost: if since == 0 {
                0.0
            } else {
                since.saturating_sub(got) as f64 / since as f64
            },
            marked: self.marked,
            clear: self.clear,
            jitter: Span::from_nanos(self.jitter16 / 16),
            echo,
            held: now.since(came),
            receive_rate: None,
            loss_event_rate: None,
            pair_rate: None,
        }
    }
}

/// A receiver that reports at regular intervals, as RTCP does without its randomness. It does not
/// report if nothing has arrived since the last report.
#[derive(Clone, Debug)]
pub struct PeriodicReports {
    statistics: Statistics,
    every: Span,
    due: Option<Time>,
    news: bool,
}

impl PeriodicReports {
    /// A report at intervals of `every`. The first one follows the first packet at once, since it
    /// gives the sender its first round-trip time.
    pub fn new(every: Span) -> Self {
        let every = every.max(Span::from_micros(100));
        PeriodicReports { statistics: Statistics::default(), every, due: None, news: false }
    }
}

impl ReportingReceiver for PeriodicReports {
    fn on_data(&mut self, arrived: &Arrived) -> bool {
        self.statistics.on_data(arrived);
        self.news = true;
        let first = self.due.is_none();
        if first {
            self.due = Some(arrived.now.saturating_add(self.every));
        }
        first
    }

    fn next_timeout(&self) -> Option<Time> {
        self.due
    }

    fn on_tick(&mut self, now: Time) -> bool {
        if self.due.is_none_or(|due| now < due) {
            return false;
        }
        self.due = Some(now.saturating_add(self.every));
        self.news
    }

    fn report(&mut self, now: Time) -> Report {
        self.news = false;
        self.statistics.report(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(seq: u64, sent_ms: u64, now_ms: u64) -> Arrived {
        let (now, sent_at) = (Time::from_millis(now_ms), Time::from_millis(sent_ms));
        Arrived::new(now, seq, sent_at, 1000)
    }

    #[test]
    fn counts_losses_since_the_start_and_since_the_last_report() {
        let mut s = Statistics::default();
        // The first packet is lost too.
        for seq in [1, 2, 4, 6, 7] {
            s.on_data(&packet(seq, seq * 10, seq * 10 + 50));
        }
        let report = s.report(Time::from_millis(140));
        assert_eq!((report.highest, report.received, report.cumulative_lost), (7, 5, 3));
        assert!((report.fraction_lost - 0.375).abs() < 1e-12);
        assert_eq!((report.echo, report.held), (Time::from_millis(70), Span::from_millis(20)));
        s.on_data(&packet(8, 80, 190));
        let report = s.report(Time::from_millis(200));
        assert_eq!((report.cumulative_lost, report.fraction_lost == 0.0), (3, true));
        assert_eq!(report.marked, 0);
        // A duplicate, and a late packet.
        s.on_data(&packet(8, 80, 191));
        s.on_data(&packet(3, 30, 192));
        let report = s.report(Time::from_millis(200));
        assert_eq!((report.cumulative_lost, report.fraction_lost == 0.0), (1, true));
        assert_eq!((report.highest, report.echo), (8, Time::from_millis(80)));
    }

    #[test]
    fn the_highest_number_of_all_is_counted_as_others_are() {
        let mut s = Statistics::default();
        assert_eq!(s.report(Time::ZERO), Report::default());
        s.on_data(&packet(u64::MAX, 0, 1));
        let report = s.report(Time::from_millis(1));
        assert_eq!((report.cumulative_lost, report.highest), (i64::MAX, u64::MAX));
        assert!((0.0..=1.0).contains(&report.fraction_lost));
    }

    #[test]
    fn jitter_moves_a_sixteenth_towards_each_difference() {
        let mut s = Statistics::default();
        s.on_data(&packet(0, 0, 100));
        // Transit 100 ms, then 116 ms: D = 16 ms, J = 1 ms.
        s.on_data(&packet(1, 20, 136));
        assert_eq!(s.report(Time::from_millis(136)).jitter, Span::from_millis(1));
        // D = 0: J = 15/16 ms.
        s.on_data(&packet(2, 40, 156));
        assert_eq!(s.report(Time::from_millis(156)).jitter, Span::from_nanos(937_500));
    }

    #[test]
    fn reports_come_at_even_times_and_only_with_news() {
        let mut reports = PeriodicReports::new(Span::from_secs(5));
        assert_eq!(reports.next_timeout(), None);
        assert!(reports.on_data(&packet(0, 0, 10)));
        assert_eq!(reports.report(Time::from_millis(10)).received, 1);
        assert!(!reports.on_data(&packet(1, 10, 20)));
        assert!(reports.on_tick(Time::from_millis(5010)));
        assert_eq!(reports.report(Time::from_millis(5010)).received, 2);
        assert!(!reports.on_tick(Time::from_millis(10_010)));
        assert_eq!(reports.next_timeout(), Some(Time::from_millis(15_010)));
    }
}
