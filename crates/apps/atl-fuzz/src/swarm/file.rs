//! A scenario as a tree of TOML, its text, and what the ordinary reader makes of that.

use std::fmt::Write as _;
use std::path::Path;

use atl_scenario::Overrides;
use atl_scenario::scenario::Scenario;
use toml::{Table, Value};

/// The text of a scenario file: tables of the top level under headings of their own, what is in
/// them inline.
pub fn text(tree: &Table) -> String {
    let mut out = String::new();
    let is_table = |value: &Value| match value {
        Value::Table(_) => true,
        Value::Array(items) => items.first().is_some_and(Value::is_table),
        _ => false,
    };
    let (tables, values): (Vec<_>, Vec<_>) = tree.iter().partition(|(_, value)| is_table(value));
    entries(values, &mut out);
    for (name, value) in tables {
        match value {
            Value::Table(table) if table.values().all(Value::is_table) => {
                for (key, value) in table {
                    let _ = writeln!(out, "\n[{name}.{key}]");
                    entries(value.as_table().into_iter().flatten(), &mut out);
                }
            }
            Value::Table(table) => {
                let _ = writeln!(out, "\n[{name}]");
                entries(table, &mut out);
            }
            _ => {
                for item in value.as_array().into_iter().flatten() {
                    let _ = writeln!(out, "\n[[{name}]]");
                    entries(item.as_table().into_iter().flatten(), &mut out);
                }
            }
        }
    }
    out
}

fn entries<'a>(entries: impl IntoIterator<Item = (&'a String, &'a Value)>, out: &mut String) {
    for (key, value) in entries {
        let _ = writeln!(out, "{key} = {}", inline(value));
    }
}

fn inline(value: &Value) -> String {
    match value {
        Value::Table(table) => {
            let entries = table.iter().map(|(key, value)| format!("{key} = {}", inline(value)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", "))
        }
        // Debug's form of a number always has a point, and its texts are escaped as TOML's are for
        // the characters that occur.
        Value::Float(number) => format!("{number:?}"),
        Value::String(text) => format!("{text:?}"),
        Value::Integer(number) => number.to_string(),
        Value::Boolean(yes) => yes.to_string(),
        Value::Datetime(at) => at.to_string(),
    }
}

/// The scenario that the ordinary reader makes of a tree's text.
///
/// # Errors
/// The reader's message.
pub fn read(tree: &Table) -> Result<Scenario, String> {
    read_with(tree, None)
}

/// The same with another duration.
///
/// # Errors
/// The reader's message.
pub(super) fn read_with(tree: &Table, duration: Option<String>) -> Result<Scenario, String> {
    let overrides = Overrides { duration, ..Overrides::default() };
    atl_scenario::parse(
        "swarm",
        &text(tree),
        Path::new("swarm.toml"),
        &atl_scenario::no_files,
        &overrides,
    )
    .map_err(|errors| errors.to_string())
}
