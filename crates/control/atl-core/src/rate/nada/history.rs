//! The observations of NADA's receiver over its window (RFC 8698, sec. 4.2 and 5.1), kept at the
//! sender.

use std::collections::VecDeque;

use crate::time::{Span, Time};

/// Largest number of samples: the window of a very fast flow is shorter.
const MOST: usize = 4096;

/// Delays over which the minimum filter looks back (RFC 8698, sec. 5.1.1).
const TAPS: usize = 15;

/// Least number of packets for a receive rate.
const LEAST_PACKETS: u64 = 5;

#[derive(Clone, Copy, Debug)]
struct Sample {
    at: Time,
    rtt: Option<Span>,
    delivered: u32,
    lost: u32,
    marked: u32,
}

/// Feedback of the last LOGWIN.
#[derive(Clone, Debug)]
pub(super) struct History {
    window: Span,
    samples: VecDeque<Sample>,
    delivered: u64,
    lost: u64,
    marked: u64,
}

impl History {
    pub(super) fn new(window: Span) -> Self {
        History { window, samples: VecDeque::new(), delivered: 0, lost: 0, marked: 0 }
    }

    /// Packets that arrived, packets that were lost, and how many of the former were marked.
    #[inline]
    pub(super) fn push(
        &mut self,
        at: Time,
        rtt: Option<Span>,
        [delivered, lost, marked]: [u32; 3],
    ) {
        self.expire(at);
        if self.samples.len() >= MOST {
            self.drop_oldest();
        }
        self.samples.push_back(Sample { at, rtt, delivered, lost, marked });
        self.delivered += u64::from(delivered);
        self.lost += u64::from(lost);
        self.marked += u64::from(marked);
    }

    fn drop_oldest(&mut self) {
        if let Some(old) = self.samples.pop_front() {
            self.delivered -= u64::from(old.delivered);
            self.lost -= u64::from(old.lost);
            self.marked -= u64::from(old.marked);
        }
    }

    /// Drops feedback older than the window.
    fn expire(&mut self, now: Time) {
        while self.samples.front().is_some_and(|s| now.since(s.at) >= self.window) {
            self.drop_oldest();
        }
    }

    pub(super) fn clear(&mut self) {
        *self = History::new(self.window);
    }

    /// Least of the newest round-trip times, 15 at most and none older than `within` unless all
    /// are.
    pub(super) fn filtered_rtt(&self, now: Time, within: Span) -> Option<Span> {
        let newest = || self.samples.iter().rev().filter_map(|s| Some((s.at, s.rtt?)));
        let fresh = newest().take(TAPS).take_while(|(at, _)| now.since(*at) <= within);
        fresh.map(|(_, rtt)| rtt).min().or_else(|| newest().next().map(|(_, rtt)| rtt))
    }

    /// Largest round-trip time of the window.
    pub(super) fn largest_rtt(&self) -> Option<Span> {
        self.samples.iter().filter_map(|s| s.rtt).max()
    }

    /// Share of the packets of the window that were lost, from 0 to 1.
    pub(super) fn loss(&self) -> f64 {
        self.lost as f64 / (self.lost + self.delivered).max(1) as f64
    }

    /// Packets of the window that were lost.
    pub(super) fn lost(&self) -> u64 {
        self.lost
    }

    /// Share of the packets of the window that arrived marked, from 0 to 1.
    pub(super) fn mark(&self) -> f64 {
        self.marked as f64 / (self.lost + self.delivered).max(1) as f64
    }

    /// Packets of the window that arrived marked.
    pub(super) fn marked(&self) -> u64 {
        self.marked
    }

    /// r_recv in packets per second: the packets that arrived after the first sample, over the time
    /// since. `None` if there are too few.
    pub(super) fn receive_rate(&self) -> Option<f64> {
        let (first, last) = (self.samples.front()?, self.samples.back()?);
        let span = last.at.since(first.at);
        let packets = self.delivered - u64::from(first.delivered);
        (!span.is_zero() && self.delivered >= LEAST_PACKETS && packets > 0)
            .then(|| packets as f64 / span.secs())
    }
}

/// The least delay of a long window, in two halves, so that it needs no list. A path that has
/// become longer is recognised after one to two halves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base {
    half: Span,
    began: Option<Time>,
    least: [Option<Span>; 2],
}

impl Base {
    pub(super) fn new(window: Span) -> Self {
        Base { half: Span::from_nanos(window.nanos() / 2), began: None, least: [None; 2] }
    }

    #[inline]
    pub(super) fn on_sample(&mut self, now: Time, rtt: Span) {
        let began = *self.began.get_or_insert(now);
        if now.since(began) >= self.half {
            self.began = Some(now);
            self.least = [None, self.least[0]];
        }
        let [present, _] = &mut self.least;
        *present = Some(present.map_or(rtt, |least| least.min(rtt)));
    }

    /// The least delay so far.
    pub(super) fn get(&self) -> Option<Span> {
        self.least.into_iter().flatten().min()
    }

    /// Forgets the delays of a former path.
    pub(super) fn clear(&mut self) {
        (self.began, self.least) = (None, [None; 2]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    fn span(ms: u64) -> Option<Span> {
        Some(Span::from_millis(ms))
    }

    #[test]
    fn the_filter_takes_the_least_of_what_is_fresh() {
        let mut history = History::new(Span::from_millis(500));
        for (ms, rtt) in [(0, 100), (50, 90), (200, 130), (300, 120)] {
            history.push(at(ms), span(rtt), [1, 0, 0]);
        }
        let filtered = |now, within| history.filtered_rtt(at(now), Span::from_millis(within));
        assert_eq!(filtered(300, 120), span(120));
        assert_eq!(filtered(300, 260), span(90));
        // Without a fresh sample the newest counts.
        assert_eq!(filtered(480, 120), span(120));
        assert_eq!(history.largest_rtt(), span(130));
    }

    #[test]
    fn fifteen_taps_and_no_more() {
        let mut history = History::new(Span::from_millis(500));
        history.push(at(0), span(10), [1, 0, 0]);
        for ms in 1..=15 {
            history.push(at(ms), span(40 + ms), [1, 0, 0]);
        }
        assert_eq!(history.filtered_rtt(at(15), Span::from_millis(120)), span(41));
    }

    #[test]
    fn rate_and_loss_are_those_of_the_window() {
        let mut history = History::new(Span::from_millis(500));
        for i in 0..100 {
            history.push(at(10 * i), span(50), [1, u32::from(i % 10 == 0), 0]);
        }
        // 490 ms to 990 ms: 50 samples, a packet in 10 ms, the tenth part lost beside them.
        assert!((history.receive_rate().expect("known") - 100.0).abs() < 1e-9);
        assert_eq!((history.lost(), history.delivered), (5, 50));
        assert!((history.loss() - 5.0 / 55.0).abs() < 1e-12);
        history.expire(at(2000));
        assert_eq!((history.receive_rate(), history.lost()), (None, 0));
        assert!(history.loss().abs() < 1e-12);
    }

    #[test]
    fn a_longer_path_becomes_the_base_after_the_window() {
        let mut base = Base::new(Span::from_secs(10));
        let mut now = Time::ZERO;
        let mut feed = |base: &mut Base, secs: u64, rtt: u64| {
            for _ in 0..10 * secs {
                base.on_sample(now, Span::from_millis(rtt));
                now += Span::from_millis(100);
            }
        };
        feed(&mut base, 3, 40);
        feed(&mut base, 4, 90);
        assert_eq!(base.get(), span(40));
        feed(&mut base, 4, 90);
        assert_eq!(base.get(), span(90));
    }

    #[test]
    fn memory_is_bounded() {
        let mut history = History::new(Span::from_secs(500));
        for ns in 0..3 * MOST as u64 {
            history.push(Time::from_nanos(ns), None, [1, 0, 0]);
        }
        assert_eq!((history.samples.len(), history.delivered), (MOST, MOST as u64));
    }
}
