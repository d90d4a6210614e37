//! Parts put together again.

use std::collections::BTreeMap;
use std::fmt;

use atl_scenario::result::RunResult;

use crate::file::{Header, ShardFile};
use crate::shard::Shard;

/// The whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    /// What its results are results of; its part is the first that was given.
    pub header: Header,
    /// For each host the results of all runs, in their order.
    pub results: Vec<Vec<RunResult>>,
}

/// Why parts do not make a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeError {
    /// There are no parts.
    Nothing,
    /// Two files are parts of different sweeps.
    Different {
        /// Indices of the files.
        files: [usize; 2],
        /// In what they differ.
        what: &'static str,
    },
    /// Two files hold different results of the same runs.
    Conflict {
        /// Indices of the files.
        files: [usize; 2],
        /// The part.
        shard: Shard,
    },
    /// Parts are missing.
    Missing {
        /// The missing parts, in order; none of them is empty.
        shards: Vec<Shard>,
        /// The command that repeats the whole; with `--shard K/N` it repeats a part.
        command: String,
    },
}

impl MergeError {
    /// The indices of the two files that do not go together, if it is about two.
    pub fn files(&self) -> Option<[usize; 2]> {
        match self {
            MergeError::Different { files, .. } | MergeError::Conflict { files, .. } => {
                Some(*files)
            }
            MergeError::Nothing | MergeError::Missing { .. } => None,
        }
    }
}

/// How many missing parts a message names.
const NAMED: usize = 10;

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeError::Nothing => f.write_str("there is nothing to merge"),
            MergeError::Different { what, .. } => {
                write!(f, "two files are parts of different sweeps: they differ in {what}")
            }
            MergeError::Conflict { shard, .. } => write!(
                f,
                "two files hold different results of part {shard}: keep the right one, or run it again"
            ),
            MergeError::Missing { shards, command } => {
                let named: Vec<String> = shards.iter().take(NAMED).map(Shard::to_string).collect();
                let (noun, verb) =
                    if shards.len() == 1 { ("part", "is") } else { ("parts", "are") };
                write!(f, "{} {noun} {verb} missing: {}", shards.len(), named.join(", "))?;
                if shards.len() > NAMED {
                    write!(f, " and {} more", shards.len() - NAMED)?;
                }
                match shards.first() {
                    Some(first) => write!(f, "; run {command} --shard {first}"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl std::error::Error for MergeError {}

/// Puts the parts of a sweep together, in any order. The same part may come twice if both say the same. The whole has
/// exactly the results that one machine would have had.
///
/// # Errors
/// If the files are parts of different sweeps or contradict each other, or if parts are missing: then all of them are
/// named.
pub fn merge(files: Vec<ShardFile>) -> Result<Merged, MergeError> {
    let Some(first) = files.first() else { return Err(MergeError::Nothing) };
    let header = first.header.clone();
    let mut parts: BTreeMap<Shard, (usize, ShardFile)> = BTreeMap::new();
    for (index, file) in files.into_iter().enumerate() {
        if let Some(what) = difference(&header, &file.header) {
            return Err(MergeError::Different { files: [0, index], what });
        }
        match parts.get(&file.header.shard) {
            None => {
                parts.insert(file.header.shard, (index, file));
            }
            Some((other, known)) if known.results != file.results => {
                let shard = file.header.shard;
                return Err(MergeError::Conflict { files: [*other, index], shard });
            }
            Some(_) => {}
        }
    }
    // A file's reader has made sure that this is the length of a list that was in memory once, or that no run is there.
    let total = usize::try_from(header.runs).unwrap_or(usize::MAX);
    let all = (1..=header.shard.of()).filter_map(|number| Shard::new(number, header.shard.of()));
    let missing =
        all.filter(|shard| !parts.contains_key(shard) && shard.runs(total).len() > 0).collect();
    let missing: Vec<Shard> = missing;
    if !missing.is_empty() {
        return Err(MergeError::Missing { shards: missing, command: header.command });
    }
    let mut by_host: Vec<Vec<Option<RunResult>>> = vec![vec![None; total]; header.hosts.len()];
    for (shard, (_, file)) in parts {
        for (whole, results) in by_host.iter_mut().zip(file.results) {
            for (run, result) in shard.runs(total).zip(results) {
                whole[run] = Some(result);
            }
        }
    }
    let results = by_host.into_iter().map(|whole| whole.into_iter().flatten().collect()).collect();
    Ok(Merged { header, results })
}

/// In what two headers differ that has to be the same in all parts.
fn difference(a: &Header, b: &Header) -> Option<&'static str> {
    let checks = [
        (a.version == b.version, "the version of atl"),
        (a.scenario == b.scenario, "the scenario"),
        (a.hash == b.hash, "the scenario's content or the changes to it (its hash)"),
        (a.hosts == b.hosts, "the hosts"),
        (a.runs == b.runs, "the number of runs"),
        (a.shard.of() == b.shard.of(), "the number of parts"),
    ];
    checks.into_iter().find(|(same, _)| !same).map(|(_, what)| what)
}
