//! Freeze and thaw times of a Freeze-TCP flow's hosts: from a given time before each interruption
//! of a host's own wireless link until its end.
//!
//! A mobile host predicts interruptions from its signal strength. Here they are known from the
//! link's schedule, and from the signals of a mobile's way through cells.

use atl_core::path::{PathId, PathSignal};
use atl_core::time::{Span, Time};
use atl_link::Config;

/// An end of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The sender of the data.
    Sender,
    /// The receiver of the data.
    Receiver,
}

/// A host freezes or thaws the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    /// Time since the start of the run.
    pub at: Time,
    /// The end that freezes or thaws.
    pub side: Side,
    /// True if it freezes, false if it thaws.
    pub freezes: bool,
}

/// The steps of a flow, in order of time. They follow from the configurations of the wireless links
/// at its ends and, if one of its ends moves between cells, from the signals of that end's lower
/// layers, in order of time. A host freezes `ahead` of an interruption. A change of network is over
/// at once, a blackout at its end. A move is over with its signal, but a host that loses its
/// network before the move waits for the move.
pub fn steps(
    sender: Option<&Config>,
    receiver: Option<&Config>,
    moves: Option<(Side, &[(Time, PathSignal)])>,
    ahead: Span,
) -> Vec<Step> {
    let mut steps = Vec::new();
    for (side, link) in [(Side::Sender, sender), (Side::Receiver, receiver)] {
        let signals = moves.filter(|(end, _)| *end == side).map_or(&[][..], |(_, signals)| signals);
        let mut all = link.map(gaps).unwrap_or_default();
        all.extend(absences(signals));
        for (from, until) in joined(all, ahead) {
            steps.push(Step { at: from, side, freezes: true });
            steps.push(Step { at: until, side, freezes: false });
        }
    }
    steps.sort();
    steps
}

/// The beginning and end of each failure of this link.
fn gaps(link: &Config) -> Vec<(Time, Time)> {
    let blackouts = link.blackouts.iter().map(|b| (b.at, b.at.saturating_add(b.lasts)));
    let changes = link.schedule.iter().map(|change| (change.at, change.at));
    blackouts.chain(changes).collect()
}

/// The beginning and end of each time in which a mobile is without the network that it uses.
fn absences(signals: &[(Time, PathSignal)]) -> Vec<(Time, Time)> {
    let mut all = Vec::new();
    let (mut current, mut since) = (Some(PathId::FIRST), Time::ZERO);
    for &(at, signal) in signals {
        match signal {
            PathSignal::Done(path) if current == Some(path) => {}
            PathSignal::Done(path) => {
                let from = if current.is_none() { since } else { at };
                current = Some(path);
                all.push((from, at));
            }
            PathSignal::Gone(path) if current == Some(path) => (current, since) = (None, at),
            PathSignal::Gone(_) | PathSignal::Imminent(_) => {}
        }
    }
    if current.is_none() {
        all.push((since, Time::MAX));
    }
    all
}

/// The beginning and end of each time in which the host is frozen, which starts `ahead` of each
/// failure. Overlapping times are merged.
fn joined(failures: Vec<(Time, Time)>, ahead: Span) -> Vec<(Time, Time)> {
    let mut all: Vec<(Time, Time)> =
        failures.into_iter().map(|(at, until)| (earlier(at, ahead), until)).collect();
    all.sort();
    let mut joined: Vec<(Time, Time)> = Vec::with_capacity(all.len());
    for (from, until) in all {
        match joined.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(until),
            _ => joined.push((from, until)),
        }
    }
    joined
}

fn earlier(at: Time, by: Span) -> Time {
    Time::from_nanos(at.nanos().saturating_sub(by.nanos()))
}

#[cfg(test)]
mod tests {
    use atl_core::units::Rate;
    use atl_link::{Blackout, Change};

    use super::*;

    #[test]
    fn a_host_freezes_before_blackouts_and_network_changes_and_merges_overlaps() {
        let mut config = Config::constant(Rate::from_mbps(2.0), Span::from_millis(10), 50);
        let blackout = |s: u64, lasts| Blackout {
            at: Time::from_millis(1000 * s),
            lasts: Span::from_secs(lasts),
            hold: false,
        };
        config.blackouts = vec![blackout(10, 2), blackout(40, 1)];
        let change = |at| Change { at, to: config.initial.clone() };
        config.schedule =
            vec![change(Time::from_millis(12_100)), change(Time::from_millis(60_000))];
        let found: Vec<(u64, bool)> = steps(Some(&config), None, None, Span::from_millis(200))
            .iter()
            .map(|step| (step.at.nanos() / 1_000_000, step.freezes))
            .collect();
        let expected = [
            (9800, true),
            (12_100, false),
            (39_800, true),
            (41_000, false),
            (59_800, true),
            (60_000, false),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_mobile_freezes_before_it_moves_and_until_it_has_a_network_again() {
        let (a, b, ms) = (PathId::FIRST, PathId::new(1), Time::from_millis);
        let signals = [
            (ms(1000), PathSignal::Imminent(b)),
            (ms(2000), PathSignal::Done(b)),
            (ms(3000), PathSignal::Gone(a)),
            // The network goes a second before the next one is there.
            (ms(5000), PathSignal::Gone(b)),
            (ms(5500), PathSignal::Imminent(a)),
            (ms(6000), PathSignal::Done(a)),
            (ms(9000), PathSignal::Gone(a)),
        ];
        let ahead = Span::from_millis(200);
        let found = steps(None, None, Some((Side::Receiver, &signals)), ahead);
        let step = |at, freezes| Step { at, side: Side::Receiver, freezes };
        let expected = [
            step(ms(1800), true),
            step(ms(2000), false),
            step(ms(4800), true),
            step(ms(6000), false),
            step(ms(8800), true),
            step(Time::MAX, false),
        ];
        assert_eq!(found, expected);
    }
}
