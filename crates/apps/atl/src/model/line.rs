//! Results of a model with unit and equation, as a table or as JSON.

use atl_core::units::Rate;
use atl_report::quantity::number;
use atl_report::table::{Cell, Column, Table};
use serde_json::{Map, Value, json};

use crate::document::Format;
use crate::failure::Failure;
use crate::output::{self, Look};
use crate::status::Status;

/// A result with its unit and equation.
pub(super) struct Line {
    /// Key in the JSON document.
    pub key: &'static str,
    /// Description, preceded by the symbol.
    pub name: &'static str,
    /// Value in the base unit; `None` if the equation has no solution.
    pub value: Option<f64>,
    /// Base unit of the value.
    pub unit: &'static str,
    /// Value with unit, for display.
    pub shown: String,
    /// The equation or option that gives it.
    pub equation: String,
}

impl Line {
    /// A number without a unit.
    pub(super) fn bare(key: &'static str, name: &'static str, value: f64, equation: &str) -> Line {
        Line::of(key, name, value, "", number(value), equation)
    }

    /// A time in seconds.
    pub(super) fn time(
        key: &'static str,
        name: &'static str,
        seconds: f64,
        equation: &str,
    ) -> Line {
        let shown = format!("{} ms", number(seconds * 1e3));
        Line::of(key, name, seconds, "s", shown, equation)
    }

    /// A rate in packets per second, with packets of `bytes`.
    pub(super) fn rate(
        key: &'static str,
        name: &'static str,
        rate: f64,
        bytes: u32,
        equation: &str,
    ) -> Line {
        let shown = packets_per_second(rate, bytes);
        Line::of(key, name, rate, "packets/s", shown, equation)
    }

    /// As an object with value, unit and equation.
    pub(super) fn to_json(&self) -> Value {
        json!({ "value": self.value, "unit": self.unit, "equation": self.equation })
    }

    /// A value in any unit.
    pub(super) fn of(
        key: &'static str,
        name: &'static str,
        value: f64,
        unit: &'static str,
        shown: String,
        equation: &str,
    ) -> Line {
        let equation = equation.to_owned();
        Line { key, name, value: Some(value), unit, shown, equation }
    }
}

/// Such as `821.9 packets/s = 6.838 Mb/s`.
pub(super) fn packets_per_second(rate: f64, bytes: u32) -> String {
    let rate_mbps = Rate::from_bps(rate * 8.0 * f64::from(bytes)).mbps();
    format!("{} packets/s = {} Mb/s", number(rate), number(rate_mbps))
}

/// Prints results as a table or as JSON.
pub(super) fn print(
    model: &str,
    inputs: &Value,
    lines: &[Line],
    notes: &[&str],
    json: bool,
) -> Result<Status, Failure> {
    if json {
        let results: Map<String, Value> =
            lines.iter().map(|l| (l.key.to_owned(), l.to_json())).collect();
        let document = json!({
            "model": model,
            "inputs": inputs,
            "results": results,
            "notes": notes,
        });
        return output::json(Format::Model, &document);
    }
    let look = Look::of_stdout();
    let column =
        |title: &str| Column { title: title.to_owned(), key: title.to_owned(), quantity: None };
    let rows = lines.iter().map(|l| {
        let cells = [l.name.to_owned(), l.shown.clone(), l.equation.clone()];
        cells.map(Cell::Text).to_vec()
    });
    let table = Table {
        columns: vec![column("what"), column("value"), column("from")],
        rows: rows.collect(),
    };
    let mut out = look.table(&table);
    for note in notes {
        out.push_str(&look.paragraph("", note));
    }
    output::text(&out)
}

/// An error ratio for display, such as `1.20e-5`.
pub(super) fn error_ratio(ratio: f64) -> String {
    if ratio > 0.0 { format!("{ratio:.2e}") } else { "0".to_owned() }
}
