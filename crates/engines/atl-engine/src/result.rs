//! Measurements of a run, in the same form from every engine.
//!
//! A simulator knows everything, an engine with real sockets only what its endpoints observe. A
//! field is an [`Option`] if some engine cannot know its value; `None` then means that it was not
//! measured, which is not the same as zero.

use atl_core::time::Span;
pub use atl_endpoint::media::MediaResult;
pub use atl_endpoint::meters::{ExchangeResult, PlaybackResult};
use atl_link::{Link, Packet};
use serde::{Deserialize, Serialize};

/// The engine that carried out a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineId {
    /// Name as in `--on`, such as `sim`.
    pub name: String,
    /// Version of its crate, and of a kernel or library that it drives if results depend on it.
    pub version: String,
}

/// Results of one run: a setup with one seed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// Results of the flows, in the setup's order.
    pub flows: Vec<FlowResult>,
    /// Results of the links, in the setup's order; empty if the engine does not carry out the links
    /// itself.
    pub links: Vec<LinkResult>,
    /// Samples by time, then by flow; empty unless the setup requests them.
    pub samples: Vec<Sample>,
    /// Number of events that a simulator handled.
    pub events: Option<u64>,
    /// Timing accuracy of an engine in real time.
    pub lateness: Option<Lateness>,
    /// Datagrams lost outside the links by an engine with sockets.
    pub datagrams: Option<Datagrams>,
}

/// Datagrams of an engine with sockets that its links did not carry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Datagrams {
    /// Dropped by the operating system from a full buffer. Data packets among them count as
    /// dropped.
    pub missing: u64,
    /// Ignored since they were malformed, from strangers, cut off or repeated.
    pub refused: u64,
}

/// Delay of packets behind their due time in an engine in real time, at senders that pace and at
/// links. In virtual time nothing is late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lateness {
    /// Median lateness in seconds.
    pub p50_s: f64,
    /// 90th percentile of lateness in seconds.
    pub p90_s: f64,
    /// 99th percentile of lateness in seconds.
    pub p99_s: f64,
    /// Share of the packets, from 0 to 1, that were late by more than their link's transmission
    /// time of one packet. Packets that the engine itself lost count as late.
    pub late_share: f64,
}

impl Lateness {
    /// Limit on [`late_share`](Self::late_share), above which a run does not represent its
    /// scenario's links.
    pub const MAX_LATE_SHARE: f64 = 0.01;

    /// True if the lateness is small enough for the run to be valid.
    pub fn is_trustworthy(&self) -> bool {
        self.late_share <= Self::MAX_LATE_SHARE
    }
}

/// Measurements of one flow. Rates are averages from the end of the warm-up (or the flow's start,
/// if that is later) to the end of the run (or the flow's completion). Counts are from the end of
/// the warm-up to the end of the run, both included, so that `under_way_before + sent + copies =
/// arrived + dropped + lost + under_way_after`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FlowResult {
    /// Time in seconds that the rates below are averaged over.
    pub active_s: f64,
    /// Throughput in bits per second: bytes that left the source onto the wire of its first link,
    /// including headers, retransmissions and probes that carry data. Packets dropped by the
    /// source's own interface queue do not count.
    pub throughput_bps: f64,
    /// Goodput in bits per second: application bytes received in order, each once.
    pub goodput_bps: f64,
    /// Data packets that the sender handed to its interface: retransmissions, and probes that carry
    /// a copy of a segment (NIL segments of TCP-Peach+), included; other probes not.
    pub sent: u64,
    /// Copies of data packets that agents (Snoop) put onto the network, including refused ones, and
    /// those of links that deliver some packets twice.
    pub copies: Option<u64>,
    /// Data packets under way when measurement began: sent, but neither arrived nor known to be
    /// dropped or lost. Includes those waiting in the sending end system or at an agent.
    pub under_way_before: Option<u64>,
    /// Data packets under way at the end of the run.
    pub under_way_after: Option<u64>,
    /// Data packets that arrived at the receiver, duplicates included.
    pub arrived: Option<u64>,
    /// Data packets delivered to the application, each once.
    pub delivered: Option<u64>,
    /// Data packets dropped by full queues, the source's own included.
    pub dropped: Option<u64>,
    /// Data packets lost on links (errors, blackouts).
    pub lost: Option<u64>,
    /// Application bytes, each once, that came over a cell that was not the mobile's current one:
    /// 0 for a flow without a mobile, `None` if the engine cannot know.
    pub elsewhere_bytes: Option<u64>,
    /// Number of retransmitted packets.
    pub retransmissions: Option<u64>,
    /// Number of expired retransmission timers.
    pub timeouts: Option<u64>,
    /// Source quenches that made the sender slow down.
    pub quench_reactions: Option<u64>,
    /// Loss episodes repaired by fast retransmit.
    pub recoveries: Option<u64>,
    /// Packets declared lost that were acknowledged later.
    pub spurious_losses: Option<u64>,
    /// Packets that arrived more than once.
    pub duplicates: Option<u64>,
    /// Packets that arrived after one that was sent later (RFC 4737, section 3).
    pub reordered: Option<u64>,
    /// Data packets that arrived marked by a queue (CE, RFC 3168); `None` for a flow without ECN.
    pub marked: Option<u64>,
    /// Bytes of probes that the sender handed to its interface, headers included; `None` for a flow
    /// without probes.
    pub probe_bytes: Option<u64>,
    /// Bytes of an attacker's notices that reached the sender; `None` for a flow that is not
    /// attacked.
    pub forged_bytes: Option<u64>,
    /// Changes of the network or path that the sender noticed.
    pub handoffs: Option<u64>,
    /// Periods in which the receiver got nothing although the application had data.
    pub stalls: Option<Stalls>,
    /// Median of the RTT samples, in seconds; `None` without a sample, and for a flow whose path
    /// leads over several networks: see [`delays`](Self::delays).
    pub rtt_median_s: Option<f64>,
    /// 95th percentile of the RTT samples, in seconds; `None` as for the median.
    pub rtt_p95_s: Option<f64>,
    /// Smallest RTT sample, in seconds.
    pub rtt_min_s: Option<f64>,
    /// RTTs in each network, in the order of first visits, for a flow whose path leads over
    /// several; otherwise empty. Samples that cross a change belong to none.
    pub delays: Vec<NetworkDelay>,
    /// Time from the start of a TCP flow to the acknowledgment of its last byte, in seconds; `None`
    /// if it did not end.
    pub completion_s: Option<f64>,
    /// Time from the flow's start to the end of the run, in seconds: a flow that did not end takes
    /// longer than this. `None` if the engine cannot know.
    pub in_run_s: Option<f64>,
    /// Mean jitter by RFC 3550 (section 6.4.1), in seconds: the mean difference in transit time
    /// between a data packet and the one that arrived before it. `None` with fewer than two
    /// packets.
    pub jitter_s: Option<f64>,
    /// Mean difference between successive gaps of the data packets' arrivals, in seconds: the
    /// papers' jitter. It includes changes of the sending rate. `None` with fewer than three
    /// packets.
    pub gap_jitter_s: Option<f64>,
    /// Rate at which the application wrote, in bits per second; `None` for greedy sources and live
    /// encoders.
    pub offered_bps: Option<f64>,
    /// Mean time from the application's write of a segment to its delivery in order by TCP, in
    /// seconds. `None` if nothing was delivered, and for sources that always have data.
    pub delay_s: Option<f64>,
    /// Exchanges that the application's end at the source has completed, for the flows of an
    /// application.
    pub exchanges: Option<ExchangeResult>,
    /// Playback of the player at the source, for flows of an application that plays a video.
    pub playback: Option<PlaybackResult>,
    /// Video quality at the viewer, for flows of a live encoder.
    pub media: Option<MediaResult>,
    /// Counts of the adaptation layer in the direction of the data, for flows that travel in cells.
    pub adaptation: Option<AdaptationResult>,
}

/// RTTs of a flow in one network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NetworkDelay {
    /// Index of the network as in [`Sample::network`]; of one that comes again, the first.
    pub network: u32,
    /// Time in seconds that the flow was there while it was measured.
    pub time_s: f64,
    /// Median of the RTT samples, in seconds; `None` without a sample.
    pub rtt_median_s: Option<f64>,
    /// 95th percentile of the RTT samples, in seconds.
    pub rtt_p95_s: Option<f64>,
    /// Smallest RTT sample, in seconds.
    pub rtt_min_s: Option<f64>,
}

impl NetworkDelay {
    /// 95th percentile of the queueing delay in seconds: of the RTT above the smallest of this
    /// path.
    pub fn queueing_p95_s(&self) -> Option<f64> {
        Some((self.rtt_p95_s? - self.rtt_min_s?).max(0.0))
    }
}

/// Periods in which a flow stalled: data was waiting, but none arrived for at least three smoothed
/// RTTs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stalls {
    /// Number of periods.
    pub count: u64,
    /// Total length in seconds.
    pub total_s: f64,
    /// Length of the longest in seconds.
    pub longest_s: f64,
}

/// Counts of an adaptation layer in one direction while the flow was measured. Those of a tunnel
/// shared by several flows are for all of them together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AdaptationResult {
    /// Packets handed to the layer.
    pub offered: u64,
    /// Offered packets dropped because the layer's queue was full.
    pub refused: u64,
    /// Packets that left the layer unchanged at the other end.
    pub delivered: u64,
    /// Packets that left the layer changed, with errors that no check detected.
    pub undetected: u64,
    /// PDUs sent, retransmissions included, control packets excluded: CPCS-PDUs of AAL5, CP-ARQ
    /// PDUs of AAL-T.
    pub pdus: u64,
    /// PDUs retransmitted.
    pub retransmitted: u64,
    /// PDUs dropped on arrival because a check failed: errors, lost or foreign cells.
    pub wrong: u64,
    /// Packets that AAL-T's receiver rejected for their length or tags, so that they were sent
    /// again as a whole.
    pub sent_whole_again: u64,
    /// Control packets about this direction, sent in the other.
    pub statuses: u64,
    /// Cells sent, for PDUs and for control packets about the other direction.
    pub cells: u64,
    /// Cells sent for control packets.
    pub control_cells: u64,
    /// Cells dropped by queues or lost on links.
    pub cells_lost: u64,
    /// Cells dropped because of a wrong header, or delivered to another connection.
    pub cells_astray: u64,
    /// Cells that arrived with a wrong payload.
    pub cells_damaged: u64,
    /// Source quenches sent because of congestion.
    pub quenches: u64,
    /// Payload of new CP-ARQ PDUs at the end of the run, in octets; `None` for AAL5.
    pub payload_octets: Option<u64>,
    /// Bit error ratio of the path as estimated by AAL-T's sender at the end of the run; `None` for
    /// AAL5.
    pub bit_errors: Option<f64>,
}

impl AdaptationResult {
    /// Cell error ratio (AAL-T paper, eq. 9): cells lost or in error as a share of those sent;
    /// `None` if none was sent.
    pub fn cell_errors(&self) -> Option<f64> {
        let wrong =
            self.cells_lost.saturating_add(self.cells_astray).saturating_add(self.cells_damaged);
        (self.cells > 0).then(|| wrong as f64 / self.cells as f64)
    }
}

impl FlowResult {
    /// Share of the packets dropped by queues or lost on links, from 0 to 1, among those not still
    /// under way; 0 if there were none, `None` if the engine cannot know. Copies by an agent or a
    /// link count as packets.
    pub fn loss(&self) -> Option<f64> {
        let gone = self.dropped?.saturating_add(self.lost?);
        let all = gone.saturating_add(self.arrived?);
        Some(if all == 0 { 0.0 } else { gone as f64 / all as f64 })
    }

    /// Goodput of what came over the cell in which the mobile was at that time, in bits per second;
    /// all of it for a flow without a mobile, `None` if the engine cannot know.
    pub fn current_cell_bps(&self) -> Option<f64> {
        let elsewhere = self.elsewhere_bytes? as f64 * 8.0;
        let rate = if self.active_s > 0.0 { elsewhere / self.active_s } else { 0.0 };
        Some((self.goodput_bps - rate).max(0.0))
    }

    /// 95th percentile of the queueing delay in seconds: of the RTT above the smallest of its path.
    /// In several networks, the mean of their percentiles, each weighted by the time that the flow
    /// spent there, which does not depend on how much it sent there. `None` without a sample in one
    /// of them.
    pub fn queueing_p95_s(&self) -> Option<f64> {
        if self.delays.is_empty() {
            return Some((self.rtt_p95_s? - self.rtt_min_s?).max(0.0));
        }
        let visited = || self.delays.iter().filter(|delay| delay.time_s > 0.0);
        let time: f64 = visited().map(|delay| delay.time_s).sum();
        let sums: Option<Vec<f64>> =
            visited().map(|delay| Some(delay.queueing_p95_s()? * delay.time_s)).collect();
        sums.filter(|_| time > 0.0).map(|sums| sums.iter().sum::<f64>() / time)
    }

    /// Share of probes in the bytes handed to the wire, from 0 to 1; `None` for a flow without
    /// probes.
    pub fn probe_share(&self) -> Option<f64> {
        let probes = self.probe_bytes? as f64;
        let data = self.throughput_bps * self.active_s / 8.0;
        Some(if probes > 0.0 { probes / (probes + data) } else { 0.0 })
    }

    /// Bytes of probes per byte of an attacker's notices: the factor by which an attacker
    /// multiplies traffic towards a victim. `None` for a flow that is not attacked.
    pub fn amplification(&self) -> Option<f64> {
        let forged = self.forged_bytes.filter(|bytes| *bytes > 0)?;
        Some(self.probe_bytes? as f64 / forged as f64)
    }

    /// Share of the sent packets that were retransmitted although they had arrived, from 0 to 1;
    /// `None` if the engine cannot know.
    pub fn falsely_retransmitted(&self) -> Option<f64> {
        let again = self.duplicates?;
        Some(if self.sent == 0 { 0.0 } else { again as f64 / self.sent as f64 })
    }

    /// Share of the arrived packets that came after one sent later, from 0 to 1 (RFC 4737, sec. 3);
    /// `None` if the engine cannot know.
    pub fn reordering(&self) -> Option<f64> {
        let (late, arrived) = (self.reordered?, self.arrived?);
        Some(if arrived == 0 { 0.0 } else { late as f64 / arrived as f64 })
    }

    /// Share of the arrived packets that were marked (CE), from 0 to 1; 0 if none arrived, `None`
    /// without ECN.
    pub fn marked_share(&self) -> Option<f64> {
        let (marked, arrived) = (self.marked?, self.arrived?);
        Some(if arrived == 0 { 0.0 } else { marked as f64 / arrived as f64 })
    }

    /// Share of the sent packets that are retransmissions, from 0 to 1; 0 if nothing was sent,
    /// `None` if the engine cannot know.
    pub fn retransmitted(&self) -> Option<f64> {
        let again = self.retransmissions?;
        Some(if self.sent == 0 { 0.0 } else { again as f64 / self.sent as f64 })
    }

    /// Data packets dropped by queues or lost on links, per second; `None` if the engine cannot
    /// know, and for a flow that never ran.
    pub fn losses_per_s(&self) -> Option<f64> {
        let gone = self.dropped?.saturating_add(self.lost?);
        (self.active_s > 0.0).then(|| gone as f64 / self.active_s)
    }

    /// Exchanges that the application has completed, per second; `None` for a flow without one, and
    /// for a flow that never ran.
    pub fn exchanges_per_s(&self) -> Option<f64> {
        let exchanges = self.exchanges?;
        (self.active_s > 0.0).then(|| exchanges.count as f64 / self.active_s)
    }

    /// Segments of a video with another rate than the one before, per second; `None` for a flow
    /// without a player, and for a flow that never ran.
    pub fn switches_per_s(&self) -> Option<f64> {
        let playback = self.playback?;
        (self.active_s > 0.0).then(|| playback.switches as f64 / self.active_s)
    }

    /// Expired retransmission timers per second; `None` if the engine cannot know, and for a flow
    /// that never ran.
    pub fn timeouts_per_s(&self) -> Option<f64> {
        let timeouts = self.timeouts?;
        (self.active_s > 0.0).then(|| timeouts as f64 / self.active_s)
    }

    /// Goodput divided by the rate at which the application wrote (AAL-T paper, section 5.2). It
    /// can slightly exceed 1, since data in flight when measurement began counts as received but
    /// not as offered. `None` if nothing was offered, and for sources that always have data.
    pub fn normalized_throughput(&self) -> Option<f64> {
        self.offered_bps.filter(|bps| *bps > 0.0).map(|bps| self.goodput_bps / bps)
    }
}

/// Counts of one link, over all packets including ACKs.
/// `offered = delivered + dropped + lost + held` at any time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkResult {
    /// Packets offered to the link.
    pub offered: u64,
    /// Packets delivered at its far end, each once.
    pub delivered: u64,
    /// Packets dropped by its queue, or lost ahead of it.
    pub dropped: u64,
    /// Packets lost in transmission.
    pub lost: u64,
    /// Packets still in its queue or on its wire at the end.
    pub held: u64,
    /// Packets that its queue marked as having met congestion; `None` if there was none.
    pub marked: Option<u64>,
    /// Bytes delivered at its far end, those of copies not included.
    pub delivered_bytes: u64,
    /// Packets delivered a second time, by a link that does so; `None` if there was none.
    pub duplicated: Option<u64>,
    /// Copies of data packets that an agent (Snoop) sent over the link, delivered or not. A flow
    /// counts them in `copies`, `lost`, `dropped`, `arrived` and, on its first link, in its
    /// throughput, but not in `sent` or `retransmissions`.
    pub local_retransmissions: u64,
    /// Offset into its recorded traces at the start of the run; `None` for a link without traces,
    /// or if the engine cannot know.
    #[serde(with = "nanos")]
    pub trace_offset: Option<Span>,
}

impl LinkResult {
    /// Counts of a link that the engine carries out itself, without an agent's copies.
    pub fn of<P: Packet>(link: &Link<P>, trace_offset: Option<Span>) -> Self {
        let counters = link.counters();
        LinkResult {
            offered: counters.offered,
            delivered: counters.delivered,
            dropped: counters.dropped,
            lost: counters.lost,
            held: link.held() as u64,
            marked: Some(counters.marked).filter(|marked| *marked > 0),
            delivered_bytes: counters.delivered_bytes,
            duplicated: Some(counters.duplicated).filter(|duplicated| *duplicated > 0),
            local_retransmissions: 0,
            trace_offset,
        }
    }

    /// Counts of all links, with how far into its traces each begins.
    pub fn all<'a, P: Packet + 'a>(
        links: impl IntoIterator<Item = &'a Link<P>>,
        trace_offsets: &[Option<Span>],
    ) -> Vec<Self> {
        let links = links.into_iter().zip(trace_offsets);
        links.map(|(link, trace_offset)| LinkResult::of(link, *trace_offset)).collect()
    }
}

/// State of one flow at one time. Each time has a sample for each flow, in the setup's order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Seconds since the run began.
    pub time_s: f64,
    /// Index of the flow in the setup.
    pub flow: u32,
    /// Index of the network of the flow's first wireless link in the link's schedule: 0 at first,
    /// one more after each handoff. For a mobile's flow the index of the current cell among those
    /// that the mobile uses.
    pub network: u32,
    /// cwnd of the current path in packets; `None` for paced flows.
    pub cwnd: Option<f64>,
    /// cwnd in packets of a path used besides the current one; `None` without such a path.
    pub cwnd_beside: Option<f64>,
    /// ssthresh in packets, infinite before the first loss; `None` for paced flows.
    pub ssthresh: Option<f64>,
    /// Sending rate of a paced flow in bits per second, headers included.
    pub rate_bps: Option<f64>,
    /// Rate of a live encoder in bits per second.
    pub encoder_bps: Option<f64>,
    /// Mean jitter since the previous sample by RFC 3550, in seconds; see [`FlowResult::jitter_s`].
    pub jitter_s: Option<f64>,
    /// The flow's packets in flight.
    pub in_flight: u32,
    /// SRTT, in seconds; `None` before the first sample.
    pub srtt_s: Option<f64>,
    /// Throughput since the previous sample, in bits per second.
    pub throughput_bps: f64,
    /// Goodput since the previous sample, in bits per second.
    pub goodput_bps: f64,
    /// Bytes that left the source onto the wire of its first link since the start, headers and
    /// retransmissions included.
    pub wire_bytes: u64,
    /// Application bytes received in order since the start.
    pub delivered_bytes: u64,
    /// Application bytes since the start, each once, that came over a cell that was not the
    /// mobile's current one: 0 for a flow without a mobile, `None` if the engine cannot know.
    pub elsewhere_bytes: Option<u64>,
    /// Data packets dropped by queues or lost on links since the previous sample, per second;
    /// `None` if the engine cannot know.
    pub losses_per_s: Option<f64>,
    /// Current alpha of an AIMD controller, in packets per RTT, for paced flows in packets per
    /// second per RTT.
    pub alpha: Option<f64>,
    /// Current beta of an AIMD controller.
    pub beta: Option<f64>,
}

/// Serialises a time in nanoseconds.
mod nanos {
    use atl_core::time::Span;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    #[expect(clippy::ref_option, reason = "serde hands in a reference to the field")]
    pub(super) fn serialize<S: Serializer>(
        span: &Option<Span>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        span.map(Span::nanos).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Span>, D::Error> {
        Ok(Option::<u64>::deserialize(deserializer)?.map(Span::from_nanos))
    }
}
