//! Sliders for the numbers in a scenario's text: its variables, and properties of networks and
//! links.

use std::ops::Range;

use serde::Serialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Keys of networks and links with a slider.
const KEYS: [&str; 4] = ["rate", "delay", "loss", "queue"];
/// Limit on the number of sliders, so that they stay useful.
const MOST: usize = 40;

/// A number in the text, with the range of its slider.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Knob {
    /// Path such as `vars.queue` or `network.wifi.loss`.
    pub path: String,
    /// Start of its value in the text, quotation marks included, in UTF-16 units.
    pub from: usize,
    /// End of its value, in UTF-16 units.
    pub to: usize,
    /// Current value, in the unit of the text.
    pub number: f64,
    /// Text after the number: a unit, or nothing.
    pub unit: String,
    /// True if the value is in quotation marks.
    pub quoted: bool,
    /// True if it must remain a whole number.
    pub whole: bool,
    /// Lowest value of the slider above zero; from here the scale is logarithmic.
    pub low: f64,
    /// Highest value of the slider.
    pub high: f64,
    /// True if the leftmost position is zero.
    pub zero: bool,
}

type Value<'a> = Spanned<DeValue<'a>>;

/// Sliders of a text, in its order. Empty if it is not TOML.
pub fn of(text: &str) -> Vec<Knob> {
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Vec::new();
    }
    let table = table.get_ref();
    let mut knobs = Vec::new();
    let mut add = |path: String, value: &Value<'_>| {
        if knobs.len() < MOST {
            knobs.extend(knob(path, value, text));
        }
    };
    let swept = |name: &str| table_at(table, "sweep").is_some_and(|sweep| sweep.contains_key(name));
    for (name, value) in table_at(table, "vars").into_iter().flatten() {
        // A swept variable has several values, so no slider.
        if !swept(name.get_ref()) {
            add(format!("vars.{}", name.get_ref()), value);
        }
    }
    for (name, network) in table_at(table, "network").into_iter().flatten() {
        if let DeValue::Table(network) = network.get_ref() {
            conditions(&format!("network.{}", name.get_ref()), network, &mut add);
        }
    }
    if let Some(DeValue::Array(links)) = table.get("link").map(Spanned::get_ref) {
        for (index, link) in links.iter().enumerate() {
            if let DeValue::Table(link) = link.get_ref() {
                let name = match link.get("name").map(Spanned::get_ref) {
                    Some(DeValue::String(name)) => name.to_string(),
                    _ => index.to_string(),
                };
                conditions(&format!("link.{name}"), link, &mut add);
            }
        }
    }
    knobs.sort_by_key(|knob| knob.from);
    // In order of position, so that the text is scanned once.
    let mut units = Utf16::new(text);
    for knob in &mut knobs {
        knob.from = units.of(knob.from);
        knob.to = units.of(knob.to);
    }
    knobs
}

fn table_at<'a, 'i>(table: &'a DeTable<'i>, key: &str) -> Option<&'a DeTable<'i>> {
    match table.get(key).map(Spanned::get_ref) {
        Some(DeValue::Table(table)) => Some(table),
        _ => None,
    }
}

fn conditions(path: &str, table: &DeTable<'_>, add: &mut impl FnMut(String, &Value<'_>)) {
    for key in KEYS {
        if let Some(value) = table.get(key) {
            add(format!("{path}.{key}"), value);
        }
    }
}

/// Slider of a value that is a number, or a number with a unit.
fn knob(path: String, value: &Value<'_>, text: &str) -> Option<Knob> {
    let Range { start, end } = value.span();
    let written = text.get(start..end)?;
    let (inner, quoted) = match value.get_ref() {
        DeValue::Integer(_) | DeValue::Float(_) => (written, false),
        DeValue::String(inner) => (&**inner, true),
        _ => return None,
    };
    let digits = inner.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(inner.len());
    let exponent = exponent(&inner[digits..]);
    let (number, unit) = inner.split_at(digits + exponent);
    let number: f64 = number.parse().ok().filter(|number: &f64| number.is_finite())?;
    // A text that begins with a number but is no quantity, such as a date or a list.
    if unit.chars().any(|c| !c.is_alphabetic() && c != '/' && c != ' ' && c != '%') {
        return None;
    }
    let whole = !quoted && matches!(value.get_ref(), DeValue::Integer(_));
    let loss = path.ends_with("loss");
    let share = unit.is_empty() && !whole && (loss || (0.0..1.0).contains(&number));
    let share = share || (loss && number <= 0.0);
    let (low, high) = match number > 0.0 {
        true if share => (number.min(1e-2) / 100.0, (number * 10.0).clamp(0.1, 1.0)),
        true => (number / 10.0, number * 10.0),
        false if loss => (1e-5, 0.1),
        false => return None,
    };
    let low = if whole && !share { low.max(1.0) } else { low };
    let whole = whole && !share;
    let unit = unit.to_owned();
    Some(Knob { path, from: start, to: end, number, unit, quoted, whole, low, high, zero: share })
}

/// Length of an exponent (`e-3`) at the start of a text.
fn exponent(text: &str) -> usize {
    let Some(rest) = text.strip_prefix(['e', 'E']) else { return 0 };
    let sign = usize::from(rest.starts_with(['+', '-']));
    let digits = rest[sign..].chars().take_while(char::is_ascii_digit).count();
    if digits == 0 { 0 } else { 1 + sign + digits }
}

/// Converts increasing byte offsets to UTF-16 offsets.
struct Utf16<'a> {
    rest: &'a str,
    bytes: usize,
    units: usize,
}

impl<'a> Utf16<'a> {
    fn new(text: &'a str) -> Utf16<'a> {
        Utf16 { rest: text, bytes: 0, units: 0 }
    }

    fn of(&mut self, byte: usize) -> usize {
        if let Some((before, rest)) = self.rest.split_at_checked(byte - self.bytes) {
            self.units += before.encode_utf16().count();
            (self.rest, self.bytes) = (rest, byte);
        }
        self.units
    }
}
