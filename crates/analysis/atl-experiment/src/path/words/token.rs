//! Words, numbers with units, and what stands between them.

use super::names;
use super::unit::{self, Quantity};
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
    fn word(text: &str) -> Token {
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

    /// True if this is one of these words.
    pub(super) fn is(&self, words: &[&str]) -> bool {
        matches!(&self.kind, Kind::Word(word) if words.contains(&word.as_str()))
    }
}

/// The words of tokens in messages.
pub(super) fn shown(tokens: &[Token]) -> String {
    tokens.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// A piece of text before units are joined to their numbers.
enum Piece {
    Word(String),
    Number(f64, String, String),
    Comma,
    Slash,
}

pub(super) fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let chars: Vec<char> = text.chars().collect();
    for three in chars.windows(3) {
        if let [a, ',', b] = three
            && a.is_ascii_digit()
            && b.is_ascii_digit()
        {
            return Err(format!(
                "`{a},{b}` has two readings: write `{a}.{b}`, or a space behind the comma"
            ));
        }
    }
    let text = text.replace("->", " then ").replace("=>", " then ").replace(['→', '➜'], " then ");
    let text = text.replace('@', " at ").replace(['&', '+'], " and ");
    let text = text.replace([',', ';'], " , ").replace(['=', ':', '(', ')', '"', '\''], " ");
    let mut pieces = Vec::new();
    for chunk in text.split_whitespace() {
        pieces_of(chunk, &mut pieces)?;
    }
    join(&pieces)
}

fn pieces_of(chunk: &str, out: &mut Vec<Piece>) -> Result<(), String> {
    if chunk == "," {
        out.push(Piece::Comma);
        return Ok(());
    }
    let chunk = chunk.trim_end_matches(['.', '!', '?']);
    if chunk.is_empty() || chunk == "-" || chunk == "–" {
        return Ok(());
    }
    if chunk.starts_with('-') {
        return Err(format!("`{chunk}`: a path's numbers are not negative"));
    }
    let chunk = chunk.strip_prefix(['~', '≈']).unwrap_or(chunk);
    let number = chunk.starts_with(|c: char| c.is_ascii_digit())
        || chunk.starts_with('.') && chunk[1..].starts_with(|c: char| c.is_ascii_digit());
    if !number || names::is_name(&chunk.to_lowercase()) {
        for (i, part) in chunk.split('/').enumerate() {
            if i > 0 {
                out.push(Piece::Slash);
            }
            if part.starts_with(|c: char| c.is_ascii_digit())
                && !names::is_name(&part.to_lowercase())
            {
                pieces_of(part, out)?;
            } else if !part.is_empty() {
                out.push(Piece::Word(part.to_owned()));
            }
        }
        return Ok(());
    }
    let end = chunk.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(chunk.len());
    let (digits, rest) = chunk.split_at(end);
    let value: f64 = digits.parse().map_err(|_| format!("`{chunk}` is no number"))?;
    if !value.is_finite() || value > 1e15 {
        return Err(format!("`{chunk}` is too large for a path"));
    }
    if rest.starts_with(['-', '–']) {
        return Err(format!("`{chunk}` has several numbers: a path takes one, such as its mean"));
    }
    // `100/20Mb/s` and `100mbit/20mbit`, but not `10mb/s`.
    let split = rest
        .char_indices()
        .find(|(i, c)| *c == '/' && rest[i + 1..].starts_with(|next: char| next.is_ascii_digit()));
    match split {
        Some((at, _)) => {
            let unit = rest[..at].to_owned();
            out.push(Piece::Number(value, unit, format!("{digits}{}", &rest[..at])));
            out.push(Piece::Slash);
            pieces_of(&rest[at + 1..], out)
        }
        None if rest.len() > 1 && rest.ends_with('/') => {
            pieces_of(&chunk[..chunk.len() - 1], out)?;
            out.push(Piece::Slash);
            Ok(())
        }
        None if rest == "/" => {
            out.push(Piece::Number(value, String::new(), digits.to_owned()));
            out.push(Piece::Slash);
            Ok(())
        }
        None => {
            out.push(Piece::Number(value, rest.to_owned(), chunk.to_owned()));
            Ok(())
        }
    }
}

/// Joins units to their numbers, and pairs of rates.
fn join(pieces: &[Piece]) -> Result<Vec<Token>, String> {
    let mut out = Vec::new();
    let mut i = 0;
    while let Some(piece) = pieces.get(i) {
        i += 1;
        match piece {
            Piece::Word(word) => out.push(Token::word(word)),
            Piece::Comma => out.push(Token { kind: Kind::Comma, text: ",".to_owned() }),
            Piece::Slash => out.push(Token { kind: Kind::Slash, text: "/".to_owned() }),
            Piece::Number(value, unit, text) => {
                // The second of two numbers with a slash between them has the unit of both.
                if let (Some(Piece::Slash), Some(Piece::Number(second, second_unit, _))) =
                    (pieces.get(i), pieces.get(i + 1))
                {
                    let mut after = i + 2;
                    let unit_of_second = with_unit(second_unit, pieces, &mut after);
                    let first = if unit.is_empty() { &unit_of_second.0 } else { unit };
                    let down = unit::quantity(*value, first, unit_of_second.1)?;
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
                let (unit, per_second) = with_unit(unit, pieces, &mut i);
                let kind = Kind::Number(unit::quantity(*value, &unit, per_second)?);
                let text =
                    if text.ends_with(&unit) { text.clone() } else { format!("{text} {unit}") };
                out.push(Token { kind, text });
            }
        }
    }
    Ok(out)
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
