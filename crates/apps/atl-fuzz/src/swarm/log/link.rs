//! Properties of each link: a packet that goes in comes out once, not before it can, in order, no
//! faster than the link, and no more packets wait than the queue holds.

use atl_core::time::{Span, Time};
use atl_engine::setup::{LinkSetup, Setup};
use atl_link::{Conditions, Delay, Ecn, EcnRule, Limit, Loss, Service};
use atl_sim::{Happening, What};

use super::record::{Bag, Log, key};
use crate::swarm::laws::hold;

/// Rounding of a transmission's end to whole nanoseconds, twice.
const ROUNDING: u64 = 2;

/// A packet's stay at a link.
#[derive(Clone, Copy, Debug)]
struct Stay {
    at: Time,
    bytes: u16,
    before: Ecn,
    /// When it was dropped, lost or delivered, and its ECN field then.
    end: Option<(Time, What, Ecn)>,
}

/// A queue's answer to an arrival.
#[derive(Clone, Copy, Debug)]
enum Arrival {
    Took(usize),
    Refused { at: Time, bytes: u16 },
}

/// Holds a link's part of the log against what the link is.
///
/// # Errors
/// What does not hold.
pub(super) fn link(
    (setup, at): (&Setup, usize),
    discipline: &str,
    log: &Log,
) -> Result<(), String> {
    let plan = &setup.links[at];
    let result = &log.result.links[at];
    let mut stays: Vec<Stay> = Vec::new();
    let mut arrivals = Vec::new();
    let (mut inside, mut dropped) = (Bag::default(), Bag::default());
    let mut exits = Vec::new();
    let mut twins = false;
    // A copy comes out right after its packet, and the log says so before it does.
    let (mut copy, mut copies) = (None, 0);
    for happening in log.happenings.iter().filter(|happening| happening.link == Some(at)) {
        let Happening { at: now, what, bytes, bits, .. } = *happening;
        if what == What::Queued {
            twins |= inside.has(&key(happening));
            inside.put(key(happening), stays.len());
            arrivals.push(Arrival::Took(stays.len()));
            stays.push(Stay { at: now, bytes, before: bits.ecn(), end: None });
            continue;
        }
        if what == What::Copied {
            (copy, copies) = (Some((now, key(happening))), copies + 1);
            continue;
        }
        if let Some(announced) = copy.take() {
            let comes = what != What::Dropped && announced == (now, key(happening));
            hold(comes, || format!("a copy was announced, and this comes out: {happening:?}"))?;
            continue;
        }
        let was_inside = what != What::Dropped || drops_late(discipline);
        let found = if was_inside { inside.take(&key(happening)) } else { None };
        match found {
            Some(index) => {
                stays[index].end = Some((now, what, bits.ecn()));
                exits.push(index);
                if what == What::Dropped {
                    dropped.put(key(happening), index);
                }
            }
            None if what == What::Dropped => arrivals.push(Arrival::Refused { at: now, bytes }),
            None => {
                // Of two alike the one that was dropped had not been inside, but been refused.
                twins = true;
                let Some(index) = dropped.take(&key(happening)) else {
                    return Err(format!("a packet comes out that is not inside: {happening:?}"));
                };
                if let Some((at, ..)) = stays[index].end.replace((now, what, bits.ecn())) {
                    arrivals.push(Arrival::Refused { at, bytes });
                }
                exits.retain(|other| *other != index);
                exits.push(index);
            }
        }
    }
    hold(copies == result.duplicated.unwrap_or(0), || {
        format!("{copies} copies in the log, {:?} are counted", result.duplicated)
    })?;
    counts(setup, discipline, (&stays, &arrivals), result)?;
    if twins && drops_late(discipline) {
        // Which of two packets that are alike was dropped does not show.
        return Ok(());
    }
    stays.iter().try_for_each(|stay| times(plan, stay))?;
    let refused = (arrivals.len() - stays.len()) as u64;
    marks(plan, discipline, (&stays, refused), result.marked.unwrap_or(0))?;
    if is_fifo(discipline) {
        in_order(&stays, &exits)?;
        if let Some((rate, delay)) = constant(plan) {
            transmissions((plan, discipline), (rate, delay), &stays, &arrivals)?;
        }
    }
    if let Some(shaper) = plan.config.shaper
        && plan.config.schedule.is_empty()
        // Of a bunch that leaves with a grant it does not show when its packets left the bucket.
        && plan.config.initial.grants.is_none()
        // The reader warns that it does nothing there.
        && !matches!(plan.config.initial.service, Service::Wifi(_))
    {
        let holds = plan.config.blackouts.iter().any(|blackout| blackout.hold)
            || matches!(plan.config.initial.service, Service::Blocked(_));
        bucket((shaper.rate.bps(), shaper.burst), holds, &stays, &exits)?;
    }
    Ok(())
}

/// The log adds up to what the link has counted.
fn counts(
    setup: &Setup,
    discipline: &str,
    (stays, arrivals): (&[Stay], &[Arrival]),
    result: &atl_engine::result::LinkResult,
) -> Result<(), String> {
    let of = |what: fn(&What) -> bool| {
        stays.iter().filter(|stay| stay.end.is_some_and(|end| what(&end.1))).count() as u64
    };
    let lost = of(|what| matches!(what, What::Lost(_)));
    let out = of(|what| matches!(what, What::Passed | What::Arrived));
    let refused = (arrivals.len() - stays.len()) as u64;
    let dropped = of(|what| *what == What::Dropped) + refused;
    let held = stays.iter().filter(|stay| stay.end.is_none()).count() as u64;
    // One that pushed out its equal, and is there at the end, shows in the log only as that drop.
    let pushed = if drops_late(discipline) {
        result.held.saturating_sub(held).min(of(|what| *what == What::Dropped))
    } else {
        0
    };
    let found = (arrivals.len() as u64 + pushed, dropped, held + pushed, lost + out);
    let counted = (result.offered, result.dropped, result.held, result.lost + result.delivered);
    hold(found == counted, || {
        format!("offered, dropped, held, lost or delivered: {found:?} in the log, {counted:?}")
    })?;
    // A link also delivers packets to a place that the mobile has left; the log has them as lost.
    if setup.mobiles.is_empty() {
        let delivered = stays
            .iter()
            .filter(|stay| matches!(stay.end, Some((_, What::Passed | What::Arrived, _))));
        let bytes: u64 = delivered.map(|stay| u64::from(stay.bytes)).sum();
        hold((out, bytes) == (result.delivered, result.delivered_bytes), || {
            format!("{out} packets, {bytes} bytes came out in the log: {result:?}")
        })?;
    }
    Ok(())
}

fn conditions(plan: &LinkSetup) -> impl Iterator<Item = &Conditions> {
    let later = plan.config.schedule.iter().map(|change| &change.to);
    std::iter::once(&plan.config.initial).chain(later)
}

/// Nothing arrives before its transmission and the delay allow.
fn times(plan: &LinkSetup, stay: &Stay) -> Result<(), String> {
    let Some((end, What::Passed | What::Arrived, _)) = stay.end else { return Ok(()) };
    let rates = conditions(plan).map(|conditions| match &conditions.service {
        Service::Constant(rate) => rate.bps(),
        Service::Ramp(ramp) => ramp.highest().bps(),
        Service::Blocked(sight) => sight.clear.bps().max(sight.blocked.bps()),
        Service::Wifi(wifi) => wifi.rate.bps(),
        _ => f64::INFINITY,
    });
    let delays = conditions(plan).map(|conditions| match &conditions.delay {
        Delay::Constant(delay) => *delay,
        Delay::Trace(_) => Span::ZERO,
    });
    let sends = f64::from(stay.bytes) * 8e9 / rates.fold(0.0, f64::max);
    // At a change a packet is partly transmitted at each rate.
    let least = delays.min().unwrap_or(Span::ZERO).nanos() + sends as u64;
    hold(end.nanos() + ROUNDING >= stay.at.nanos() + least, || {
        format!("it takes less than {least} ns: {stay:?}")
    })
}

/// A queue that marks takes packets that can be marked; nothing else changes the field.
fn marks(
    plan: &LinkSetup,
    discipline: &str,
    (stays, refused): (&[Stay], u64),
    counted: u64,
) -> Result<(), String> {
    let may = plan.config.mark_at.is_some() || !["drop-tail", "priority"].contains(&discipline);
    let mut marked = 0;
    let mut open = 0;
    for stay in stays {
        let Some((_, _, after)) = stay.end else {
            open += 1;
            continue;
        };
        let right = match plan.config.ecn {
            EcnRule::Bleach => after == Ecn::NotEct,
            EcnRule::MarkAll if stay.before.is_capable() => after == Ecn::Ce,
            EcnRule::MarkAll | EcnRule::Keep => {
                after == stay.before || may && stay.before.is_capable() && after == Ecn::Ce
            }
        };
        hold(right, || format!("its ECN field changes: {stay:?}"))?;
        marked += u64::from(after == Ecn::Ce && stay.before != Ecn::Ce);
        // A queue may mark once more what was marked before.
        open += u64::from(after == Ecn::Ce && stay.before == Ecn::Ce);
    }
    // One that is long marks what comes, and then may have no room for it.
    open += refused;
    hold(marked <= counted && counted <= marked + open, || {
        format!("{marked} packets came out newly marked, {open} may be, {counted} are counted")
    })
}

/// True for a discipline that drops what it has taken: the others only refuse.
pub(super) fn drops_late(discipline: &str) -> bool {
    !["drop-tail", "red", "wred", "pie", "policer"].contains(&discipline)
}

/// First in, first out.
fn is_fifo(discipline: &str) -> bool {
    ["drop-tail", "red", "wred", "codel", "pie", "policer", "ack-filter"].contains(&discipline)
}

fn in_order(stays: &[Stay], exits: &[usize]) -> Result<(), String> {
    let sent = |index: &&usize| !matches!(stays[**index].end, Some((_, What::Dropped, _)));
    let mut last = None;
    for index in exits.iter().filter(sent) {
        hold(last.is_none_or(|last| last < *index), || {
            format!("it overtakes another: {:?}", stays[*index])
        })?;
        last = Some(*index);
    }
    Ok(())
}

/// The rate and the delay of a link that never changes.
fn constant(plan: &LinkSetup) -> Option<(f64, Span)> {
    let config = &plan.config;
    let holds = config.blackouts.iter().any(|blackout| blackout.hold);
    match (&config.initial.service, &config.initial.delay) {
        (Service::Constant(rate), Delay::Constant(delay))
            if config.schedule.is_empty()
                && config.shaper.is_none()
                && config.initial.grants.is_none()
                && !holds =>
        {
            Some((rate.bps(), *delay))
        }
        _ => None,
    }
}

/// Each transmission begins when the one before has ended, or with its packet, and takes its time;
/// and what waits meanwhile is no more than the queue holds, and no less where that drops.
fn transmissions(
    (plan, discipline): (&LinkSetup, &str),
    (rate, delay): (f64, Span),
    stays: &[Stay],
    arrivals: &[Arrival],
) -> Result<(), String> {
    // In nanoseconds and parts of one: a link carries them from packet to packet, and of those that
    // are on it at the end of the run no time is seen that would correct a sum of rounded ones.
    let mut free = 0.0;
    // When each packet begins its transmission, or is dropped from the queue.
    let mut leaves = vec![u64::MAX; stays.len()];
    for (index, stay) in stays.iter().enumerate() {
        if let Some((at, What::Dropped, _)) = stay.end {
            leaves[index] = at.nanos();
            continue;
        }
        let begins = (stay.at.nanos() as f64).max(free);
        free = begins + f64::from(stay.bytes) * 8e9 / rate;
        leaves[index] = begins.round() as u64;
        let Some((at, _, _)) = stay.end else { continue };
        let (seen, ends) = (at.nanos().saturating_sub(delay.nanos()), free.round() as u64);
        hold(seen.abs_diff(ends) <= ROUNDING, || {
            format!("a transmission ends at {seen} ns instead of {ends}: {stay:?}")
        })?;
        free = seen as f64;
    }
    let loses_ahead = conditions(plan).any(|conditions| conditions.ingress != Loss::None);
    // Packets that wait, from the first to the last that has come.
    let (mut first, mut came) = (0, 0);
    for arrival in arrivals {
        let (at, bytes) = match *arrival {
            Arrival::Took(index) => (stays[index].at.nanos(), stays[index].bytes),
            Arrival::Refused { at, bytes } => (at.nanos(), bytes),
        };
        while first < came && leaves[first] + ROUNDING < at {
            first += 1;
        }
        // A packet that a discipline drops instead of transmitting it shows only with the next that
        // comes out, or not at all before the run's end: it has left by then.
        let stays_on = |index: &usize| match stays[*index].end {
            Some((_, what, _)) => what != What::Dropped,
            None => !drops_late(discipline),
        };
        let waiting = |from: u64| {
            let those = (first..came).filter(stays_on).filter(|index| leaves[*index] > from);
            those.fold((0u64, 0u64), |(packets, sum), index| {
                (packets + 1, sum + u64::from(stays[index].bytes))
            })
        };
        let fits = |(packets, sum): (u64, u64)| match plan.config.queue.limit() {
            Limit::Packets(limit) => packets < u64::from(limit),
            Limit::Bytes(limit) => sum + u64::from(bytes) <= limit,
        };
        let (least, most) = (waiting(at + ROUNDING), waiting(at.saturating_sub(ROUNDING + 1)));
        match *arrival {
            Arrival::Took(index) => {
                let waits = leaves[index] > at + ROUNDING;
                hold(!waits || fits(least), || {
                    format!("{least:?} packets and bytes wait, and it is taken: {arrival:?}")
                })?;
                came = index + 1;
            }
            Arrival::Refused { .. } => {
                hold(!fits(most) || discipline != "drop-tail" || loses_ahead, || {
                    format!("{most:?} packets and bytes wait, and it is dropped: {arrival:?}")
                })?;
            }
        }
    }
    Ok(())
}

/// A token bucket: never more than a burst above the rate, and a packet. Where a blackout or a
/// blocked line of sight `holds` packets, one may wait in the transmitter with its tokens, and come
/// out shortly before the next.
fn bucket(
    (rate, burst): (f64, u64),
    holds: bool,
    stays: &[Stay],
    exits: &[usize],
) -> Result<(), String> {
    let (mut excess, mut last) = (0.0, None);
    let longest = stays.iter().map(|stay| f64::from(stay.bytes)).fold(0.0, f64::max);
    for index in exits {
        let Some((at, What::Passed | What::Arrived, _)) = stays[*index].end else { continue };
        if let Some(last) = last {
            let since = (at.nanos() - last) as f64 * 1e-9;
            excess = f64::max(0.0, excess - since * rate / 8.0);
        }
        last = Some(at.nanos());
        excess += f64::from(stays[*index].bytes);
        let most = burst as f64 + longest * (1.0 + f64::from(u8::from(holds)));
        hold(excess <= most + 1.0, || {
            format!("{excess} bytes above the shaper's rate, burst {burst}: {:?}", stays[*index])
        })?;
    }
    Ok(())
}
