//! Reading the network and flows of one point.

use std::ops::Range;

use atl_core::time::Time;

use super::clock::Clock;
use super::names::duplicate;
use super::network::Networks;
use super::paths::Net;
use super::{Traces, cell, flow, link, mobile};
use crate::table::{Field, Table};
use atl_engine::setup::{CellPlace, FlowSetup, LinkSetup, Map, MobileSetup, Setup};

/// Limit on the links of a run.
const MAX_LINKS: usize = 1000;
/// Limit on the samples of a flow.
const MAX_SAMPLES: u64 = 1_000_000;

/// The end of the run that these tables state; `None` if it is a variable's.
pub(crate) fn end(top: &Table<'_>) -> Option<Time> {
    top.read("duration", Field::time).map(|d| Time::ZERO + d)
}

/// Reads a point. If the cursor's sink has problems afterwards, the setup must not be used. `moved`
/// and `written`: [`Clock::new`].
pub(crate) fn setup(
    top: &Table<'_>,
    traces: &Traces<'_>,
    moved: bool,
    written: Option<Time>,
) -> Option<Setup> {
    let duration = top.read("duration", Field::time);
    let end = duration.map_or(Time::MAX, |d| Time::ZERO + d);
    let clock = Clock::new(end, moved, written);
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
    let mut own = Vec::new();
    for table in &link_tables {
        let both = link::read(table, &networks, traces, &mut nodes, &clock);
        // A single message for both directions of a link.
        if let Some(taken) = both.iter().find(|new| links.iter().any(|l| l.name == new.name)) {
            duplicate(table, "link", &taken.name);
        }
        complete &= !both.is_empty();
        own.push(links.len()..links.len() + both.len());
        links.extend(both);
    }
    let tables = |key| top.get(key).map(|f| f.tables("name")).unwrap_or_default();
    let cell_tables = tables("cell");
    let cells = cell::read(&cell_tables, &networks, traces, &mut nodes, &mut links);
    networks.note_unused(top);
    // If links are missing, errors of mobiles and flows would only repeat that.
    let whole = complete && cells.complete && top.cx.sink.is_empty();
    let places = cells.places;
    let mobile_tables = tables("mobile");
    let mobiles = mobile::read(&mobile_tables, &nodes, &places, &clock, whole);
    let whole = whole && mobiles.is_some();
    let (mobiles, tracks): (Vec<_>, Vec<_>) = mobiles.unwrap_or_default().into_iter().unzip();
    let net = Net { nodes: &nodes, links: &links, places: &places, mobiles: &mobiles, whole };
    let flows = flow::read(top, &tables("flow"), &net, &clock, traces);
    if whole {
        check_used(&mobile_tables, &cell_tables, &mobiles, &places, &flows);
        check_crossed(&link_tables, &own, links.len(), &flows);
    }
    let map = (!places.is_empty()).then(|| Box::new(Map { cells: places, tracks }));
    Some(Setup {
        nodes,
        links,
        flows,
        mobiles,
        map,
        duration: duration?,
        warmup: warmup?,
        sample_every,
    })
}

/// Warns about mobiles without flows and cells without users.
fn check_used(
    mobile_tables: &[Table<'_>],
    cell_tables: &[Table<'_>],
    mobiles: &[MobileSetup],
    places: &[CellPlace],
    flows: &[FlowSetup],
) {
    for (i, (table, mobile)) in mobile_tables.iter().zip(mobiles).enumerate() {
        let used = flows.iter().any(|flow| flow.mobile.is_some_and(|m| m.mobile == i));
        if let Some(field) = table.get("name") {
            let message = format!("the mobile `{}` has no effect", mobile.name);
            field.unless(used, message, "no flow starts or ends at it");
        }
    }
    for (table, place) in cell_tables.iter().zip(places) {
        let visited = mobiles.iter().any(|mobile| mobile.cells.contains(&place.name));
        let mut links = flows.iter().flat_map(|flow| &flow.paths).flat_map(|path| &path.forward);
        let used = visited || links.any(|&l| l == place.downlink || l == place.downlink + 1);
        if let Some(field) = table.get("name") {
            let message = format!("the cell `{}` has no effect", place.name);
            field.unless(used, message, "no mobile enters it, and no flow starts or ends in it");
        }
    }
}

/// Warns about links that no flow's packets cross in either direction. `own` holds the indices of
/// each table's links, of `count` in all.
fn check_crossed(
    link_tables: &[Table<'_>],
    own: &[Range<usize>],
    count: usize,
    flows: &[FlowSetup],
) {
    let mut crossed = vec![false; count];
    for path in flows.iter().flat_map(|flow| &flow.paths) {
        for &link in path.forward.iter().chain(&path.back) {
            crossed[link] = true;
        }
    }
    for (table, own) in link_tables.iter().zip(own) {
        if let (Some(field), Some(name)) = (table.get("name"), table.read("name", Field::name)) {
            let used = own.clone().any(|link| crossed[link]);
            let why =
                "each flow takes the fewest links, and all go another way: see `from` and `to`";
            field.unless(used, format!("no flow crosses the link `{name}`"), why);
        }
    }
}
