//! Prediction by signal strength alone, blind to the host's course.

use super::{Predictor, View};

/// The cell with the strongest signal, wherever the host is going; of equal cells that is the
/// nearest one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nearest;

impl Predictor for Nearest {
    fn next(&self, view: &View<'_>) -> Option<usize> {
        view.trigger.best(view.cells, view.candidates.iter().copied(), view.motion.from)
    }
}
