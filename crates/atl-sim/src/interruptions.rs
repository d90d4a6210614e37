//! When the hosts of a flow that knows Freeze-TCP freeze and thaw: so long ahead of each interruption of their own
//! wireless link until it is over. What the mobile foresees by its signal's strength a run knows from its schedule.

use atl_core::time::{Span, Time};
use atl_scenario::setup::LinkSetup;

/// An end of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    Sender,
    Receiver,
}

/// A host freezes or thaws the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Step {
    pub at: Time,
    pub side: Side,
    pub freezes: bool,
}

/// The steps of a flow, in order of time. A change of network is over at once; a blackout at its end.
pub(crate) fn steps(
    sender: Option<&LinkSetup>,
    receiver: Option<&LinkSetup>,
    ahead: Span,
) -> Vec<Step> {
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

/// From when to when a host of this link is frozen; what overlaps is joined.
fn interruptions(link: &LinkSetup, ahead: Span) -> Vec<(Time, Time)> {
    let config = &link.config;
    let blackouts = config.blackouts.iter().map(|b| (b.at, b.at.saturating_add(b.lasts)));
    let changes = config.schedule.iter().map(|change| (change.at, change.at));
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
    use std::sync::Arc;

    use atl_core::units::Rate;
    use atl_link::{Blackout, Change, Config};

    use super::*;

    #[test]
    fn a_host_freezes_ahead_of_blackouts_and_changes_and_joins_what_overlaps() {
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
        let link = LinkSetup {
            name: "air".into(),
            from: 0,
            to: 1,
            wireless: true,
            config: Arc::new(config),
            agent: None,
            adaptation: None,
        };
        let found: Vec<(u64, bool)> = steps(Some(&link), None, Span::from_millis(200))
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
