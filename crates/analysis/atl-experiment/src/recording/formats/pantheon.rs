//! Pantheon's logs of a run (StanfordSNR/pantheon, `src/experiments/merge_tunnel_logs.py`):
//! `SCHEME_datalink_runN.log` and `SCHEME_acklink_runN.log`.
//!
//! Those of an emulated link have its opportunities. Those of a real one have the packets that
//! arrived, which is what the link can carry only where the run kept it busy.

use super::super::curve::Points;
use super::super::events::{Event, What, events, in_order};
use super::super::format::{Choice, Format, Glance, Recorded, Wanted};
use super::super::opportunities::Opportunities;
use super::super::problem::Problem;
use atl_link::trace::OPPORTUNITY_BYTES;

#[derive(Debug)]
pub(super) struct Pantheon;

impl Format for Pantheon {
    fn name(&self) -> &'static str {
        "pantheon"
    }

    fn about(&self) -> &'static str {
        "a log of a run of Pantheon, SCHEME_datalink_runN.log"
    }

    fn choices(&self) -> &'static [Choice] {
        &[Choice::Delay, Choice::Gap]
    }

    fn recognises(&self, file: &Glance<'_>) -> bool {
        file.first_line().starts_with("# init timestamp:")
            && events(file.text).next().is_some_and(|event| event.is_ok())
    }

    fn read(&self, text: &str, wanted: &Wanted) -> Result<Recorded, Problem> {
        let events = events(text).collect::<Result<Vec<_>, _>>()?;
        let mut before = 0;
        for event in &events {
            in_order(event, before)?;
            before = event.at;
        }
        let Some(first) = events.first().map(|event| event.at) else {
            return Err(Problem::whole("the log holds no event"));
        };
        if wanted.delay {
            return delays(&events, wanted);
        }
        if wanted.gap.is_some() {
            return Err(Problem::whole("--gap is for delays of such a log: use it with --delay"));
        }
        rates(&events, first)
    }
}

fn rates(events: &[Event], first: u64) -> Result<Recorded, Problem> {
    let emulated = events.iter().any(|event| event.what == What::Opportunity);
    let packet = u64::from(OPPORTUNITY_BYTES);
    let mut opportunities = Opportunities::new();
    let (mut last, mut credit) = (first, 0_u64);
    for event in events {
        match event.what {
            What::Opportunity => credit = packet,
            What::Left { bytes, .. } if !emulated => credit = credit.saturating_add(bytes),
            _ => continue,
        }
        last = event.at;
        while credit >= packet {
            opportunities.push(last - first)?;
            credit -= packet;
        }
    }
    if last == first {
        let message = "no packet of the log arrived (`TIME - BYTES DELAY`) after its first event";
        return Err(Problem::whole(message));
    }
    opportunities.ending(last - first).map(Recorded::Opportunities)
}

/// The delay of each packet, from when it was sent.
fn delays(events: &[Event], wanted: &Wanted) -> Result<Recorded, Problem> {
    let left = events.iter().filter_map(|event| match event.what {
        What::Left { delay, .. } => Some((event.at.saturating_sub(delay), delay, event.line)),
        _ => None,
    });
    let mut sent: Vec<(u64, u64, usize)> = left.collect();
    // Packets may have overtaken each other.
    sent.sort_by_key(|(at, ..)| *at);
    let mut points = Points::new(wanted.gap, wanted.until);
    for (at, delay, line) in sent {
        if points.is_full() {
            break;
        }
        // Times are below 2^63, as `scaled` gives them.
        points.add(line, at as i64, Some(delay))?;
    }
    points.finish().map(Recorded::Delay)
}
