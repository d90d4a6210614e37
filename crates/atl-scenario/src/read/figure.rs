//! Figures of the report.

use std::collections::BTreeMap;

use super::World;
use super::selection::matches;
use crate::keys;
use crate::metric::TRACES;
use crate::scenario::{Figure, FigureKind, Value};
use crate::table::{Field, Table};

#[derive(Clone, Copy)]
enum Kind {
    Sweep,
    Time,
    Scatter,
}

/// Reads the figures. Those that show none of `points`, because the command line narrowed the sweep, are
/// left out.
pub(crate) fn figures(
    top: &Table<'_>,
    world: &World<'_>,
    points: &[BTreeMap<String, Value>],
) -> Vec<Figure> {
    let tables = top.read("figure", |f| Some(f.tables(&keys::FIGURE, "name"))).unwrap_or_default();
    let mut figures: Vec<Figure> = tables.iter().filter_map(|t| figure(t, world)).collect();
    figures.retain(|figure| {
        let (FigureKind::Sweep { at, .. }
        | FigureKind::Time { at, .. }
        | FigureKind::Scatter { at, .. }) = &figure.kind;
        points.iter().any(|p| matches(p, at))
    });
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
    one: bool,
) -> Option<BTreeMap<String, Value>> {
    match table.get("at") {
        Some(field) => world.at(&field.table(&keys::AT)?, free, one),
        None => world.at(&table.empty(&keys::AT), free, one),
    }
}

/// Keys that another kind of figure has.
fn only(table: &Table<'_>, keys: &[&'static str], kind: &str) {
    for key in keys {
        if let Some(field) = table.get(key) {
            field.bad::<()>(format!("only a figure of kind \"{kind}\" has it"));
        }
    }
}

fn sweep(table: &Table<'_>, world: &World<'_>) -> Option<FigureKind> {
    let x = table.need("x").and_then(|f| world.variable(&f, false));
    let y = table.need("y").and_then(|f| world.metric(&f));
    let series = series(table, world);
    let x_log = table.read("x-log", Field::bool).unwrap_or(false);
    let (x, series) = (x?, series?);
    let at = at(table, world, &[&x, &series], true);
    Some(FigureKind::Sweep { x, x_log, y: y?, series, at: at? })
}

fn time(table: &Table<'_>, world: &World<'_>) -> Option<FigureKind> {
    world.needs_samples(table);
    only(table, &["x"], "sweep");
    only(table, &["x-log"], "sweep");
    let y = table.need("y").and_then(|f| f.one_of(TRACES));
    let series = series(table, world)?;
    let at = at(table, world, &[&series], true);
    Some(FigureKind::Time { y: y?, series, at: at? })
}

fn scatter(table: &Table<'_>, world: &World<'_>) -> Option<FigureKind> {
    only(table, &["x-log"], "sweep");
    let x = table.need("x").and_then(|f| world.metric(&f));
    let y = table.need("y").and_then(|f| world.metric(&f));
    let series = series(table, world);
    // A mark for each point: nothing needs to be pinned.
    let at = at(table, world, &[], false);
    Some(FigureKind::Scatter { x: x?, y: y?, series: series?, at: at? })
}
