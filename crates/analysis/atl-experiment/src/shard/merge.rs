//! Parts put together again.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use atl_engine::store::{Collector, Results, Room};

use crate::shard::header::Header;
use crate::shard::part::{Part, PartError, Source};
use crate::shard::shard::Shard;

/// Parts that make a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whole<S> {
    /// The parts, each with the index that it was given with.
    parts: Vec<(usize, Part<S>)>,
    header: Header,
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

impl<S: Source> Whole<S> {
    /// Puts the parts of a sweep together, in any order. The same part may come twice if both say the same.
    ///
    /// # Errors
    /// If the files are parts of different sweeps or contradict each other, or if parts are missing: then all of them are
    /// named.
    pub fn of(files: Vec<Part<S>>) -> Result<Whole<S>, MergeError> {
        let Some(first) = files.first() else { return Err(MergeError::Nothing) };
        let header = first.header.clone();
        let mut parts: BTreeMap<Shard, (usize, Part<S>)> = BTreeMap::new();
        for (index, file) in files.into_iter().enumerate() {
            if let Some(what) = difference(&header, &file.header) {
                return Err(MergeError::Different { files: [0, index], what });
            }
            match parts.get(&file.header.shard) {
                None => {
                    parts.insert(file.header.shard, (index, file));
                }
                Some((other, known)) if known.sum != file.sum => {
                    let shard = file.header.shard;
                    return Err(MergeError::Conflict { files: [*other, index], shard });
                }
                Some(_) => {}
            }
        }
        let total = usize::try_from(header.runs).unwrap_or(usize::MAX);
        let all =
            (1..=header.shard.of()).filter_map(|number| Shard::new(number, header.shard.of()));
        let missing: Vec<Shard> =
            all.filter(|shard| !parts.contains_key(shard) && shard.runs(total).len() > 0).collect();
        if !missing.is_empty() {
            return Err(MergeError::Missing { shards: missing, command: header.command });
        }
        Ok(Whole { parts: parts.into_values().collect(), header })
    }

    /// What its results are results of; its part is the first that was given.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// For each host exactly the results that one machine would have had, with this many seeds for each point. What finds no
    /// `room` in memory goes to a file on the file system of `spill`.
    ///
    /// # Errors
    /// The index of a file that cannot be read any more, and why; or why results cannot be kept.
    pub fn results(
        &self,
        seeds: usize,
        room: &Arc<Room>,
        spill: &Path,
    ) -> Result<Vec<Results>, (Option<usize>, PartError)> {
        // Every run is in one of the parts.
        let total: usize = self.parts.iter().filter_map(|(_, part)| part.header.own_runs()).sum();
        let collector = |_| Collector::new(total / seeds.max(1), seeds, Arc::clone(room), spill);
        let hosts: Vec<Collector> = self.header.hosts.iter().map(collector).collect();
        for (index, part) in &self.parts {
            let put = |host: usize, run, result| hosts[host].put(run, result);
            part.each(put).map_err(|error| (Some(*index), error))?;
        }
        let results = hosts.into_iter().map(Collector::finish).collect::<Result<_, _>>();
        results.map_err(|error| (None, PartError::Io(error)))
    }
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
