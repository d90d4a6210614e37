//! Declarations of all metrics. A new metric needs an entry here and nothing else.
//!
//! The comment above an entry becomes its line in `docs/scenarios.md` and a column's description.
//! `name`, `label`, `key`, `unit` and `value` are required; the other fields are those of
//! [`Descriptor`] and may be left out.

use atl_core::model::RateForm;

use super::charge::probe_charge;
use super::descriptor::Need::{
    Application, Disturbance, EndingFlow, FixedAimd, LiveMedia, Player, Samples, Viewer,
};
use super::descriptor::Value::{Fairness, Flow, MeanOfSamples, RateChanges, Recovery};
use super::descriptor::{Descriptor, PartValue, USUAL};
use super::equation::model_error;
use super::unit::Scale;
use super::unit::Unit::{
    AmpereSeconds, BitsPerSecond, Error, Factor, Octets, Packets, PerSecond, Ratio, Seconds, Share,
};
use super::{cells, media};

macro_rules! metrics {
    ($(
        $(#[doc = $doc:literal])+
        $metric:ident {
            name: $name:expr,
            label: $label:expr,
            key: $key:expr,
            unit: $unit:expr,
            value: $value:expr,
            $($field:ident: $setting:expr,)*
        }
    )+) => {
        /// A quantity by which runs are evaluated; see [`Metric::descriptor`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Metric {
            $($(#[doc = $doc])+ $metric,)+
        }

        impl Metric {
            /// Names, unit, documentation and computation of the metric.
            pub const fn descriptor(self) -> &'static Descriptor {
                match self {
                    $(Metric::$metric => const {
                        &Descriptor {
                            name: $name,
                            label: $label,
                            key: $key,
                            unit: $unit,
                            value: $value,
                            doc: concat!($($doc),+),
                            $($field: $setting,)*
                            ..USUAL
                        }
                    })+
                }
            }
        }

        /// All metrics with their names in scenario files.
        pub const METRICS: &[(&str, Metric)] = &[$(($name, Metric::$metric)),+];
    };
}

metrics! {
    /// Bytes that left the source, headers and retransmissions included.
    Throughput {
        name: "throughput",
        label: "throughput",
        key: "throughput_bps",
        unit: BitsPerSecond,
        value: Flow(|_, flow| Some(flow.throughput_bps)),
        part: PartValue::Counted(|sample| Some(sample.wire_bytes)),
        in_flows: true,
        in_summary: true,
    }
    /// Application bytes received in order, each once.
    Goodput {
        name: "goodput",
        label: "goodput",
        key: "goodput_bps",
        unit: BitsPerSecond,
        value: Flow(|_, flow| Some(flow.goodput_bps)),
        part: PartValue::Counted(|sample| Some(sample.delivered_bytes)),
        in_flows: true,
        in_summary: true,
    }
    /// Goodput of what came over the cell in which the mobile was at that time: without what still
    /// came over one that it had left. For other flows their goodput.
    CurrentCellGoodput {
        name: "current-cell-goodput",
        label: "goodput over the current cell",
        key: "current_cell_bps",
        unit: BitsPerSecond,
        value: Flow(|_, flow| flow.current_cell_bps()),
        part: PartValue::Counted(|sample| {
            sample.delivered_bytes.checked_sub(sample.elsewhere_bytes?)
        }),
        missing: "the engine does not know over which cell a byte came",
    }
    /// Packets dropped by queues or lost on links, as a share of those that arrived, were dropped
    /// or were lost.
    Loss {
        name: "loss",
        label: "loss",
        key: "loss",
        unit: Share,
        value: Flow(|_, flow| flow.loss()),
        in_summary: true,
    }
    /// Retransmissions, as a share of the packets sent.
    Retransmissions {
        name: "retransmissions",
        label: "retransmissions",
        key: "retransmissions",
        unit: Share,
        value: Flow(|_, flow| flow.retransmitted()),
        heading: "retrans.",
        in_summary: true,
    }
    /// Median of the RTT samples; none for a flow whose path leads over several networks.
    RttMedian {
        name: "rtt-median",
        label: "median RTT",
        key: "rtt_median_s",
        unit: Seconds,
        value: Flow(|_, flow| flow.rtt_median_s),
        heading: "RTT median",
        in_flows: true,
        in_summary: true,
        missing: "no RTT was sampled, or the path leads over several networks",
    }
    /// 95th percentile of the RTT samples; none for a flow whose path leads over several networks.
    RttP95 {
        name: "rtt-p95",
        label: "95th percentile of the RTT",
        key: "rtt_p95_s",
        unit: Seconds,
        value: Flow(|_, flow| flow.rtt_p95_s),
        heading: "RTT p95",
        in_flows: true,
        in_summary: true,
        missing: "no RTT was sampled, or the path leads over several networks",
    }
    /// 95th percentile of the queueing delay: of the RTT above the smallest of its path. In several
    /// networks, the mean of their percentiles, weighted by the time in each.
    QueueingP95 {
        name: "queueing-p95",
        label: "95th percentile of the queueing delay",
        key: "queueing_p95_s",
        unit: Seconds,
        value: Flow(|_, flow| flow.queueing_p95_s()),
        heading: "queueing p95",
        missing: "no RTT was sampled in one of the networks",
        in_flows: true,
        in_summary: true,
    }
    /// Jain's fairness index of the flows' goodputs, each over its own active time.
    Jain {
        name: "jain",
        label: "Jain's index",
        key: "jain",
        unit: Ratio,
        value: Fairness,
        heading: "Jain",
        part: PartValue::Fairness,
        in_summary: true,
        missing: "no flow got anything",
    }
    /// Expired retransmission timers.
    Timeouts {
        name: "timeouts",
        label: "timeouts",
        key: "timeouts_per_s",
        unit: PerSecond,
        value: Flow(|_, flow| flow.timeouts_per_s()),
        in_summary: true,
        missing: "the flow never ran",
    }
    /// Time from a flow's start to the acknowledgment of its last byte.
    Completion {
        name: "completion",
        label: "completion time",
        key: "completion_s",
        unit: Seconds,
        value: Flow(|_, flow| flow.completion_s),
        scale: Some(Scale::SECONDS),
        needs: &[EndingFlow],
        // Leaving out flows that never finished would make a slow protocol look fast.
        all_flows: true,
        in_flows: true,
        in_summary: true,
        awaits: Some("finished"),
        missing: "the flow did not finish",
    }
    /// Mean congestion window.
    Cwnd {
        name: "cwnd",
        label: "cwnd",
        key: "cwnd",
        unit: Packets,
        value: MeanOfSamples(|sample| sample.cwnd),
        part: PartValue::MeanOfSamples(|sample| sample.cwnd),
        needs: &[Samples],
        in_summary: true,
        missing: "the flow has no window, or never ran",
    }
    /// Mean congestion window of the path that a mobile's flow uses beside the current one, over
    /// the samples that have one.
    CwndBeside {
        name: "cwnd-beside",
        label: "cwnd beside",
        key: "cwnd_beside",
        unit: Packets,
        value: MeanOfSamples(|sample| sample.cwnd_beside),
        part: PartValue::MeanOfSamples(|sample| sample.cwnd_beside),
        needs: &[Samples],
        missing: "the flow used no second path",
    }
    /// Time until the goodput is back after the last blackout or handoff.
    Recovery {
        name: "recovery",
        label: "time to recover",
        key: "recovery_s",
        unit: Seconds,
        value: Recovery,
        scale: Some(Scale::SECONDS),
        needs: &[Samples, Disturbance],
        in_flows: true,
        in_summary: true,
        awaits: Some("recovered"),
        missing: "the flow was not disturbed while it ran, or got nothing to compare with",
    }
    /// Mean jitter by RFC 3550.
    Jitter {
        name: "jitter",
        label: "jitter",
        key: "jitter_s",
        unit: Seconds,
        value: Flow(|_, flow| flow.jitter_s),
        in_flows: true,
        missing: "fewer than two packets arrived",
    }
    /// Mean difference between successive gaps of the arrivals.
    GapJitter {
        name: "gap-jitter",
        label: "jitter of gaps",
        key: "gap_jitter_s",
        unit: Seconds,
        value: Flow(|_, flow| flow.gap_jitter_s),
        in_flows: true,
        missing: "fewer than three packets arrived",
    }
    /// Frames that arrived whole but too late, as a share of those due.
    LateFrames {
        name: "late-frames",
        label: "late frames",
        key: "late_frames",
        unit: Share,
        value: Flow(|_, flow| media::share_of_frames(flow, |media| media.late)),
        heading: "late",
        needs: &[LiveMedia],
        missing: "no frame was due",
    }
    /// Frames of which a packet was missing, as a share of those due.
    IncompleteFrames {
        name: "incomplete-frames",
        label: "incomplete frames",
        key: "incomplete_frames",
        unit: Share,
        value: Flow(|_, flow| media::share_of_frames(flow, |media| media.incomplete)),
        heading: "incomplete",
        needs: &[LiveMedia],
        missing: "no frame was due",
    }
    /// Share of the time in which a player that waits for late frames stands still; of a stored
    /// video, of the time since it began to play.
    Stalled {
        name: "stalled",
        label: "time standing still",
        key: "stalled",
        unit: Share,
        value: Flow(|_, flow| media::stalled(flow)),
        heading: "stalled",
        needs: &[Viewer],
        missing: "no frame was due, or the video never began",
    }
    /// Mean of the rates at which the segments of a stored video were encoded that its player has
    /// got.
    VideoRate {
        name: "video-rate",
        label: "rate of the video",
        key: "video_bps",
        unit: BitsPerSecond,
        value: Flow(|_, flow| flow.playback?.mean_bps),
        heading: "video",
        needs: &[Player],
        missing: "the player got no segment",
    }
    /// Segments of a stored video with another rate than the one before, per second.
    Switches {
        name: "switches",
        label: "changes of the video's rate",
        key: "switches_per_s",
        unit: PerSecond,
        value: Flow(|_, flow| flow.switches_per_s()),
        needs: &[Player],
        missing: "the flow has no player, or never ran",
    }
    /// Time from the request of a stored video until it plays for the first time.
    StartUp {
        name: "start-up",
        label: "time until the video plays",
        key: "start_up_s",
        unit: Seconds,
        value: Flow(|_, flow| flow.playback?.start_up_s),
        heading: "start-up",
        scale: Some(Scale::SECONDS),
        needs: &[Player],
        missing: "the video never began",
    }
    /// Mean rate of the live encoder.
    EncoderRate {
        name: "encoder-rate",
        label: "encoder's rate",
        key: "encoder_bps",
        unit: BitsPerSecond,
        value: Flow(|_, flow| flow.media.map(|media| media.encoder_bps)),
        heading: "encoder",
        part: PartValue::MeanOfSamples(|sample| sample.encoder_bps),
        needs: &[LiveMedia],
        in_flows: true,
        missing: "the flow has no live encoder",
    }
    /// Changes of the rate at which a flow may send by more than 10 %.
    RateChanges {
        name: "rate-changes",
        label: "rate changes",
        key: "rate_changes_per_s",
        unit: PerSecond,
        value: RateChanges,
        part: PartValue::RateChanges,
        needs: &[Samples],
        missing: "the flow never ran",
    }
    /// Rate at which the application wrote; not for greedy sources and live media.
    Offered {
        name: "offered",
        label: "offered load",
        key: "offered_bps",
        unit: BitsPerSecond,
        value: Flow(|_, flow| flow.offered_bps),
        in_flows: true,
        missing: "the source always has data",
    }
    /// Goodput over offered load.
    NormalizedThroughput {
        name: "normalized-throughput",
        label: "normalized throughput",
        key: "normalized_throughput",
        unit: Ratio,
        value: Flow(|_, flow| flow.normalized_throughput()),
        // Above 1 if data was in flight when measurement began.
        exceeds_one: true,
        in_flows: true,
        missing: "nothing was offered",
    }
    /// Mean time from application to application over TCP.
    Delay {
        name: "delay",
        label: "delay",
        key: "delay_s",
        unit: Seconds,
        value: Flow(|_, flow| flow.delay_s),
        in_flows: true,
        missing: "nothing was delivered",
    }
    /// Exchanges that the application has completed, per second.
    Exchanges {
        name: "exchanges",
        label: "exchanges",
        key: "exchanges_per_s",
        unit: PerSecond,
        value: Flow(|_, flow| flow.exchanges_per_s()),
        needs: &[Application],
        missing: "the flow is not that of an application, or never ran",
    }
    /// Mean time of an exchange: from the application's request to its complete answer, or what
    /// else it counts as one.
    ExchangeTime {
        name: "exchange-time",
        label: "time of an exchange",
        key: "exchange_s",
        unit: Seconds,
        value: Flow(|_, flow| flow.exchanges?.mean_s),
        heading: "exchange",
        needs: &[Application],
        missing: "no exchange was completed",
    }
    /// 95th percentile of the times of exchanges.
    ExchangeP95 {
        name: "exchange-p95",
        label: "95th percentile of the time of an exchange",
        key: "exchange_p95_s",
        unit: Seconds,
        value: Flow(|_, flow| flow.exchanges?.p95_s),
        heading: "exchange p95",
        needs: &[Application],
        missing: "no exchange was completed",
    }
    /// Data packets that queues dropped or links lost, per second.
    Losses {
        name: "losses",
        label: "losses",
        key: "losses_per_s",
        unit: PerSecond,
        value: Flow(|_, flow| flow.losses_per_s()),
        part: PartValue::MeanOfSamples(|sample| sample.losses_per_s),
        missing: "the flow never ran",
    }
    /// Packets that arrived twice since the sender took them for lost, as a share of the packets
    /// sent; for flows of mobiles.
    FalseRetransmissions {
        name: "false-retransmissions",
        label: "false retransmissions",
        key: "false_retransmissions",
        unit: Share,
        value: Flow(|_, flow| flow.falsely_retransmitted()),
        heading: "false",
        missing: "the flow is not that of a mobile",
    }
    /// Packets that arrived after a packet sent later, as a share of those that arrived; for flows
    /// of mobiles.
    Reordering {
        name: "reordering",
        label: "reordering",
        key: "reordering",
        unit: Share,
        value: Flow(|_, flow| flow.reordering()),
        heading: "reordered",
        missing: "the flow is not that of a mobile",
    }
    /// Packets that arrived marked by a queue (CE, RFC 3168), as a share of those that arrived; for
    /// flows with ECN.
    MarkedShare {
        name: "marked-share",
        label: "marked packets",
        key: "marked_share",
        unit: Share,
        value: Flow(|_, flow| flow.marked_share()),
        in_summary: true,
        heading: "marked",
        missing: "the flow has no ECN (`tcp.ecn`)",
    }
    /// Bytes of probes, as a share of all bytes sent; for flows that send probes.
    ProbeShare {
        name: "probe-share",
        label: "share of probes",
        key: "probe_share",
        unit: Share,
        value: Flow(|_, flow| flow.probe_share()),
        heading: "probes",
        missing: "the flow sent no probe",
    }
    /// Bytes of probes for each byte of forged notices; for flows that are attacked.
    Amplification {
        name: "amplification",
        label: "amplification",
        key: "amplification",
        unit: Factor,
        value: Flow(|_, flow| flow.amplification()),
        missing: "no forged notice reached the sender",
    }
    /// Charge that probes draw from a mobile's battery, if every dummy arrives and is answered
    /// (Taleb et al., eq. 4 and 6); for flows of mobiles with a `card`.
    ProbeCharge {
        name: "probe-charge",
        label: "charge of probes",
        key: "probe_charge_as",
        unit: AmpereSeconds,
        value: Flow(probe_charge),
        missing: "the flow has no mobile with a `card`",
    }
    /// Error of ATL's eq. 10 as published.
    Eq10Published {
        name: "eq10-published",
        label: "error of eq. 10, published",
        key: "eq10_published_error",
        unit: Error,
        value: Flow(|setup, flow| model_error(RateForm::Published, setup, flow)),
        needs: &[FixedAimd],
        in_summary: true,
        missing: "too few losses or RTTs were measured for the equation",
    }
    /// Error of its form in which losses count in the last round trip.
    Eq10LastRound {
        name: "eq10-last-round",
        label: "error of eq. 10, last-round",
        key: "eq10_last_round_error",
        unit: Error,
        value: Flow(|setup, flow| model_error(RateForm::LastRound, setup, flow)),
        needs: &[FixedAimd],
        in_summary: true,
        missing: "too few losses or RTTs were measured for the equation",
    }
    /// Error of its mended form.
    Eq10Mended {
        name: "eq10-mended",
        label: "error of eq. 10, mended",
        key: "eq10_mended_error",
        unit: Error,
        value: Flow(|setup, flow| model_error(RateForm::Mended, setup, flow)),
        needs: &[FixedAimd],
        in_summary: true,
        missing: "too few losses or RTTs were measured for the equation",
    }
    /// Error of its form for a sender that loses anywhere in a round trip.
    Eq10HalfRound {
        name: "eq10-half-round",
        label: "error of eq. 10, half-round",
        key: "eq10_half_round_error",
        unit: Error,
        value: Flow(|setup, flow| model_error(RateForm::HalfRound, setup, flow)),
        needs: &[FixedAimd],
        in_summary: true,
        missing: "too few losses or RTTs were measured for the equation",
    }
    /// Cell error ratio: cells lost or wrong, as a share of those sent (AAL-T paper, eq. 9).
    CellErrors {
        name: "cell-errors",
        label: "cell error ratio",
        key: "cell_errors",
        unit: Ratio,
        value: Flow(|_, flow| flow.adaptation.and_then(|cells| cells.cell_errors())),
        in_flows: true,
        missing: "no cell was sent",
    }
    /// Throughput efficiency: application data delivered, as a share of the payload of all cells
    /// sent but those of control packets (AAL-T paper, section 4).
    CellEfficiency {
        name: "cell-efficiency",
        label: "throughput efficiency",
        key: "cell_efficiency",
        unit: Ratio,
        value: Flow(|_, flow| cells::efficiency(flow)),
        missing: "no cell was sent",
    }
    /// The same by the AAL-T paper's equations at the measured cell error ratio: eq. 4 for TCP with
    /// its receive window over AAL5, eq. 5 for AAL-T.
    CellEfficiencyModel {
        name: "cell-efficiency-model",
        label: "throughput efficiency by eq. 4 and 5",
        key: "cell_efficiency_model",
        unit: Ratio,
        value: Flow(cells::efficiency_by_model),
        missing: "the equation has no value at the measured cell error ratio",
    }
    /// PDUs retransmitted, as a share of those sent.
    ArqRetransmissions {
        name: "arq-retransmissions",
        label: "PDUs sent again",
        key: "arq_retransmissions",
        unit: Share,
        value: Flow(|_, flow| cells::share(flow, |cells| (cells.retransmitted, cells.pdus))),
        missing: "no PDU was sent",
    }
    /// Payload of a CP-ARQ PDU at the end of the run.
    ArqPayload {
        name: "arq-payload",
        label: "CP-ARQ payload",
        key: "arq_payload",
        unit: Octets,
        value: Flow(|_, flow| flow.adaptation?.payload_octets.map(|octets| octets as f64)),
        missing: "the flow has no CP-ARQ",
    }
    /// Bit error ratio as AAL-T's sender estimates it at the end of the run.
    BitErrors {
        name: "bit-errors",
        label: "bit error ratio, estimated",
        key: "bit_errors",
        unit: Ratio,
        value: Flow(|_, flow| flow.adaptation?.bit_errors),
        in_flows: true,
        missing: "the flow has no CP-ARQ",
    }
    /// Packets that left the layer unchanged, as a share of those that entered it.
    AalDelivered {
        name: "aal-delivered",
        label: "packets delivered",
        key: "aal_delivered_share",
        unit: Share,
        value: Flow(|_, flow| {
            cells::share(flow, |cells| (cells.delivered, cells.offered - cells.refused))
        }),
        missing: "no packet entered the layer",
    }
    /// Packets that left the layer with errors that no check found, as a share of those that left
    /// it.
    Undetected {
        name: "undetected",
        label: "undetected errors",
        key: "undetected",
        unit: Share,
        value: Flow(|_, flow| {
            cells::share(flow, |cells| (cells.undetected, cells.delivered + cells.undetected))
        }),
        missing: "no packet left the layer",
    }
    /// Source quenches.
    Quenches {
        name: "quenches",
        label: "source quenches",
        key: "quenches_per_s",
        unit: PerSecond,
        value: Flow(|_, flow| cells::quenches_per_s(flow)),
        missing: "the flow never ran",
    }
}
