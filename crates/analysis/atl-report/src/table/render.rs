//! Cells as text, and tables as CSV.

use super::model::{Cell, Column, Table};
use crate::quantity::{median, plus_minus};
use crate::stats::{Estimate, Survival};

/// Number with its interval, in the column's unit.
pub(crate) fn show(column: &Column, estimate: &Estimate) -> String {
    plus_minus(&estimate.scaled(column.quantity.map_or(1.0, |q| q.factor)))
}

/// Kaplan-Meier median with its interval, in the column's unit.
pub(crate) fn show_time(column: &Column, time: &Survival) -> String {
    median(time, column.quantity.map_or(1.0, |q| q.factor))
}

/// Field of a CSV file (RFC 4180), quoted if necessary. A text that a spreadsheet would take for a
/// formula gets an apostrophe before it, since scenarios and their names may come from others.
pub(crate) fn csv_field(text: &str) -> String {
    if is_formula(text) {
        format!("\"'{}\"", text.replace('"', "\"\""))
    } else if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// True if a spreadsheet may evaluate the text. A signed number is none, with a unit or without.
fn is_formula(text: &str) -> bool {
    match text.as_bytes() {
        [b'=' | b'@' | b'\t' | b'\r', ..] => true,
        [b'+' | b'-', rest @ ..] => {
            let quantity = rest.first().is_some_and(u8::is_ascii_digit)
                && rest.iter().all(|byte| byte.is_ascii_alphanumeric() || b".%".contains(byte));
            !quantity && text.parse::<f64>().is_err()
        }
        _ => false,
    }
}

/// The table as CSV (RFC 4180, but with plain line feeds). Numbers are unrounded and in base units.
/// Each column of numbers is followed by two with the ends of the 95 % interval, named with the
/// suffixes `_low` and `_high`.
pub fn csv(table: &Table) -> String {
    let mut out = String::new();
    let mut line: Vec<String> = Vec::new();
    for column in &table.columns {
        line.push(csv_field(&column.key));
        if column.quantity.is_some() {
            line.push(format!("{}_low", column.key));
            line.push(format!("{}_high", column.key));
        }
    }
    out.push_str(&line.join(","));
    out.push('\n');
    for row in &table.rows {
        line.clear();
        for (cell, column) in row.iter().zip(&table.columns) {
            match cell {
                Cell::Text(text) => line.push(csv_field(text)),
                Cell::Verdict(v) => line.push(v.to_string()),
                Cell::Number(e) => line.push(e.mean.to_string()),
                Cell::Time(t) => line.push(t.median_s.map_or(String::new(), |s| s.to_string())),
                Cell::Absent | Cell::Empty => line.push(String::new()),
            }
            if column.quantity.is_some() {
                let bounds = match cell {
                    Cell::Number(e) => [e.low(), e.high()],
                    Cell::Time(t) => [t.low_s, t.high_s],
                    _ => [None; 2],
                };
                line.extend(bounds.map(|b| b.map_or(String::new(), |b| b.to_string())));
            }
        }
        out.push_str(&line.join(","));
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::csv_field;

    #[test]
    fn a_formula_is_text_in_a_spreadsheet() {
        for (formula, field) in [
            ("=1+2", "\"'=1+2\""),
            ("@SUM(A1:A9)", "\"'@SUM(A1:A9)\""),
            ("+cmd|' /C calc'!A0", "\"'+cmd|' /C calc'!A0\""),
            ("-2+3+HYPERLINK(\"x\")", "\"'-2+3+HYPERLINK(\"\"x\"\")\""),
            ("\t=1", "\"'\t=1\""),
            ("-", "\"'-\""),
        ] {
            assert_eq!(csv_field(formula), field);
        }
    }

    #[test]
    fn a_number_with_a_sign_stays_one() {
        for number in ["-1", "+1", "-.5", "-1e-9", "-inf", "+5ms", "-3dB", "-2.5%", "a=b", ""] {
            assert_eq!(csv_field(number), number);
        }
    }
}
