//! The links of picoquic's simulator (private-octopus/picoquic, `p_sim/pico_sim.c`): the line
//! `link_scenario` of a simulation's specification, or what stands behind its colon.
//!
//! It is a list of states with `;` between them, each `MICROSECONDS:U..:D..:L..`: how long it
//! lasts, its rates up and down in Gb/s, its delay in microseconds. A rate that is missing is 0,
//! and the link suspended. After the last state the first one follows again. Jitter (J), queue (Q),
//! L4S (S) and losses (B, P) are no part of a trace.

use super::super::curve::Curve;
use super::super::delays::{ALLOWED_DELAYS, LONGEST_DELAY};
use super::super::format::{Choice, Format, Glance, Recorded, Wanted};
use super::super::number::scaled;
use super::super::problem::{Problem, shown};

const KEY: &str = "link_scenario";
/// Those that picoquic knows by a name; their numbers come from elsewhere.
const NAMED: [&str; 6] =
    ["none", "black_hole", "drop_and_back", "low_and_up", "wifi_fade", "wifi_suspension"];

#[derive(Debug)]
pub(super) struct Picoquic;

impl Format for Picoquic {
    fn name(&self) -> &'static str {
        "picoquic"
    }

    fn about(&self) -> &'static str {
        "a specification of picoquic's simulator with a line `link_scenario: ...`"
    }

    fn choices(&self) -> &'static [Choice] {
        &[Choice::Delay, Choice::Direction]
    }

    fn recognises(&self, file: &Glance<'_>) -> bool {
        file.text.lines().any(|line| value(line).is_some())
    }

    fn read(&self, text: &str, wanted: &Wanted) -> Result<Recorded, Problem> {
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        let keyed = lines.clone().find_map(|(line, text)| Some((line, value(text)?)));
        let bare = || lines.find(|(_, text)| text.starts_with(|c: char| c.is_ascii_digit()));
        let Some((line, scenario)) = keyed.or_else(bare) else {
            let message = format!(
                "no line is `{KEY}: MICROSECONDS:U0.01:D0.05:L20000;...`, so that its link does not \
                 change: a `rate` and a `delay` say as much as a trace"
            );
            return Err(Problem::whole(message));
        };
        if NAMED.contains(&scenario) {
            let message = format!(
                "`{scenario}` is a name that picoquic gives numbers to; `atl show showcase/picoquic` \
                 has the scenarios with names"
            );
            return Err(Problem::at(line, message));
        }
        let mut curve = Curve::default();
        for state in scenario.split(';').map(str::trim).filter(|state| !state.is_empty()) {
            let (nanos, value) = of(state, wanted).map_err(|message| Problem::at(line, message))?;
            curve.push(nanos, value);
        }
        if curve.nanos() == 0 {
            return Err(Problem::at(line, "no state of it lasts longer than 0 microseconds"));
        }
        Ok(if wanted.delay { Recorded::Delay(curve) } else { Recorded::Rate(curve) })
    }
}

/// The text behind the key, if the line is that of the key.
fn value(line: &str) -> Option<&str> {
    Some(line.trim().strip_prefix(KEY)?.trim_start().strip_prefix(':')?.trim())
}

/// The duration of a state in nanoseconds, and its rate or its delay.
fn of(state: &str, wanted: &Wanted) -> Result<(u64, u64), String> {
    let mut parts = state.split(':').map(str::trim);
    let lasts = parts.next().unwrap_or("");
    let nanos = microseconds(lasts).ok_or_else(|| {
        format!("`{}` is not the duration of a state in whole microseconds", shown(lasts))
    })?;
    let sought = match (wanted.delay, wanted.up) {
        (true, _) => 'L',
        (false, true) => 'U',
        (false, false) => 'D',
    };
    let mut found = 0;
    for part in parts {
        let refused = |allowed: &str| format!("`{}` is not {allowed}", shown(part));
        let Some(letter) = part.chars().next().filter(|letter| "UDLJQSBP".contains(*letter)) else {
            return Err(refused(
                "a value of a state: U, D (Gb/s), L, J, Q, S (microseconds), B or P with a number, \
                 such as D0.05",
            ));
        };
        let number = &part[1..];
        let value = match letter {
            'U' | 'D' => scaled(number, 1_000_000_000).and_then(|rate| u64::try_from(rate).ok()),
            _ => microseconds(number),
        };
        let allowed = match letter {
            'U' | 'D' => "a letter with a rate in Gb/s, such as D0.05",
            'L' | 'J' | 'Q' | 'S' => "a letter with whole microseconds, such as L20000",
            _ => "a letter with a whole number, such as P18",
        };
        let value = value.ok_or_else(|| refused(allowed))?;
        if letter == sought {
            found = value;
        }
    }
    if wanted.delay && found > LONGEST_DELAY {
        return Err(format!("L{} is not {ALLOWED_DELAYS}", found / 1000));
    }
    Ok((nanos, found))
}

/// A whole number of microseconds in nanoseconds, cut where it does not fit: picoquic writes
/// 18446744073709551615 for a state without an end.
fn microseconds(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit()).then_some(text)?;
    Some(digits.parse::<u64>().ok()?.saturating_mul(1000))
}
