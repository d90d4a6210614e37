//! Reading the report's figures.

use std::collections::BTreeMap;

use super::World;
use super::measure::Part;
use super::selection::matches;
use crate::keys;
use crate::keys::words::{self, FigureName, Shared};
use crate::metric::{TRACES, Trace};
use crate::scenario::{Figure, FigureKind, Measure, Share, Value};
use crate::table::{Field, Table};

/// Reads the figures. Leaves out those that show none of `points` because the command line narrowed
/// the sweep, and those about a part of the run that it cut off.
pub(crate) fn figures(
    top: &Table<'_>,
    world: &World<'_>,
    points: &[BTreeMap<String, Value>],
) -> Vec<Figure> {
    let tables = top.read("figure", |f| Some(f.tables("name"))).unwrap_or_default();
    let mut figures: Vec<Figure> = tables.iter().filter_map(|t| figure(t, world)).collect();
    figures.retain(|figure| points.iter().any(|p| matches(p, figure.kind.at())));
    figures
}

fn figure(table: &Table<'_>, world: &World<'_>) -> Option<Figure> {
    let title = table.read("title", Field::text);
    let caption = table.read("caption", Field::text).unwrap_or_default();
    let kind = match table.read("kind", |f| f.one_of(words::FIGURES))? {
        FigureName::Sweep => sweep(table, world),
        FigureName::Time => time(table, world),
        FigureName::Scatter => scatter(table, world),
        FigureName::Networks => networks(table, world),
        FigureName::Distribution => distribution(table, world),
    };
    Some(Figure {
        title: title?.trim().to_owned(),
        caption: caption.trim().to_owned(),
        kind: kind?,
    })
}

fn series(table: &Table<'_>, world: &World<'_>) -> Option<String> {
    table.read("series", |f| world.variable(f, true))
}

fn at(
    table: &Table<'_>,
    world: &World<'_>,
    free: &[&str],
    each: Option<&str>,
    one: bool,
) -> Option<BTreeMap<String, Value>> {
    match table.get("at") {
        Some(field) => world.at(&field.table()?, free, each, one),
        None => world.at(&table.empty(&keys::AT), free, each, one),
    }
}

fn sweep(table: &Table<'_>, world: &World<'_>) -> Option<FigureKind> {
    let x = table.read("x", |f| world.variable(f, false));
    let part = world.part(table);
    let y = table.get("y");
    if let Some(list) = y.as_ref().filter(|f| f.is_list()) {
        return metrics(table, world, x, list, part);
    }
    let y = y.and_then(|f| world.measure(&f, part.unwrap_or(Part::Whole)));
    let series = series(table, world);
    let x_log = table.value("x-log", Field::bool);
    let (x, x_log, series) = (x?, x_log?, series?);
    let of = table.get("of").map_or(Some(Vec::new()), |f| world.groups(&f));
    let at = at(table, world, &[&x, &series], Some(&series), true);
    let (y, of) = (y?, of?);
    world.happens(y, part?).then_some(FigureKind::Sweep { x, x_log, y, series, at: at?, of })
}

/// A sweep figure with a curve for each metric.
fn metrics(
    table: &Table<'_>,
    world: &World<'_>,
    x: Option<String>,
    list: &Field<'_>,
    part: Option<Part>,
) -> Option<FigureKind> {
    let x_log = table.value("x-log", Field::bool);
    let mut ys: Vec<Measure> = Vec::new();
    for item in list.items()? {
        let y = world.measure(&item, part.unwrap_or(Part::Whole))?;
        if ys.contains(&y) {
            return item.bad("this metric is already in the list");
        }
        if ys.first().is_some_and(|first| first.metric.unit() != y.metric.unit()) {
            return item.bad("all metrics of a figure must have one unit");
        }
        ys.push(y);
    }
    let (x, x_log) = (x?, x_log?);
    let at = at(table, world, &[&x], None, true)?;
    let part = part?;
    let happen = ys.iter().all(|&y| world.happens(y, part));
    happen.then_some(FigureKind::Metrics { x, x_log, ys, at })
}

/// The quantity that a figure draws. `None` for a list: figures with a single quantity refuse lists
/// by declaration.
fn one<'a>(table: &Table<'a>) -> Option<Field<'a>> {
    table.get("y").filter(|field| !field.is_list())
}

/// A quantity drawn over time.
#[derive(Clone, Copy)]
enum OverTime {
    Sample(Trace),
    Share(Shared),
}

fn time(table: &Table<'_>, world: &World<'_>) -> Option<FigureKind> {
    world.needs_samples(table);
    let mut words: Vec<(&str, OverTime)> =
        TRACES.iter().map(|(name, trace)| (*name, OverTime::Sample(*trace))).collect();
    words.extend(words::SHARES.iter().map(|(name, share)| (*name, OverTime::Share(*share))));
    match one(table)?.one_of(&words)? {
        OverTime::Sample(y) => {
            let of = table.get("of").map_or(Some(Vec::new()), |f| world.groups(&f));
            let series = series(table, world)?;
            let at = at(table, world, &[&series], Some(&series), true);
            Some(FigureKind::Time { y, series, at: at?, of: of? })
        }
        OverTime::Share(Shared::Ratio) => {
            let of = table.read("of", |f| world.groups(f));
            let over = table.read("over", |f| world.groups(f));
            shares(table, world, Share::Ratio { of: of?, over: over? })
        }
        OverTime::Share(Shared::Jain) => {
            let of = table.get("of").map_or(Some(Vec::new()), |f| world.groups(&f));
            shares(table, world, Share::Jain { of: of? })
        }
    }
}

/// A figure of one curve, or of one for each value of a variable, each over all flows.
fn shares(table: &Table<'_>, world: &World<'_>, share: Share) -> Option<FigureKind> {
    let series = match table.get("series") {
        Some(field) => Some(world.variable(&field, false)?),
        None => None,
    };
    let free: Vec<&str> = series.as_deref().into_iter().collect();
    let at = at(table, world, &free, series.as_deref(), true)?;
    Some(FigureKind::Shares { share, series, at })
}

fn scatter(table: &Table<'_>, world: &World<'_>) -> Option<FigureKind> {
    let part = world.part(table);
    let measure = |f: &Field<'_>| world.measure(f, part.unwrap_or(Part::Whole));
    let (x, y) = (table.read("x", measure), one(table).and_then(|f| measure(&f)));
    let series = series(table, world);
    // Each point has a mark, so no variable needs a fixed value.
    let at = at(table, world, &[], None, false);
    let (x, y, part) = (x?, y?, part?);
    let happens = world.happens(x, part) && world.happens(y, part);
    happens.then_some(FigureKind::Scatter { x, y, series: series?, at: at? })
}

/// Bars for each network; shares cannot be shown in this form.
fn networks(table: &Table<'_>, world: &World<'_>) -> Option<FigureKind> {
    world.needs_samples(table);
    let y = one(table)?.one_of(TRACES)?;
    let series = series(table, world)?;
    let at = at(table, world, &[&series], Some(&series), true)?;
    Some(FigureKind::Networks { y, series, at })
}

/// A curve for each value of a variable, over all flows and seeds.
fn distribution(table: &Table<'_>, world: &World<'_>) -> Option<FigureKind> {
    let x = table.read("x", |f| world.measure(f, Part::Whole));
    let x_log = table.value("x-log", Field::bool);
    let series = series(table, world);
    let (x, x_log, series) = (x?.metric, x_log?, series?);
    let at = at(table, world, &[&series], Some(&series), true)?;
    Some(FigureKind::Distribution { x, x_log, series, at })
}
