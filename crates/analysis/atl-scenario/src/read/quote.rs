//! Reading quotes and the claims in them.

use super::World;
use super::measure::Part;
use super::standing::{check_readings, standing};
use crate::keys::Range;
use crate::measure::Measure;
use crate::metric::Unit;
use crate::quote::{Bound, Claim, Quote};
use crate::scenario::Metric;
use crate::table::{Field, Table};

/// Limit on the number that a quote states, in base units.
const MAX: f64 = 1e15;

/// Reads the quotes; `source` is the scenario's, for quotes without their own. Leaves out those
/// about a part of the run that the command line cut off.
pub(crate) fn quotes(top: &Table<'_>, world: &World<'_>) -> Vec<Quote> {
    let source = top.read("source", Field::text);
    let tables = top.read("quote", |f| Some(f.tables("id"))).unwrap_or_default();
    check_readings(&tables);
    let mut quotes: Vec<Quote> = Vec::new();
    for table in &tables {
        let Some(quote) = quote(table, world, source) else {
            continue;
        };
        if quotes.iter().any(|q| q.id == quote.id)
            && let Some(field) = table.get("id")
        {
            field.bad::<()>("another quote has this `id`");
        }
        quotes.push(quote);
    }
    quotes
}

fn quote(table: &Table<'_>, world: &World<'_>, source: Option<&str>) -> Option<Quote> {
    let id = table.read("id", Field::name);
    let text = table.read("text", Field::text);
    let source = match (table.get("source"), source) {
        (Some(field), _) => field.text(),
        (None, Some(source)) => Some(source),
        (None, None) => {
            table.missing("source");
            None
        }
    };
    let standing = standing(table, id);
    let note = table.read("note", Field::text).map(|note| note.trim().to_owned());
    let part = world.part(table);
    let measure = table.read("metric", |f| world.measure(f, part.unwrap_or(Part::Whole)))?;
    let claim = match () {
        () if let Some(field) = table.get("value") => value(&field, world, measure),
        () if let Some(field) = table.get("ratio") => ratio(&field, world, measure),
        () if let Some(field) = table.get("order") => order(&field, world, measure),
        () => above(&table.get("above")?, world, measure),
    };
    if !world.happens(measure, part?) {
        return None;
    }
    Some(Quote {
        id: id?.to_owned(),
        text: text?.trim().to_owned(),
        source: source?.to_owned(),
        claim: claim?,
        standing: standing?,
        note,
    })
}

/// Reads the relative distance that still counts as met.
fn within(table: &Table<'_>) -> Option<f64> {
    table.read("within", Field::probability).map(|share| share.get())
}

/// Reads a number in the metric's unit.
fn expected(field: &Field<'_>, metric: Metric) -> Option<f64> {
    match metric.unit() {
        Unit::BitsPerSecond => field.rate().map(|rate| rate.bps()),
        Unit::Seconds => field.any_time().map(|time| time.secs()),
        Unit::Share | Unit::Ratio => field.any_probability().map(|share| share.get()),
        Unit::Factor | Unit::Packets | Unit::Octets | Unit::PerSecond => {
            field.number_in(Range::new(0.0, MAX))
        }
        Unit::AmpereSeconds => field.charge(),
        Unit::Error => field.relative_error(),
    }
}

/// Reads the stated number from the key that says whether it is a bound.
fn stated(table: &Table<'_>, number: impl Fn(&Field<'_>) -> Option<f64>) -> Option<(f64, Bound)> {
    let keys = [("expect", Bound::Equal), ("at-most", Bound::AtMost), ("at-least", Bound::AtLeast)];
    let (key, bound) = keys.into_iter().find(|(key, _)| table.get(key).is_some())?;
    Some((table.read(key, number)?, bound))
}

/// Reads the tolerance, which a bound need not have.
fn tolerance(table: &Table<'_>, bound: Bound) -> Option<f64> {
    match bound {
        Bound::AtMost | Bound::AtLeast if table.get("within").is_none() => Some(0.0),
        _ => within(table),
    }
}

fn value(field: &Field<'_>, world: &World<'_>, measure: Measure) -> Option<Claim> {
    let table = field.table()?;
    let of = table.read("of", |f| world.selection(f, None));
    let (expect, bound) = stated(&table, |f| expected(f, measure.metric))?;
    let tolerance = tolerance(&table, bound)?;
    Some(Claim::Value { measure, of: of?, expect, bound, tolerance })
}

fn ratio(field: &Field<'_>, world: &World<'_>, measure: Measure) -> Option<Claim> {
    let table = field.table()?;
    let of = table.read("of", |f| world.selection(f, None));
    let over = table.read("over", |f| world.selection(f, None));
    let (expect, bound) = stated(&table, |f| f.number())?;
    let tolerance = tolerance(&table, bound)?;
    Some(Claim::Ratio { measure, of: of?, over: over?, expect, bound, tolerance })
}

fn order(field: &Field<'_>, world: &World<'_>, measure: Measure) -> Option<Claim> {
    let items = field.items()?;
    let of: Vec<_> = items.iter().map(|item| world.selection(item, None)).collect();
    Some(Claim::Order { measure, of: of.into_iter().collect::<Option<_>>()? })
}

fn above(field: &Field<'_>, world: &World<'_>, measure: Measure) -> Option<Claim> {
    let table = field.table()?;
    let along = table.read("along", |f| world.variable(f, false));
    let bound = |key| {
        let field: Field<'_> = table.get(key)?;
        field.value().and_then(|v| v.number).or_else(|| field.bad("it must be a number"))
    };
    let (from, to) = (bound("from"), bound("to"));
    let range = match (from, to) {
        (None, None) => None,
        (from, to) => Some((from.unwrap_or(f64::NEG_INFINITY), to.unwrap_or(f64::INFINITY))),
    };
    if range.is_some_and(|(from, to)| from > to) {
        table.report("`from` is above `to`", "swap them");
    }
    let along = along?;
    let of = table.read("of", |f| world.selection(f, Some(&along)));
    let over = table.read("over", |f| world.selection(f, Some(&along)));
    let tolerance = table.get("within").map_or(Some(0.0), |_| within(&table));
    Some(Claim::Above { measure, of: of?, over: over?, along, range, tolerance: tolerance? })
}
