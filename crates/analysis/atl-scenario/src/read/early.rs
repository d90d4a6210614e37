//! Queue disciplines that drop early: RED and WRED.

use atl_core::units::Probability;
use atl_link::{DropCurve, Limit, QueueAverage, Red, Wred};

use crate::table::{Field, Table};

/// Reads RED for a queue with this limit.
pub(super) fn red(table: &Table<'_>, limit: Limit) -> Option<Red> {
    let usual = Red::after_floyd(limit);
    let thresholds = |min: Option<f64>, max: Option<f64>| {
        let min = min.or(max.map(|max| max / 3.0)).unwrap_or(usual.curve.min);
        (min, max.unwrap_or((3.0 * min).min(limit.amount())))
    };
    let curve = curve(table, limit, thresholds, usual.curve.drop);
    let average = average(table, usual.average);
    let gentle = or(table, "gentle", usual.gentle, Field::bool);
    let adaptive = or(table, "adaptive", usual.adaptive, Field::bool);
    Some(Red { limit, curve: curve?, average: average?, gentle: gentle?, adaptive: adaptive? })
}

/// Reads WRED for a queue with this limit.
pub(super) fn wred(table: &Table<'_>, limit: Limit) -> Option<Wred> {
    let usual = Wred::after_cisco(limit);
    let above = |share: f64, most: f64| {
        move |min: Option<f64>, max: Option<f64>| {
            let max = max.unwrap_or(most);
            (min.unwrap_or(share * max), max)
        }
    };
    let average = average(table, usual.average);
    let gentle = or(table, "gentle", usual.gentle, Field::bool);
    let high = curve(table, limit, above(0.75, usual.high.max), usual.high.drop)?;
    let low = match table.get("low") {
        Some(field) => curve(&field.table()?, limit, above(0.5, high.max), high.drop)?,
        None => DropCurve { min: 0.5 * high.max, ..high },
    };
    Some(Wred { limit, high, low, average: average?, gentle: gentle? })
}

/// Reads a drop curve; `fill` supplies missing thresholds.
fn curve(
    table: &Table<'_>,
    limit: Limit,
    fill: impl Fn(Option<f64>, Option<f64>) -> (f64, f64),
    drop: Probability,
) -> Option<DropCurve> {
    let given = |key| -> Option<Option<f64>> {
        match table.get(key) {
            Some(field) => threshold(&field, limit).map(Some),
            None => Some(None),
        }
    };
    let (min, max) = (given("min"), given("max"));
    let drop = or(table, "drop", drop, Field::probability);
    let (min, max) = fill(min?, max?);
    let wrong = |key: &'static str, label: String| match table.get(key) {
        Some(field) => field.bad(label),
        None => {
            table.report(format!("`{}` has no room between its thresholds", table.path), label);
            None
        }
    };
    if max > limit.amount() {
        return wrong("max", format!("the queue is at most {} long", limit.amount()));
    }
    if min >= max {
        let key = if table.get("min").is_some() { "min" } else { "max" };
        return wrong(key, format!("`min` ({min}) must be below `max` ({max})"));
    }
    Some(DropCurve { min, max, drop: drop? })
}

/// Reads an average queue length in the unit of the queue's limit.
fn threshold(field: &Field<'_>, limit: Limit) -> Option<f64> {
    match limit {
        Limit::Packets(_) if field.is_text() => {
            field.wanted("a number of packets", "a size needs a queue with `bytes`")
        }
        Limit::Packets(_) => field.number(),
        Limit::Bytes(_) if !field.is_text() => {
            field.wanted("a size like `bytes`", "a number of packets needs a queue with `packets`")
        }
        Limit::Bytes(_) => field.size().map(|bytes| bytes as f64),
    }
}

fn average(table: &Table<'_>, usual: QueueAverage) -> Option<QueueAverage> {
    let weight = or(table, "weight", usual.weight, |f| f.number().map(Probability::clamped));
    let mean_packet = or(table, "mean-packet", usual.mean_packet, |field| {
        let bytes = field.size()?;
        u32::try_from(bytes)
            .ok()
            .or_else(|| field.bad(format!("it must be at most {} bytes", u32::MAX)))
    });
    Some(QueueAverage { weight: weight?, mean_packet: mean_packet? })
}

/// Reads a key, otherwise takes a default.
fn or<'a, T>(
    table: &Table<'a>,
    key: &'static str,
    otherwise: T,
    read: impl FnOnce(&Field<'a>) -> Option<T>,
) -> Option<T> {
    match table.get(key) {
        Some(field) => read(&field),
        None => Some(otherwise),
    }
}
