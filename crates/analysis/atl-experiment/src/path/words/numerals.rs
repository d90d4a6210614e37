//! Numbers as words, and shares such as `1 in 100`.

use super::piece::Piece;
use super::unit;
use super::vocabulary::{NEIGHBOURS, NUMBERS, OTHER, STATIONS};

fn word(pieces: &[Piece], at: usize) -> Option<&str> {
    match pieces.get(at) {
        Some(Piece::Word(word)) => Some(word),
        _ => None,
    }
}

fn is(pieces: &[Piece], at: usize, words: &[&str]) -> bool {
    word(pieces, at).is_some_and(|own| words.contains(&own.to_lowercase().as_str()))
}

fn value(word: &str) -> Option<f64> {
    let word = word.to_lowercase();
    NUMBERS.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}

/// A number in words before a unit or before what is counted, such as `half a percent`, `ten
/// megabits` or `two neighbours`, and where it ends.
pub(super) fn number(pieces: &[Piece], at: usize) -> Option<(Piece, usize)> {
    let text = word(pieces, at)?;
    if text.eq_ignore_ascii_case("half") {
        let unit = at + 1 + usize::from(is(pieces, at + 1, &["a", "an"]));
        let name = word(pieces, unit).filter(|name| unit::is_unit(name))?;
        return Some((Piece::Number(0.5, name.to_owned(), format!("half a {name}")), unit + 1));
    }
    let value = value(text)?;
    let next = word(pieces, at + 1)?;
    let counted = [NEIGHBOURS, OTHER, STATIONS].iter().any(|words| is(pieces, at + 1, words));
    let unit = unit::is_unit(next) && !next.to_lowercase().starts_with('p')
        || is(pieces, at + 1, &["percent", "per-cent", "pct"]);
    (counted || unit).then(|| (Piece::Number(value, String::new(), text.to_owned()), at + 1))
}

/// A share such as `1 in 100` or `one of 100 packets` in percent, with its text and where it ends.
pub(super) fn share(pieces: &[Piece], at: usize) -> Option<(f64, String, usize)> {
    let count = |at: usize| match pieces.get(at)? {
        Piece::Number(value, unit, _) if unit.is_empty() => Some(*value),
        Piece::Word(word) => value(word),
        _ => None,
    };
    let packets = |at: usize| usize::from(is(pieces, at, &["packet", "packets", "pkts"]));
    let some = count(at)?;
    let joint = at + 1 + packets(at + 1);
    if !is(pieces, joint, &["in", "of", "out"]) {
        return None;
    }
    let out_of = is(pieces, joint, &["out"]) && is(pieces, joint + 1, &["of"]);
    let article = joint + 1 + usize::from(out_of);
    let other = article + usize::from(is(pieces, article, &["a", "every"]));
    let all = count(other)?;
    let end = other + 1 + packets(other + 1);
    (some > 0.0 && some <= all).then(|| (100.0 * some / all, format!("{some} in {all}"), end))
}
