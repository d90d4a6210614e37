//! Lines of logs of mahimahi's mm-link, and of Pantheon's tunnels, which have the same form: a time
//! in milliseconds, a sign, a number of bytes, and after a `-` the packet's delay in milliseconds.

use super::number::scaled;
use super::problem::Problem;

const NANOS_PER_MILLI: u64 = 1_000_000;
const FORM: &str = "an event of a link, such as `120 # 1504` (an opportunity), `118.5 + 1500` (a \
                    packet came), `131.25 - 1500 12.75` (it left, and its delay) or `140 d 1 1500` \
                    (dropped)";

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A packet could have left.
    Opportunity,
    /// A packet left.
    Left {
        /// Its size.
        bytes: u64,
        /// Its time on the way, queue and all, in nanoseconds.
        delay: u64,
    },
    /// A packet came or was dropped.
    Other,
}

/// A line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Event {
    /// Its number, from 1.
    pub line: usize,
    /// In nanoseconds since whatever the log counts from.
    pub at: u64,
    /// Its kind, with what is known of the packet.
    pub what: What,
}

/// The events of a log. Lines that begin with `#` are its head.
pub(super) fn events(text: &str) -> impl Iterator<Item = Result<Event, Problem>> + '_ {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let kept = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    kept.map(|(line, text)| {
        event(text)
            .map(|(at, what)| Event { line, at, what })
            .ok_or_else(|| Problem::value(line, text, "", FORM))
    })
}

fn event(text: &str) -> Option<(u64, What)> {
    let mut words = text.split_whitespace();
    let at = millis(words.next()?)?;
    let sign = words.next()?;
    let count: u64 = words.next()?.parse().ok()?;
    let what = match sign {
        "#" => What::Opportunity,
        "-" => What::Left { bytes: count, delay: millis(words.next()?)? },
        "+" | "d" => What::Other,
        _ => return None,
    };
    Some((at, what))
}

fn millis(text: &str) -> Option<u64> {
    u64::try_from(scaled(text, NANOS_PER_MILLI)?).ok()
}

/// The time in nanoseconds that a line of the head such as `# base timestamp: 17` states.
pub(super) fn stated(text: &str, what: &str) -> Option<u64> {
    let head = text.lines().map(str::trim).filter_map(|line| line.strip_prefix('#'));
    let mut values =
        head.filter_map(|line| line.trim_start().strip_prefix(what)?.strip_prefix(':'));
    millis(values.next()?.trim())
}

/// Refuses an event before an earlier one.
pub(super) fn in_order(event: &Event, before: u64) -> Result<(), Problem> {
    if event.at >= before {
        return Ok(());
    }
    let message = format!(
        "its time is {} ms before that of an earlier event; the events of a log are in order",
        (before - event.at).div_ceil(NANOS_PER_MILLI)
    );
    Err(Problem::at(event.line, message))
}
