//! Findings about all controllers of a run.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::rules::{Finding, Rule};
use super::watching::Watching;

/// A shared list of the observed controllers of a run. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Observed(Arc<Mutex<Vec<Arc<Mutex<Watching>>>>>);

impl Observed {
    /// Adds the record of a controller, and returns a handle to it.
    pub fn add(&self, watching: Watching) -> Arc<Mutex<Watching>> {
        let watching = Arc::new(Mutex::new(watching));
        locked(&self.0).push(Arc::clone(&watching));
        watching
    }

    /// The widest window of any controller so far, in bytes.
    pub fn widest(&self) -> u64 {
        locked(&self.0).iter().map(|watching| locked(watching).widest()).max().unwrap_or(0)
    }

    /// True once a controller has not reacted to heavy loss for so long that the run can end.
    pub fn hopeless(&self) -> bool {
        locked(&self.0).iter().any(|watching| locked(watching).hopeless())
    }

    /// The longest time from a controller's building to its last call.
    pub fn last(&self) -> Duration {
        locked(&self.0).iter().map(|watching| locked(watching).age()).max().unwrap_or_default()
    }

    /// All findings: the first of each rule, with the number of its occurrences.
    pub fn findings(&self) -> Vec<Finding> {
        let mut all: BTreeMap<Rule, Finding> = BTreeMap::new();
        for watching in locked(&self.0).iter() {
            for finding in locked(watching).findings() {
                all.entry(finding.rule)
                    .and_modify(|known| known.count += finding.count)
                    .or_insert_with(|| finding.clone());
            }
        }
        all.into_values().collect()
    }
}

/// A panic in another thread leaves a record that is still valid.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
