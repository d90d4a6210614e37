//! Hard handoffs: a host with one radio leaves its network before it joins the next (break before
//! make).

use atl_core::path::PathSignal;
use atl_core::time::{Span, Time};

use super::Step;

/// The signals of a host that can be in one network at a time, from those of a host that can be in
/// two. It leaves its network `gap` before it has the next one, so it cannot try the next one
/// ahead.
pub(super) fn harden(steps: Vec<Step>, gap: Span) -> Vec<Step> {
    let mut current = Some(atl_core::path::PathId::FIRST);
    let mut hard: Vec<Step> = Vec::new();
    for step in steps {
        match step.signal {
            PathSignal::Imminent(_) => {}
            PathSignal::Done(path) => {
                if let Some(old) = current.filter(|old| *old != path) {
                    let leaves = Time::from_nanos(step.at.nanos().saturating_sub(gap.nanos()));
                    let last = hard.last().map_or(Time::ZERO, |last| last.at);
                    hard.push(Step { at: leaves.max(last), signal: PathSignal::Gone(old) });
                }
                current = Some(path);
                hard.push(step);
            }
            PathSignal::Gone(path) => {
                if current == Some(path) {
                    current = None;
                    hard.push(step);
                }
            }
        }
    }
    hard
}

#[cfg(test)]
mod tests {
    use super::*;
    use atl_core::path::PathId;

    const A: PathId = PathId::FIRST;
    const B: PathId = PathId::new(1);

    fn step(ms: u64, signal: PathSignal) -> Step {
        Step { at: Time::from_millis(ms), signal }
    }

    #[test]
    fn it_leaves_one_network_before_it_joins_the_next() {
        let soft = vec![
            step(1000, PathSignal::Imminent(B)),
            step(1500, PathSignal::Done(B)),
            step(2000, PathSignal::Gone(A)),
            step(3000, PathSignal::Imminent(A)),
            step(3100, PathSignal::Done(A)),
        ];
        let hard = [
            step(1300, PathSignal::Gone(A)),
            step(1500, PathSignal::Done(B)),
            step(2900, PathSignal::Gone(B)),
            step(3100, PathSignal::Done(A)),
        ];
        assert_eq!(harden(soft, Span::from_millis(200)), hard);
    }

    #[test]
    fn a_gap_longer_than_the_stay_in_a_cell_does_not_turn_time_back() {
        let soft = vec![step(100, PathSignal::Done(B)), step(150, PathSignal::Done(A))];
        let hard = harden(soft, Span::from_secs(1));
        let times: Vec<u64> = hard.iter().map(|step| step.at.nanos() / 1_000_000).collect();
        assert_eq!(times, [0, 100, 100, 150]);
    }

    #[test]
    fn a_hole_in_the_coverage_stays_one() {
        let hole = vec![step(100, PathSignal::Gone(A)), step(900, PathSignal::Done(B))];
        assert_eq!(harden(hole.clone(), Span::from_millis(50)), hole);
    }
}
