//! Reading a link's blackouts.

use atl_core::time::Time;
use atl_link::Blackout;

use super::clock::Clock;
use crate::table::{Field, Table};

/// Limit on a link's blackouts, since each is stored.
const MAX_BLACKOUTS: usize = 100_000;

/// A blackout of the file with its repetitions.
struct Line<'a> {
    field: Field<'a>,
    first: Blackout,
    /// Start of each repetition.
    rest: Vec<Time>,
}

/// Blackouts of a link by increasing time.
pub(super) fn read(link: &Table<'_>, clock: &Clock) -> Vec<Blackout> {
    let Some(list) = link.get("blackout") else {
        return Vec::new();
    };
    let items = list.items().unwrap_or_default();
    let lines: Vec<Line<'_>> = items.iter().filter_map(|item| line(item, clock)).collect();
    if lines.iter().map(|line| 1 + line.rest.len()).sum::<usize>() > MAX_BLACKOUTS {
        let message = format!("`{}` has more than {MAX_BLACKOUTS} blackouts", link.path);
        list.report(list.problem(message, "too many"));
        return Vec::new();
    }
    // Each with the index of its line.
    let mut all: Vec<(Blackout, usize)> = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let times = std::iter::once(line.first.at).chain(line.rest.iter().copied());
        all.extend(times.map(|at| (Blackout { at, ..line.first }, i)));
    }
    all.sort_by_key(|(blackout, i)| (blackout.at, *i));
    let mut told: Vec<usize> = Vec::new();
    let mut last: Option<(Time, usize)> = None;
    for (blackout, i) in &all {
        let end = blackout.at + blackout.lasts;
        if let Some((until, other)) = last
            && blackout.at < until
        {
            let later = other.max(*i);
            if !told.contains(&later) {
                told.push(later);
                lines[later].field.bad::<()>("this blackout overlaps another");
            }
        }
        if last.is_none_or(|(until, _)| until < end) {
            last = Some((end, *i));
        }
    }
    all.into_iter().map(|(blackout, _)| blackout).collect()
}

fn line<'a>(item: &Field<'a>, clock: &Clock) -> Option<Line<'a>> {
    let t = item.table()?;
    let field = t.get("at");
    let lasts = t.read("lasts", Field::time);
    let hold = t.value("hold", Field::bool);
    let times = t.get("times");
    let count = times.as_ref().and_then(Field::whole);
    let every = t.get("every");
    let (field, lasts, hold) = (field?, lasts?, hold?);
    let every = every.and_then(|f| match f.time()? {
        every if every <= lasts => f.bad("it must be longer than a blackout lasts"),
        every => Some(every),
    });
    let at = Time::ZERO + field.time()?;
    if !clock.holds(&field, at) {
        return None;
    }
    let mut rest = Vec::new();
    if let Some(every) = every {
        let most = count.unwrap_or(u64::MAX);
        let mut next = at.saturating_add(every);
        while next < clock.end && (rest.len() as u64) < most - 1 && rest.len() <= MAX_BLACKOUTS {
            rest.push(next);
            next = next.saturating_add(every);
        }
        // If the file states their number, all must begin within the run.
        if let Some(field) = times
            && count.is_some_and(|n| (rest.len() as u64) < n - 1)
        {
            clock.holds(&field, next);
        }
    }
    Some(Line { field, first: Blackout { at, lasts, hold }, rest })
}
