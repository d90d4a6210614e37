//! d_w of an 802.11 link, from its counters and assumptions about its access to the channel.

use atl_core::time::Span;
use atl_core::units::Rate;

use crate::counters::Activity;
use crate::info::DelayEstimate;

/// Retries per packet beyond this are taken for this: the default retry limit of 802.11 is 7
/// (dot11ShortRetryLimit), and no driver goes beyond 255.
const MOST_RETRIES: f64 = 255.0;

/// Properties of a link's access to its channel that counters do not show. The defaults are those
/// of OFDM at 5 GHz (IEEE 802.11-2020, table 17-21), with best-effort data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Access {
    /// aSlotTime: the unit of the backoff.
    pub slot: Span,
    /// Idle time before the backoff: AIFS of best effort, SIFS + 3 slots.
    pub wait: Span,
    /// Preamble and header of the physical layer.
    pub preamble: Span,
    /// SIFS and the acknowledgement that follows each transmission.
    pub acknowledgement: Span,
    /// CWmin: the first backoff is drawn from 0 to CWmin slots, and the range doubles with each
    /// retry.
    pub cw_min: u32,
    /// CWmax: the limit of that range, in slots.
    pub cw_max: u32,
    /// The greatest share of time, 0 to 0.99, that others are assumed to use the channel. The least
    /// is 0.
    pub busy: f64,
    /// The longest transmission with frames put together that a packet may have to wait for; zero
    /// for devices that do not aggregate. 5.484 ms is the limit of 802.11 (aPPDUMaxTime).
    pub aggregate: Span,
}

impl Default for Access {
    fn default() -> Self {
        Access {
            slot: Span::from_micros(9),
            wait: Span::from_micros(43),
            preamble: Span::from_micros(20),
            acknowledgement: Span::from_micros(44),
            cw_min: 15,
            cw_max: 1023,
            busy: 0.5,
            aggregate: Span::from_micros(5484),
        }
    }
}

impl Access {
    /// d_w: the mean time from the head of the device's queue to the acknowledgement, for packets
    /// as in `activity` at `bitrate`; `None` without time on the air and without a rate. Time in
    /// queues is not part of it, as it is not of the simulator's links.
    ///
    /// With a = 1 + retries per packet transmissions, W_i = min(2^i (CWmin + 1), CWmax + 1) and b
    /// the busy share,
    ///
    /// d(b) = sum over a transmissions of ((AIFS + slot (W_i - 1) / 2) / (1 - b) + preamble + 8 B /
    /// R + SIFS + ACK),
    ///
    /// the last of the sum in proportion if a is not a whole number. The value is the mean of d(0)
    /// and d(`busy`). The lower end is a 8 B / R: all overheads shared with other packets of one
    /// aggregate. The upper end is d(`busy`) and, for each transmission, the longest aggregate.
    ///
    /// Where the device counts its time on the air, that time per packet stands for a (preamble + 8
    /// B / R), in the value and in the lower end: R is the rate of the last transmission alone, and
    /// retries are often slower.
    pub fn delay(&self, activity: &Activity, bitrate: Option<Rate>) -> Option<DelayEstimate> {
        let attempts = 1.0 + activity.retries_per_packet.clamp(0.0, MOST_RETRIES);
        let counted = activity.air_s.filter(|air| *air > 0.0);
        let rate = bitrate.map(Rate::bps).filter(|bps| *bps > 0.0);
        let (least, all) = match (counted, rate) {
            (Some(air), _) => (air, air),
            (None, Some(bps)) => {
                let air = 8.0 * activity.packet_bytes.max(0.0) / bps;
                (attempts * air, attempts * (self.preamble.secs() + air))
            }
            (None, None) => return None,
        };
        let answers = attempts * self.acknowledgement.secs();
        let idle = self.idle(attempts);
        // Not a number counts as idle.
        let busy = if self.busy > 0.0 { self.busy.min(0.99) } else { 0.0 };
        let busiest = idle / (1.0 - busy);
        let seconds = |s: f64| Span::from_secs_f64(s);
        Some(DelayEstimate {
            value: seconds((idle + busiest) / 2.0 + all + answers),
            low: seconds(least),
            high: seconds(busiest + all + answers + attempts * self.aggregate.secs()),
        })
    }

    /// Waits and backoffs of this many attempts on an idle channel, in seconds.
    fn idle(&self, attempts: f64) -> f64 {
        let mut sum = 0.0;
        let mut left = attempts;
        let mut range = f64::from(self.cw_min) + 1.0;
        while left > 0.0 {
            let backoff = self.slot.secs() * (range - 1.0) / 2.0;
            sum += left.min(1.0) * (self.wait.secs() + backoff);
            range = (2.0 * range).min(f64::from(self.cw_max) + 1.0);
            left -= 1.0;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delay(retries_per_packet: f64) -> DelayEstimate {
        let activity = Activity { retries_per_packet, packet_bytes: 1500.0, air_s: None };
        Access::default().delay(&activity, Some(Rate::from_mbps(24.0))).unwrap()
    }

    fn micros(span: Span) -> f64 {
        span.secs() * 1e6
    }

    #[test]
    fn one_transmission_by_hand() {
        // Idle: 43 + 7.5 * 9 = 110.5 us; half busy: 221. Air: 12 000 bits at 24 Mb/s: 500. Preamble
        // and ACK: 64.
        let delay = delay(0.0);
        assert!((micros(delay.value) - (165.75 + 564.0)).abs() < 0.01, "{delay:?}");
        assert!((micros(delay.low) - 500.0).abs() < 0.01, "{delay:?}");
        assert!((micros(delay.high) - (221.0 + 564.0 + 5484.0)).abs() < 0.01, "{delay:?}");
    }

    #[test]
    fn a_retry_doubles_the_backoff_and_half_a_retry_counts_half() {
        // Second backoff: 43 + 15.5 * 9 = 182.5 us idle, 273.75 on average with and without others.
        let one = micros(delay(1.0).value) - micros(delay(0.0).value);
        assert!((one - (273.75 + 564.0)).abs() < 0.01, "{one}");
        let half = micros(delay(0.5).value) - micros(delay(0.0).value);
        assert!((half - one / 2.0).abs() < 0.01, "{half}");
    }

    #[test]
    fn without_a_rate_nothing_is_known() {
        let activity = Activity { retries_per_packet: 0.0, packet_bytes: 1500.0, air_s: None };
        assert!(Access::default().delay(&activity, Some(Rate::ZERO)).is_none());
        assert!(Access::default().delay(&activity, None).is_none());
    }

    /// One retry at a quarter of the rate: the counter knows that it took long, the last rate does
    /// not.
    #[test]
    fn time_on_the_air_stands_for_the_last_rate() {
        let counted = |air_s| Activity { retries_per_packet: 1.0, packet_bytes: 1500.0, air_s };
        let of =
            |activity| Access::default().delay(&activity, Some(Rate::from_mbps(24.0))).unwrap();
        let (guessed, known) = (of(counted(None)), of(counted(Some(2540e-6))));
        // 2 (20 + 500) us by the rate; 20 + 500 and 20 + 2000 us in truth.
        let more = micros(known.value) - micros(guessed.value);
        assert!((more - 1500.0).abs() < 0.01, "{more}");
        assert!((micros(known.low) - 2540.0).abs() < 0.01);
        let activity = counted(Some(2540e-6));
        assert_eq!(Access::default().delay(&activity, None), Some(known));
    }

    #[test]
    fn nonsense_stays_finite() {
        let activity = Activity { retries_per_packet: 1e300, packet_bytes: 1e300, air_s: None };
        let access = Access { busy: f64::NAN, ..Access::default() };
        let delay = access.delay(&activity, Some(Rate::from_bps(1.0))).unwrap();
        assert!(delay.low <= delay.high);
    }
}
