//! Words, numbers with units, and what stands between them.

use super::piece::{self, Piece};
use super::unit::{self, Quantity};
use super::{decimals, names, numerals};
use crate::path::network::Network;
use atl_scenario::{NamedNetwork, network_named};

/// A token with its text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) text: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A word in lower case.
    Word(String),
    /// A number with its unit.
    Number(Quantity),
    /// Rates down and up, in bits per second.
    Pair(f64, f64),
    Comma,
    Slash,
}

impl Token {
    pub(super) fn word(text: &str) -> Token {
        Token { kind: Kind::Word(text.to_lowercase()), text: text.to_owned() }
    }

    /// The named network that it stands for.
    pub(super) fn named(&self) -> Option<&'static NamedNetwork> {
        match &self.kind {
            Kind::Word(word) => network_named(word),
            _ => None,
        }
    }

    /// Its numbers, under the name that was said.
    pub(super) fn network(&self) -> Option<Network> {
        names::said(self.named()?, &self.text.to_lowercase())
    }

    /// Seconds of a time that is too long for a round trip: a stay, or when a network begins.
    pub(super) fn long(&self) -> Option<f64> {
        match self.kind {
            Kind::Number(Quantity::Time(seconds)) if seconds >= 1.0 => Some(seconds),
            _ => None,
        }
    }

    /// True if this is one of these words.
    pub(super) fn is(&self, words: &[&str]) -> bool {
        matches!(&self.kind, Kind::Word(word) if words.contains(&word.as_str()))
    }
}

/// The words of tokens in messages.
pub(super) fn shown(tokens: &[Token]) -> String {
    tokens.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    join(&piece::pieces(text)?)
}

/// Joins units to their numbers, and pairs of rates.
fn join(pieces: &[Piece]) -> Result<Vec<Token>, String> {
    let mut out = Vec::new();
    let mut i = 0;
    while let Some(piece) = pieces.get(i) {
        if let Some((value, text, after)) = numerals::share(pieces, i) {
            out.push(Token { kind: Kind::Number(Quantity::Percent(value)), text });
            i = after;
            continue;
        }
        let said = numerals::number(pieces, i);
        let piece = match said {
            Some((ref number, after)) => {
                i = after;
                number
            }
            None => {
                i += 1;
                piece
            }
        };
        match piece {
            Piece::Word(word) => match behind_its_unit(word, pieces, i) {
                Some((quantity, text)) => {
                    i += 1;
                    out.push(Token { kind: Kind::Number(quantity), text });
                }
                None => out.push(Token::word(word)),
            },
            Piece::Comma => out.push(Token { kind: Kind::Comma, text: ",".to_owned() }),
            Piece::Slash => out.push(Token { kind: Kind::Slash, text: "/".to_owned() }),
            Piece::Number(value, unit, text) => {
                let typed = unit;
                let (unit, per_second) = with_unit(unit, pieces, &mut i);
                // Of two numbers with a slash between them the second has the unit, or each has its
                // own.
                if let (Some(Piece::Slash), Some(Piece::Number(second, second_unit, _))) =
                    (pieces.get(i), pieces.get(i + 1))
                {
                    let mut after = i + 2;
                    let unit_of_second = with_unit(second_unit, pieces, &mut after);
                    let (first, first_per_second) = match unit.is_empty() {
                        true => (&unit_of_second.0, unit_of_second.1),
                        false => (&unit, per_second || typed == &unit && unit_of_second.1),
                    };
                    decimals::thousands(text, first)?;
                    let down = unit::quantity(*value, first, first_per_second)?;
                    let up = unit::quantity(*second, &unit_of_second.0, unit_of_second.1)?;
                    let text = format!("{value}/{second}{}", unit_of_second.0);
                    match (down, up) {
                        (Quantity::Rate(down), Quantity::Rate(up)) => {
                            out.push(Token { kind: Kind::Pair(down, up), text });
                        }
                        (Quantity::Bare(_), _) => {
                            return Err(format!(
                                "`{value}/{second}` has no unit: rates down and up are `{value}/{second}Mb/s`"
                            ));
                        }
                        _ => {
                            return Err(format!(
                                "`{text}`: a slash is between rates down and up, as in `50/10Mb/s`"
                            ));
                        }
                    }
                    i = after;
                    continue;
                }
                decimals::thousands(text, &unit)?;
                if let Some(range) = range(&out, (*value, &unit), pieces, i) {
                    return Err(range);
                }
                let kind = Kind::Number(unit::quantity(*value, &unit, per_second)?);
                let text =
                    if text.ends_with(&unit) { text.clone() } else { format!("{text} {unit}") };
                out.push(Token { kind, text });
            }
        }
    }
    Ok(out)
}

/// A number whose unit stands before it, as in `kbit 500`.
fn behind_its_unit(unit: &str, pieces: &[Piece], at: usize) -> Option<(Quantity, String)> {
    let Some(Piece::Number(value, own, _)) = pieces.get(at) else { return None };
    let other_unit = match pieces.get(at + 1) {
        Some(Piece::Word(next)) => unit::is_unit(next),
        Some(Piece::Slash) => true,
        _ => false,
    };
    if !own.is_empty() || other_unit || unit.len() < 2 {
        return None;
    }
    match unit::quantity(*value, unit, false) {
        Ok(rate @ Quantity::Rate(_)) => Some((rate, format!("{value} {unit}"))),
        _ => None,
    }
}

/// The refusal of a range, such as `10 to 50 mbit`, whose first number has been read.
fn range(
    before: &[Token],
    (low, unit): (f64, &str),
    pieces: &[Piece],
    at: usize,
) -> Option<String> {
    let Some(Piece::Word(word)) = pieces.get(at) else { return None };
    let joins = match word.to_lowercase().as_str() {
        "to" | "till" | "until" => true,
        "and" => before.last().is_some_and(|last| last.is(&["between"])),
        _ => false,
    };
    let Some(Piece::Number(high, second, _)) = pieces.get(at + 1).filter(|_| joins) else {
        return None;
    };
    let mut after = at + 2;
    let (second, _) = with_unit(second, pieces, &mut after);
    let first = if unit.is_empty() { &second } else { unit };
    Some(format!(
        "`{low}{unit} {word} {high}{second}` is a range: a path takes one number, such as the mean; a delay that varies is `50ms with 10ms jitter`, and one number after the other `{low}{first} then {high}{second} at 10s`"
    ))
}

/// The unit, which may be the next word, and whether `per second` follows; `i` moves past them.
fn with_unit(unit: &str, pieces: &[Piece], i: &mut usize) -> (String, bool) {
    let word = |at: usize| match pieces.get(at) {
        Some(Piece::Word(word)) => Some(word.as_str()),
        _ => None,
    };
    let mut unit = unit.to_owned();
    if unit.is_empty()
        && let Some(next) = word(*i)
    {
        // `mb/s` behind a space came apart at its slash.
        let slash = matches!(pieces.get(*i + 1), Some(Piece::Slash))
            && word(*i + 2).is_some_and(|s| matches!(s, "s" | "sec" | "S"));
        if slash && unit::is_unit(&format!("{next}/s")) {
            *i += 3;
            return (format!("{next}/s"), false);
        }
        if unit::is_unit(next) {
            unit = next.to_owned();
            *i += 1;
        }
    }
    let second = |w: &str| matches!(w, "second" | "sec" | "s");
    if word(*i) == Some("per") && word(*i + 1).is_some_and(second) {
        *i += 2;
        return (unit.trim_end_matches("/s").to_owned(), true);
    }
    (unit, false)
}
