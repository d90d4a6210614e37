//! Time that a flow takes to recover its goodput after a blackout or a handoff.
//!
//! The disturbances of a flow are the blackouts and the changes of network of all links on its
//! forward path while it is active, and the handoffs of its mobile. A handoff lasts from the moment
//! at which the mobile has no path, if there is one, until the change. Disturbances less than 10 s
//! apart count as one, from the start of the first to the end of the last, because the comparison
//! needs 10 quiet seconds. Only the last disturbance of the run counts:
//!
//! - The reference is the mean goodput over the 10 s before the disturbance. If it includes a
//!   change of network, the goodput before it says nothing about the new network; the reference is
//!   then the mean over the last 10 s of the run.
//! - The flow has recovered at the first time t after the end of the disturbance at which the mean
//!   from t to t + 1 s is at least 80 % of the reference.
//! - The time to recover is the time from the end of the disturbance to t.
//!
//! Times are those of samples, so the resolution is `record.every`. A second that is not a multiple
//! of it is rounded up to the next multiple.

use atl_engine::result::{RunResult, Sample};
use atl_engine::setup::{MobileSetup, Setup};

use crate::history::History;
use crate::stays::{Stay, stays};

/// Seconds of goodput that serve as the reference, before a disturbance or at the end of the run.
const QUIET_S: f64 = 10.0;
/// Seconds over which the goodput must have recovered.
const BACK_OVER_S: f64 = 1.0;
/// Share of the reference that counts as recovered.
const BACK: f64 = 0.8;

/// Recovery of a flow from its last disturbance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recovery {
    /// Seconds from the end of the disturbance to recovery; without recovery, to the end of the run
    /// or of the flow.
    pub time_s: f64,
    /// True if it recovered before the end.
    pub recovered: bool,
}

/// Interval during which a path is disturbed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Disturbance {
    from_s: f64,
    to_s: f64,
    /// True if the network changes.
    changes: bool,
}

/// Disturbances of the links on a flow's forward path, by increasing time; those less than
/// [`QUIET_S`] apart are merged.
fn disturbances(setup: &Setup, flow: usize) -> Vec<Disturbance> {
    let Some(flow) = setup.flows.get(flow) else {
        return Vec::new();
    };
    let mobile = flow.mobile.and_then(|m| setup.mobiles.get(m.mobile));
    let mut all: Vec<Disturbance> = mobile.map(handoffs).unwrap_or_default();
    for link in flow.first_path().forward.iter().filter_map(|&l| setup.links.get(l)) {
        all.extend(link.config.blackouts.iter().map(|b| Disturbance {
            from_s: b.at.secs(),
            to_s: (b.at + b.lasts).secs(),
            changes: false,
        }));
        all.extend(link.config.schedule.iter().map(|c| Disturbance {
            from_s: c.at.secs(),
            to_s: c.at.secs(),
            changes: true,
        }));
    }
    all.sort_by(|a, b| a.from_s.total_cmp(&b.from_s));
    let mut merged: Vec<Disturbance> = Vec::new();
    for next in all {
        match merged.last_mut() {
            Some(last) if next.from_s < last.to_s + QUIET_S => {
                last.to_s = last.to_s.max(next.to_s);
                last.changes |= next.changes;
            }
            _ => merged.push(next),
        }
    }
    merged
}

/// Handoffs of a mobile. One preceded by a time without a path begins with that time.
fn handoffs(mobile: &MobileSetup) -> Vec<Disturbance> {
    let stays = stays(mobile);
    let change = |pair: &[Stay<'_>]| {
        pair[1].cell?;
        let from_s = if pair[0].cell.is_none() { pair[0].from } else { pair[1].from }.secs();
        Some(Disturbance { from_s, to_s: pair[1].from.secs(), changes: true })
    };
    stays.windows(2).filter_map(change).collect()
}

fn delivered(sample: &Sample) -> u64 {
    sample.delivered_bytes
}

/// Recovery of a flow from the last disturbance of its path. `None` if its path was not disturbed
/// while it was active, if there is no goodput to compare with, or if the run has no samples.
pub fn recovery(setup: &Setup, run: &RunResult, flow: usize) -> Option<Recovery> {
    let starts = setup.flows.get(flow)?.start.secs();
    let disturbances = disturbances(setup, flow);
    // Most runs have no disturbance and need no history.
    disturbances.first()?;
    let history = History::of(setup, run)?;
    let rows = rows_of(&history, run, flow)?;
    let end = history.time_s(rows - 1);
    let last = disturbances.iter().rev().find(|d| d.to_s > starts && d.to_s < end)?;

    // Counter at the end of a row's interval; 0 before the first row.
    let bytes_at = |rows: usize| match rows.checked_sub(1) {
        Some(row) => history.sample(row, flow).map(delivered),
        None => Some(0),
    };
    let time_at = |rows: usize| rows.checked_sub(1).map_or(0.0, |row| history.time_s(row));
    let rate = |from: usize, to: usize| {
        let bytes = bytes_at(to)?.checked_sub(bytes_at(from)?)?;
        let time = time_at(to) - time_at(from);
        (time > 0.0).then(|| bytes as f64 / time)
    };

    let quiet = if last.changes {
        // The reference must not include the disturbance.
        let from = history.rows_until((end - QUIET_S).max(last.to_s));
        rate(from.min(rows - 1), rows)?
    } else {
        let to = history.rows_until(last.from_s);
        rate(history.rows_until((time_at(to) - QUIET_S).max(starts)), to)?
    };
    if quiet <= 0.0 {
        return None;
    }

    let after = history.rows_until(last.to_s);
    let mut to = after;
    for from in after..rows {
        while to <= rows && time_at(to) - time_at(from) < BACK_OVER_S - 1e-9 {
            to += 1;
        }
        if to > rows {
            break;
        }
        if rate(from, to).is_some_and(|now| now >= BACK * quiet) {
            let time_s = (time_at(from) - last.to_s).max(0.0);
            return Some(Recovery { time_s, recovered: true });
        }
    }
    Some(Recovery { time_s: end - last.to_s, recovered: false })
}

/// Number of rows in which a flow is active: all, or those until its last byte is delivered.
fn rows_of(history: &History<'_>, run: &RunResult, flow: usize) -> Option<usize> {
    let rows = history.rows();
    if run.flows.get(flow)?.completion_s.is_none() {
        return Some(rows);
    }
    let total = history.sample(rows - 1, flow)?.delivered_bytes;
    let complete = |row: usize| history.sample(row, flow).is_some_and(|s| delivered(s) >= total);
    let (mut low, mut high) = (0, rows - 1);
    while low < high {
        let middle = low + (high - low) / 2;
        if complete(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(low + 1)
}
