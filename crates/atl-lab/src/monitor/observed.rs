//! The controllers of a run.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::rules::{Finding, Rule};
use super::watching::Watching;

/// Leads to what was seen of the controllers that a run builds. Clones lead to the same.
#[derive(Clone, Debug, Default)]
pub struct Observed(Arc<Mutex<Vec<Arc<Mutex<Watching>>>>>);

impl Observed {
    /// Adds a controller, which is watched from now on.
    pub fn add(&self, watching: Watching) -> Arc<Mutex<Watching>> {
        let watching = Arc::new(Mutex::new(watching));
        locked(&self.0).push(Arc::clone(&watching));
        watching
    }

    /// The widest window so far of any, in bytes.
    pub fn widest(&self) -> u64 {
        locked(&self.0).iter().map(|watching| locked(watching).widest()).max().unwrap_or(0)
    }

    /// True once one has not reacted to anything for long.
    pub fn hopeless(&self) -> bool {
        locked(&self.0).iter().any(|watching| locked(watching).hopeless())
    }

    /// When the last was told anything, since it was built.
    pub fn last(&self) -> Duration {
        locked(&self.0).iter().map(|watching| locked(watching).age()).max().unwrap_or_default()
    }

    /// What was found, the first of each rule, with all of its occurrences counted.
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

/// A panic elsewhere leaves nothing half done that anybody reads.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
