//! Probes over the emulator in real time: atl-net's UDP proxy on loopback, with captures of both
//! ends.
//!
//! The captures show which probes arrived, and when each passed the ends. For a probe that did not
//! arrive, the emulator's own notes say whether it was lost or dropped.

mod doing;
mod noted;
mod sender;

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use atl_core::time::{Span, Time};
use atl_engine::setup::LinkSetup;
use atl_engine::{Stopped, Watch};
use atl_link::relay::RouteId;
use atl_net::capture::Capture;
use atl_net::clock::Clock;
use atl_net::emulator::{Emulator, Stop, Summary, Timing};
use atl_net::priority::Scheduling;
use atl_net::proxy::{Limits, Listener, Proxy};
use serde::Serialize;

use crate::battery::Case;
use crate::capture::{self, Captured};
use crate::margin::Margins;
use crate::observation::{Fate, Observation, Probe};
use crate::simulated::NEVER;
use crate::stats::quantile;
pub(crate) use doing::while_doing;
use noted::{Noted, Notes};

/// Octets of the headers of IPv4 and UDP.
const HEADERS: u32 = 28;
/// Interval at which this thread checks for the end.
const LOOK: Duration = Duration::from_millis(10);
/// Limit on the wait for probes that are still in the link after the last was sent.
const DRAIN: Span = Span::from_secs(5);

/// Settings of the emulator's timekeeping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Asks for the scheduling policy `SCHED_FIFO`.
    pub real_time: bool,
    /// Time before a departure from which it watches the clock instead of sleeping.
    pub spin: Span,
}

/// The timeliness of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timekeeping {
    /// Median lateness of departures, in seconds.
    pub p50_s: f64,
    /// 90 % quantile of the lateness, in seconds.
    pub p90_s: f64,
    /// 99 % quantile of the lateness, in seconds.
    pub p99_s: f64,
    /// Greatest lateness, in seconds.
    pub worst_s: f64,
    /// Share of the packets that left late by more than a packet's transmission time.
    pub late_share: f64,
    /// 99 % quantile of the time from sending to entering the link, in seconds.
    pub entry_p99_s: f64,
    /// Share of the probes that entered later than their plan by more than the margin of delays.
    pub late_entries: f64,
    /// Probes that vanished on this machine, outside the link.
    pub missing: u64,
    /// The reason why the run is not judged; `None` if it is.
    pub fault: Option<String>,
    /// It ran under `SCHED_FIFO`.
    pub fifo: bool,
}

/// A run of the emulator.
#[derive(Clone, Debug)]
pub struct Emulated {
    /// The fates of the probes, by the captures.
    pub observation: Observation,
    /// The timeliness of the run.
    pub timekeeping: Timekeeping,
}

/// Sends a case's probes through the emulator, with the random draws of a seed.
///
/// # Errors
/// If a socket or a file cannot be had, or `watch` cancels it.
pub fn run(
    case: &Case,
    link: &LinkSetup,
    seed: u64,
    lasts: Span,
    options: Options,
    watch: &Watch<'_>,
) -> Result<Emulated, Stopped> {
    let folder = tempfile::tempdir()?;
    let files = [folder.path().join("near.pcap"), folder.path().join("far.pcap")];
    let local = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let sink = UdpSocket::bind(local)?;
    let listener = Listener::bind(local, sink.local_addr()?, Limits::default())?;
    let to = listener.local_addr();
    let counters = Arc::clone(listener.counters());
    let plan = case.pattern.times(lasts);
    let notes = Arc::new(Notes::new(plan.len()));
    let relay = atl_engine::setup::relay(std::slice::from_ref(link), vec![vec![0], vec![]], seed);
    let clock = Clock::start();
    let (taken, writer) = Capture::start(files.clone(), clock)?;
    let timing = Timing { real_time: options.real_time, spin: options.spin, ..Timing::default() };
    let (stop, done) = (Stop::default(), Stop::default());
    let begun = clock.now();

    let (summary, cancelled) = thread::scope(|scope| {
        let emulator = scope.spawn(|| {
            let proxy = Proxy::new(listener, RouteId(0), RouteId(1)).with_capture(taken, clock);
            let ports = Noted::new(proxy, case.low_every, Arc::clone(&notes));
            Emulator::new(relay, ports, clock, timing).run(&stop, &mut |_| {})
        });
        let sender = scope.spawn(|| {
            sender::send(case.bytes - HEADERS, &plan, to, clock, options.real_time, &done)
        });
        scope.spawn(|| sender::discard(&sink, &done));
        let mut cancelled = Ok(());
        let mut sent_at: Option<Time> = None;
        while cancelled.is_ok() && !emulator.is_finished() {
            thread::sleep(LOOK);
            let now = clock.now();
            cancelled = watch.reached(now.since(begun));
            if sender.is_finished() && sent_at.is_none() {
                sent_at = Some(now);
            }
            let over = |at: Time| notes.settled() >= plan.len() || now.since(at) >= DRAIN;
            if sent_at.is_some_and(over) {
                break;
            }
        }
        done.stop();
        stop.stop();
        let summary = emulator.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let sent = sender.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (sent.and(summary.map_err(Stopped::from)), cancelled)
    });
    cancelled?;
    let summary = summary?;
    let left_out = writer.finish()?;
    let read = |file: &std::path::Path| -> Result<Vec<Captured>, Stopped> {
        Ok(capture::read(&fs::read(file)?)?)
    };
    let (near, far) = (read(&files[0])?, read(&files[1])?);
    let observation = observation(case, &plan, &near, &far, &notes);
    let mut timekeeping = timekeeping(case, link, &plan, &observation, &summary);
    let overflowed = counters.counts().overflowed;
    if left_out > 0 {
        timekeeping.fault =
            Some(format!("{left_out} packets are missing in the captures: the disk is too slow"));
    } else if overflowed > 0 {
        timekeeping.fault =
            Some(format!("{overflowed} packets came faster than the emulator read them"));
    }
    Ok(Emulated { observation, timekeeping })
}

/// Joins the captures of both ends with the emulator's notes.
fn observation(
    case: &Case,
    plan: &[Time],
    near: &[Captured],
    far: &[Captured],
    notes: &Notes,
) -> Observation {
    let unsent = |(number, at): (usize, &Time)| Probe {
        sent: *at,
        entered: NEVER,
        low: case.low(number as u32),
        fate: Fate::Missing,
    };
    let mut probes: Vec<Probe> = plan.iter().enumerate().map(unsent).collect();
    let notes = notes.take();
    // The captures' dates and the notes' times come from one clock: any packet in both gives the
    // offset.
    let epoch = near.iter().find_map(|packet| {
        let entered = notes.entered.get(packet.number as usize)?;
        packet.date.checked_sub(entered.nanos())
    });
    let Some(epoch) = epoch else { return Observation { bytes: case.bytes, probes } };
    let time = |packet: &Captured| Time::from_nanos(packet.date.saturating_sub(epoch));
    for packet in near {
        if let Some(probe) = probes.get_mut(packet.number as usize) {
            probe.sent = Time::from_nanos(packet.sent);
            probe.entered = time(packet);
        }
    }
    for (number, fate) in notes.gone {
        if let Some(probe) = probes.get_mut(number as usize) {
            probe.fate = fate;
        }
    }
    for packet in far {
        if let Some(probe) = probes.get_mut(packet.number as usize) {
            probe.fate = Fate::Arrived(time(packet));
        }
    }
    Observation { bytes: case.bytes, probes }
}

fn timekeeping(
    case: &Case,
    link: &LinkSetup,
    plan: &[Time],
    observation: &Observation,
    summary: &Summary,
) -> Timekeeping {
    let lateness = &summary.last.lateness;
    let seconds = |share: f64| lateness.quantile(share).secs();
    let margin = Margins::of(&link.config, case.bytes).delay_s;
    let entered =
        || observation.probes.iter().zip(plan).filter(|(probe, _)| probe.entered != NEVER);
    let mut waits: Vec<f64> =
        entered().map(|(probe, _)| probe.entered.since(probe.sent).secs()).collect();
    waits.sort_by(f64::total_cmp);
    let late = entered().filter(|(probe, at)| probe.entered.since(**at).secs() > margin).count();
    let late_entries = late as f64 / plan.len().max(1) as f64;
    let missing = observation.count(|fate| *fate == Fate::Missing);
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let allowed = atl_net::lateness::TRUSTED_SHARE;
    let fault = if missing > 0 {
        Some(format!("{missing} probes vanished on this machine, outside the link"))
    } else if !lateness.trusted() {
        Some(format!(
            "{} of the packets left later than a packet time",
            percent(lateness.late_share())
        ))
    } else if late_entries > allowed {
        let limit = 1e3 * margin;
        Some(format!(
            "{} of the probes were sent or read more than {limit:.1} ms late",
            percent(late_entries)
        ))
    } else {
        None
    };
    Timekeeping {
        p50_s: seconds(0.5),
        p90_s: seconds(0.9),
        p99_s: seconds(0.99),
        worst_s: lateness.worst().secs(),
        late_share: lateness.late_share(),
        entry_p99_s: if waits.is_empty() { 0.0 } else { quantile(&waits, 0.99) },
        late_entries,
        missing,
        fault,
        fifo: summary.scheduling == Scheduling::RealTime,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A delay does not depend on the date, nor on how late in a run it is. In seconds, the
    /// difference of many of these times is less than 0.01.
    #[test]
    fn delays_are_exact_whenever_a_run_begins() {
        const DELAY: u64 = 10_000_000;
        let case = Case::named("loss-states").expect("a case");
        let plan = case.pattern.times(Span::from_secs(1));
        let less = |at: &Time| (*at + Span::from_nanos(DELAY)).secs() - at.secs() < 0.01;
        assert!(plan.iter().any(less));
        for date in (0..50).map(|i| 1_700_000_000_123_456_789 + i * 86_399_123_456_789) {
            let notes = Notes::new(plan.len());
            let packets = |after: u64| -> Vec<Captured> {
                let packet = |(number, at): (usize, &Time)| Captured {
                    date: date + at.nanos() + after,
                    number: number as u32,
                    sent: at.nanos(),
                    bytes: case.bytes,
                };
                plan.iter().enumerate().map(packet).collect()
            };
            notes.enter(&plan);
            let found = observation(case, &plan, &packets(0), &packets(DELAY), &notes);
            assert_eq!(found.probes.len(), plan.len());
            assert!(found.probes.iter().all(|probe| probe.delay_nanos() == Some(DELAY as i64)));
        }
    }
}
