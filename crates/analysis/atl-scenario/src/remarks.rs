//! Remarks on keys that are allowed but have no effect, or look strange.

use crate::errors::Problem;
use crate::table::Field;

impl Field<'_> {
    /// Records whether this value has an effect at this point; `why` explains the case that it has
    /// none.
    pub(crate) fn effect(&self, has_one: bool, why: &str) {
        let found = (!has_one).then(|| self.problem(format!("`{}` has no effect", self.path), why));
        self.note(found);
    }

    /// Warns about a value that is allowed but strange.
    pub(crate) fn strange(&self, message: String, why: &str, help: &str) {
        self.note(Some(self.problem(message, why).help(help)));
    }

    /// Warns about a value that is allowed but strange, unless it is `fine` at some point.
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
