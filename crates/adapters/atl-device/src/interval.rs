//! The interval of a measured loss share.

use atl_core::units::Probability;

use crate::info::LossEstimate;

/// Quantile of the normal distribution for an interval of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// Fewer batches do not show how much the share varies between them.
const LEAST_BATCHES: usize = 8;

/// Packets counted together, and how many of them were lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    /// All packets, lost and delivered.
    pub packets: u64,
    /// Lost ones; at most `packets`.
    pub lost: u64,
}

/// The share of lost packets over all batches, with a 95 % interval; `None` without packets.
///
/// The interval is Wilson's (Wilson 1927): unlike p +- 1.96 sqrt(p (1 - p) / n) it is right for
/// small shares, and is not empty when no packet was lost. It takes losses for independent. Losses
/// in bursts vary more: then the number of packets is divided by the [`dispersion`] before the
/// interval is computed.
pub fn loss_estimate(batches: &[Batch]) -> Option<LossEstimate> {
    let (packets, lost) = total(batches);
    if packets == 0 {
        return None;
    }
    let (low, high) = wilson(lost as f64 / packets as f64, packets as f64 / dispersion(batches));
    let value = Probability::share(lost, packets);
    Some(LossEstimate {
        value,
        // Rounding may put an end just beyond the value.
        low: if low < value { low } else { value },
        high: if high > value { high } else { value },
        packets: Some(packets),
    })
}

/// Packets and lost ones over all batches.
fn total(batches: &[Batch]) -> (u64, u64) {
    batches.iter().fold((0, 0), |(packets, lost), batch| {
        let more = batch.lost.min(batch.packets);
        (batch.packets.saturating_add(packets), more.saturating_add(lost))
    })
}

/// Wilson's 95 % interval of a share `p` measured on `n` independent packets, `n` greater than
/// zero.
fn wilson(p: f64, n: f64) -> (Probability, Probability) {
    let z2 = Z * Z;
    let centre = p + z2 / (2.0 * n);
    let half = Z * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).max(0.0).sqrt();
    let scale = 1.0 + z2 / n;
    (Probability::clamped((centre - half) / scale), Probability::clamped((centre + half) / scale))
}

/// The factor by which the number of losses varies more from batch to batch than it would if losses
/// were independent: Pearson's chi-squared statistic per degree of freedom (McCullagh and Nelder
/// 1989, sec. 4.5.2), at least 1. With fewer than eight batches that have packets, or no loss at
/// all, it is 1.
pub fn dispersion(batches: &[Batch]) -> f64 {
    let (packets, lost) = total(batches);
    let counted = batches.iter().filter(|batch| batch.packets > 0);
    let number = counted.clone().count();
    if number < LEAST_BATCHES || lost == 0 || lost == packets {
        return 1.0;
    }
    let p = lost as f64 / packets as f64;
    let statistic: f64 = counted
        .map(|batch| {
            let n = batch.packets as f64;
            let over = batch.lost.min(batch.packets) as f64 - n * p;
            over * over / (n * p * (1.0 - p))
        })
        .sum();
    (statistic / (number - 1) as f64).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(packets: u64, lost: u64) -> LossEstimate {
        loss_estimate(&[Batch { packets, lost }]).unwrap()
    }

    #[test]
    fn worked_values() {
        // Newcombe 1998, table I, Wilson's method without continuity correction.
        for (packets, lost, low, high) in [
            (263, 81, 0.2553, 0.3662),
            (148, 15, 0.0624, 0.1605),
            (20, 0, 0.0, 0.1611),
            (29, 1, 0.0061, 0.1718),
        ] {
            let estimate = one(packets, lost);
            assert!((estimate.low.get() - low).abs() < 5e-5, "{estimate:?}");
            assert!((estimate.high.get() - high).abs() < 5e-5, "{estimate:?}");
        }
    }

    #[test]
    fn no_packets_are_no_estimate_and_all_lost_is_certain_only_upwards() {
        assert!(loss_estimate(&[]).is_none());
        assert!(loss_estimate(&[Batch { packets: 0, lost: 0 }]).is_none());
        let estimate = one(50, 50);
        assert_eq!(estimate.high, Probability::ONE);
        assert!(estimate.low.get() > 0.9 && estimate.low.get() < 1.0);
    }

    #[test]
    fn absurd_counts_do_not_overflow() {
        let estimate = loss_estimate(&[Batch { packets: u64::MAX, lost: u64::MAX }; 9]).unwrap();
        assert_eq!(estimate.value, Probability::ONE);
    }

    #[test]
    fn losses_that_come_together_widen_the_interval() {
        let even = [Batch { packets: 100, lost: 2 }; 10];
        let mut uneven = [Batch { packets: 100, lost: 0 }; 10];
        uneven[3].lost = 20;
        assert!((dispersion(&even) - 1.0).abs() < 1e-12);
        // Nine batches with (0 - 2)^2 / 1.96 and one with (20 - 2)^2 / 1.96, over nine degrees of
        // freedom.
        assert!((dispersion(&uneven) - (9.0 * 4.0 + 324.0) / 1.96 / 9.0).abs() < 1e-9);
        let (even, uneven) = (loss_estimate(&even).unwrap(), loss_estimate(&uneven).unwrap());
        assert_eq!(even.value, uneven.value);
        assert!(uneven.high.get() - uneven.low.get() > 3.0 * (even.high.get() - even.low.get()));
    }
}
