//! The names by which a scenario file speaks of metrics and traces, and the units of their values.

use crate::scenario::{Metric, Trace};

/// Unit of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bits per second.
    BitsPerSecond,
    /// Seconds.
    Seconds,
    /// A share or an index, from 0 to 1.
    Share,
    /// Packets.
    Packets,
    /// Events per second.
    PerSecond,
}

/// Every metric with its name in a file.
pub const METRICS: &[(&str, Metric)] = &[
    ("throughput", Metric::Throughput),
    ("goodput", Metric::Goodput),
    ("loss", Metric::Loss),
    ("retransmissions", Metric::Retransmissions),
    ("rtt-median", Metric::RttMedian),
    ("rtt-p95", Metric::RttP95),
    ("jain", Metric::Jain),
    ("timeouts", Metric::Timeouts),
    ("completion", Metric::Completion),
    ("cwnd", Metric::Cwnd),
];

/// Everything that can be drawn over time, with its name in a file.
pub const TRACES: &[(&str, Trace)] = &[
    ("goodput", Trace::Goodput),
    ("throughput", Trace::Throughput),
    ("cwnd", Trace::Cwnd),
    ("srtt", Trace::Srtt),
    ("alpha", Trace::Alpha),
    ("delivered", Trace::Delivered),
];

impl Metric {
    /// Name in a scenario file.
    pub fn name(self) -> &'static str {
        METRICS.iter().find(|(_, m)| *m == self).map_or("", |(name, _)| name)
    }

    /// Unit of its values.
    pub fn unit(self) -> Unit {
        match self {
            Metric::Throughput | Metric::Goodput => Unit::BitsPerSecond,
            Metric::RttMedian | Metric::RttP95 | Metric::Completion => Unit::Seconds,
            Metric::Loss | Metric::Retransmissions | Metric::Jain => Unit::Share,
            Metric::Timeouts => Unit::PerSecond,
            Metric::Cwnd => Unit::Packets,
        }
    }
}

impl Trace {
    /// Name in a scenario file.
    pub fn name(self) -> &'static str {
        TRACES.iter().find(|(_, t)| *t == self).map_or("", |(name, _)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_used_once() {
        for (i, (name, metric)) in METRICS.iter().enumerate() {
            assert_eq!(metric.name(), *name);
            assert!(METRICS[i + 1..].iter().all(|(other, m)| other != name && m != metric));
        }
        for (name, trace) in TRACES {
            assert_eq!(trace.name(), *name);
        }
    }
}
