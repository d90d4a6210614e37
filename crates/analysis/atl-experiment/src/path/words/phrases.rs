//! Several words with one meaning.

use super::token::{Kind, Token, shown};
use super::vocabulary::{AT, DELAY, FALLS, FOR, LOSES, MOVES, THEN, TO};

/// Replaces words that mean one thing together by a word for it: `switches to` by `then`, `drops
/// out` by `outage`, `delay variation` by `jitter`.
pub(super) fn phrases(tokens: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let (taken, word) = phrase(&tokens[i..], &out).unwrap_or((1, None));
        match word {
            Some("then") => then(&mut out),
            Some(word) => {
                out.push(Token { text: shown(&tokens[i..i + taken]), ..Token::word(word) });
            }
            None => out.push(tokens[i].clone()),
        }
        i += taken;
    }
    out
}

/// Number of tokens that are one phrase, and the word for it.
fn phrase(tokens: &[Token], before: &[Token]) -> Option<(usize, Option<&'static str>)> {
    let is = |at: usize, words: &[&str]| tokens.get(at).is_some_and(|token| token.is(words));
    // `drops to`, `falls back to`, `hands over to`.
    let verb = is(0, MOVES) || is(0, FALLS);
    let particle = usize::from(is(1, &["back", "down", "over", "up", "out", "off"]));
    if verb && is(1 + particle, TO) && !before.is_empty() {
        return Some((2 + particle, Some("then")));
    }
    // `leaves wifi for 5g`.
    let names = |token: Option<&Token>| token.is_some_and(|token| token.named().is_some());
    if is(0, FOR) && names(tokens.get(1)) && before.iter().any(|token| token.named().is_some()) {
        return Some((1, Some("then")));
    }
    if is(0, LOSES) && is(1, &["out", "off"]) {
        return Some((2, Some("outage")));
    }
    if is(0, LOSES) {
        let article = usize::from(is(1, &["the", "its", "all"]));
        if is(1 + article, &["connection", "signal", "coverage", "contact", "connectivity"]) {
            return Some((2 + article, Some("outage")));
        }
    }
    if is(0, &["there"]) && is(1, &["and"]) && is(2, &["back"]) {
        return Some((3, Some("rtt")));
    }
    if is(0, DELAY) && is(1, &["variation", "variance", "variations"]) {
        return Some((2, Some("jitter")));
    }
    None
}

/// Adds a `then`, behind which comes an `after 10s` that stands before it.
fn then(out: &mut Vec<Token>) {
    while out.last().is_some_and(|last| last.kind == Kind::Comma || last.is(&["and"])) {
        out.pop();
    }
    if out.last().is_none_or(|last| last.is(THEN)) {
        return;
    }
    let begins = match &out[..] {
        [.., at, time] => at.is(AT) && time.long().is_some(),
        _ => false,
    };
    let at = out.len() - if begins { 2 } else { 0 };
    out.insert(at, Token::word("then"));
}
