//! Intervals in which the sender sent less than it was allowed to (RFC 5348, sec. 4.3 and 8.2.1).
//!
//! The RFC's heuristic keeps two times at which the sender was not data-limited, and says that one
//! could "save more NotLimited times". Two of them miss intervals of a sender that is never
//! data-limited, where its reports come a little less often than once in R. Chosen: the runs of
//! packets behind which there was more to send are kept until a report has covered them. Where they
//! are too many the two oldest count as one, which errs towards what the RFC calls "typical
//! behavior".

use crate::time::Time;

/// The number of runs that are remembered.
const RUNS: usize = 16;

/// Times at which the rate, not the application, limited the sender.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NotLimited {
    /// First and last packet of each run of packets behind which there was more to send; the newest
    /// last.
    runs: [(Time, Time); RUNS],
    len: usize,
    /// The newest run is not over.
    open: bool,
}

impl NotLimited {
    /// Notes a packet; `limited` if the application had nothing more to send.
    #[inline]
    pub(super) fn on_sent(&mut self, now: Time, limited: bool) {
        if limited {
            self.open = false;
        } else if self.open {
            self.runs[self.len - 1].1 = now;
        } else {
            if self.len == RUNS {
                self.runs[1].0 = self.runs[0].0;
                self.drop_oldest(1);
            }
            self.runs[self.len] = (now, now);
            self.len += 1;
            self.open = true;
        }
    }

    fn drop_oldest(&mut self, runs: usize) {
        self.runs.copy_within(runs..self.len, 0);
        self.len -= runs;
    }

    /// "Was there any time in the period (t_old, t_new] when the sender was not data-limited?"
    pub(super) fn within(&self, old: Time, new: Time) -> bool {
        self.runs[..self.len].iter().any(|&(first, last)| first <= new && last > old)
    }

    /// Forgets times before `old`, which are not asked for again.
    pub(super) fn forget(&mut self, old: Time) {
        let closed = self.len.saturating_sub(usize::from(self.open));
        let past = self.runs[..closed].iter().take_while(|run| run.1 <= old).count();
        self.drop_oldest(past);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    #[test]
    fn an_interval_with_one_full_packet_is_not_data_limited() {
        let mut sent = NotLimited::default();
        for (at, limited) in [(10, true), (20, false), (30, false), (40, true), (50, true)] {
            sent.on_sent(ms(at), limited);
        }
        assert!(!sent.within(ms(0), ms(19)));
        assert!(sent.within(ms(0), ms(20)));
        assert!(sent.within(ms(22), ms(28)));
        assert!(!sent.within(ms(30), ms(50)));
        sent.on_sent(ms(60), false);
        assert!(sent.within(ms(30), ms(60)) && sent.within(ms(10), ms(20)));
    }

    #[test]
    fn a_sender_that_never_pauses_is_never_data_limited() {
        let mut sent = NotLimited::default();
        for at in 0..10_000 {
            sent.on_sent(ms(at), false);
        }
        assert!((0..9_000).step_by(7).all(|at| sent.within(ms(at), ms(at + 3))));
    }

    /// "Such an interval does not meet the definition of a data-limited interval": packets sent in
    /// pairs.
    #[test]
    fn pairs_of_packets_are_not_data_limited() {
        let mut sent = NotLimited::default();
        for pair in 0..100 {
            sent.on_sent(ms(10 * pair), false);
            sent.on_sent(ms(10 * pair), true);
        }
        assert!(sent.within(ms(980), ms(990)));
        assert!(!sent.within(ms(980), ms(989)));
        // Older times are forgotten, and count as limited by the application.
        assert!(sent.within(ms(500), ms(509)));
        sent.forget(ms(900));
        assert_eq!(sent.len, 9);
        assert!(!sent.within(ms(500), ms(900)) && sent.within(ms(900), ms(910)));
    }

    #[test]
    fn a_run_that_goes_on_is_not_forgotten() {
        let mut sent = NotLimited::default();
        sent.on_sent(ms(1), false);
        sent.forget(ms(5));
        sent.on_sent(ms(10), false);
        assert!(sent.within(ms(8), ms(10)));
        sent.on_sent(ms(11), true);
        sent.forget(ms(12));
        assert_eq!(sent.len, 0);
        sent.on_sent(ms(13), true);
        assert!(!sent.within(ms(0), ms(13)));
    }
}
