//! When the hosts of a Freeze-TCP flow freeze and thaw: from a given time before each interruption of their own
//! wireless link until it is over.
//!
//! A mobile host predicts interruptions from its signal strength. Here they are known from the link's schedule.

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
    /// When.
    pub at: Time,
    /// At which end.
    pub side: Side,
    /// True if it freezes, false if it thaws.
    pub freezes: bool,
}

/// The steps of a flow, in order of time, from the configurations of the wireless links at its ends. `ahead` is how
/// long before an interruption a host freezes. A change of network is over at once, a blackout at its end.
pub fn steps(sender: Option<&Config>, receiver: Option<&Config>, ahead: Span) -> Vec<Step> {
    let mut steps = Vec::new();
    for (side, link) in [(Side::Sender, sender), (Side::Receiver, receiver)] {
        for (from, until) in link.map(|link| interruptions(link, ahead)).unwrap_or_default() {
            steps.push(Step { at: from, side, freezes: true });
            steps.push(Step { at: until, side, freezes: false });
        }
    }
    steps.sort();
    steps
}

/// The times from and until which the host of this link is frozen. Overlapping times are merged.
fn interruptions(link: &Config, ahead: Span) -> Vec<(Time, Time)> {
    let blackouts = link.blackouts.iter().map(|b| (b.at, b.at.saturating_add(b.lasts)));
    let changes = link.schedule.iter().map(|change| (change.at, change.at));
    let mut all: Vec<(Time, Time)> =
        blackouts.chain(changes).map(|(at, until)| (earlier(at, ahead), until)).collect();
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
        let found: Vec<(u64, bool)> = steps(Some(&config), None, Span::from_millis(200))
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
}
