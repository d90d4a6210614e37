//! Warnings about keys without effect, which are allowed but probably not meant.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::errors::Problem;
use crate::tree::Loc;

/// A problem for each key that may have no effect, or `None` once a point has shown an effect.
#[derive(Debug, Default)]
pub(crate) struct Effects(pub(crate) RefCell<BTreeMap<(Loc, String), Option<Problem>>>);

impl Effects {
    /// Takes the keys that had no effect at any point.
    pub(crate) fn take(&self) -> Vec<Problem> {
        self.0.take().into_values().flatten().collect()
    }
}
