//! The throughput of a Reno TCP, which a TFRC flow may have (RFC 5348, sec. 3.1), and its inverse
//! (sec. 6.3.1).
//!
//! X in packets per second:
//!
//! ```text
//!                               1
//! X = ----------------------------------------------------------
//!     R sqrt(2 b p / 3) + t_RTO 3 sqrt(3 b p / 8) p (1 + 32 p^2)
//! ```
//!
//! "With t_RTO=4*R and b=1" it is 1 / (R f(p)) (sec. 3.1, 8.1): [`f`]. It is eq. 7 of the ATL paper
//! for (1, 0.5), with the timeout term that is not bounded ([`TcpModel`](crate::model::TcpModel)).

/// Least loss event rate that [`Equation::loss_event_rate`] gives: a packet in 10^15.
const LEAST: f64 = 1e-15;

/// `f(p)` of sec. 8.1: 1/f(p) packets per round-trip time, for t_RTO = 4 R and b = 1. Infinite
/// rates at p = 0.
pub fn f(p: f64) -> f64 {
    round_trips(p, p, 1.0, 4.0)
}

/// The denominator of the equation. sqrt(3 b p / 8) is 3/4 of sqrt(2 b p / 3): one root does for
/// both.
#[inline]
fn round_trips(bp: f64, p: f64, rtt: f64, timeout: f64) -> f64 {
    (2.0 * bp / 3.0).sqrt() * (rtt + 2.25 * timeout * p * (1.0 + 32.0 * p * p))
}

/// The throughput equation with its two parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equation {
    /// b: data packets that one ACK of the TCP acknowledges.
    pub packets_per_ack: f64,
    /// Least t_RTO in seconds: t_RTO = max(4 R, this).
    pub min_rto: f64,
}

impl Default for Equation {
    /// "Implementations SHOULD set t_RTO = 4*R"; "the use of b = 1 is RECOMMENDED".
    fn default() -> Self {
        Equation { packets_per_ack: 1.0, min_rto: 0.0 }
    }
}

impl Equation {
    /// Packets per second at loss event rate `p`, from 0 to 1, and round-trip time `rtt`, in
    /// seconds; infinite at p = 0.
    #[inline]
    pub fn throughput(&self, p: f64, rtt: f64) -> f64 {
        1.0 / round_trips(self.packets_per_ack * p, p, rtt, (4.0 * rtt).max(self.min_rto))
    }

    /// The loss event rate at which [`throughput`](Self::throughput) is `rate` packets per second,
    /// to within 10^-9 of it ("within 5%" is asked for), from 10^-15 to 1.
    pub fn loss_event_rate(&self, rate: f64, rtt: f64) -> f64 {
        let (mut low, mut high) = (LEAST, 1.0);
        if self.throughput(low, rtt) <= rate {
            return low;
        }
        // The throughput falls as p rises. The mean of the logarithms halves fifteen decades.
        for _ in 0..48 {
            let middle = f64::sqrt(low * high);
            if self.throughput(middle, rtt) > rate {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64, share: f64) {
        assert!((found / expected - 1.0).abs() <= share, "{found} {expected}");
    }

    /// p = 0.01, R = 0.1: sqrt(0.02/3) = 0.0816497; 12 sqrt(0.03/8) = 0.7348469, times 0.01 times
    /// 1.0032 = 0.0073720; X = 1 / (0.1 * 0.0890217) = 112.3322.
    #[test]
    fn gives_the_values_worked_by_hand() {
        let standard = Equation::default();
        near(standard.throughput(0.01, 0.1), 112.3322, 1e-6);
        // t_RTO = 1 s: 0.00816497 + 3 sqrt(0.00375) 0.010032 = 0.00816497 + 0.00184299 =
        // 0.01000796.
        let slow = Equation { min_rto: 1.0, ..standard };
        near(slow.throughput(0.01, 0.1), 99.92046, 1e-6);
        // b = 2: 0.1 sqrt(0.04/3) + 0.4 3 sqrt(0.06/8) 0.010032 = 0.01154701 + 0.00104256.
        let delayed = Equation { packets_per_ack: 2.0, ..standard };
        near(delayed.throughput(0.01, 0.1), 79.43081, 1e-6);
        // p = 1: 1 / (sqrt(2/3) + 12 sqrt(3/8) 33) = 1 / 243.3159 packets per RTT.
        near(f(1.0), 243.3159, 1e-6);
        assert!(standard.throughput(0.0, 0.1).is_infinite());
    }

    /// "With t_RTO=4*R and b=1, the throughput equation ... can be simplified."
    #[test]
    fn the_simplified_form_is_the_full_one_at_its_defaults() {
        for p in [1e-6, 1e-4, 0.003, 0.05, 0.4, 1.0] {
            for rtt in [0.001, 0.12, 3.0] {
                near(Equation::default().throughput(p, rtt), 1.0 / (rtt * f(p)), 1e-14);
            }
        }
    }

    #[test]
    fn the_inverse_gives_the_rate_back() {
        let slow = Equation { packets_per_ack: 2.0, min_rto: 1.0 };
        for equation in [Equation::default(), slow] {
            for rtt in [0.001, 0.1, 0.7] {
                for p in [1e-12, 1e-7, 1e-3, 0.02, 0.3, 0.999] {
                    let rate = equation.throughput(p, rtt);
                    let found = equation.loss_event_rate(rate, rtt);
                    near(found, p, 1e-9);
                    near(equation.throughput(found, rtt), rate, 1e-9);
                }
            }
        }
        let standard = Equation::default();
        // Slower than at p = 1, faster than at 10^-15.
        near(standard.loss_event_rate(0.01, 0.1), 1.0, 1e-9);
        near(standard.loss_event_rate(1e12, 0.1), LEAST, 1e-9);
        near(standard.loss_event_rate(f64::INFINITY, 0.1), LEAST, 1e-9);
        // "0.5 packets per RTT": f(p) = 2.
        near(f(standard.loss_event_rate(0.5, 1.0)), 2.0, 1e-9);
    }

    /// Where a rate is exactly that of a p, that p is found.
    #[test]
    fn a_rate_of_a_step_of_the_search_gives_its_p() {
        let standard = Equation::default();
        for p in [LEAST, f64::sqrt(LEAST)] {
            let found = standard.loss_event_rate(standard.throughput(p, 0.1), 0.1);
            assert_eq!(found.to_bits(), p.to_bits());
        }
    }
}
