//! Which number a word such as `queue` or `jitter` is about.

use super::token::{Kind, Token, shown};
use super::unit::Quantity;
use super::vocabulary::{EACH, JITTER, NO, QUEUE, WAY};

/// Meaning of a number where a word beside it says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Length of the queue.
    Queue,
    /// Size of the jitter.
    Jitter,
    /// A time in one direction.
    EachWay,
}

/// Words between a label and its number.
const BETWEEN: &[&str] = &[
    "of", "is", "about", "a", "an", "around", "length", "size", "holds", "holding", "long", "deep",
    "big", "large", "shallow", "small", "short", "bloated", "random", "max", "maximum", "roughly",
];
/// Those that tie it to the number behind them.
const TIES: &[&str] = &["of", "is", "holds", "holding"];

/// The role of each token that a word beside it gives one.
pub(super) fn roles(tokens: &[Token]) -> Result<Vec<Option<Role>>, String> {
    let mut roles = vec![None; tokens.len()];
    for (i, token) in tokens.iter().enumerate() {
        let role = if token.is(QUEUE) {
            Role::Queue
        } else if token.is(JITTER) && !(i > 0 && tokens[i - 1].is(NO)) {
            Role::Jitter
        } else {
            continue;
        };
        if let Some(number) = owned(tokens, &roles, i, role)? {
            roles[number] = Some(role);
        }
    }
    each_way(tokens, &mut roles);
    Ok(roles)
}

/// The number that belongs to a label.
fn owned(
    tokens: &[Token],
    roles: &[Option<Role>],
    label: usize,
    role: Role,
) -> Result<Option<usize>, String> {
    let found = [neighbour(tokens, label, false), neighbour(tokens, label, true)];
    let worth = |at: Option<(usize, bool)>| {
        let (at, tied) = at.filter(|(at, _)| roles[*at].is_none())?;
        Some((at, fitness(&tokens[at], role)? + if tied { 10 } else { 0 }))
    };
    let (left, right) = match found.map(worth) {
        [Some(left), Some(right)] => (left, right),
        [left, right] => return Ok(left.or(right).map(|(at, _)| at)),
    };
    if left.1 != right.1 {
        return Ok(Some(if left.1 > right.1 { left.0 } else { right.0 }));
    }
    // A delay varies by less than half of a round trip: the other of two times is that.
    if let (Role::Jitter, [Some(a), Some(b)]) =
        (role, [left.0, right.0].map(|at| seconds(&tokens[at])))
        && (2.0 * a <= b || 2.0 * b <= a)
    {
        return Ok(Some(if a < b { left.0 } else { right.0 }));
    }
    let [a, word, b] = [left.0, label, right.0].map(|at| &tokens[at].text);
    Err(format!(
        "`{}` has two readings: put a comma, as in `{a} {word}, {b}` or `{a}, {word} {b}`",
        shown(&tokens[left.0..=right.0])
    ))
}

/// The next token to a side past such as `of`, and whether those tie it to the label.
fn neighbour(tokens: &[Token], label: usize, right: bool) -> Option<(usize, bool)> {
    let mut tied = false;
    let mut at = label;
    loop {
        at = if right { at + 1 } else { at.checked_sub(1)? };
        let token = tokens.get(at)?;
        if !token.is(BETWEEN) {
            return Some((at, tied));
        }
        tied |= token.is(TIES);
    }
}

/// Fitness of a number for a label, more is better; `None` for one that cannot be meant.
fn fitness(token: &Token, role: Role) -> Option<u32> {
    let Kind::Number(quantity) = token.kind else { return None };
    match (role, quantity) {
        (Role::Queue, Quantity::Packets(_) | Quantity::Bytes(_)) => Some(3),
        (Role::Queue, Quantity::Bare(_)) => Some(2),
        (_, Quantity::Time(_)) | (Role::Jitter, Quantity::Bare(_)) => Some(1),
        _ => None,
    }
}

/// A number without a unit beside a jitter is in milliseconds, as behind a ping.
fn seconds(token: &Token) -> Option<f64> {
    match token.kind {
        Kind::Number(Quantity::Time(seconds)) => Some(seconds),
        Kind::Number(Quantity::Bare(millis)) => Some(millis / 1e3),
        _ => None,
    }
}

/// `each way` is about the number before it, or else the one behind it: `10mbit 40ms each way` is a
/// round trip of 80 ms, and `10mbit each way 40ms` is not.
fn each_way(tokens: &[Token], roles: &mut [Option<Role>]) {
    let is_number = |at: &usize| matches!(tokens[*at].kind, Kind::Number(_) | Kind::Pair(..));
    for (i, two) in tokens.windows(2).enumerate() {
        if !(two[0].is(EACH) && two[1].is(WAY)) {
            continue;
        }
        let before = (0..i).rev().find(is_number);
        let Some(at) = before.or_else(|| (i + 2..tokens.len()).find(is_number)) else { continue };
        if roles[at].is_none() && matches!(tokens[at].kind, Kind::Number(Quantity::Time(_))) {
            roles[at] = Some(Role::EachWay);
        }
    }
}
