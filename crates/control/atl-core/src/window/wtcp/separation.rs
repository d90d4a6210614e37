//! Separations of packets at the sender and at the receiver.

/// An average that is the plain mean of its first values and forgets exponentially after them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Average {
    value: f64,
    values: u32,
    length: u32,
}

impl Average {
    /// An average over about `length` values, which is at least 1.
    pub(super) fn over(length: u32) -> Self {
        Average { value: 0.0, values: 0, length }
    }

    pub(super) fn add(&mut self, value: f64) {
        self.values = self.length.min(self.values + 1);
        self.value += (value - self.value) / f64::from(self.values);
    }

    /// The average; `None` before the first value.
    pub(super) fn get(&self) -> Option<f64> {
        (self.values > 0).then_some(self.value)
    }

    /// The number of values in it, at most its length.
    pub(super) fn values(&self) -> u32 {
        self.values
    }
}

/// Average separations at both ends, in seconds. The ratio of the averages, not the average of
/// ratios: a packet sent close to the one before it makes the path's queue longer and the next
/// one's wait shorter, and both cancel only in the sums.
#[derive(Clone, Copy, Debug)]
pub(super) struct Separations {
    sent: Average,
    arrived: Average,
}

impl Separations {
    pub(super) fn over(packets: u32) -> Self {
        Separations { sent: Average::over(packets), arrived: Average::over(packets) }
    }

    pub(super) fn add(&mut self, sent: f64, arrived: f64) {
        self.sent.add(sent);
        self.arrived.add(arrived);
    }

    /// Separation at the receiver over that at the sender: above 1 a queue on the path grows, below
    /// 1 it drains. 1 before the first values.
    pub(super) fn ratio(&self) -> f64 {
        match (self.sent.get(), self.arrived.get()) {
            (Some(sent), Some(arrived)) if sent > 0.0 => arrived / sent,
            _ => 1.0,
        }
    }

    pub(super) fn packets(&self) -> u32 {
        self.sent.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_average_is_the_mean_of_its_first_values_and_then_forgets() {
        let mut average = Average::over(4);
        assert_eq!(average.get(), None);
        for value in [1.0, 2.0, 3.0, 6.0] {
            average.add(value);
        }
        assert_eq!(average.get(), Some(3.0));
        average.add(7.0);
        assert_eq!(average.get(), Some(4.0));
        assert_eq!(average.values(), 4);
    }

    #[test]
    fn the_ratio_tells_a_growing_queue_from_a_draining_one() {
        let mut separations = Separations::over(64);
        assert!((separations.ratio() - 1.0).abs() < 1e-12);
        separations.add(0.004, 0.005);
        assert!((separations.ratio() - 1.25).abs() < 1e-12);
        // A packet sent too early waits: it arrives on time, and so does the one after it.
        let mut separations = Separations::over(64);
        for (sent, arrived) in [(0.001, 0.004), (0.007, 0.004)] {
            separations.add(sent, arrived);
        }
        assert!((separations.ratio() - 1.0).abs() < 1e-12);
    }
}
