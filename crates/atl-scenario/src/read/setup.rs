//! One point of the sweep: its network and the flows on it.

use atl_core::time::Time;

use super::clock::Clock;
use super::names::duplicate;
use super::network::Networks;
use super::{Traces, flow, link};
use crate::setup::{LinkSetup, Setup};
use crate::table::{Field, Table};

/// Maximum number of links of a run.
const MAX_LINKS: usize = 1000;
/// Maximum number of samples of a flow.
const MAX_SAMPLES: u64 = 1_000_000;

/// Reads a point. If the cursor's sink has problems, the setup must not be used.
pub(crate) fn setup(top: &Table<'_>, traces: &Traces<'_>, moved: bool) -> Option<Setup> {
    let duration = top.read("duration", Field::time);
    let end = duration.map_or(Time::MAX, |d| Time::ZERO + d);
    let clock = Clock { end, moved };
    let warmup = top.value("warmup", |f| match f.time()? {
        t if Time::ZERO + t >= end => f.bad("the warm-up must end before the run does"),
        t => Some(t),
    });
    let record = top.read("record", Field::table);
    let sample_every = record.as_ref().and_then(|t| t.get("every")).and_then(|f| {
        let every = f.time()?;
        if duration.is_some_and(|d| d.nanos() / every.nanos() > MAX_SAMPLES) {
            return f.bad(format!("a flow would leave more than {MAX_SAMPLES} samples"));
        }
        Some(every)
    });

    let networks = Networks::read(top, traces);
    let mut nodes = Vec::new();
    let mut links: Vec<LinkSetup> = Vec::new();
    let link_tables = top.get("link").map(|f| f.tables("name")).unwrap_or_default();
    if link_tables.len() > MAX_LINKS {
        top.report(format!("there are more than {MAX_LINKS} links"), "");
        return None;
    }
    let mut complete = true;
    for table in &link_tables {
        let both = link::read(table, &networks, traces, &mut nodes, &clock);
        // One message for both directions of a link.
        if let Some(taken) = both.iter().find(|new| links.iter().any(|l| l.name == new.name)) {
            duplicate(table, "link", &taken.name);
        }
        complete &= !both.is_empty();
        links.extend(both);
    }
    // If links are missing, the errors of flows would only repeat that.
    let whole = complete && top.cx.sink.is_empty();
    let tables = top.get("flow").map(|f| f.tables("name")).unwrap_or_default();
    let flows = flow::read(top, &tables, &nodes, &links, &clock, whole);
    Some(Setup {
        nodes,
        links,
        flows,
        mobiles: Vec::new(),
        duration: duration?,
        warmup: warmup?,
        sample_every,
    })
}
