//! A stay that all networks have, as in `wifi -> lte -> starlink, 15s each`.

use atl_core::time::Span;

use super::times::{LONGEST_STAY, span};
use super::token::{Kind, Token};
use super::vocabulary::{FOR, WAY};

/// Words that make a time that of each network.
const OF_EACH: &[&str] = &["each", "apiece"];

/// Takes `15s each`, or `each 15s` or `for 15s each`, out of the words. A shorter time is about a
/// way, as `each way` is.
pub(super) fn each(mut tokens: Vec<Token>) -> Result<(Vec<Token>, Option<Span>), String> {
    let of = |at: usize| {
        let [one, other] = [tokens.get(at)?, tokens.get(at + 1)?];
        let way = tokens.get(at + 2).is_some_and(|token| token.is(WAY));
        match (one.long(), other.long()) {
            (Some(seconds), None) if other.is(OF_EACH) && !way => Some((seconds, one)),
            (None, Some(seconds)) if one.is(OF_EACH) => Some((seconds, other)),
            _ => None,
        }
    };
    let Some((at, (seconds, token))) = (0..tokens.len()).find_map(|at| Some((at, of(at)?))) else {
        return Ok((tokens, None));
    };
    let stay = span(seconds, LONGEST_STAY, token)?;
    let begin = if at > 0 && tokens[at - 1].is(FOR) { at - 1 } else { at };
    tokens.drain(begin..at + 2);
    // A comma before it separated nothing else.
    if tokens.last().is_some_and(|last| last.kind == Kind::Comma) {
        tokens.pop();
    }
    Ok((tokens, Some(stay)))
}
