//! Parameters of both ends of TFRC.

use super::equation::Equation;

/// Largest number of loss intervals to average; RFC 5348 asks for at most 8 in the Internet (sec.
/// 5.4).
pub(super) const MOST_INTERVALS: usize = 16;

/// Parameters of [`Tfrc`](super::Tfrc) and its [`Receiver`](super::Receiver).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// q: weight of the old value of the round-trip time at each sample; at least 0, less than 1
    /// (sec. 4.3).
    pub rtt_weight: f64,
    /// b of the throughput equation: packets that an ACK of the TCP acknowledges; 1 to 100 (sec.
    /// 3.1).
    pub packets_per_ack: f64,
    /// Least t_RTO of the throughput equation in seconds, 0 to 60: sec. 3.1 allows max(4 R, 1 s)
    /// for 4 R.
    pub min_rto: f64,
    /// W_init: packets in the first round-trip time after the first feedback, greater than 0, at
    /// most 1000; `None`: by RFC 3390, as in sec. 4.2.
    pub initial_window: Option<f64>,
    /// Lowers the rate while the round-trip time grows (sec. 4.5).
    pub reduce_oscillations: bool,
    /// q2: as `rtt-weight`, of the mean square root of the round-trip time (sec. 4.5).
    pub root_weight: f64,
    /// n: loss intervals that are averaged, 1 to 16 (sec. 5.4).
    pub intervals: u32,
    /// Discounts old loss intervals during a long time without loss (sec. 5.5).
    pub history_discounting: bool,
    /// THRESHOLD: least general discount factor, above 0, at most 1 (sec. 5.5).
    pub least_discount: f64,
}

impl Default for Config {
    /// RFC 5348's recommendations; oscillations are not reduced: "the modification ... could cause
    /// problems for connections where the round-trip time is not strongly correlated with the
    /// queueing delay (e.g., in some wireless links ...)" (sec. 4.5).
    fn default() -> Self {
        Config {
            rtt_weight: 0.9,
            packets_per_ack: 1.0,
            min_rto: 0.0,
            initial_window: None,
            reduce_oscillations: false,
            root_weight: 0.9,
            intervals: 8,
            history_discounting: true,
            least_discount: 0.25,
        }
    }
}

impl Config {
    /// Checks that the parameters are in their ranges.
    ///
    /// # Errors
    /// The allowed range of the first parameter that is out of its range.
    pub fn check(&self) -> Result<(), &'static str> {
        let weight = |q: f64| (0.0..1.0).contains(&q);
        if !weight(self.rtt_weight) {
            return Err("rtt-weight must be at least 0 and less than 1");
        }
        if !(1.0..=100.0).contains(&self.packets_per_ack) {
            return Err("packets-per-ack must be from 1 to 100");
        }
        if !(0.0..=60.0).contains(&self.min_rto) {
            return Err("min-rto must be from 0 to 60 s");
        }
        if !self.initial_window.is_none_or(|w| w > 0.0 && w <= 1000.0) {
            return Err("initial-window must be greater than 0 and at most 1000 packets");
        }
        if !weight(self.root_weight) {
            return Err("root-weight must be at least 0 and less than 1");
        }
        if !(1..=MOST_INTERVALS as u32).contains(&self.intervals) {
            return Err("intervals must be from 1 to 16");
        }
        if !(self.least_discount > 0.0 && self.least_discount <= 1.0) {
            return Err("least-discount must be greater than 0 and at most 1");
        }
        Ok(())
    }

    /// These parameters if they are in their ranges, otherwise the defaults: a caller that does not
    /// [`check`](Self::check) them gets a working controller too.
    pub(super) fn checked(&self) -> Self {
        if self.check().is_ok() { *self } else { Config::default() }
    }

    /// The throughput equation with its parameters.
    pub fn equation(&self) -> Equation {
        Equation { packets_per_ack: self.packets_per_ack, min_rto: self.min_rto }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_parameter_has_its_range() {
        let standard = Config::default();
        assert_eq!(standard.check(), Ok(()));
        let wrong = [
            Config { rtt_weight: 1.0, ..standard },
            Config { packets_per_ack: 0.5, ..standard },
            Config { min_rto: f64::NAN, ..standard },
            Config { initial_window: Some(0.0), ..standard },
            Config { root_weight: -0.1, ..standard },
            Config { intervals: 0, ..standard },
            Config { intervals: 17, ..standard },
            Config { least_discount: 0.0, ..standard },
        ];
        for config in wrong {
            assert!(config.check().is_err(), "{config:?}");
            assert_eq!(config.checked(), standard);
        }
        let allowed = Config { min_rto: 1.0, rtt_weight: 0.0, intervals: 16, ..standard };
        assert_eq!((allowed.check(), allowed.checked()), (Ok(()), allowed));
    }
}
