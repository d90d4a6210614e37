//! Keys that have no effect: not wrong, but probably not what was meant.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::errors::Problem;
use crate::table::Field;
use crate::tree::Loc;

/// What is known of keys that may have no effect: the problem, or `None` once one of the points showed an effect.
#[derive(Debug, Default)]
pub(crate) struct Effects(RefCell<BTreeMap<(Loc, String), Option<Problem>>>);

impl Effects {
    /// The keys that had no effect at any point.
    pub(crate) fn take(&self) -> Vec<Problem> {
        self.0.take().into_values().flatten().collect()
    }
}

impl Field<'_> {
    /// Notes whether this value has an effect at this point; if not, `why`.
    pub(crate) fn effect(&self, has_one: bool, why: &str) {
        let found = (!has_one).then(|| self.problem(format!("`{}` has no effect", self.path), why));
        self.note(found);
    }

    /// Notes something that is allowed and strange.
    pub(crate) fn strange(&self, message: String, why: &str, help: &str) {
        self.note(Some(self.problem(message, why).help(help)));
    }

    /// Notes something that is allowed and strange, unless it is `fine` at this point.
    pub(crate) fn unless(&self, fine: bool, message: String, why: &str) {
        self.note((!fine).then(|| self.problem(message, why)));
    }

    fn note(&self, found: Option<Problem>) {
        let mut all = self.cx.effects.0.borrow_mut();
        let key = (self.node.at, self.path.clone());
        match found {
            Some(problem) => {
                all.entry(key).or_insert(Some(problem));
            }
            None => {
                all.insert(key, None);
            }
        }
    }
}
