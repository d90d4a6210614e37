//! Building and observing the ends of a paced flow.

use crate::setup::Source;
use atl_core::rate::{RateConfig, RateStart};
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_endpoint::media::{Encoder, MediaResult, Playout};
use atl_endpoint::paced::{PacedEcn, PacedReceiver, PacedSender, Queue};

use crate::flow::build::Build;
use crate::flow::counts::State;

/// Both ends of a paced flow.
#[derive(Debug)]
pub struct Paced {
    /// Paces packets at the controller's rate.
    pub sender: PacedSender,
    /// Reports arrivals back to the sender.
    pub receiver: PacedReceiver,
    /// Viewer of a live encoder's frames.
    pub playout: Option<Box<Playout>>,
}

/// Builds the ends of a flow with a rate controller.
pub fn build(build: &Build<'_>, config: &RateConfig) -> Paced {
    let plan = build.plan;
    let tcp = &plan.tcp;
    let pps = |rate: Rate| rate.packets_per_sec(build.packet_bytes);
    let target = plan.pacing.target.or(tcp.access_rate);
    let start = RateStart::default()
        .packet_bytes(build.packet_bytes)
        .target(target.map_or(0.0, pps))
        .minimum(pps(plan.pacing.minimum))
        .seed(build.stream("controller").next_u64());
    let controller = config.build(&start);
    let feedback = plan.pacing.feedback.unwrap_or(config.feedback());
    let (queue, playout) = match &plan.source {
        Source::Media(media) => (
            Queue::frames(
                Encoder::new(media, build.start).stopping_at(plan.stop),
                tcp.segment,
                media.playout,
            ),
            Some(Box::new(Playout::new(media.playout))),
        ),
        _ => (Queue::segments(build.app(), tcp.segment), None),
    };
    let sizes = (tcp.segment, tcp.header);
    let mut sender = PacedSender::new(controller, queue, sizes, build.start);
    let mut receiver = PacedReceiver::new(config.build_receiver(feedback));
    if plan.mobile.is_some() {
        let new_path = plan.protocol.new_path;
        sender = sender.with_new_path(new_path, config.clone(), start);
        receiver = receiver.with_new_path(new_path, config.clone(), feedback);
    }
    if plan.pacing.ecn != PacedEcn::Off {
        (sender, receiver) = (sender.with_ecn(plan.pacing.ecn), receiver.with_ecn());
    }
    if let Some(key) = build.session_key() {
        sender = sender.with_key(key.clone());
        receiver = receiver.with_key(key);
    }
    Paced { sender, receiver, playout }
}

/// The sender's RTT in microseconds for data packets to carry; 0 before the first sample.
#[inline]
pub fn rtt_stamp(sender: &PacedSender) -> u32 {
    let micros = |rtt: Span| u32::try_from(rtt.nanos() / 1000).unwrap_or(u32::MAX);
    sender.ledger().rtt().srtt().map_or(0, micros)
}

/// When a flow had delivered all that its application wrote before it stopped; `None` for one that
/// does not stop, or of which something is unsent at the end of the run. `last` is the time of the
/// last arrival.
pub fn finished(
    sender: &mut PacedSender,
    stop: Option<Time>,
    last: Time,
    end: Time,
) -> Option<Time> {
    let stop = stop.filter(|stop| *stop <= end)?;
    sender.queue().is_complete(end).then(|| stop.max(last))
}

/// State of a sender whose full packets have `packet_bytes` bytes.
pub fn state(sender: &mut PacedSender, packet_bytes: u16) -> State {
    let encoder_bps = sender.queue().encoder().map(Encoder::rate_bps);
    let (controller, ledger) = (sender.controller(), sender.ledger());
    State {
        cwnd: None,
        cwnd_beside: None,
        ssthresh: None,
        rate_bps: Some(controller.rate() * f64::from(packet_bytes) * 8.0),
        encoder_bps,
        in_flight: ledger.in_flight(),
        srtt: ledger.rtt().srtt(),
        aimd: controller.aimd(),
    }
}

/// Video quality at the viewer by the end of the run.
pub fn media(playout: &mut Playout, sender: &mut PacedSender, end: Time) -> MediaResult {
    // Frames still queued at the sender count as not arrived.
    for captured in sender.queue().unsent() {
        playout.on_abandoned(captured);
    }
    let encoder_bps = sender.queue().encoder().map(Encoder::mean_rate_bps);
    MediaResult { encoder_bps: encoder_bps.unwrap_or_default(), ..playout.result(end) }
}
