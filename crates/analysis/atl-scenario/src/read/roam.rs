//! Changes of network: a list of them, or networks that take turns.

use std::sync::Arc;

use atl_core::time::Time;

use super::clock::Clock;
use super::network::{Network, Networks, Partial};
use super::{Traces, queue};
use crate::keys;
use crate::table::{Field, Table};

/// Conditions of a link from a time on.
#[derive(Clone, Debug)]
pub(super) struct Phase {
    pub at: Time,
    pub name: Arc<str>,
    pub there: Partial,
    /// Changes for the reverse direction.
    pub back: Partial,
    /// Queues of the network, and of its reverse direction alone.
    pub brings: [Option<queue::Waiting>; 2],
    /// The link enters the network, rather than that conditions change within it.
    pub enters: bool,
    /// The queue that the link or the change states, in networks without one too.
    pub queue: Option<queue::Waiting>,
    /// The queue is the link's to state: no change at the start does in its place.
    pub of_link: bool,
}

impl Phase {
    /// Conditions at the start, from a table with the keys of a link.
    pub(super) fn first(
        table: &Table<'_>,
        name: &str,
        networks: &Networks,
        traces: &Traces<'_>,
    ) -> Phase {
        let network = table.get("network");
        let start = Phase::of(Time::ZERO, network.as_ref().and_then(|f| networks.named(f)), name);
        let there = start.there.changed_by(&Partial::read(table, traces));
        Phase { there, of_link: true, ..start }
    }

    /// Conditions of a network; without one, open conditions with this name.
    fn of(at: Time, network: Option<&Network>, name: &str) -> Phase {
        let (name, there, back, brings) = match network {
            Some(n) => (Arc::clone(&n.name), n.there.clone(), n.back.clone(), n.queues.clone()),
            None => (Arc::from(name), Partial::default(), Partial::default(), [None, None]),
        };
        Phase { at, name, there, back, brings, enters: true, queue: None, of_link: false }
    }
}

/// Conditions of a link from the start on: its own, and those of the networks that it roams to.
pub(super) fn phases(
    table: &Table<'_>,
    name: &str,
    networks: &Networks,
    traces: &Traces<'_>,
    clock: &Clock,
) -> Vec<Phase> {
    if let Some(tour) = table.get("roam").filter(Field::is_table).and_then(|field| field.table()) {
        // Values that have no effect are judged all the same.
        Phase::first(table, name, networks, traces);
        return tour_of(table, &tour, name, networks, clock);
    }
    let mut phases = vec![Phase::first(table, name, networks, traces)];
    for (i, item) in table.read("roam", Field::items).unwrap_or_default().iter().enumerate() {
        let Some(roam) = item.table() else {
            continue;
        };
        let Some(field) = roam.get("at") else {
            continue;
        };
        let Some(at) = field.time().map(|span| Time::ZERO + span) else {
            continue;
        };
        let Some(last) = phases.last() else { continue };
        // The first change may be at time zero, so that a list can describe a whole journey.
        let begins = i == 0 && at == Time::ZERO;
        if at <= last.at && !begins {
            field.bad::<()>("a change must come after the start and after the change before it");
            continue;
        }
        let network = roam.get("network");
        let before = match network.as_ref().and_then(|f| networks.named(f)) {
            Some(network) => Phase::of(at, Some(network), name),
            // At the start it changes the link's own conditions, which stay.
            None => Phase { at, enters: begins, of_link: begins, ..last.clone() },
        };
        let there = before.there.changed_by(&Partial::read(&roam, traces));
        let queue = roam.read("queue", queue::read);
        let of_link = before.of_link && queue.is_none();
        if clock.holds(&field, at) {
            if begins {
                phases.clear();
            }
            phases.push(Phase { there, queue, of_link, ..before });
        }
    }
    phases
}

/// Limit on the changes of a link, since each is stored.
const MOST_CHANGES: usize = 100_000;

/// Networks that take turns until the run ends.
fn tour_of(
    link: &Table<'_>,
    tour: &Table<'_>,
    name: &str,
    networks: &Networks,
    clock: &Clock,
) -> Vec<Phase> {
    // The link's queue is that of the networks without one.
    for own in keys::ROAM.names().filter(|name| !["at", "queue"].contains(name)) {
        if let Some(field) = link.get(own) {
            field.effect(false, "the networks of `roam` say it from the start on");
        }
    }
    let every = tour.get("every");
    let length = every.as_ref().and_then(Field::time);
    let names = tour.read("networks", Field::items).unwrap_or_default();
    let all: Vec<_> = names.iter().filter_map(|field| networks.named(field)).collect();
    let (Some(every), Some(length)) = (every, length) else { return Vec::new() };
    if all.len() < names.len() || all.is_empty() {
        return Vec::new();
    }
    if clock.end.since(Time::ZERO).nanos() / length.nanos() >= MOST_CHANGES as u64 {
        every.bad::<()>(format!("there would be more than {MOST_CHANGES} changes"));
        return Vec::new();
    }
    let times = std::iter::successors(Some(Time::ZERO), |at| Some(at.saturating_add(length)));
    let turns = times.take_while(|at| *at <= clock.end).zip(all.iter().cycle());
    turns.map(|(at, network)| Phase::of(at, Some(network), name)).collect()
}
