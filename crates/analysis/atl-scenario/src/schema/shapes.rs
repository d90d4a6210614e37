//! Schemas of the shapes of values.

use serde_json::{Map, Value, json};

use super::definition::definition;
use crate::keys::{Range, Shape};
use crate::units;

/// Use of variables: decides if `$name` may stand for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    Variables,
    Plain,
}

/// Pattern of names of nodes, links, flows, networks and variables.
pub(super) const NAME: &str = "^[A-Za-z0-9_-]{1,64}$";
/// Pattern of a use of a variable.
const VARIABLE: &str = r"^\$[A-Za-z0-9_-]{1,64}$";
/// Patterns of numbers of at least 0, and of numbers above 0.
const NUMBER: &str = r"\+?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?";
const POSITIVE: &str =
    r"\+?([0-9]*[1-9][0-9]*\.?[0-9]*|[0-9]*\.[0-9]*[1-9][0-9]*)([eE][+-]?[0-9]+)?";

/// Definitions shared by several sections.
pub(super) fn definitions() -> Map<String, Value> {
    let plain = json!({ "$ref": "#/$defs/plain" });
    let text = json!({ "type": "string", "not": { "pattern": VARIABLE } });
    let all = json!({
        "variable": {
            "type": "string",
            "pattern": VARIABLE,
            "description": "The value of a variable of `[vars]` or `[sweep]`."
        },
        "plain": {
            "description": "A value without variables in it.",
            "anyOf": [
                text,
                { "type": ["number", "boolean"] },
                { "type": "array", "items": plain },
                { "type": "object", "additionalProperties": plain },
            ]
        },
        "value": {
            "description": "A value of a variable; a list needs a label: `{ label = \"...\", value = [...] }`.",
            "anyOf": [
                text,
                { "type": ["number", "boolean"] },
                {
                    "type": "object",
                    "additionalProperties": plain,
                    "if": { "required": ["value"] },
                    "then": { "$ref": "#/$defs/vars.NAME" }
                },
            ]
        },
    });
    match all {
        Value::Object(all) => all,
        _ => Map::new(),
    }
}

pub(super) fn shape(shape: &Shape, context: Context) -> Value {
    let mut schemas = Vec::new();
    for alternative in shape.alternatives() {
        schemas.extend(plain(alternative, context));
    }
    if context == Context::Variables && !matches!(shape, Shape::Text | Shape::Option) {
        schemas.push(json!({ "$ref": "#/$defs/variable" }));
    }
    match <[Value; 1]>::try_from(schemas) {
        Ok([only]) => only,
        Err(schemas) => json!({ "anyOf": schemas }),
    }
}

/// Schemas of one alternative.
fn plain(one: &Shape, context: Context) -> Vec<Value> {
    let only = match *one {
        Shape::Text => json!({ "type": "string" }),
        Shape::ShortText(longest) => {
            json!({ "type": "string", "minLength": 1, "maxLength": longest })
        }
        Shape::Name => json!({ "type": "string", "pattern": NAME }),
        Shape::Word(words) => json!({ "enum": (words.list)() }),
        Shape::Bool => json!({ "type": "boolean" }),
        Shape::Off => json!({ "const": false }),
        Shape::Whole { from, to: u64::MAX } => json!({ "type": "integer", "minimum": from }),
        Shape::Whole { from, to } => json!({ "type": "integer", "minimum": from, "maximum": to }),
        Shape::Number(range) => number(range),
        Shape::Probability(range) => {
            let percent = if range.above { POSITIVE } else { NUMBER };
            return vec![number(range), quantity(percent, &["%"], "a percentage such as \"1%\"")];
        }
        Shape::RelativeError => {
            let percent = quantity(&format!("-?{NUMBER}"), &["%"], "a percentage such as \"-5%\"");
            return vec![number(Range::new(-10.0, 10.0)), percent];
        }
        Shape::Time { from, .. } => {
            let number = if from.is_zero() { NUMBER } else { POSITIVE };
            quantity(number, &names(units::TIMES), "a time such as \"10ms\" or \"1.5s\"")
        }
        // Zero is below the lowest rate.
        Shape::Rate => {
            quantity(POSITIVE, &names(units::RATES), "a rate such as \"2Mb/s\" or \"250kb/s\"")
        }
        Shape::Size(least) => {
            let number = if least == 0 { NUMBER } else { POSITIVE };
            quantity(number, &names(units::SIZES), "a size such as \"10MB\" or \"1500B\"")
        }
        Shape::Frequency(range) => {
            let text =
                quantity(POSITIVE, &names(units::FREQUENCIES), "a frequency such as \"10Hz\"");
            return vec![number(range), text];
        }
        Shape::Decibels(range) => {
            let text = quantity(&format!("-?{NUMBER}"), &["dB"], "a level such as \"20dB\"");
            return vec![number(range), text];
        }
        Shape::Length(range) => {
            let zero = range.from == 0.0 && range.above;
            let digits = if zero { POSITIVE.to_owned() } else { format!("-?{NUMBER}") };
            let text = quantity(&digits, &names(units::LENGTHS), "a length such as \"500m\"");
            return vec![number(range), text];
        }
        Shape::Speed(_) => {
            quantity(POSITIVE, &names(units::SPEEDS), "a speed such as \"50km/h\" or \"10m/s\"")
        }
        Shape::Current => {
            quantity(NUMBER, &names(units::CURRENTS), "a current such as \"327mA\" or \"0.5A\"")
        }
        Shape::Charge => {
            quantity(NUMBER, &names(units::CHARGES), "a charge such as \"2.5mAmin\" or \"730mAh\"")
        }
        Shape::Table(section) => json!({ "$ref": format!("#/$defs/{}", definition(section)) }),
        Shape::List { of, from, to } => {
            let mut list = json!({ "type": "array", "items": shape(of, context) });
            if from > 0 {
                list["minItems"] = json!(from);
            }
            if to < usize::MAX {
                list["maxItems"] = json!(to);
            }
            list
        }
        Shape::AnyOf(shapes) => {
            return shapes.iter().flat_map(|shape| plain(shape, context)).collect();
        }
        Shape::Value => json!({ "$ref": "#/$defs/value" }),
        Shape::Anything => json!({ "$ref": "#/$defs/plain" }),
        Shape::PointValue => json!({ "type": ["string", "number", "boolean", "object"] }),
        Shape::Quantity => {
            let units = [
                units::TIMES,
                units::RATES,
                units::SIZES,
                units::FREQUENCIES,
                units::LENGTHS,
                units::SPEEDS,
            ];
            let mut units: Vec<&str> = units.into_iter().flat_map(names).collect();
            units.extend(["dB", "%"]);
            let text = quantity(&format!("-?{NUMBER}"), &units, "a number with its unit");
            return vec![json!({ "type": "number" }), text];
        }
        Shape::Expected => json!({ "type": ["string", "number"] }),
        Shape::Option => json!({}),
    };
    vec![only]
}

fn number(range: Range) -> Value {
    let low = if range.above { "exclusiveMinimum" } else { "minimum" };
    let high = if range.below { "exclusiveMaximum" } else { "maximum" };
    json!({ "type": "number", low: range.from, high: range.to })
}

fn names(units: &[(&'static str, f64)]) -> Vec<&'static str> {
    units.iter().map(|(name, _)| *name).collect()
}

/// Schema of a text with a number and one of these units.
fn quantity(number: &str, units: &[&str], what: &str) -> Value {
    let pattern = format!(r"^\s*{number}\s*({})\s*$", units.join("|"));
    json!({ "type": "string", "pattern": pattern, "description": what })
}
