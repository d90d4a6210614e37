//! A paced flow in the simulator: its two ends, its place in the network, and what is measured.

use atl_core::rate::{RateConfig, RateStart};
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_scenario::result::{FlowResult, Sample};
use atl_scenario::setup::{FlowSetup, LinkSetup, Receiver, Source};

use crate::flow::{Tally, Wireless, start, stream, wire_length};
use crate::overhead::Overhead;
use crate::simulation::Options;
use atl_endpoint::app::{App, Sizes};
use atl_endpoint::media::{Encoder, Playout};
use atl_endpoint::meters::Arrivals;
use atl_endpoint::meters::Offered;
use atl_endpoint::meters::Rtts;
use atl_endpoint::paced::{Outgoing, PacedReceiver, PacedSender, Queue};
use atl_endpoint::voice::{Reports, Voice};

/// One paced flow.
#[derive(Debug)]
pub(crate) struct PacedFlow {
    /// When its sender's timer event in the queue is; [`Time::MAX`] if there is none.
    pub due: Time,
    /// The same of its receiver.
    pub receiver_due: Time,
    pub sender: PacedSender,
    pub receiver: PacedReceiver,
    /// Where its two paths begin in the routing table.
    pub forward: u32,
    pub back: u32,
    pub header: u32,
    /// Bytes of a full data packet, and of a probe, on the wire.
    pub data_bytes: u16,
    pub ack_bytes: u16,
    pub start: Time,
    pub tally: Tally,
    pub rtts: Rtts,
    pub overhead: Option<Box<Overhead>>,
    /// The wireless links at its ends, and the first on its way, by index.
    pub wireless: Wireless,
    /// What its receiver says of its wireless link, if it has anything to say.
    pub voice: Option<Box<Voice>>,
    /// Jitter of its data packets.
    pub arrivals: Option<Box<Arrivals>>,
    /// The viewer of a live encoder's frames.
    pub playout: Option<Box<Playout>>,
    /// What its application writes, of one that does not always have more.
    offered: Option<Box<Offered>>,
    since: Box<Mark>,
    /// Bytes at the previous sample: on the wire, delivered.
    sampled: (u64, u64),
}

/// Where a flow's counts stand at a time.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    at: Time,
    tally: Tally,
    wire_bytes: u64,
    arrived: u64,
    payload_bytes: u64,
    sent: u64,
    decreases: u64,
}

impl PacedFlow {
    /// # Panics
    /// If a packet would be longer than 65535 bytes.
    pub fn new(
        setup: &FlowSetup,
        config: &RateConfig,
        links: &[LinkSetup],
        seed: u64,
        options: Options,
    ) -> Self {
        let wireless = Wireless::of(setup, links);
        let start = start(setup, seed);
        let tcp = &setup.tcp;
        let packet_bytes = tcp.segment + tcp.header;
        let pps = |rate: Rate| rate.packets_per_sec(packet_bytes);
        let target = setup.pacing.target.or(tcp.access_rate);
        let controller = config.build(
            &RateStart::default()
                .packet_bytes(packet_bytes)
                .target(target.map_or(0.0, pps))
                .minimum(pps(setup.pacing.minimum))
                .seed(stream(setup, seed, "controller").next_u64()),
        );
        let reports = match setup.receiver {
            Receiver::Aware if wireless.peer_access.is_some() && controller.listens() => {
                Reports::Link
            }
            Receiver::Claims(claim) if controller.listens() => Reports::Claims(claim),
            Receiver::Aware | Receiver::Unaware | Receiver::Claims(_) => Reports::None,
        };
        let voice =
            (reports != Reports::None).then(|| Box::new(Voice::new(None, reports, packet_bytes)));
        let feedback = setup.pacing.feedback.unwrap_or(config.feedback());
        let app = || App::new(&setup.source, tcp.segment, start, stream(setup, seed, "source"));
        // Every packet is full, also the last one of a file. Of media this is none.
        let offered = Offered::new(app(), Sizes::new(&Source::Greedy, tcp.segment), start);
        let (queue, playout) = match &setup.source {
            Source::Media(media) => (
                Queue::frames(Encoder::new(media, start), tcp.segment, media.playout),
                Some(Box::new(Playout::new(media.playout))),
            ),
            _ => (Queue::segments(app(), tcp.segment), None),
        };
        PacedFlow {
            due: Time::MAX,
            receiver_due: Time::MAX,
            sender: PacedSender::new(controller, queue, (tcp.segment, tcp.header), start),
            receiver: PacedReceiver::new(config.build_receiver(feedback)),
            forward: 0,
            back: 0,
            header: tcp.header,
            data_bytes: wire_length(packet_bytes),
            ack_bytes: wire_length(tcp.ack),
            start,
            tally: Tally::default(),
            rtts: Rtts::new(options.rtt),
            overhead: Overhead::new(setup.overhead, stream(setup, seed, "overhead")),
            wireless,
            voice,
            arrivals: options.jitter.then(Box::default),
            playout,
            offered,
            since: Box::new(Mark { at: start, ..Mark::default() }),
            sampled: (0, 0),
        }
    }

    /// The next packet to be sent, if one may be; tells the viewer of the frames that begin or are given up.
    #[inline]
    pub fn poll_send(&mut self, now: Time) -> Option<Outgoing> {
        let out = self.sender.poll_send(now);
        if let Some(playout) = &mut self.playout {
            if let Some(Outgoing::Data { seq, begins: Some((captured, end)), .. }) = out {
                playout.on_frame(captured, seq, end);
            }
            while let Some(captured) = self.sender.queue().poll_abandoned() {
                playout.on_abandoned(captured);
            }
        }
        out
    }

    /// Reads a word of each cache line that a packet will need.
    pub fn touch(&self) -> u64 {
        self.due.nanos() ^ self.receiver.arrived() ^ self.sender.sent()
    }

    /// Measurement begins: what came before does not count.
    pub fn begin_measurement(&mut self, now: Time, wire_bytes: u64) {
        *self.since = Mark {
            at: now.max(self.start),
            tally: self.tally,
            wire_bytes,
            arrived: self.receiver.arrived(),
            payload_bytes: self.receiver.payload_bytes(),
            sent: self.sender.sent(),
            decreases: self.sender.controller().decreases(),
        };
        self.rtts.reset();
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.reset();
        }
        if let Some(offered) = &mut self.offered {
            offered.begin_measurement(now);
        }
        if let Some(playout) = &mut self.playout {
            playout.begin_measurement(now);
        }
        if let Some(encoder) = self.sender.queue().encoder_mut() {
            encoder.begin_measurement();
        }
    }

    fn wire_rate_bps(&self) -> f64 {
        self.sender.controller().rate() * f64::from(self.data_bytes) * 8.0
    }

    /// A row of samples, `every` after the one before.
    pub fn sample(&mut self, now: Time, every: Span, network: u32, wire_bytes: u64) -> Sample {
        let delivered = self.receiver.payload_bytes();
        let rate = |bytes: u64| bytes as f64 * 8.0 / every.secs();
        let aimd = self.sender.controller().aimd();
        let encoder_bps = self.sender.queue().encoder().map(Encoder::rate_bps);
        let sample = Sample {
            time_s: now.secs(),
            flow: 0,
            network,
            cwnd: None,
            ssthresh: None,
            rate_bps: Some(self.wire_rate_bps()),
            encoder_bps,
            jitter_s: self.arrivals.as_mut().and_then(|a| a.take_interval()),
            in_flight: self.sender.ledger().in_flight(),
            srtt_s: self.sender.ledger().rtt().srtt().map(Span::secs),
            throughput_bps: rate(wire_bytes - self.sampled.0),
            goodput_bps: rate(delivered - self.sampled.1),
            wire_bytes,
            delivered_bytes: delivered,
            alpha: aimd.map(|a| a.alpha),
            beta: aimd.map(|a| a.beta),
        };
        self.sampled = (wire_bytes, delivered);
        sample
    }

    /// What it measured, at the end of the run.
    pub fn result(&mut self, end: Time, wire_bytes: u64) -> FlowResult {
        let since = *self.since;
        let active = end.since(since.at).secs();
        let rate = |bytes: u64| {
            if active > 0.0 { bytes as f64 * 8.0 / active } else { 0.0 }
        };
        let arrived = self.receiver.arrived() - since.arrived;
        let media = self.playout.as_mut().map(|playout| {
            // What still waits has not come either.
            for captured in self.sender.queue().unsent() {
                playout.on_abandoned(captured);
            }
            playout.result(end)
        });
        let encoder_bps = self.sender.queue().encoder().map(|e| e.mean_rate_bps());
        FlowResult {
            active_s: active,
            throughput_bps: rate(wire_bytes - since.wire_bytes),
            goodput_bps: rate(self.receiver.payload_bytes() - since.payload_bytes),
            sent: self.sender.sent() - since.sent,
            arrived: Some(arrived),
            delivered: Some(arrived),
            dropped: Some(self.tally.dropped - since.tally.dropped),
            lost: Some(self.tally.lost - since.tally.lost),
            retransmissions: Some(0),
            timeouts: Some(0),
            quench_reactions: Some(0),
            recoveries: Some(self.sender.controller().decreases() - since.decreases),
            rtt_median_s: self.rtts.quantile(0.5),
            rtt_p95_s: self.rtts.quantile(0.95),
            rtt_min_s: self.rtts.min(),
            jitter_s: self.arrivals.as_ref().and_then(|a| a.transit_jitter()),
            gap_jitter_s: self.arrivals.as_ref().and_then(|a| a.gap_jitter()),
            offered_bps: self.offered.as_mut().and_then(|o| o.rate_bps(end, active)),
            media: media.map(|mut media| {
                media.encoder_bps = encoder_bps.unwrap_or_default();
                media
            }),
            ..FlowResult::default()
        }
    }
}
