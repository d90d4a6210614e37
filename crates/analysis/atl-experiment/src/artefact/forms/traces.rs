//! Recorded traces from their beginning, or from a random place for each seed.

use atl_core::time::Span;
use atl_engine::setup::{LinkSetup, Setup, TraceStart};
use atl_link::{Conditions, Delay, Service};

use super::super::form::{Form, Impairment};

const TRACES: Impairment = Impairment { name: "traces", with: "with traces from there" };

pub(super) const FORMS: &[Form] = &[
    Form {
        name: "trace-from-start",
        of: &TRACES,
        words: "with traces from their beginning",
        about: "Each run meets the same part of the trace.",
        is_off: false,
        rewrite: |setup| each(setup, |_| Some(TraceStart::At(Span::ZERO))),
    },
    Form {
        name: "trace-random-offset",
        of: &TRACES,
        words: "with traces from random places",
        about: "Each seed begins at another place in the traces, the same for all that are compared.",
        is_off: false,
        rewrite: |setup| each(setup, random),
    },
];

fn each(setup: &mut Setup, start: fn(&LinkSetup) -> Option<TraceStart>) -> bool {
    let mut changed = false;
    for link in setup.links.iter_mut().filter(|link| link.trace_start.is_some()) {
        if let Some(start) = start(link)
            && link.trace_start.as_ref() != Some(&start)
        {
            link.trace_start = Some(start);
            changed = true;
        }
    }
    changed
}

/// Both directions of a link begin at the same place: they have one stream.
fn random(link: &LinkSetup) -> Option<TraceStart> {
    if let Some(random @ TraceStart::Random { .. }) = &link.trace_start {
        return Some(random.clone());
    }
    let changes = link.config.schedule.iter().map(|change| &change.to);
    let period = std::iter::once(&link.config.initial).chain(changes).filter_map(period).max()?;
    let name = link.name.strip_suffix(".back").unwrap_or(&link.name);
    Some(TraceStart::Random { stream: format!("link/{name}/trace").into(), period })
}

/// Length of the longer of the traces of some conditions.
fn period(conditions: &Conditions) -> Option<Span> {
    let rate = match &conditions.service {
        Service::Trace(trace) => Some(trace.duration()),
        _ => None,
    };
    let delay = match &conditions.delay {
        Delay::Trace(trace) => Some(trace.duration()),
        Delay::Constant(_) => None,
    };
    rate.max(delay)
}
