//! Words, numbers and punctuation of a text, before units are joined to their numbers.

use super::{decimals, names};

/// A piece of text before units are joined to their numbers.
pub(super) enum Piece {
    Word(String),
    /// Its value, its unit, and both as typed.
    Number(f64, String, String),
    Comma,
    Slash,
}

/// Takes a text apart.
pub(super) fn pieces(text: &str) -> Result<Vec<Piece>, String> {
    decimals::commas(text)?;
    let text = text.replace("->", " then ").replace("=>", " then ").replace(['→', '➜'], " then ");
    let text = text.replace("+/-", " jitter of ").replace("+-", " jitter of ");
    let text = text.replace('±', " jitter of ");
    let text = text.replace('@', " at ").replace(['&', '+'], " and ");
    let text = text.replace([',', ';'], " , ").replace(['=', ':', '(', ')', '"', '\''], " ");
    let mut pieces = Vec::new();
    for chunk in text.split_whitespace() {
        pieces_of(chunk, &mut pieces)?;
    }
    Ok(pieces)
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
    if chunk.starts_with('-') && !chunk[1..].starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return Err(format!("`{chunk}` is neither an option of `atl path` nor a word of a path"));
    }
    if chunk.starts_with('-') {
        return Err(format!("`{chunk}`: a path's numbers are not negative"));
    }
    let chunk = chunk.strip_prefix(['~', '≈']).unwrap_or(chunk);
    // Wi-Fi 6E is Wi-Fi 6 in another band.
    let chunk = if chunk.eq_ignore_ascii_case("6e") { "6" } else { chunk };
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
    if let Some(wrong) = decimals::groups(digits) {
        return Err(wrong);
    }
    let value: f64 = digits.parse().map_err(|_| format!("`{chunk}` is no number"))?;
    // `1e-3` has no unit.
    if let Ok(value) = chunk.parse::<f64>()
        && rest.starts_with(['e', 'E'])
        && value <= 1e15
    {
        out.push(Piece::Number(value, String::new(), chunk.to_owned()));
        return Ok(());
    }
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
