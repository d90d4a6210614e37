//! Properties of the results of every run, on any engine.

use atl_core::time::Span;
use atl_engine::protocol::Transport;
use atl_engine::result::{FlowResult, RunResult};
use atl_engine::setup::{FlowSetup, LinkSetup, Onward, ReceiverAwareness, Setup, Source};
use atl_link::{Conditions, Delay, Service};

use super::bench::Bench;

/// Rounding of a time from a sum of microseconds.
const ROUNDING: f64 = 2e-6;

/// Packets are conserved, shares are shares, nothing is faster than its links.
///
/// # Errors
/// What does not hold.
pub(super) fn laws(bench: &Bench<'_>) -> Result<(), String> {
    let setup = bench.setup();
    bench.results.iter().try_for_each(|result| conserves(setup, result))
}

/// The same of one run.
///
/// # Errors
/// What does not hold.
pub(crate) fn conserves(setup: &Setup, result: &RunResult) -> Result<(), String> {
    for (link, plan) in result.links.iter().zip(&setup.links) {
        let gone = link.delivered + link.dropped + link.lost + link.held;
        hold(link.offered == gone, || format!("link {}: packets vanish: {link:?}", plan.name))?;
    }
    for (at, (flow, plan)) in result.flows.iter().zip(&setup.flows).enumerate() {
        of_flow(setup, plan, flow).map_err(|what| format!("flow {}: {what}", plan.name))?;
        let (mut wire, mut delivered) = (0, 0);
        for sample in result.samples.iter().filter(|sample| sample.flow as usize == at) {
            hold(sample.wire_bytes >= wire && sample.delivered_bytes >= delivered, || {
                format!("flow {}: totals fall: {sample:?}", plan.name)
            })?;
            hold(sample.delivered_bytes <= sample.wire_bytes, || {
                format!("flow {}: more is delivered than left: {sample:?}", plan.name)
            })?;
            (wire, delivered) = (sample.wire_bytes, sample.delivered_bytes);
        }
        if let Some(onward) = plan.onward {
            let liar = acks_ahead(&setup.flows[onward.flow]);
            kept(result, at, onward, liar).map_err(|what| format!("flow {}: {what}", plan.name))?;
        }
        if let Source::Fixed { bytes } = plan.source {
            hold(delivered <= bytes, || {
                format!("flow {}: {delivered} bytes are delivered of {bytes}", plan.name)
            })?;
        }
    }
    Ok(())
}

/// A proxy sends on what it got, and keeps no more than its buffer holds. What a lying receiver has
/// acknowledged it keeps no longer, and that may never arrive.
fn kept(result: &RunResult, at: usize, onward: Onward, liar: bool) -> Result<(), String> {
    let of = |index: usize| {
        let samples = result.samples.iter().filter(move |sample| sample.flow as usize == index);
        samples.map(|sample| sample.delivered_bytes)
    };
    for (came, went) in of(at).zip(of(onward.flow)) {
        hold(went <= came && (liar || came - went <= onward.buffer), || {
            format!("{went} bytes came out of {came} over a buffer of {}", onward.buffer)
        })?;
    }
    Ok(())
}

fn of_flow(setup: &Setup, plan: &FlowSetup, flow: &FlowResult) -> Result<(), String> {
    if let (Some(before), Some(copies), Some(arrived), Some(dropped), Some(lost), Some(after)) = (
        flow.under_way_before,
        flow.copies,
        flow.arrived,
        flow.dropped,
        flow.lost,
        flow.under_way_after,
    ) {
        let (came, went) = (before + flow.sent + copies, arrived + dropped + lost + after);
        hold(came == went, || format!("{came} packets came, {went} went: {flow:?}"))?;
    }
    let arrived = flow.arrived.unwrap_or(u64::MAX);
    for (name, part, whole) in [
        ("reordered", flow.reordered, arrived),
        ("marked", flow.marked, arrived),
        ("retransmissions", flow.retransmissions, flow.sent),
    ] {
        hold(part.is_none_or(|part| part <= whole), || format!("{name}: {part:?} of {whole}"))?;
    }
    let shares = [flow.loss(), flow.retransmitted(), flow.reordering(), flow.marked_share()];
    hold(shares.iter().flatten().all(|share| (0.0..=1.0).contains(share)), || {
        format!("shares: {shares:?}")
    })?;
    if plan.start.nanos() >= setup.warmup.nanos() {
        hold(flow.delivered.is_none_or(|delivered| delivered <= arrived), || {
            format!("{:?} packets delivered of {arrived}", flow.delivered)
        })?;
        of_speed(setup, plan, flow)?;
    }
    if let (Some(least), Some(rtt)) = (least_rtt(setup, plan), flow.rtt_min_s) {
        hold(rtt + ROUNDING >= least.secs(), || {
            format!("an RTT of {rtt} s over a path of {} s", least.secs())
        })?;
    }
    Ok(())
}

/// A flow that is measured from its first packet on.
fn of_speed(setup: &Setup, plan: &FlowSetup, flow: &FlowResult) -> Result<(), String> {
    // It ends a transfer before all of that has crossed the links.
    let ahead = acks_ahead(plan);
    if let Some(most) = highest_rate(setup, plan).filter(|_| !ahead) {
        hold(flow.goodput_bps <= most * (1.0 + 1e-9), || {
            format!("goodput {} b/s over links of {most} b/s", flow.goodput_bps)
        })?;
    }
    if let (Source::Fixed { bytes }, Some(_)) = (&plan.source, flow.completion_s) {
        let delivered = flow.goodput_bps * flow.active_s / 8.0;
        // Paced flows do not repair losses.
        let repairs = !matches!(plan.protocol.transport, Transport::Paced(_));
        hold(
            ahead || !repairs || (delivered - *bytes as f64).abs() < 0.5 + delivered * 1e-9,
            || format!("it ended, and {delivered} bytes are delivered of {bytes}"),
        )?;
    }
    Ok(())
}

/// All conditions that a link may have during a run.
fn conditions(link: &LinkSetup) -> impl Iterator<Item = &Conditions> {
    let later = link.config.schedule.iter().map(|change| &change.to);
    std::iter::once(&link.config.initial).chain(later)
}

/// The highest rate at which all of a flow's paths together can carry anything: of the slowest link
/// of each, and of the fastest path.
fn highest_rate(setup: &Setup, plan: &FlowSetup) -> Option<f64> {
    let most = |at: &usize| {
        let rates = conditions(&setup.links[*at]).map(|conditions| match &conditions.service {
            Service::Constant(rate) => rate.bps(),
            Service::Ramp(ramp) => ramp.highest().bps(),
            Service::Blocked(sight) => sight.clear.bps().max(sight.blocked.bps()),
            Service::Wifi(wifi) => wifi.rate.bps(),
            _ => f64::INFINITY,
        });
        rates.fold(0.0, f64::max)
    };
    // A mobile may use two paths at once.
    let paths = plan.paths.iter();
    let sum: f64 =
        paths.map(|path| path.forward.iter().map(most).fold(f64::INFINITY, f64::min)).sum();
    sum.is_finite().then_some(sum)
}

fn acks_ahead(plan: &FlowSetup) -> bool {
    matches!(plan.receiver, ReceiverAwareness::Claims(claims) if claims.ahead > 0)
}

/// The sum of the delays of a flow's only path, there and back, without any transmission. A
/// receiver that acknowledges what has not arrived makes round trips shorter.
fn least_rtt(setup: &Setup, plan: &FlowSetup) -> Option<Span> {
    if acks_ahead(plan) {
        return None;
    }
    let least = |at: &usize| {
        let delays = conditions(&setup.links[*at]).map(|conditions| match &conditions.delay {
            Delay::Constant(delay) => *delay,
            Delay::Trace(_) => Span::ZERO,
        });
        delays.min().unwrap_or(Span::ZERO)
    };
    let whole =
        |links: &[usize]| links.iter().map(least).fold(Span::ZERO, |sum, delay| sum + delay);
    plan.paths.iter().map(|path| whole(&path.forward) + whole(&path.back)).min()
}

/// An error unless it holds.
///
/// # Errors
/// The text.
pub(super) fn hold(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}
