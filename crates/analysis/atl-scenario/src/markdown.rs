//! Tables of keys and protocols in `docs/scenarios.md`.

use std::fmt::Write as _;

use atl_core::rate::FeedbackMode;

use crate::keys::{Default, Key, Section, Shape};
use crate::protocol::{Listed, RECOVERIES, catalogue};
use atl_engine::protocol::{Recovery, Transport};

/// Keys of a section with their documentation, values and defaults.
pub fn keys_table(section: &Section) -> String {
    let mut out =
        String::from("| key | what it is | values | default |\n| --- | --- | --- | --- |\n");
    for key in section.keys {
        let Key { name, about, .. } = key;
        // Writing to a string cannot fail.
        let _ = writeln!(out, "| `{name}` | {about} | {} | {} |", values(&key.shape), default(key));
    }
    if let Some(others) = &section.others {
        let what = if matches!(others.shape, Shape::Option) { "an option" } else { "NAME" };
        let _ = writeln!(out, "| *{what}* | {} | {} | |", others.about, values(&others.shape));
    }
    out
}

fn default(key: &Key) -> String {
    match key.default {
        Default::Required => "required".to_owned(),
        Default::Value(toml) => format!("`{toml}`"),
        Default::Otherwise(words) => words.to_owned(),
    }
}

/// Description of the allowed values.
fn values(shape: &Shape) -> String {
    match shape {
        Shape::Text => "text".to_owned(),
        Shape::ShortText(longest) => format!("text of 1 to {longest} characters"),
        Shape::Name => "name".to_owned(),
        Shape::Word(words) if words.what.is_empty() => {
            let words: Vec<String> =
                (words.list)().iter().map(|word| format!("`\"{word}\"`")).collect();
            words.join(", ")
        }
        Shape::Word(words) => words.what.trim_start_matches("a ").to_owned(),
        Shape::Bool => "`true`, `false`".to_owned(),
        Shape::Off => "`false`".to_owned(),
        Shape::Whole { from, to } if *to == u64::MAX => format!("whole number from {from}"),
        Shape::Whole { from, to } => format!("whole number from {from} to {to}"),
        Shape::Number(range) => format!("number {range}"),
        Shape::Probability(range) if *range == crate::keys::Range::new(0.0, 1.0) => {
            "probability".to_owned()
        }
        Shape::Probability(range) => format!("probability {range}"),
        Shape::RelativeError => "relative error".to_owned(),
        Shape::Time { from, to } => {
            let low = match from.nanos() {
                0 => String::new(),
                1 => " above zero".to_owned(),
                _ => format!(" from {from}"),
            };
            let high = if to.nanos() == u64::MAX { String::new() } else { format!(" up to {to}") };
            format!("time{low}{high}")
        }
        Shape::Rate => "rate".to_owned(),
        Shape::Size(_) => "size".to_owned(),
        Shape::Frequency(range) => format!("frequency {range} Hz"),
        Shape::Decibels(range) => format!("level {range} dB"),
        Shape::Length(range) => format!("length {range} m"),
        Shape::Speed(range) => format!("speed {range} m/s"),
        Shape::Current => "current".to_owned(),
        Shape::Charge => "charge".to_owned(),
        Shape::Table(section) => format!("[table](#{})", anchor(section)),
        Shape::List { of, from, to } if from == to => format!("list of {from}: {}", values(of)),
        Shape::List { of: Shape::Table(section), .. } => format!("[tables](#{})", anchor(section)),
        Shape::List { of, .. } => format!("list: {}", values(of)),
        Shape::AnyOf(shapes) => {
            let all: Vec<String> = shapes.iter().map(values).collect();
            all.join("; ")
        }
        Shape::Value | Shape::Anything => "value of a variable".to_owned(),
        Shape::PointValue => "value or label".to_owned(),
        Shape::Quantity => "number, or quantity with its unit".to_owned(),
        Shape::Expected => "value in the metric's unit".to_owned(),
        Shape::Option => "see its description".to_owned(),
    }
}

/// Anchor of a section's heading on GitHub.
fn anchor(section: &Section) -> String {
    let heading = if section.name == "the file" { "The file" } else { section.name };
    heading
        .to_lowercase()
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
            _ => None,
        })
        .collect()
}

/// TCP protocols with their loss recoveries.
pub fn tcp_table() -> String {
    let mut out =
        String::from("| protocol | what it is | recovery | source |\n| --- | --- | --- | --- |\n");
    for listed in catalogue() {
        let Some(recovery) = listed.recovery() else { continue };
        let name = name_of(recovery);
        let _ = writeln!(
            out,
            "| `{}` | {}: {} | `{name}` | {} |",
            listed.name, listed.label, listed.about, listed.source
        );
    }
    out
}

/// Protocols that only engines with QUIC have.
pub fn quic_table() -> String {
    let mut out = String::from("| protocol | what it is | source |\n| --- | --- | --- |\n");
    for Listed { name, label, about, source, .. } in catalogue().iter().filter(|p| p.is_quic()) {
        let _ = writeln!(out, "| `{name}` | {label}: {about} | {source} |");
    }
    out
}

/// Protocols that pace packets, with the feedback of their receivers.
pub fn paced_table() -> String {
    let mut out =
        String::from("| protocol | what it is | feedback | source |\n| --- | --- | --- | --- |\n");
    for listed in catalogue() {
        let Some(Transport::Paced(config)) =
            crate::protocol::named(listed.name).map(|p| p.transport)
        else {
            continue;
        };
        let feedback = match config.feedback() {
            FeedbackMode::Acks => "`\"acks\"`".to_owned(),
            FeedbackMode::Reports { every } => format!("`\"{every}\"`"),
            FeedbackMode::Own => "the protocol's own".to_owned(),
        };
        let Listed { name, label, about, source, .. } = listed;
        let _ = writeln!(out, "| `{name}` | {label}: {about} | {feedback} | {source} |");
    }
    out
}

fn name_of(recovery: Recovery) -> &'static str {
    RECOVERIES.iter().find(|(_, r)| *r == recovery).map_or("", |(name, _)| name)
}
