//! Prediction by dead reckoning: the host keeps its course.

use atl_core::time::Time;

use super::{Predictor, View};

/// The cell that the host would change to if it kept its course and speed (Taleb et al., sec. IV-A:
/// "velocity heading and position"). None if it would change to no candidate.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heading;

impl Predictor for Heading {
    fn next(&self, view: &View<'_>) -> Option<usize> {
        let View { cells, trigger, motion, current, candidates, .. } = *view;
        if motion.stands() {
            return None;
        }
        let covered = |cell: usize| motion.positive(cells[cell].depth_on(motion));
        let leaves = covered(current).next().map_or(motion.start, |(_, to)| to);
        let changes = |cell: usize| {
            let advantage = trigger.advantage(motion, &cells[current], &cells[cell])?;
            let better: Vec<(Time, Time)> = motion.positive(advantage).collect();
            let both = covered(cell).flat_map(|(a, b)| {
                better.iter().map(move |(c, d)| (a.max(*c), b.min(*d))).collect::<Vec<_>>()
            });
            both.filter(|(from, to)| from < to && *from < leaves).map(|(from, _)| from).min()
        };
        let first = candidates.iter().filter_map(|&cell| Some((changes(cell)?, cell))).min();
        if let Some((at, _)) = first {
            let together = candidates.iter().copied().filter(|&cell| changes(cell) == Some(at));
            return trigger.best(cells, together, motion.position(at));
        }
        let there = candidates
            .iter()
            .copied()
            .filter(|&cell| covered(cell).any(|(from, to)| from <= leaves && leaves < to));
        trigger.best(cells, there, motion.position(leaves))
    }
}
