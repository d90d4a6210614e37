//! The copies of a flow: when each starts, and how much it sends.

use atl_core::time::{Span, Time};
use atl_engine::setup::{FlowSetup, Source};
use atl_link::random::Stream;

use super::Traces;
use super::clock::Clock;
use super::sizes::{self, Sizes};
use crate::table::{Field, Table};

/// A copy's own start and source.
type Copy = (Time, Source);

/// The copies of a flow, in order. Random starts and sizes are those of the scenario: the same for
/// all seeds and protocols, so that these meet the same traffic.
pub(super) fn read(
    table: &Table<'_>,
    flow: &FlowSetup,
    clock: &Clock,
    traces: &Traces<'_>,
) -> Option<Vec<Copy>> {
    if let Some(field) = table.get("flows") {
        return listed(&field, flow.start, clock, traces);
    }
    let count = table.value("count", Field::whole_as).unwrap_or(1);
    let source = table.get("source").filter(Field::is_table).and_then(|field| field.table());
    let sizes = source.map_or(Some(None), |source| sizes::read(&source, traces))?;
    let starts = starts(table, flow, count, clock);
    let sources = sources(flow, count, sizes);
    Some(starts.into_iter().zip(sources).collect())
}

/// Those of a file, whose times count from the flow's start.
fn listed(field: &Field<'_>, start: Time, clock: &Clock, traces: &Traces<'_>) -> Option<Vec<Copy>> {
    let list = traces.flows(field)?;
    let from = start.since(Time::ZERO);
    let all =
        list.0.iter().map(|(at, bytes)| (at.saturating_add(from), Source::Fixed { bytes: *bytes }));
    let copies: Vec<Copy> = all.clone().filter(|(at, _)| *at < clock.end).collect();
    let late = list.0.len() - copies.len();
    if late > 0 && !clock.moved {
        let end = clock.end.secs();
        return field.bad(format!("{late} of its flows start after the run has ended at {end} s"));
    }
    Some(copies)
}

/// A Poisson process from the flow's start on, with the first copy at the start; without
/// `arrivals` all start together. Copies after the end of a run that the command line has
/// shortened are left out.
fn starts(table: &Table<'_>, flow: &FlowSetup, count: usize, clock: &Clock) -> Vec<Time> {
    let start = flow.start;
    let field = table.get("arrivals");
    let Some((field, mean)) = field.and_then(|field| Some((field.clone(), field.time()?))) else {
        return vec![start; count];
    };
    field.effect(count > 1, "there is one flow");
    let mut stream = Stream::new(1, &format!("flow/{}/arrivals", flow.name));
    let mut at = start;
    let mut starts = Vec::new();
    for n in 0..count {
        if n > 0 {
            at = at.saturating_add(Span::from_secs_f64(stream.exponential(mean.secs())));
        }
        if at >= clock.end {
            if !clock.moved {
                let end = clock.end.secs();
                field.bad::<()>(format!(
                    "only {n} of {count} flows have started when the run ends at {end} s"
                ));
            }
            break;
        }
        starts.push(at);
    }
    starts
}

/// The flow's own source for each copy, or the quantiles of a distribution in random order: the
/// evenest sample of it.
fn sources(flow: &FlowSetup, count: usize, sizes: Option<Sizes>) -> Vec<Source> {
    let Some(sizes) = sizes else { return vec![flow.source.clone(); count] };
    let mut order: Vec<usize> = (0..count).collect();
    // Fisher and Yates.
    let mut stream = Stream::new(1, &format!("flow/{}/sizes", flow.name));
    for last in (1..count).rev() {
        order.swap(last, stream.below(last as u64 + 1) as usize);
    }
    let quantile = |place: usize| (place as f64 + 0.5) / count as f64;
    let source = |place: usize| Source::Fixed { bytes: sizes.quantile(quantile(place)) };
    order.into_iter().map(source).collect()
}
