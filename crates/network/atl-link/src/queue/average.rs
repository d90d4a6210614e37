//! The average length of a queue.

use atl_core::time::Span;
use atl_core::units::Rate;

use crate::config::QueueAverage;
use crate::discipline::QueueDiscipline;
use crate::limit::Limit;
use crate::packet::Packet;

/// An exponentially weighted moving average over arrivals (RED, eq. 1), with the correction for
/// idle time (eq. 2).
#[derive(Clone, Debug)]
pub(super) struct Average {
    weight: f64,
    /// Length of a mean packet in bytes.
    mean_packet: f64,
    /// Its unit is the average's.
    limit: Limit,
    /// Of the link: 0 where transmission takes no time, infinite at rate zero.
    ns_per_byte: f64,
    value: f64,
}

impl Average {
    pub(super) fn new(config: &QueueAverage, limit: Limit) -> Self {
        let mean_packet = f64::from(config.mean_packet.max(1));
        Average { weight: config.weight.get(), mean_packet, limit, ns_per_byte: 0.0, value: 0.0 }
    }

    pub(super) fn get(&self) -> f64 {
        self.value
    }

    pub(super) fn set_rate(&mut self, rate: Option<Rate>) {
        self.ns_per_byte = rate.map_or(0.0, |rate| 8e9 / rate.bps());
    }

    /// A packet arrived and found this queue waiting.
    pub(super) fn arrive<P: Packet>(&mut self, queue: &impl QueueDiscipline<P>) {
        self.update(match self.limit {
            Limit::Packets(_) => queue.len() as f64,
            Limit::Bytes(_) => queue.bytes() as f64,
        });
    }

    /// A packet found the link idle, which it had been for this long.
    pub(super) fn idle(&mut self, idle: Span) {
        self.decay(match idle.nanos() {
            // 0 / 0 where transmission takes no time.
            0 => 0.0,
            idle => idle as f64 / (self.mean_packet * self.ns_per_byte),
        });
    }

    fn update(&mut self, length: f64) {
        self.value += self.weight * (length - self.value);
    }

    /// The link could have sent `packets` mean packets while it was idle. They count as arrivals
    /// that found nothing waiting, and so does the packet that ends the idle time. The paper does
    /// not count that one, but then packets that arrive just as the link falls idle would never
    /// lower the average (ns-2 counts it too).
    fn decay(&mut self, packets: f64) {
        self.value *= libm::pow(1.0 - self.weight, packets + 1.0);
    }
}

#[cfg(test)]
mod tests {
    use atl_core::units::Probability;

    use super::*;

    fn average(weight: f64) -> Average {
        let weight = Probability::clamped(weight);
        Average::new(&QueueAverage { weight, mean_packet: 1000 }, Limit::Packets(1000))
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * b.abs()
    }

    /// The RED paper's eq. 3: after a burst that makes the queue grow from 0 to L, the average is
    /// L + 1 + ((1 - w)^(L + 1) - 1) / w. It gives 4.88 for w = 0.001 and L = 100.
    #[test]
    fn a_growing_queue_raises_the_average_as_the_paper_says() {
        let mut burst = average(0.001);
        (1..=100).for_each(|length| burst.update(f64::from(length)));
        assert!((burst.get() - 4.88).abs() < 0.01, "{}", burst.get());
        for (weight, length) in [(0.002, 50_i32), (0.01, 20), (0.5, 10), (1.0, 7)] {
            let mut burst = average(weight);
            (1..=length).for_each(|length| burst.update(f64::from(length)));
            let bound = f64::from(length) + 1.0 + ((1.0 - weight).powi(length + 1) - 1.0) / weight;
            assert!(close(burst.get(), bound), "{} {bound}", burst.get());
        }
    }

    /// The paper: -1 / ln(1 - w) arrivals move the average 63 % of the way to a queue that jumped;
    /// 999 for w = 0.001.
    #[test]
    fn the_time_constant_is_that_of_the_paper() {
        let mut one = average(0.001);
        (0..999).for_each(|_| one.update(1.0));
        assert!((one.get() - 0.632).abs() < 0.001, "{}", one.get());
    }

    #[test]
    fn idle_time_counts_as_arrivals_at_an_empty_queue() {
        let (mut idle, mut busy) = (average(0.1), average(0.1));
        idle.update(30.0);
        busy.update(30.0);
        assert!(close(idle.get(), 3.0));
        idle.decay(4.0);
        (0..5).for_each(|_| busy.update(0.0));
        assert!(close(idle.get(), 3.0 * 0.59049) && close(idle.get(), busy.get()));
        // A link that could have sent any number of packets has forgotten everything.
        idle.decay(f64::INFINITY);
        assert!(idle.get() == 0.0);
    }

    #[test]
    fn a_link_without_a_rate_could_have_sent_any_number_of_packets() {
        let idle = |rate: Option<Option<Rate>>| {
            let mut average = average(0.1);
            average.update(30.0);
            if let Some(rate) = rate {
                average.set_rate(rate);
            }
            average.idle(Span::from_nanos(1));
            average.get()
        };
        assert!(idle(None) == 0.0 && idle(Some(None)) == 0.0);
        let slow = idle(Some(Some(Rate::from_bps(8.0))));
        assert!(close(slow, 2.7), "{slow}");
    }
}
