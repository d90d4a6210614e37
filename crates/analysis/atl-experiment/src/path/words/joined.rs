//! Names of several words.

use atl_scenario::network_named;

use super::token::{Kind, Token, shown};
use super::unit::Quantity;
use super::vocabulary::{DOWN, JITTER, LOSS, NEIGHBOURS, OTHER, QUEUE, ROUND_TRIP, STATIONS, UP};

/// Words of the longest name.
const LONGEST: usize = 3;
/// Generations of Wi-Fi have fewer numbers: others behind a name are numbers without a unit.
const GENERATIONS: f64 = 9.0;

/// Joins the words that are a name together, such as `hotel wifi` or `wifi 6`.
pub(super) fn joined(tokens: Vec<Token>) -> Vec<Token> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let mut words = (2..=LONGEST.min(tokens.len() - i)).rev();
        let name = words.find_map(|n| Some((n, name_of(&tokens[i..], n)?)));
        let Some((n, name)) = name else {
            out.push(tokens[i].clone());
            i += 1;
            continue;
        };
        let text = shown(&tokens[i..i + n]);
        out.push(Token { kind: Kind::Word(name), text });
        i += n;
    }
    out
}

/// The name that the first `n` tokens are together.
fn name_of(tokens: &[Token], n: usize) -> Option<String> {
    let mut parts = Vec::new();
    for (i, token) in tokens[..n].iter().enumerate() {
        parts.push(match &token.kind {
            Kind::Word(word) if ["wi-fi", "wlan"].contains(&word.as_str()) => "wifi",
            Kind::Word(word) => word,
            // `wifi 6 down 2 up` is about rates.
            Kind::Number(Quantity::Bare(number))
                if i > 0 && *number < GENERATIONS && !tokens.get(n).is_some_and(is_label) =>
            {
                &token.text
            }
            _ => return None,
        });
    }
    Some(parts.join("-")).filter(|name| network_named(name).is_some())
}

/// True for a word that says what the number before it is.
fn is_label(token: &Token) -> bool {
    [DOWN, UP, ROUND_TRIP, LOSS, QUEUE, JITTER, NEIGHBOURS, OTHER, STATIONS]
        .iter()
        .any(|words| token.is(words))
        || token.kind == Kind::Slash
}
