//! Identity of the results in a part's file: scenario, changes, engines, which part.

use atl_engine::result::EngineId;
use atl_scenario::Overrides;
use serde::{Deserialize, Serialize};

use crate::shard::share::Shard;

/// Identity of the results in a part's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the program that made the runs, as `1.2.3`.
    pub version: String,
    /// Which build of it ([`BUILD`](crate::BUILD)).
    pub build: String,
    /// The scenario as it was named on the command line: a built-in name or a path.
    pub spec: String,
    /// Changes that the command line made to it.
    pub changes: Changes,
    /// Command that repeats the whole sweep, without `--shard`.
    pub command: String,
    /// The scenario's own `name`.
    pub scenario: String,
    /// SHA-256 over all that decides the results, in hexadecimal.
    pub hash: String,
    /// Number of runs of the whole sweep on each engine.
    pub runs: u64,
    /// Engines that carried them out, in the order of the records.
    pub engines: Vec<EngineId>,
    /// Which of the runs this file holds.
    pub shard: Shard,
}

/// Options of the command line that change a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    /// Each `--set key=value`, in order.
    pub set: Vec<(String, String)>,
    /// Argument of `--seeds`, as typed.
    pub seeds: Option<String>,
    /// Argument of `--duration`, as typed.
    pub duration: Option<String>,
    /// True if `--quick` was given.
    pub quick: bool,
}

impl From<Changes> for Overrides {
    fn from(changes: Changes) -> Overrides {
        let Changes { set, seeds, duration, quick } = changes;
        Overrides { set, seeds, duration, quick, options: Vec::new() }
    }
}

impl Header {
    /// The program that made the runs, such as `0.1.0 (build 0123456789abcdef)`.
    pub fn made_by(&self) -> String {
        format!("{} (build {})", self.version, self.build)
    }

    /// Number of runs of this part on each engine; `None` if the header contradicts itself.
    pub(crate) fn own_runs(&self) -> Option<usize> {
        let total = usize::try_from(self.runs).ok()?;
        let makes_sense = self.shard.exists() && !self.engines.is_empty();
        makes_sense.then(|| self.shard.runs(total).len())
    }
}
