//! Merging the parts of a sweep.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use atl_engine::store::{Collector, Results, Room};

use crate::shard::header::Header;
use crate::shard::part::{Part, PartError, Source};
use crate::shard::share::Shard;

/// All parts of one sweep, none missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whole<S> {
    /// The parts, each with its index in the list of files that was given.
    parts: Vec<(usize, Part<S>)>,
    header: Header,
}

/// The reason why parts do not make a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeError {
    /// The list of files is empty.
    Nothing,
    /// Two files are parts of different sweeps.
    Different {
        /// Indices of the two files.
        files: [usize; 2],
        /// The property in which they differ, as a noun phrase for the message.
        what: &'static str,
    },
    /// Two files hold different results of the same runs.
    Conflict {
        /// Indices of the two files.
        files: [usize; 2],
        /// The part that both claim to be.
        shard: Shard,
    },
    /// Files of some parts are missing.
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

/// Limit on the missing parts that a message names.
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
    /// Merges the parts of a sweep, given in any order. A part may come twice if both files have
    /// the same results.
    ///
    /// If the files are parts of different sweeps or contradict each other, or if parts are
    /// missing; the error then names all of those.
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

    /// Identity of the results; its `shard` is that of the first file.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// For each engine the results that a single machine would have had, regrouped into points of
    /// `seeds` runs. Results for which `room` has no space go to a file on the file system of
    /// `spill`.
    ///
    /// # Errors
    /// The index of a file that can no longer be read, with the reason; or why results cannot be
    /// kept.
    pub fn results(
        &self,
        seeds: usize,
        room: &Arc<Room>,
        spill: &Path,
    ) -> Result<Vec<Results>, (Option<usize>, PartError)> {
        // Sums over the parts rather than trusting the header's total: all parts together have
        // every run.
        let total: usize = self.parts.iter().filter_map(|(_, part)| part.header.own_runs()).sum();
        let collector = |_| Collector::new(total / seeds.max(1), seeds, Arc::clone(room), spill);
        let engines: Vec<Collector> = self.header.engines.iter().map(collector).collect();
        for (index, part) in &self.parts {
            let put = |engine: usize, run, result| engines[engine].put(run, result);
            part.each(put).map_err(|error| (Some(*index), error))?;
        }
        let results = engines.into_iter().map(Collector::finish).collect::<Result<_, _>>();
        results.map_err(|error| (None, PartError::Io(error)))
    }
}

/// The first property in which two headers differ although all parts must share it.
fn difference(a: &Header, b: &Header) -> Option<&'static str> {
    let checks = [
        (a.version == b.version, "the version of atl"),
        (a.scenario == b.scenario, "the scenario"),
        (a.hash == b.hash, "the scenario's content or the changes to it (its hash)"),
        (a.engines == b.engines, "the engines"),
        (a.runs == b.runs, "the number of runs"),
        (a.shard.of() == b.shard.of(), "the number of parts"),
    ];
    checks.into_iter().find(|(same, _)| !same).map(|(_, what)| what)
}
