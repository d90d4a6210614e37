//! Merging the parts of a sweep.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use atl_engine::store::{Collector, Results, Room};

use crate::shard::header::Header;
use crate::shard::part::{Part, PartError, Source};
use crate::shard::share::Shard;

/// Which builds of the program may have made the parts of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builds {
    /// One made all of them.
    Same,
    /// Several, whose results may differ: the whole names them all.
    Any,
}

/// All parts of one sweep, none missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whole<S> {
    /// The parts, each with its index in the list of files that was given.
    parts: Vec<(usize, Part<S>)>,
    header: Header,
    made_by: BTreeSet<String>,
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
    /// Two files were made by different builds of the program.
    Builds {
        /// Indices of the two files.
        files: [usize; 2],
        /// The parts that they are.
        shards: [Shard; 2],
        /// The builds that made them, with their versions.
        made_by: [String; 2],
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
            MergeError::Different { files, .. }
            | MergeError::Builds { files, .. }
            | MergeError::Conflict { files, .. } => Some(*files),
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
            MergeError::Builds { shards: [a, b], made_by: [one, other], .. } => write!(
                f,
                "part {a} was run by atl {one} and part {b} by atl {other}, whose results may differ: run one of them again, or merge them all the same with --other-builds"
            ),
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
    /// # Errors If the files are parts of different sweeps, contradict each other, or were made by
    /// builds that `builds` does not allow, or if parts are missing; the error then names all of
    /// those.
    pub fn of(files: Vec<Part<S>>, builds: Builds) -> Result<Whole<S>, MergeError> {
        let Some(first) = files.first() else { return Err(MergeError::Nothing) };
        let header = first.header.clone();
        let mut made_by = BTreeSet::new();
        let mut parts: BTreeMap<Shard, (usize, Part<S>)> = BTreeMap::new();
        for (index, file) in files.into_iter().enumerate() {
            if let Some(what) = difference(&header, &file.header) {
                return Err(MergeError::Different { files: [0, index], what });
            }
            let own = file.header.made_by();
            if builds == Builds::Same && own != header.made_by() {
                return Err(MergeError::Builds {
                    files: [0, index],
                    shards: [header.shard, file.header.shard],
                    made_by: [header.made_by(), own],
                });
            }
            made_by.insert(own);
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
        Ok(Whole { parts: parts.into_values().collect(), header, made_by })
    }

    /// Identity of the results; its `shard` is that of the first file.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The version of the program that made the runs, or if several builds did, all of them with
    /// their versions.
    pub fn version(&self) -> String {
        match self.made_by.len() {
            0 | 1 => self.header.version.clone(),
            _ => self.made_by.iter().cloned().collect::<Vec<_>>().join(" and "),
        }
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
    // An engine's version is that of the program or of a library in it: part of its build.
    let names = |header: &Header| -> Vec<String> {
        header.engines.iter().map(|engine| engine.name.clone()).collect()
    };
    let checks = [
        (a.scenario == b.scenario, "the scenario"),
        (a.hash == b.hash, "the scenario's content or the changes to it (its hash)"),
        (names(a) == names(b), "the engines"),
        (a.runs == b.runs, "the number of runs"),
        (a.shard.of() == b.shard.of(), "the number of parts"),
    ];
    checks.into_iter().find(|(same, _)| !same).map(|(_, what)| what)
}
