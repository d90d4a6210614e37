//! What a run measures, the same from every host.
//!
//! A simulator sees everything; a host with real sockets sees what its endpoints see. A field is an [`Option`] where some
//! host cannot know its value, and `None` means that this host did not measure it: absent, never zero.

use atl_core::time::Span;
pub use atl_endpoint::media::MediaResult;
use atl_link::{Link, Packet};
use serde::{Deserialize, Serialize};

/// The host that carried out a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineId {
    /// Its name, as `--on` takes it: `sim`.
    pub name: String,
    /// Its version: that of its crate, and of what it drives (a kernel, a library) where that decides results.
    pub version: String,
}

/// One run of a setup with one seed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// Results of the flows, in the setup's order.
    pub flows: Vec<FlowResult>,
    /// Results of the links, in the setup's order; empty on a host that does not carry out the links itself.
    pub links: Vec<LinkResult>,
    /// Samples over time, by time and then by flow; empty unless the setup asks for them.
    pub samples: Vec<Sample>,
    /// Events that a simulator handled.
    pub events: Option<u64>,
    /// How well a host in real time kept the links' schedule.
    pub lateness: Option<Lateness>,
    /// What became of the datagrams of a host with sockets, apart from the links.
    pub datagrams: Option<Datagrams>,
}

/// Datagrams of a host with sockets, beyond those that its links carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Datagrams {
    /// Thrown away by the system because a buffer was full. Data packets among them count as dropped.
    pub missing: u64,
    /// Refused: garbage, strangers', cut off, or repeated. They changed nothing.
    pub refused: u64,
}

/// How much later than their due time packets left on a host in real time: from senders that pace them, and from links. In
/// virtual time nothing is ever late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lateness {
    /// Median, in seconds.
    pub p50_s: f64,
    /// 90th percentile, in seconds.
    pub p90_s: f64,
    /// 99th percentile, in seconds.
    pub p99_s: f64,
    /// Share of the packets, from 0 to 1, that were late by more than a packet time: the time that the link needs to
    /// transmit one packet. What the host itself lost counts as late.
    pub late_share: f64,
}

impl Lateness {
    /// Largest [`late_share`](Self::late_share) at which a run still shows the links of its scenario.
    pub const MAX_LATE_SHARE: f64 = 0.01;

    /// True if the host kept the schedule well enough for the run's numbers to be used.
    pub fn is_trustworthy(&self) -> bool {
        self.late_share <= Self::MAX_LATE_SHARE
    }
}

/// Measurements of one flow. Rates are averages from the end of the warm-up (or the flow's start, if that is later) to
/// the end of the run (or the flow's completion). Counts are those from the end of the warm-up to the end of the run,
/// both included, so that
/// `under_way_before + sent + copies = arrived + dropped + lost + under_way_after`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FlowResult {
    /// Time that the rates below are averaged over, in seconds.
    pub active_s: f64,
    /// Throughput in bits per second: bytes that left the source onto the wire of its first link, headers,
    /// retransmissions and probes that carry data included. Packets dropped by the source's own interface queue do not
    /// count.
    pub throughput_bps: f64,
    /// Goodput in bits per second: application bytes that the receiver got in order, each once.
    pub goodput_bps: f64,
    /// Data packets that the sender handed to its interface, retransmissions included, probes not.
    pub sent: u64,
    /// Copies of data packets that agents put onto the network (Snoop), refused ones included.
    pub copies: Option<u64>,
    /// Data packets under way when measurement began: sent, and neither arrived nor known to be dropped or lost. Those
    /// that wait in the sending host or with an agent count.
    pub under_way_before: Option<u64>,
    /// The same at the end.
    pub under_way_after: Option<u64>,
    /// Data packets that arrived at the receiver, duplicates included.
    pub arrived: Option<u64>,
    /// Data packets delivered to the application, each once.
    pub delivered: Option<u64>,
    /// Data packets dropped by full queues, the source's own included.
    pub dropped: Option<u64>,
    /// Data packets lost on links (errors, blackouts).
    pub lost: Option<u64>,
    /// Retransmitted packets.
    pub retransmissions: Option<u64>,
    /// Expired retransmission timers.
    pub timeouts: Option<u64>,
    /// Source quenches that made the sender slow down.
    pub quench_reactions: Option<u64>,
    /// Loss episodes repaired by fast retransmit.
    pub recoveries: Option<u64>,
    /// Packets declared lost whose acknowledgment came after all.
    pub spurious_losses: Option<u64>,
    /// Packets that arrived more than once.
    pub duplicates: Option<u64>,
    /// Packets that arrived after one that was sent later (RFC 4737, section 3).
    pub reordered: Option<u64>,
    /// Bytes of probes that the sender handed to its interface, headers included; `None` of a flow without any.
    pub probe_bytes: Option<u64>,
    /// Bytes of an attacker's notices that reached the sender; `None` of a flow that nobody attacks.
    pub forged_bytes: Option<u64>,
    /// Changes of the network or path that the sender noticed.
    pub handoffs: Option<u64>,
    /// Times in which the receiver got nothing although the application had data.
    pub stalls: Option<Stalls>,
    /// Median of the RTT samples, in seconds; `None` without a sample.
    pub rtt_median_s: Option<f64>,
    /// 95th percentile of the RTT samples, in seconds.
    pub rtt_p95_s: Option<f64>,
    /// Smallest RTT sample, in seconds.
    pub rtt_min_s: Option<f64>,
    /// Time from the start of a TCP flow to the acknowledgment of its last byte, in seconds; `None` if it did not end.
    pub completion_s: Option<f64>,
    /// Mean jitter by RFC 3550 (section 6.4.1), in seconds: the mean difference in transit time between a data packet
    /// and the one that arrived before it. `None` with fewer than two packets.
    pub jitter_s: Option<f64>,
    /// Mean difference between successive gaps of the data packets' arrivals, in seconds: the papers' jitter. It
    /// includes changes of the sending rate. `None` with fewer than three packets.
    pub gap_jitter_s: Option<f64>,
    /// Rate at which the application wrote, in bits per second; `None` for greedy sources and live encoders.
    pub offered_bps: Option<f64>,
    /// Mean time from when the application writes a segment until TCP delivers it in order at the receiver, in seconds.
    /// `None` if nothing was delivered, and for sources that always have data.
    pub delay_s: Option<f64>,
    /// What the viewer sees, for flows of a live encoder.
    pub media: Option<MediaResult>,
    /// What the adaptation layer did in the direction of the data, for flows that travel in cells.
    pub adaptation: Option<AdaptationResult>,
}

/// Times in which a flow stood still: data was waiting, and for at least three smoothed RTTs none arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stalls {
    /// Number.
    pub count: u64,
    /// Their total length, in seconds.
    pub total_s: f64,
    /// Length of the longest, in seconds.
    pub longest_s: f64,
}

/// What an adaptation layer did in one direction while the flow was measured. A tunnel that several flows share counts for
/// all of them together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AdaptationResult {
    /// Packets handed to it.
    pub offered: u64,
    /// Offered packets that were dropped because its queue was full.
    pub refused: u64,
    /// Packets that came out unchanged at the other end.
    pub delivered: u64,
    /// Packets that came out changed: errors that no check detected.
    pub undetected: u64,
    /// PDUs sent, retransmissions included, control packets excluded: CPCS-PDUs of AAL5, CP-ARQ PDUs of AAL-T.
    pub pdus: u64,
    /// PDUs retransmitted.
    pub retransmitted: u64,
    /// PDUs dropped on arrival because a check failed: errors, lost or foreign cells.
    pub wrong: u64,
    /// Packets that AAL-T's receiver rejected for their length or tags, and that were sent again as a whole.
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
    /// Bit error ratio of the path as estimated by AAL-T's sender at the end of the run; `None` for AAL5.
    pub bit_errors: Option<f64>,
}

impl AdaptationResult {
    /// The cell error ratio (AAL-T paper, eq. 9): cells lost or in error, as a share of those sent; `None` if none were sent.
    pub fn cell_errors(&self) -> Option<f64> {
        let wrong = self.cells_lost + self.cells_astray + self.cells_damaged;
        (self.cells > 0).then(|| wrong as f64 / self.cells as f64)
    }
}

impl FlowResult {
    /// Share of the packets that queues dropped or links lost, from 0 to 1, among those that did not stay under way; 0 if
    /// there were none, `None` on a host that cannot tell. An agent's copies are packets like any other.
    pub fn loss(&self) -> Option<f64> {
        let gone = self.dropped? + self.lost?;
        let all = gone + self.arrived?;
        Some(if all == 0 { 0.0 } else { gone as f64 / all as f64 })
    }

    /// Share of the bytes handed to the wire that are probes', from 0 to 1; `None` of a flow without probes.
    pub fn probe_share(&self) -> Option<f64> {
        let probes = self.probe_bytes? as f64;
        let data = self.throughput_bps * self.active_s / 8.0;
        Some(if probes > 0.0 { probes / (probes + data) } else { 0.0 })
    }

    /// Bytes of probes for each byte of an attacker's notices: what an attacker who points at somebody gains; `None` of a
    /// flow that nobody attacks.
    pub fn amplification(&self) -> Option<f64> {
        let forged = self.forged_bytes.filter(|bytes| *bytes > 0)?;
        Some(self.probe_bytes? as f64 / forged as f64)
    }

    /// Share of the sent packets that were sent again although they had arrived, from 0 to 1; `None` on a host that cannot
    /// tell.
    pub fn falsely_retransmitted(&self) -> Option<f64> {
        let again = self.duplicates?;
        Some(if self.sent == 0 { 0.0 } else { again as f64 / self.sent as f64 })
    }

    /// Share of the arrived packets that came after one that was sent later, from 0 to 1 (RFC 4737, sec. 3); `None` on a
    /// host that cannot tell.
    pub fn reordering(&self) -> Option<f64> {
        let (late, arrived) = (self.reordered?, self.arrived?);
        Some(if arrived == 0 { 0.0 } else { late as f64 / arrived as f64 })
    }

    /// Share of the sent packets that are retransmissions, from 0 to 1; 0 if nothing was sent, `None` on a host that
    /// cannot tell.
    pub fn retransmitted(&self) -> Option<f64> {
        let again = self.retransmissions?;
        Some(if self.sent == 0 { 0.0 } else { again as f64 / self.sent as f64 })
    }

    /// Data packets that queues dropped or links lost, per second; `None` on a host that cannot tell, and for a flow that
    /// never ran.
    pub fn losses_per_s(&self) -> Option<f64> {
        let gone = self.dropped? + self.lost?;
        (self.active_s > 0.0).then(|| gone as f64 / self.active_s)
    }

    /// Expired retransmission timers per second; `None` on a host that cannot tell, and for a flow that never ran.
    pub fn timeouts_per_s(&self) -> Option<f64> {
        let timeouts = self.timeouts?;
        (self.active_s > 0.0).then(|| timeouts as f64 / self.active_s)
    }

    /// Goodput divided by the rate at which the application wrote (AAL-T paper, section 5.2). It can slightly exceed 1:
    /// data in flight when measurement began counts as received but not as offered. `None` if nothing was offered, and for
    /// sources that always have data.
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
    /// Packets delivered at its far end.
    pub delivered: u64,
    /// Packets dropped by its queue.
    pub dropped: u64,
    /// Packets lost in transmission.
    pub lost: u64,
    /// Packets still in its queue or on its wire at the end.
    pub held: u64,
    /// Bytes delivered.
    pub delivered_bytes: u64,
    /// Copies of data packets that an agent (Snoop) sent over the link, delivered or not. A flow counts them in `copies`,
    /// `lost`, `dropped`, `arrived` and, on its first link, in its throughput, but not in `sent` or `retransmissions`.
    pub local_retransmissions: u64,
    /// How far into its recorded traces the link was when the run began; `None` of a link without any, or where the host
    /// cannot know.
    #[serde(with = "nanos")]
    pub trace_offset: Option<Span>,
}

impl LinkResult {
    /// The counts of a link that a host carries out itself, without an agent's copies.
    pub fn of<P: Packet>(link: &Link<P>, trace_offset: Option<Span>) -> Self {
        let counters = link.counters();
        LinkResult {
            offered: counters.offered,
            delivered: counters.delivered,
            dropped: counters.dropped,
            lost: counters.lost,
            held: link.held() as u64,
            delivered_bytes: counters.delivered_bytes,
            local_retransmissions: 0,
            trace_offset,
        }
    }
}

/// The state of one flow at one time. Each time has one sample per flow, in the setup's order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Seconds since the run began.
    pub time_s: f64,
    /// Index of the flow.
    pub flow: u32,
    /// Network of the flow's first wireless link, as an index into the link's schedule: 0 at first, one more after each
    /// handoff. Of a mobile's flow the cell that the mobile is in, as an index into the cells that it uses.
    pub network: u32,
    /// cwnd in packets, of the current path; `None` for paced flows.
    pub cwnd: Option<f64>,
    /// cwnd in packets of the path that is used beside the current one; `None` while there is none.
    pub cwnd_beside: Option<f64>,
    /// ssthresh in packets, infinite before the first loss; `None` for paced flows.
    pub ssthresh: Option<f64>,
    /// Sending rate of a paced flow in bits per second, headers included.
    pub rate_bps: Option<f64>,
    /// Rate of a live encoder in bits per second.
    pub encoder_bps: Option<f64>,
    /// Mean jitter since the previous sample by RFC 3550, in seconds; see [`FlowResult::jitter_s`].
    pub jitter_s: Option<f64>,
    /// Packets in flight.
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
    /// Application bytes that the receiver got in order since the start.
    pub delivered_bytes: u64,
    /// Data packets that queues dropped or links lost since the previous sample, per second; `None` on a host that cannot
    /// tell.
    pub losses_per_s: Option<f64>,
    /// Current alpha of an AIMD controller: in packets per RTT, or for paced flows in packets per second per RTT.
    pub alpha: Option<f64>,
    /// Current beta of an AIMD controller.
    pub beta: Option<f64>,
}

/// A span as its nanoseconds, where results are stored.
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
