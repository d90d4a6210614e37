//! Where the words of one network end and those of the next begin.

use super::token::{Kind, Token};
use super::vocabulary::{AT, JOINED, THEN, TO};

/// Splits tokens into those of each network in turn.
pub(super) fn split(tokens: Vec<Token>) -> Result<Vec<Vec<Token>>, String> {
    let mut out = Vec::new();
    if tokens.is_empty() {
        return Ok(out);
    }
    let mut pieces: Vec<Vec<Token>> = vec![Vec::new()];
    let mut skip_by = false;
    for token in tokens {
        let by = std::mem::take(&mut skip_by) && token.is(&["by"]);
        if token.is(THEN) {
            skip_by = token.is(&["followed"]);
            pieces.push(Vec::new());
        } else if let Some(last) = pieces.last_mut()
            && !by
        {
            last.push(token);
        }
    }
    for piece in pieces {
        names_apart(piece, &mut out)?;
    }
    let blank = |part: &Vec<Token>| part.iter().all(|token| token.kind == Kind::Comma);
    if out.len() > 1 && out.iter().any(blank) {
        return Err("`then` is between two networks, as in `wifi then 4g at 20s`".to_owned());
    }
    Ok(out)
}

/// Splits a piece without `then` between the names in it.
fn names_apart(mut piece: Vec<Token>, out: &mut Vec<Vec<Token>>) -> Result<(), String> {
    loop {
        let named: Vec<(usize, &str)> = piece
            .iter()
            .enumerate()
            .filter_map(|(i, token)| Some((i, token.named()?.name)))
            .collect();
        let Some(pair) = named.windows(2).find(|pair| {
            pair[0].1 != pair[1].1 || piece[pair[0].0..pair[1].0].iter().any(|token| token.is(TO))
        }) else {
            out.push(piece);
            return Ok(());
        };
        let (first, second) = (pair[0].0, pair[1].0);
        let between = |wanted: &dyn Fn(&Token) -> bool| {
            (first + 1..second).rev().find(|i| piece[*i..].first().is_some_and(wanted))
        };
        let to = between(&|token| token.is(TO));
        let comma = between(&|token| token.kind == Kind::Comma);
        let at = between(&|token| token.is(AT));
        let joined = between(&|token| token.is(JOINED) || token.kind == Kind::Slash);
        let cut = match (to, comma, at, joined) {
            (Some(cut), ..) | (None, Some(cut), ..) | (None, None, Some(cut), None) => cut,
            _ => {
                let (a, b) = (&piece[first].text, &piece[second].text);
                if [pair[0].1, pair[1].1].contains(&"train") {
                    let other = if pair[0].1 == "train" { b } else { a };
                    return Err(format!(
                        "`{a}` and `{b}` are two networks; `train` is LTE, so for a train on {other} give its numbers: `train 50/10Mb/s 40ms`; for one after the other, say `{a} then {b}`"
                    ));
                }
                return Err(format!(
                    "`{a}` and `{b}` are two networks; for one after the other, say `{a} then {b}`; to compare them, run `atl path {a}` and `atl path {b}`"
                ));
            }
        };
        let mut rest = piece.split_off(cut);
        if to.is_some() || comma.is_some() {
            rest.remove(0);
        }
        out.push(piece);
        piece = rest;
    }
}
