//! Times that a mobile spends in its cells, derived from its signals.

use atl_core::path::PathSignal;
use atl_core::time::Time;
use atl_engine::setup::MobileSetup;

/// Interval in which a mobile's current path does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stay<'a> {
    /// Start of the interval.
    pub(crate) from: Time,
    /// End of the interval; `None` if it lasts until the run ends.
    pub(crate) to: Option<Time>,
    /// Name of the path's cell; `None` while the mobile has no path.
    pub(crate) cell: Option<&'a str>,
}

/// Stays of a mobile, in order and without gaps between them.
pub(crate) fn stays(mobile: &MobileSetup) -> Vec<Stay<'_>> {
    let name = |path: usize| mobile.cells.get(path).map(String::as_str);
    let mut stays = vec![Stay { from: Time::ZERO, to: None, cell: name(0) }];
    for step in &mobile.steps {
        let current = stays[stays.len() - 1].cell;
        let next = match step.signal {
            PathSignal::Done(path) => name(path.index()),
            PathSignal::Gone(path) if current == name(path.index()) => None,
            PathSignal::Gone(_) | PathSignal::Imminent(_) => continue,
        };
        let last = stays.len() - 1;
        stays[last].to = Some(step.at);
        if stays[last].from == step.at {
            stays.pop();
        }
        stays.push(Stay { from: step.at, to: None, cell: next });
    }
    stays
}

/// Intervals in which a mobile has two paths or more; an end of `None` is that of the run.
pub(crate) fn overlaps(mobile: &MobileSetup) -> Vec<(Time, Option<Time>)> {
    let mut there = vec![0];
    let mut overlaps: Vec<(Time, Option<Time>)> = Vec::new();
    for step in &mobile.steps {
        let path = step.signal.path().index();
        let before = there.len();
        there.retain(|&p| p != path);
        if !matches!(step.signal, PathSignal::Gone(_)) {
            there.push(path);
        }
        match (before > 1, there.len() > 1) {
            (false, true) => overlaps.push((step.at, None)),
            (true, false) => {
                if let Some(last) = overlaps.last_mut() {
                    last.1 = Some(step.at);
                }
            }
            _ => {}
        }
    }
    // Drop paths that come and go at the same instant.
    overlaps.retain(|(from, to)| Some(*from) != *to);
    overlaps
}

#[cfg(test)]
mod tests {
    use atl_core::path::PathId;
    use atl_engine::setup::MobileStep;

    use super::*;

    fn bus(steps: &[(u64, char, u8)]) -> MobileSetup {
        let step = |&(secs, what, path): &(u64, char, u8)| {
            let path = PathId::new(path);
            let signal = match what {
                'i' => PathSignal::Imminent(path),
                'd' => PathSignal::Done(path),
                _ => PathSignal::Gone(path),
            };
            MobileStep { at: Time::from_millis(secs * 1000), signal }
        };
        MobileSetup {
            handoff: atl_engine::setup::Handoff::default(),
            name: "bus".into(),
            cells: ["a", "b", "c"].map(String::from).into(),
            steps: steps.iter().map(step).collect(),
            card: None,
        }
    }

    fn seconds(bus: &MobileSetup) -> Vec<(f64, Option<&str>)> {
        stays(bus).iter().map(|stay| (stay.from.secs(), stay.cell)).collect()
    }

    #[test]
    fn signals_become_stays_and_overlaps() {
        let across = bus(&[(14, 'i', 1), (17, 'd', 1), (20, 'g', 0)]);
        assert_eq!(seconds(&across), [(0.0, Some("a")), (17.0, Some("b"))]);
        assert_eq!(stays(&across)[0].to, Some(Time::from_millis(17_000)));
        let at = |secs: u64| Time::from_millis(secs * 1000);
        assert_eq!(overlaps(&across), [(at(14), Some(at(20)))]);
        // A path announced but never taken is an overlap; one that never goes lasts until the end
        // of the run.
        let wrong = bus(&[(14, 'i', 1), (16, 'g', 1), (17, 'i', 2)]);
        assert_eq!(overlaps(&wrong), [(at(14), Some(at(16))), (at(17), None)]);
        assert_eq!(seconds(&wrong), [(0.0, Some("a"))]);
    }

    #[test]
    fn a_hole_is_a_stay_in_no_cell() {
        let hole = bus(&[(10, 'g', 0), (12, 'd', 1)]);
        assert_eq!(seconds(&hole), [(0.0, Some("a")), (10.0, None), (12.0, Some("b"))]);
        assert_eq!(overlaps(&hole), []);
        // Without a path from the start; and a change at a single instant leaves no gap.
        assert_eq!(seconds(&bus(&[(0, 'g', 0), (5, 'd', 0)])), [(0.0, None), (5.0, Some("a"))]);
        let touch = bus(&[(10, 'i', 1), (10, 'd', 1), (10, 'g', 0)]);
        assert_eq!(seconds(&touch), [(0.0, Some("a")), (10.0, Some("b"))]);
        assert_eq!(overlaps(&touch), []);
    }
}
