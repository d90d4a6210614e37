//! Quotes: the claims that a scenario is held to.

use super::World;
use super::measure::Part;
use crate::errors::Problem;
use crate::keys;
use crate::measure::Measure;
use crate::metric::Unit;
use crate::quote::{Claim, Quote};
use crate::scenario::Metric;
use crate::table::{Field, Table};

/// Largest number that a quote may state, in base units.
const MAX: f64 = 1e15;

/// Reads the quotes; `source` is the scenario's, where a quote names none of its own. Those about a part of
/// the run that the command line has cut off are left out.
pub(crate) fn quotes(top: &Table<'_>, world: &World<'_>) -> Vec<Quote> {
    let source = top.read("source", Field::text);
    let tables = top.read("quote", |f| Some(f.tables(&keys::QUOTE, "id"))).unwrap_or_default();
    let mut quotes: Vec<Quote> = Vec::new();
    for table in &tables {
        let Some(quote) = quote(table, world, source) else {
            continue;
        };
        if quotes.iter().any(|q| q.id == quote.id)
            && let Some(field) = table.get("id")
        {
            field.bad::<()>("another quote has this id");
        }
        quotes.push(quote);
    }
    quotes
}

fn quote(table: &Table<'_>, world: &World<'_>, source: Option<&str>) -> Option<Quote> {
    let id = table.need("id").and_then(|f| f.name());
    let text = table.need("text").and_then(|f| f.text());
    let source = match (table.get("source"), source) {
        (Some(field), _) => field.text(),
        (None, Some(source)) => Some(source),
        (None, None) => table.need("source").and_then(|f| f.text()),
    };
    let note = table.read("note", Field::text).map(|note| note.trim().to_owned());
    let part = world.part(table);
    let measure = table.need("metric").and_then(|f| world.measure(&f, part.unwrap_or(Part::Whole)));
    let claims: Vec<Field<'_>> =
        ["value", "ratio", "order", "above"].iter().filter_map(|key| table.get(key)).collect();
    let [claim] = claims.as_slice() else {
        let problem = Problem::new("a quote makes one claim")
            .at(table.at)
            .key(&*table.path)
            .label(format!("makes {}", claims.len()))
            .help("a claim is one of `value`, `ratio`, `order`, `above`");
        table.cx.sink.report(problem);
        return None;
    };
    let measure = measure?;
    let claim = if table.get("value").is_some() {
        value(claim, world, measure)
    } else if table.get("ratio").is_some() {
        ratio(claim, world, measure)
    } else if table.get("order").is_some() {
        order(claim, world, measure)
    } else {
        above(claim, world, measure)
    };
    if !world.happens(measure, part?) {
        return None;
    }
    Some(Quote {
        id: id?.to_owned(),
        text: text?.trim().to_owned(),
        source: source?.to_owned(),
        claim: claim?,
        note,
    })
}

/// The relative distance that still counts as met.
fn within(table: &Table<'_>) -> Option<f64> {
    let field = table.need("within")?;
    match field.probability()?.get() {
        0.0 => field.bad("nothing that is measured is exact: write \"1%\" or more"),
        share => Some(share),
    }
}

/// A number in the metric's unit.
fn expected(field: &Field<'_>, metric: Metric) -> Option<f64> {
    match metric.unit() {
        Unit::BitsPerSecond => field.rate().map(|rate| rate.bps()),
        Unit::Seconds => field.time().map(|time| time.secs()),
        Unit::Share | Unit::Ratio => field.probability().map(|share| share.get()),
        Unit::Packets | Unit::Octets | Unit::PerSecond => field.number(0.0, MAX),
        Unit::Error => field.error(),
    }
}

fn value(field: &Field<'_>, world: &World<'_>, measure: Measure) -> Option<Claim> {
    let table = field.table(&keys::VALUE)?;
    let of = table.need("of").and_then(|f| world.selection(&f, None));
    let expect = table.need("expect").and_then(|f| expected(&f, measure.metric));
    let tolerance = within(&table);
    Some(Claim::Value { measure, of: of?, expect: expect?, tolerance: tolerance? })
}

fn ratio(field: &Field<'_>, world: &World<'_>, measure: Measure) -> Option<Claim> {
    let table = field.table(&keys::RATIO)?;
    let of = table.need("of").and_then(|f| world.selection(&f, None));
    let over = table.need("over").and_then(|f| world.selection(&f, None));
    let expect = table.need("expect").and_then(|f| match f.number(0.0, MAX)? {
        0.0 => f.bad("a ratio is above zero"),
        ratio => Some(ratio),
    });
    let tolerance = within(&table);
    Some(Claim::Ratio { measure, of: of?, over: over?, expect: expect?, tolerance: tolerance? })
}

fn order(field: &Field<'_>, world: &World<'_>, measure: Measure) -> Option<Claim> {
    let items = field.items()?;
    if items.len() < 2 {
        return field.bad("an order has two selections or more, from highest to lowest");
    }
    let of: Vec<_> = items.iter().map(|item| world.selection(item, None)).collect();
    Some(Claim::Order { measure, of: of.into_iter().collect::<Option<_>>()? })
}

fn above(field: &Field<'_>, world: &World<'_>, measure: Measure) -> Option<Claim> {
    let table = field.table(&keys::ABOVE)?;
    let along = table.need("along").and_then(|f| world.variable(&f, false));
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
        table.report("`from` is above `to`", "the wrong way round");
    }
    let along = along?;
    let of = table.need("of").and_then(|f| world.selection(&f, Some(&along)));
    let over = table.need("over").and_then(|f| world.selection(&f, Some(&along)));
    Some(Claim::Above { measure, of: of?, over: over?, along, range })
}
