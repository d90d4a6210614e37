//! Prediction from the cells that the host passed through before.

use std::collections::BTreeMap;

use super::{Heading, Predictor, View};

/// The cell that most often came next after the cell before and the current one; if those two were
/// never seen together, after the current one; if that was never left either, or for a tie, what
/// [`Heading`] says.
///
/// A Markov predictor of second order that falls back to the first: the best of those compared by
/// Song, Kotz, Jain and He ("Evaluating location predictors with extensive Wi-Fi mobility data",
/// IEEE INFOCOM 2004).
#[derive(Clone, Debug, Default)]
pub struct History {
    counts: BTreeMap<Vec<usize>, BTreeMap<usize, u32>>,
}

impl History {
    /// Remembers journeys: the cells of each, in order.
    pub fn new(journeys: &[Vec<usize>]) -> Self {
        let mut history = History::default();
        for journey in journeys {
            history.remember(journey);
        }
        history
    }

    fn remember(&mut self, journey: &[usize]) {
        for order in [1, 2] {
            for cells in journey.windows(order + 1) {
                let next = self.counts.entry(cells[..order].to_vec()).or_default();
                *next.entry(cells[order]).or_default() += 1;
            }
        }
    }

    /// The candidate that came most often after these cells, if one did more often than the others.
    fn most_often(&self, after: &[usize], candidates: &[usize]) -> Option<usize> {
        let counts = self.counts.get(after)?;
        let count = |cell: usize| counts.get(&cell).copied().unwrap_or(0);
        let best = candidates.iter().copied().max_by_key(|&cell| count(cell))?;
        let alone = candidates.iter().filter(|&&cell| count(cell) == count(best)).count() == 1;
        (alone && count(best) > 0).then_some(best)
    }
}

impl Predictor for History {
    fn next(&self, view: &View<'_>) -> Option<usize> {
        // The cells of this journey so far count too.
        let mut learned = self.clone();
        learned.remember(view.visited);
        let from = |order: usize| view.visited.len().checked_sub(order).map(|i| &view.visited[i..]);
        [2, 1]
            .into_iter()
            .filter_map(from)
            .find_map(|after| learned.most_often(after, view.candidates))
            .or_else(|| Heading.next(view))
    }
}
