//! Figures of the report.

use std::collections::BTreeMap;

use super::World;
use super::measure::Part;
use super::selection::matches;
use crate::keys;
use crate::metric::{TRACES, Trace};
use crate::scenario::{Figure, FigureKind, Measure, Share, Value};
use crate::table::{Field, Table};
use crate::tree;

#[derive(Clone, Copy)]
enum Kind {
    Sweep,
    Time,
    Scatter,
}

/// Reads the figures. Those that show none of `points`, because the command line narrowed the sweep, and
/// those about a part of the run that it has cut off, are left out.
pub(crate) fn figures(
    top: &Table<'_>,
    world: &World<'_>,
    points: &[BTreeMap<String, Value>],
) -> Vec<Figure> {
    let tables = top.read("figure", |f| Some(f.tables(&keys::FIGURE, "name"))).unwrap_or_default();
    let mut figures: Vec<Figure> = tables.iter().filter_map(|t| figure(t, world)).collect();
    figures.retain(|figure| points.iter().any(|p| matches(p, figure.kind.at())));
    figures
}

fn figure(table: &Table<'_>, world: &World<'_>) -> Option<Figure> {
    let title = table.need("title").and_then(|f| f.text());
    let caption = table.read("caption", Field::text).unwrap_or_default();
    let kind = table.need("kind").and_then(|f| {
        f.one_of(&[("sweep", Kind::Sweep), ("time", Kind::Time), ("scatter", Kind::Scatter)])
    });
    let kind = match kind? {
        Kind::Sweep => sweep(table, world),
        Kind::Time => time(table, world),
        Kind::Scatter => scatter(table, world),
    };
    Some(Figure {
        title: title?.trim().to_owned(),
        caption: caption.trim().to_owned(),
        kind: kind?,
    })
}

fn series(table: &Table<'_>, world: &World<'_>) -> Option<String> {
    table.need("series").and_then(|f| world.variable(&f, true))
}

fn at(
    table: &Table<'_>,
    world: &World<'_>,
    free: &[&str],
    each: Option<&str>,
    one: bool,
) -> Option<BTreeMap<String, Value>> {
    match table.get("at") {
        Some(field) => world.at(&field.table(&keys::AT)?, free, each, one),
        None => world.at(&table.empty(&keys::AT), free, each, one),
    }
}

/// Keys that another kind of figure has.
fn only(table: &Table<'_>, keys: &[&'static str], kind: &str) {
    for key in keys {
        if let Some(field) = table.get(key) {
            field.bad::<()>(format!("only a figure of {kind} has it"));
        }
    }
}

/// Kinds with a key of their own.
const SWEEP: &str = "kind \"sweep\"";
const SWEEP_OR_SCATTER: &str = "kind \"sweep\" or \"scatter\"";
const RATIO: &str = "kind \"time\" with y = \"ratio\"";
const TIME: &str = "kind \"time\"";

fn sweep(table: &Table<'_>, world: &World<'_>) -> Option<FigureKind> {
    only(table, &["of", "over"], TIME);
    let x = table.need("x").and_then(|f| world.variable(&f, false));
    let part = world.part(table);
    let y = table.need("y");
    if let Some(list) = y.as_ref().filter(|f| matches!(f.node.kind, tree::Kind::Array(_))) {
        return metrics(table, world, x, list, part);
    }
    let y = y.and_then(|f| world.measure(&f, part.unwrap_or(Part::Whole)));
    let series = series(table, world);
    let x_log = table.read("x-log", Field::bool).unwrap_or(false);
    let (x, series) = (x?, series?);
    let at = at(table, world, &[&x, &series], Some(&series), true);
    let y = y?;
    world.happens(y, part?).then_some(FigureKind::Sweep { x, x_log, y, series, at: at? })
}

/// A sweep whose curves are metrics.
fn metrics(
    table: &Table<'_>,
    world: &World<'_>,
    x: Option<String>,
    list: &Field<'_>,
    part: Option<Part>,
) -> Option<FigureKind> {
    if let Some(field) = table.get("series") {
        field.bad::<()>("a list of metrics makes the curves: leave `series` out");
    }
    let x_log = table.read("x-log", Field::bool).unwrap_or(false);
    let mut ys: Vec<Measure> = Vec::new();
    for item in list.items()? {
        let y = world.measure(&item, part.unwrap_or(Part::Whole))?;
        if ys.contains(&y) {
            return item.bad("this metric is in the list already");
        }
        if ys.first().is_some_and(|first| first.metric.unit() != y.metric.unit()) {
            return item.bad("the metrics of a figure have one unit");
        }
        ys.push(y);
    }
    if ys.is_empty() {
        return list.bad("it names at least one metric");
    }
    let x = x?;
    let at = at(table, world, &[&x], None, true)?;
    let part = part?;
    let happen = ys.iter().all(|&y| world.happens(y, part));
    happen.then_some(FigureKind::Metrics { x, x_log, ys, at })
}

/// What is drawn over time.
#[derive(Clone, Copy)]
enum OverTime {
    Sample(Trace),
    Ratio,
    Jain,
}

fn time(table: &Table<'_>, world: &World<'_>) -> Option<FigureKind> {
    world.needs_samples(table);
    only(table, &["x", "x-log"], SWEEP);
    only(table, &["during"], SWEEP_OR_SCATTER);
    let mut words: Vec<(&str, OverTime)> =
        TRACES.iter().map(|(name, trace)| (*name, OverTime::Sample(*trace))).collect();
    words.extend([("ratio", OverTime::Ratio), ("jain", OverTime::Jain)]);
    match table.need("y").and_then(|f| f.one_of(&words))? {
        OverTime::Sample(y) => {
            only(table, &["over"], RATIO);
            let of = table.get("of").map_or(Some(Vec::new()), |f| world.groups(&f));
            let series = series(table, world)?;
            let at = at(table, world, &[&series], Some(&series), true);
            Some(FigureKind::Time { y, series, at: at?, of: of? })
        }
        OverTime::Ratio => {
            let of = table.need("of").and_then(|f| world.groups(&f));
            let over = table.need("over").and_then(|f| world.groups(&f));
            shares(table, world, Share::Ratio { of: of?, over: over? })
        }
        OverTime::Jain => {
            only(table, &["over"], RATIO);
            let of = table.get("of").map_or(Some(Vec::new()), |f| world.groups(&f));
            shares(table, world, Share::Jain { of: of? })
        }
    }
}

/// A figure of one curve, or of one for each value of a variable: all its flows are in each.
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
    only(table, &["x-log"], SWEEP);
    only(table, &["of", "over"], TIME);
    let part = world.part(table);
    let measure = |f: &Field<'_>| world.measure(f, part.unwrap_or(Part::Whole));
    let x = table.need("x").and_then(|f| measure(&f));
    let y = table.need("y").and_then(|f| measure(&f));
    let series = series(table, world);
    // A mark for each point: nothing needs to be pinned.
    let at = at(table, world, &[], None, false);
    let (x, y, part) = (x?, y?, part?);
    let happens = world.happens(x, part) && world.happens(y, part);
    happens.then_some(FigureKind::Scatter { x, y, series: series?, at: at? })
}
