//! What the results of a part are results of.

use atl_engine::result::EngineId;
use atl_scenario::Overrides;
use serde::{Deserialize, Serialize};

use crate::shard::shard::Shard;

/// What the results of a part are results of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the program.
    pub version: String,
    /// The scenario as it was named on the command line.
    pub spec: String,
    /// What the command line changed in it.
    pub changes: Changes,
    /// The command that repeats the whole.
    pub command: String,
    /// Name of the scenario.
    pub scenario: String,
    /// Its hash.
    pub hash: String,
    /// The number of its runs, on each host.
    pub runs: u64,
    /// The hosts that carried them out.
    pub hosts: Vec<EngineId>,
    /// The part.
    pub shard: Shard,
}

/// What the command line changed in a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    /// `--set key=value`.
    pub set: Vec<(String, String)>,
    /// `--seeds`.
    pub seeds: Option<String>,
    /// `--duration`.
    pub duration: Option<String>,
    /// `--quick`.
    pub quick: bool,
}

impl From<Changes> for Overrides {
    fn from(changes: Changes) -> Overrides {
        let Changes { set, seeds, duration, quick } = changes;
        Overrides { set, seeds, duration, quick, options: Vec::new() }
    }
}

impl Header {
    /// The number of the part's runs, on each host; `None` if this header cannot be that of a part.
    pub(crate) fn own_runs(&self) -> Option<usize> {
        let total = usize::try_from(self.runs).ok()?;
        let makes_sense = self.shard.exists() && !self.hosts.is_empty();
        makes_sense.then(|| self.shard.runs(total).len())
    }
}
