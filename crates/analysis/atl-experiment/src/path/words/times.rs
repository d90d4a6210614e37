//! The times of one network: its round trip, and how long it lasts.

use atl_core::time::Span;

use super::labels::Role;
use super::said::Stage;
use super::token::Token;
use super::vocabulary::{AT, BOTH_WAYS, DELAY, ONE_WAY, ROUND_TRIP, WAY};

/// Limits on a round-trip time and on how long a network lasts, in seconds.
pub(super) const LONGEST_RTT: f64 = 3600.0;
pub(super) const LONGEST_STAY: f64 = 86_400.0;

/// A time greater than zero and not beyond `longest` seconds.
pub(super) fn span(seconds: f64, longest: f64, token: &Token) -> Result<Span, String> {
    let span = Span::from_nanos((seconds.min(longest) * 1e9).round() as u64);
    if span.is_zero() || seconds > longest {
        return Err(format!(
            "`{}`: a time here is more than 0s and at most {longest}s",
            token.text
        ));
    }
    Ok(span)
}

/// The time that is neither a beginning nor a duration: the round trip.
pub(super) fn one_time(
    times: &[(f64, &Token)],
    roles: &[Option<Role>],
    tokens: &[Token],
    stage: &mut Stage,
) -> Result<(), String> {
    let has = |words: &[&str]| tokens.iter().any(|token| token.is(words));
    let each = roles.contains(&Some(Role::EachWay));
    let round = has(ROUND_TRIP);
    let one_way =
        has(ONE_WAY) || tokens.windows(2).any(|two| two[0].is(&["one"]) && two[1].is(WAY));
    match times {
        [] if round || has(DELAY) || one_way => {
            Err("a delay needs its number: `50ms rtt`, or `25ms one-way`".to_owned())
        }
        [] => Ok(()),
        [(seconds, token)] => {
            let text = &token.text;
            let factor = if each && has(BOTH_WAYS) {
                return Err(format!(
                    "`{text}` has two readings: `{text} rtt` (there and back) or `{text} one-way`"
                ));
            } else if one_way || each {
                2.0
            } else if round {
                1.0
            } else if has(DELAY) {
                return Err(format!(
                    "`{text}` of delay has two readings: `{text} rtt` (there and back) or `{text} one-way`"
                ));
            } else if *seconds >= 1.0 {
                return Err(format!(
                    "`{text}` has several readings: `for {text}` (how long it lasts), `then NETWORK at {text}` or `{text} rtt`"
                ));
            } else if stage_begins(tokens, token) {
                return Err(format!(
                    "`at {text}` has two readings: `{text} rtt`, or when the network begins, in steps of 0.5s from 1s on: `at 20s`"
                ));
            } else {
                1.0
            };
            stage.stated.rtt = Some(span(seconds * factor, LONGEST_RTT, token)?);
            Ok(())
        }
        [(_, a), (_, b), ..] => Err(format!(
            "`{}` and `{}` are two times: one is the round trip, as in `50ms rtt`; say what the other is, as in `for 20s`",
            a.text, b.text
        )),
    }
}

/// True for `at` before a time right behind the name of a network, as in `4g at 50ms`.
fn stage_begins(tokens: &[Token], time: &Token) -> bool {
    tokens
        .windows(3)
        .any(|three| three[0].named().is_some() && three[1].is(AT) && std::ptr::eq(&three[2], time))
}
