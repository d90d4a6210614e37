//! Queues that drop packets early: RED and WRED.

use atl_core::units::Probability;

use crate::limit::Limit;

/// Random early detection (Floyd and Jacobson, IEEE/ACM Transactions on Networking 1(4), 1993).
///
/// Each arrival updates an average of the queue, and may be dropped with a probability that grows
/// with it. A packet that finds the link idle is never dropped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Red {
    /// The queue's capacity, and the unit of its average and thresholds. An arrival above it is
    /// dropped.
    pub limit: Limit,
    /// The average length on which it decides.
    pub average: QueueAverage,
    /// The drop probability over the average.
    pub curve: DropCurve,
    /// Beyond `max` the probability grows from `drop` to 1 at twice `max` (Floyd 2000), instead of
    /// jumping to 1.
    pub gentle: bool,
    /// Every 0.5 s `curve.drop` moves, within 1 % to 50 %, so as to keep the average between 40 %
    /// and 60 % of the way from `min` to `max`: Adaptive RED (Floyd, Gummadi, Shenker 2001). Its
    /// rules for the weight and the thresholds are left to whoever configures.
    pub adaptive: bool,
}

/// RED with two precedences: all packets share one average; each precedence has its curve.
///
/// Packets of [low priority](crate::Packet::low_priority) have the low precedence. After
/// Cisco's weighted RED, whose defaults are a weight of 2^-9, a `drop` of 1/10, the same `max` for
/// every precedence, and values of `min` spaced evenly from half of `max` on. [`Wred::after_cisco`]
/// has these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wred {
    /// The queue's capacity, and the unit of its average and thresholds. An arrival above it is
    /// dropped, whatever its precedence.
    pub limit: Limit,
    /// The average, of packets of both precedences.
    pub average: QueueAverage,
    /// Drop probability of high precedence.
    pub high: DropCurve,
    /// Drop probability of low precedence.
    pub low: DropCurve,
    /// As [`Red::gentle`], for both.
    pub gentle: bool,
}

/// The average of a queue's length: avg += weight (length - avg) at each arrival (RED, eq. 1),
/// where the length does not count the arrival itself or the packet in transmission.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueueAverage {
    /// Weight of the newest length, above 0. 0.002 is the RED paper's.
    pub weight: Probability,
    /// Length in bytes of a mean packet, at least 1. The average decays in a time of idleness as if
    /// this many bytes at a time had found the queue empty. Nothing else depends on packets'
    /// lengths: as RFC 7141 (section 2.2) advises, long packets are not likelier to be dropped.
    pub mean_packet: u32,
}

/// Drop probability over the average queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DropCurve {
    /// Up to this average nothing is dropped, in the unit of the limit.
    pub min: f64,
    /// At this average the probability reaches `drop`; from there on everything is dropped, unless
    /// `gentle`. Above `min`.
    pub max: f64,
    /// Drop probability as the average approaches `max` (the paper's max_p). These are base
    /// probabilities p_b: drops are spread so that, at a constant average, the number of packets
    /// from one drop to the next is uniform from 1 to 1/p_b, and the share dropped is about 2 p_b.
    pub drop: Probability,
}

impl Default for QueueAverage {
    /// The RED paper's weight, and packets of 1000 bytes.
    fn default() -> Self {
        QueueAverage { weight: Probability::clamped(0.002), mean_packet: 1000 }
    }
}

impl DropCurve {
    /// RED's usual curve for a queue of this capacity: `min` a tenth of it, `max` three times that,
    /// and 0.1 at most. For 50 packets these are Floyd's recommended thresholds of 5 and 15.
    pub fn after_floyd(limit: Limit) -> Self {
        let min = limit.amount() / 10.0;
        DropCurve { min, max: 3.0 * min, drop: Probability::clamped(0.1) }
    }
}

impl Red {
    /// RED for a queue of this capacity: the [usual curve](DropCurve::after_floyd), gentle.
    pub fn after_floyd(limit: Limit) -> Self {
        let (average, curve) = (QueueAverage::default(), DropCurve::after_floyd(limit));
        Red { limit, average, curve, gentle: true, adaptive: false }
    }
}

impl Wred {
    /// Cisco's defaults for a queue of this capacity. `max` is four fifths of it (40 of 50
    /// packets); `min` is half of `max` for the low and three quarters for the high precedence. Not
    /// gentle.
    pub fn after_cisco(limit: Limit) -> Self {
        let max = 0.8 * limit.amount();
        let drop = Probability::clamped(0.1);
        let weight = Probability::clamped(1.0 / 512.0);
        Wred {
            limit,
            average: QueueAverage { weight, ..QueueAverage::default() },
            high: DropCurve { min: 0.75 * max, max, drop },
            low: DropCurve { min: 0.5 * max, max, drop },
            gentle: false,
        }
    }
}
