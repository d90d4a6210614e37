//! Schemas of the numbers that quotes state, by unit of the metric.

use serde_json::{Value, json};

use super::shapes::{Context, shape};
use crate::keys::{Range, Shape};
use crate::metric::{METRICS, Unit};

/// A number of at least 0.
const NUMBER: Shape = Shape::Number(Range::new(0.0, 1e15));

/// For each unit: the schema of the value that a quote states.
pub(super) fn expected() -> Vec<Value> {
    let units: [(&[Unit], Shape); 6] = [
        (&[Unit::BitsPerSecond], Shape::Rate),
        (&[Unit::Seconds], Shape::TIME),
        (&[Unit::Share, Unit::Ratio], Shape::PROBABILITY),
        (&[Unit::Factor, Unit::Packets, Unit::Octets, Unit::PerSecond], NUMBER),
        (&[Unit::AmpereSeconds], Shape::Charge),
        (&[Unit::Error], Shape::RelativeError),
    ];
    let of = |(units, expect): &(&[Unit], Shape)| {
        let metrics = METRICS.iter().filter(|(_, metric)| units.contains(&metric.unit()));
        let metrics: Vec<&str> = metrics.map(|(name, _)| *name).collect();
        let expect = shape(expect, Context::Plain);
        json!({
            "if": { "properties": { "metric": { "enum": metrics } }, "required": ["metric"] },
            "then": { "properties": { "value": { "properties": { "expect": expect } } } },
        })
    };
    units.iter().map(of).collect()
}
