//! What is measured, the names by which a scenario file speaks of it, and the units.

use atl_core::model::RateForm;

pub use crate::cell_metric::CellMetric;

/// What a run is measured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Bits per second that left the source.
    Throughput,
    /// Bits per second of application data received.
    Goodput,
    /// Share of packets lost.
    Loss,
    /// Retransmissions, as a share of the packets sent.
    Retransmissions,
    /// Median RTT in seconds.
    RttMedian,
    /// 95th percentile of the RTT in seconds.
    RttP95,
    /// Jain's fairness index of the flows' goodput.
    Jain,
    /// Expired retransmission timers per second.
    Timeouts,
    /// Completion time in seconds.
    Completion,
    /// Mean cwnd over time in packets (needs samples).
    Cwnd,
    /// Time in seconds from the end of the last disturbance of a flow's way until its goodput is back (needs
    /// samples).
    Recovery,
    /// Mean jitter by RFC 3550 in seconds.
    Jitter,
    /// Mean difference of neighbouring gaps between arrivals in seconds.
    GapJitter,
    /// Frames that came whole but too late, as a share of those due.
    LateFrames,
    /// Frames that did not come whole, as a share of those due.
    IncompleteFrames,
    /// Share of the time that a player which waits for late frames stood still.
    Stalled,
    /// Mean rate of the encoder in bits per second.
    EncoderRate,
    /// Changes of the sending rate by more than a tenth, per second (needs samples).
    RateChanges,
    /// Bits per second that the application wrote.
    Offered,
    /// Goodput over what the application wrote.
    NormalizedThroughput,
    /// Mean time in seconds from the application at one end to that at the other.
    Delay,
    /// Relative error of a form of ATL's eq. 10 against the throughput, at the flow's own loss and median RTT
    /// (needs a flow whose AIMD parameters are fixed).
    ModelError(RateForm),
    /// What an adaptation layer did.
    Cells(CellMetric),
}

/// What a sample holds that can be drawn over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trace {
    /// Goodput in the interval.
    Goodput,
    /// Throughput in the interval.
    Throughput,
    /// cwnd.
    Cwnd,
    /// Smoothed RTT.
    Srtt,
    /// alpha.
    Alpha,
    /// Bytes delivered since the start.
    Delivered,
    /// The rate at which the flow may send.
    Rate,
    /// Jitter by RFC 3550 in the interval.
    Jitter,
    /// Rate of the encoder.
    Encoder,
}

/// Unit of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bits per second.
    BitsPerSecond,
    /// Seconds.
    Seconds,
    /// A share from 0 to 1, shown in per cent.
    Share,
    /// A ratio or an index from 0 to 1, shown as it is.
    Ratio,
    /// Packets.
    Packets,
    /// Octets.
    Octets,
    /// Events per second.
    PerSecond,
    /// A relative error, as a share: -0.05 is 5 % too low.
    Error,
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
    ("recovery", Metric::Recovery),
    ("jitter", Metric::Jitter),
    ("gap-jitter", Metric::GapJitter),
    ("late-frames", Metric::LateFrames),
    ("incomplete-frames", Metric::IncompleteFrames),
    ("stalled", Metric::Stalled),
    ("encoder-rate", Metric::EncoderRate),
    ("rate-changes", Metric::RateChanges),
    ("offered", Metric::Offered),
    ("normalized-throughput", Metric::NormalizedThroughput),
    ("delay", Metric::Delay),
    ("eq10-published", Metric::ModelError(RateForm::Published)),
    ("eq10-last-round", Metric::ModelError(RateForm::LastRound)),
    ("eq10-mended", Metric::ModelError(RateForm::Mended)),
    ("eq10-half-round", Metric::ModelError(RateForm::HalfRound)),
    ("cell-errors", Metric::Cells(CellMetric::Errors)),
    ("cell-efficiency", Metric::Cells(CellMetric::Efficiency)),
    ("cell-efficiency-model", Metric::Cells(CellMetric::ModelEfficiency)),
    ("arq-retransmissions", Metric::Cells(CellMetric::Retransmissions)),
    ("arq-payload", Metric::Cells(CellMetric::Payload)),
    ("bit-errors", Metric::Cells(CellMetric::BitErrors)),
    ("aal-delivered", Metric::Cells(CellMetric::Delivered)),
    ("undetected", Metric::Cells(CellMetric::Undetected)),
    ("quenches", Metric::Cells(CellMetric::Quenches)),
];

/// The metrics that samples tell of a part of a run.
pub const OF_A_PART: &[Metric] = &[
    Metric::Throughput,
    Metric::Goodput,
    Metric::Jain,
    Metric::Cwnd,
    Metric::EncoderRate,
    Metric::RateChanges,
];

/// Everything that can be drawn over time, with its name in a file.
pub const TRACES: &[(&str, Trace)] = &[
    ("goodput", Trace::Goodput),
    ("throughput", Trace::Throughput),
    ("cwnd", Trace::Cwnd),
    ("srtt", Trace::Srtt),
    ("alpha", Trace::Alpha),
    ("delivered", Trace::Delivered),
    ("rate", Trace::Rate),
    ("jitter", Trace::Jitter),
    ("encoder", Trace::Encoder),
];

impl Metric {
    /// Name in a scenario file.
    pub fn name(self) -> &'static str {
        METRICS.iter().find(|(_, m)| *m == self).map_or("", |(name, _)| name)
    }

    /// Unit of its values.
    pub fn unit(self) -> Unit {
        match self {
            Metric::Throughput | Metric::Goodput | Metric::EncoderRate | Metric::Offered => {
                Unit::BitsPerSecond
            }
            Metric::RttMedian
            | Metric::RttP95
            | Metric::Completion
            | Metric::Recovery
            | Metric::Jitter
            | Metric::GapJitter
            | Metric::Delay => Unit::Seconds,
            Metric::Loss
            | Metric::Retransmissions
            | Metric::LateFrames
            | Metric::IncompleteFrames
            | Metric::Stalled => Unit::Share,
            Metric::Timeouts | Metric::RateChanges => Unit::PerSecond,
            Metric::Jain | Metric::NormalizedThroughput => Unit::Ratio,
            Metric::Cwnd => Unit::Packets,
            Metric::ModelError(_) => Unit::Error,
            Metric::Cells(metric) => metric.unit(),
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
