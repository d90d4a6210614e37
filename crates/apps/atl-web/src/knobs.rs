//! The numbers of a scenario's text that a slider can move: its variables, and what networks and links are like.

use std::ops::Range;

use serde::Serialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Keys of networks and links that have a slider.
const KEYS: [&str; 4] = ["rate", "delay", "loss", "queue"];
/// The most sliders: more do not help.
const MOST: usize = 40;

/// A number in the text, and the range of its slider.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Knob {
    /// Where it is: `vars.queue`, `network.wifi.loss`.
    pub path: String,
    /// Where its value begins, quotation marks included: UTF-16 units of the text.
    pub from: usize,
    /// Where its value ends.
    pub to: usize,
    /// Its number.
    pub number: f64,
    /// What follows the number: a unit, or nothing.
    pub unit: String,
    /// It is written between quotation marks.
    pub quoted: bool,
    /// It is a whole number and stays one.
    pub whole: bool,
    /// The least value of the slider above zero; the slider is logarithmic from here.
    pub low: f64,
    /// The greatest value of the slider.
    pub high: f64,
    /// The slider's leftmost place is zero.
    pub zero: bool,
}

type Value<'a> = Spanned<DeValue<'a>>;

/// The sliders of a text, in its order. None where it is not TOML.
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
        // A sweep's own values replace it.
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
    // In their order, so that the text is read once.
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

/// The slider of a value that is a number, or a number with a unit.
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
    // Not a number with a unit but a text that begins with one: a date, a list.
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

/// The length of an exponent (`e-3`) at the beginning of a text.
fn exponent(text: &str) -> usize {
    let Some(rest) = text.strip_prefix(['e', 'E']) else { return 0 };
    let sign = usize::from(rest.starts_with(['+', '-']));
    let digits = rest[sign..].chars().take_while(char::is_ascii_digit).count();
    if digits == 0 { 0 } else { 1 + sign + digits }
}

/// Turns places in bytes, ascending, into places in UTF-16 units.
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
