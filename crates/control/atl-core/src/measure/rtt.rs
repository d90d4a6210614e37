//! Round-trip time and retransmission timeout (RFC 6298).
//!
//! Whole nanoseconds and shifts, as in Jacobson's "Congestion avoidance and control" (1988,
//! appendix A): the gains of 1/8 and 1/4 need no division, and every machine gets the same result.
//!
//! The gains of 1/8 and 1/4 are meant for one sample per RTT. With a sample from each ACK the
//! history that they keep is a few packets long: on a queue that grows steadily RTTVAR falls to the
//! difference between neighbouring packets, the timeout to SRTT itself, and a retransmission behind
//! the grown queue times out before its ACK can be there. A caller that samples each ACK says how
//! many samples an RTT gives, and the gains are divided by that number (RFC 7323, appendix G):
//! [`RttEstimator::on_one_sample_of`].
//!
//! Left open by the source, and chosen: a sample ends the back-off (sec. 5, the paragraph after
//! rule 5.7). The RFC prevents early timeouts by a least timeout of 1 s (rule 2.4). Common stacks
//! have 0.2 s instead, but not as a bound on the whole: Linux and FreeBSD keep the timeout that far
//! above SRTT. A bound of 0.2 s on the whole would do nothing on a path of 0.3 s, where RTTVAR
//! alone does not cover one round's growth of the queue. Both are parameters.

use crate::time::Span;

/// Parameters of [`RttEstimator`], with the RFC's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RttConfig {
    /// G: granularity of the clock that drives the timer.
    pub granularity: Span,
    /// Timeout before the first sample (rule 2.1: 1 s).
    pub initial_rto: Span,
    /// Lower bound of the timeout.
    pub min_rto: Span,
    /// Least distance of the timeout from SRTT: the least value of 4 RTTVAR.
    pub min_spread: Span,
    /// Largest timeout (rule 2.5: at least 60 s), back-off included.
    pub max_rto: Span,
}

impl Default for RttConfig {
    /// 200 ms above SRTT as in common stacks, the RFC's other values, and a clock of 1 ms.
    fn default() -> Self {
        RttConfig {
            granularity: Span::from_millis(1),
            initial_rto: Span::from_secs(1),
            min_rto: Span::from_millis(200),
            min_spread: Span::from_millis(200),
            max_rto: Span::from_secs(60),
        }
    }
}

/// Largest sample: an hour. Longer ones count as this, which keeps the fixed-point sums far from
/// overflow.
const MAX_SAMPLE: u64 = 3_600_000_000_000;

/// SRTT, RTTVAR and RTO. Karn's rule is the caller's: feed no sample of an ambiguous transmission.
#[derive(Clone, Debug)]
pub struct RttEstimator {
    config: RttConfig,
    /// 8 SRTT, in nanoseconds.
    srtt8: u64,
    /// 4 RTTVAR, in nanoseconds.
    rttvar4: u64,
    min: u64,
    measured: bool,
    backoff: u32,
}

impl RttEstimator {
    /// An estimator without samples.
    pub const fn new(config: RttConfig) -> Self {
        RttEstimator { config, srtt8: 0, rttvar4: 0, min: u64::MAX, measured: false, backoff: 0 }
    }

    /// The parameters that it was made with.
    pub const fn config(&self) -> RttConfig {
        self.config
    }

    /// Takes in a measured round-trip time (rules 2.2 and 2.3), and ends the back-off.
    #[inline]
    pub fn on_sample(&mut self, rtt: Span) {
        self.on_one_sample_of(rtt, 1);
    }

    /// Takes in one of about `samples` samples that this round trip gives (RFC 7323, appendix G),
    /// and ends the back-off.
    #[inline]
    pub fn on_one_sample_of(&mut self, rtt: Span, samples: u32) {
        let r = rtt.nanos().min(MAX_SAMPLE);
        let n = u64::from(samples.max(1));
        self.min = self.min.min(r);
        self.backoff = 0;
        if self.measured {
            // RTTVAR first: it needs the previous SRTT.
            let srtt = self.srtt8 >> 3;
            self.rttvar4 = towards(self.rttvar4, self.rttvar4 >> 2, r.abs_diff(srtt), n);
            self.srtt8 = towards(self.srtt8, srtt, r, n);
        } else {
            self.measured = true;
            self.srtt8 = r << 3;
            self.rttvar4 = r << 1;
        }
    }

    /// The timer expired: the next timeout is twice as long (rule 5.5).
    pub fn back_off(&mut self) {
        if self.rto() < self.config.max_rto {
            self.backoff += 1;
        }
    }

    /// An ACK of new data ended a run of timeouts without giving a sample: the computed timeout
    /// applies again. RFC 6298 leaves a sender to wait for a sample; Linux and ns-2 reset here.
    pub fn end_back_off(&mut self) {
        self.backoff = 0;
    }

    /// The wireless link's one-way delay changed at a handoff: SRTT moves by twice the difference,
    /// at once, since R = R_c + 2 d_w (ATL paper, eq. 3). The least RTT belongs to the old path and
    /// moves too.
    pub fn shift(&mut self, old_delay: Span, new_delay: Span) {
        if !self.measured {
            return;
        }
        let moved = |ns: u64| {
            let up = new_delay.saturating_sub(old_delay).nanos().min(MAX_SAMPLE);
            let down = old_delay.saturating_sub(new_delay).nanos().min(MAX_SAMPLE);
            (ns + 2 * up).saturating_sub(2 * down).clamp(1, MAX_SAMPLE)
        };
        self.srtt8 = moved(self.srtt8 >> 3) << 3;
        self.min = moved(self.min);
    }

    /// SRTT, once there is a sample.
    #[inline]
    pub const fn srtt(&self) -> Option<Span> {
        if self.measured { Some(Span::from_nanos(self.srtt8 >> 3)) } else { None }
    }

    /// RTTVAR; zero before the first sample.
    pub const fn rttvar(&self) -> Span {
        Span::from_nanos(self.rttvar4 >> 2)
    }

    /// Least RTT seen, once there is a sample.
    pub const fn min(&self) -> Option<Span> {
        if self.measured { Some(Span::from_nanos(self.min)) } else { None }
    }

    /// RTO with its bounds and the back-off (rules 2.3 to 2.5 and 5.5).
    #[inline]
    pub fn rto(&self) -> Span {
        let base = if self.measured {
            let least = self.config.granularity.max(self.config.min_spread);
            let spread = self.rttvar4.max(least.nanos());
            (self.srtt8 >> 3).saturating_add(spread)
        } else {
            self.config.initial_rto.nanos()
        };
        let base = base.max(self.config.min_rto.nanos());
        let backed_off = base.saturating_mul(1u64 << self.backoff.min(63));
        Span::from_nanos(backed_off.min(self.config.max_rto.nanos()))
    }
}

/// A sum that loses `old` and gains `new`, an n-th of it at a time.
#[inline]
fn towards(sum: u64, old: u64, new: u64, n: u64) -> u64 {
    if new >= old { sum + (new - old) / n } else { sum - (old - new) / n }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Span {
        Span::from_millis(ms)
    }

    #[test]
    fn follows_rules_2_1_to_2_3() {
        let mut rtt = RttEstimator::new(RttConfig {
            min_rto: ms(1),
            min_spread: Span::ZERO,
            ..RttConfig::default()
        });
        assert_eq!((rtt.srtt(), rtt.rto()), (None, Span::from_secs(1)));
        rtt.on_sample(ms(100));
        // SRTT 100, RTTVAR 50, RTO = 100 + 4 * 50.
        assert_eq!((rtt.srtt(), rtt.rttvar(), rtt.rto()), (Some(ms(100)), ms(50), ms(300)));
        rtt.on_sample(ms(180));
        // RTTVAR = 3/4 * 50 + 1/4 * 80 = 57.5, SRTT = 7/8 * 100 + 1/8 * 180 = 110, RTO = 110 + 230.
        assert_eq!(rtt.srtt(), Some(ms(110)));
        assert_eq!(rtt.rttvar(), Span::from_micros(57_500));
        assert_eq!(rtt.rto(), ms(340));
        assert_eq!(rtt.min(), Some(ms(100)));
    }

    #[test]
    fn a_steady_path_is_bounded_by_granularity_and_least_timeout() {
        let config = RttConfig {
            granularity: ms(10),
            min_rto: ms(1),
            min_spread: Span::ZERO,
            ..RttConfig::default()
        };
        let mut rtt = RttEstimator::new(config);
        let mut bounded = RttEstimator::new(RttConfig { min_rto: ms(200), ..config });
        for _ in 0..300 {
            rtt.on_sample(ms(50));
            bounded.on_sample(ms(50));
        }
        assert_eq!(rtt.rto(), ms(60));
        assert_eq!(bounded.rto(), ms(200));
        let mut spread = RttEstimator::new(RttConfig { min_spread: ms(200), ..config });
        spread.on_sample(ms(350));
        for _ in 0..300 {
            spread.on_sample(ms(350));
        }
        assert_eq!(spread.rto(), ms(550));
    }

    /// A window of 100 packets that grows by 4 an RTT on a path of 300 ms and 4 ms a packet: the
    /// next round's packets take 16 ms longer than those whose ACKs arrive now.
    fn after_a_growing_queue(samples: u32) -> (Span, RttEstimator) {
        let config = RttConfig { min_rto: ms(1), min_spread: Span::ZERO, ..RttConfig::default() };
        let mut rtt = RttEstimator::new(config);
        let mut round = ms(300);
        for _ in 0..10 {
            for k in 0..100 {
                let within = Span::from_micros(160 * k);
                rtt.on_one_sample_of(round + within, samples);
            }
            round += ms(16);
        }
        (round + ms(16), rtt)
    }

    #[test]
    fn samples_of_each_ack_keep_the_history_of_rounds_and_not_of_packets() {
        let (next, rtt) = after_a_growing_queue(50);
        assert!(rtt.rto() > next, "{:?} expires before {next:?} is over", rtt.rto());
        // With the gains for one sample an RTT the timeout is hardly above SRTT.
        let (next, rtt) = after_a_growing_queue(1);
        assert!(rtt.rto() < next, "{:?}", rtt.rto());
    }

    #[test]
    fn many_samples_a_round_trip_settle_where_one_does() {
        let mut rtt = RttEstimator::new(RttConfig::default());
        rtt.on_sample(ms(900));
        for _ in 0..20_000 {
            rtt.on_one_sample_of(ms(100), 100);
        }
        // A gain of 1/800 on whole nanoseconds stops 100 ns short at most.
        assert!(rtt.srtt().is_some_and(|s| s - ms(100) < Span::from_micros(1)), "{rtt:?}");
        assert!(rtt.rttvar() < Span::from_micros(1), "{rtt:?}");
        assert!(rtt.rto() < ms(301));
    }

    #[test]
    fn back_off_doubles_up_to_the_largest_timeout_and_a_sample_ends_it() {
        let mut rtt = RttEstimator::new(RttConfig::default());
        rtt.on_sample(ms(100));
        let seen: Vec<_> = (0..10)
            .map(|_| {
                rtt.back_off();
                rtt.rto()
            })
            .collect();
        let expected = [600, 1200, 2400, 4800, 9600, 19_200, 38_400, 60_000, 60_000, 60_000];
        assert_eq!(seen, expected.map(ms));
        rtt.on_sample(ms(100));
        assert_eq!(rtt.rto(), ms(300));
    }

    #[test]
    fn a_handoff_shifts_the_smoothed_time_by_twice_the_difference() {
        let mut rtt = RttEstimator::new(RttConfig::default());
        rtt.on_sample(ms(340));
        rtt.shift(ms(150), ms(10));
        assert_eq!(rtt.srtt(), Some(ms(60)));
        assert_eq!(rtt.min(), Some(ms(60)));
        rtt.shift(ms(10), ms(50));
        assert_eq!(rtt.srtt(), Some(ms(140)));
        rtt.shift(ms(500), ms(0));
        assert!(rtt.srtt().is_some_and(|s| s > Span::ZERO && s < ms(1)));
    }
}
