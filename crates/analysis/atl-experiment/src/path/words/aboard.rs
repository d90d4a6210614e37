//! Networks that people use in a train, which has numbers of its own.

use super::token::Token;

/// Passengers' names for the network `train`, whose radio is LTE: that of their phone, or the Wi-Fi
/// of the carriage.
const IN_TRAINS: &[&str] = &["lte", "wlan"];
/// Words that may stand between the two names.
const BETWEEN: &[&str] = &[
    "on", "in", "a", "an", "the", "my", "of", "over", "via", "inside", "aboard", "moving", "fast",
];

/// Leaves one name of `train wifi` and of `lte on a train`: that of the train.
pub(super) fn aboard(mut tokens: Vec<Token>) -> Vec<Token> {
    let is = |token: &Token, names: &[&str]| {
        token.named().is_some_and(|network| names.contains(&network.name))
    };
    let mut at = 0;
    while at < tokens.len() {
        let next = (at + 1..tokens.len()).find(|next| !tokens[*next].is(BETWEEN));
        let Some(next) = next else { break };
        let (this, that) = (&tokens[at], &tokens[next]);
        if is(this, &["train"]) && is(that, IN_TRAINS) {
            tokens.remove(next);
        } else if is(this, IN_TRAINS) && is(that, &["train"]) {
            tokens.remove(at);
        } else {
            at = next;
        }
    }
    tokens
}
