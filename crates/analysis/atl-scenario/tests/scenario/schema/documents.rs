//! Documents in the forms that the schema and the reader take.

use std::path::Path;

use atl_scenario::{Errors, Overrides, parse};
use serde_json::{Value, json};
use toml::de::{DeTable, DeValue};

/// The document as an editor passes it to a validator; `None` if it is not TOML or has a value that
/// JSON lacks.
pub(super) fn json_of(text: &str) -> Option<Value> {
    let table = DeTable::parse(text).ok()?;
    table_of(table.get_ref())
}

fn table_of(table: &DeTable<'_>) -> Option<Value> {
    table
        .iter()
        .map(|(key, value)| Some((key.get_ref().to_string(), value_of(value.get_ref())?)))
        .collect::<Option<serde_json::Map<_, _>>>()
        .map(Value::Object)
}

fn value_of(value: &DeValue<'_>) -> Option<Value> {
    Some(match value {
        DeValue::String(text) => json!(text),
        DeValue::Integer(n) => json!(i64::from_str_radix(n.as_str(), n.radix()).ok()?),
        DeValue::Float(n) => json!(n.as_str().parse::<f64>().ok().filter(|n| n.is_finite())?),
        DeValue::Boolean(b) => json!(b),
        DeValue::Datetime(_) => return None,
        DeValue::Array(items) => {
            items.iter().map(|item| value_of(item.get_ref())).collect::<Option<Vec<_>>>()?.into()
        }
        DeValue::Table(table) => table_of(table)?,
    })
}

/// Reads a document. Every trace has the same two lines.
pub(super) fn read(text: &str) -> Result<(), Errors> {
    let trace = |_: &Path| Ok("1\n5\n".to_owned());
    parse("t", text, Path::new("t.toml"), &trace, &Overrides::default()).map(|_| ())
}

pub(super) fn reader_accepts(text: &str) -> bool {
    read(text).is_ok()
}

/// A document as TOML, one line for each top-level key.
pub(super) fn toml_of(document: &Value) -> String {
    let entries = document.as_object().expect("a table");
    entries.iter().map(|(key, value)| format!("{key} = {}\n", inline(value))).collect()
}

fn inline(value: &Value) -> String {
    match value {
        Value::Object(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{} = {}", json!(key), inline(value)))
                .collect();
            format!("{{ {} }}", entries.join(", "))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(inline).collect();
            format!("[{}]", items.join(", "))
        }
        // JSON writes large floats as integers with an exponent, and TOML reads these as floats
        // too.
        scalar => scalar.to_string(),
    }
}
