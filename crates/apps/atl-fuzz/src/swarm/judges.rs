//! The judges, and a case before all of them.

use std::fmt;

use atl_engine::Engine;
use toml::Table;

use super::bench::Bench;
use super::engines::able;
use super::file::read;
use super::{differential, laws, log, relations, scaled};
use crate::caught;

/// Something that must hold of a case.
#[derive(Clone, Copy, Debug)]
pub struct Judge {
    /// Name in finds, such as `prefix`.
    pub name: &'static str,
    /// The property that must hold.
    pub about: &'static str,
    /// It looks at every n-th case: some are dear.
    pub every: u64,
    check: fn(&Bench<'_>) -> Result<(), String>,
}

const fn judge(
    name: &'static str,
    about: &'static str,
    check: fn(&Bench<'_>) -> Result<(), String>,
) -> Judge {
    Judge { name, about, every: 1, check }
}

/// All judges, in the order in which they see a case.
pub const JUDGES: &[Judge] = &[
    judge("laws", "packets are conserved, nothing is faster than its links", laws::laws),
    judge("log", "each event of a run is possible, and they add up", log::log),
    judge("twice", "the same case gives the same bytes", relations::twice),
    judge("prefix", "half of the duration is the beginning of the whole", relations::prefix),
    judge("independent", "a network apart changes nothing", relations::independent),
    judge("unused", "links that nobody uses change nothing", relations::unused),
    judge("renamed", "names mean nothing where nothing is random", relations::renamed),
    judge("scaled", "twice the rates and half of the times give the same packets", scaled::scaled),
    Judge {
        every: 8,
        ..judge("differential", "TCP and QUIC get about the same", differential::differential)
    },
    Judge {
        every: 4,
        ..judge("shards", "threads and merged parts give the same bytes", relations::shards)
    },
];

/// Known finds that are open (docs/testing.md), by judge and message: the swarm goes on to the next
/// case.
const OPEN: &[(&str, &str)] = &[
    // A limit of the QUIC library's.
    ("run", "too many gaps in stream buffer"),
];

/// A broken property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Find {
    /// The judge's name, or `run` where no run came to its end.
    pub judge: &'static str,
    /// The engine that broke it, as in `--on`.
    pub engine: &'static str,
    /// The difference from the property, with numbers.
    pub what: String,
}

impl fmt::Display for Find {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}: {}", self.judge, self.engine, self.what)
    }
}

/// Brings a case before the judges whose turn it is; returns how many verdicts were given.
///
/// # Errors
/// The first find.
pub fn examine(tree: &Table, seed: u64) -> Result<u64, Find> {
    let unread = |what| Find { judge: "run", engine: "reader", what };
    let scenario = guarded(|| read(tree)).map_err(unread)?;
    let mut verdicts = 0;
    for engine in able(&scenario.points[0].setup) {
        let engine: &'static dyn Engine = engine;
        let find = |judge, what| Find { judge, engine: engine.name(), what };
        let bench = match guarded(|| Bench::new(tree, engine)).map_err(|what| find("run", what)) {
            Err(find) if is_open(&find) => continue,
            bench => bench?,
        };
        for judge in JUDGES.iter().filter(|judge| seed.is_multiple_of(judge.every)) {
            guarded(|| (judge.check)(&bench)).map_err(|what| find(judge.name, what))?;
            verdicts += 1;
        }
    }
    Ok(verdicts)
}

fn is_open(find: &Find) -> bool {
    OPEN.iter().any(|(judge, says)| find.judge == *judge && find.what.contains(says))
}

/// The find of the same judge on the same engine in another case, if it is of the same kind.
pub(super) fn again(tree: &Table, find: &Find) -> Option<Find> {
    let scenario = guarded(|| read(tree)).ok()?;
    let able = able(&scenario.points[0].setup);
    let engine = able.into_iter().find(|engine| engine.name() == find.engine)?;
    let of = |judge, what| Some(Find { judge, engine: engine.name(), what });
    let found = match guarded(|| Bench::new(tree, engine)) {
        Err(what) => of("run", what),
        Ok(bench) => {
            let judge = JUDGES.iter().find(|judge| judge.name == find.judge)?;
            let verdict = guarded(|| (judge.check)(&bench));
            verdict.err().and_then(|what| of(judge.name, what))
        }
    };
    found.filter(|found| found.judge == find.judge && kind(found) == kind(find))
}

/// The words of a find, without its numbers and names.
fn kind(find: &Find) -> Vec<&str> {
    let words = find.what.split_whitespace().map(|word| word.trim_matches([',', ':']));
    words.filter(|word| word.chars().all(char::is_lowercase)).take(8).collect()
}

/// A panic is a find, too.
fn guarded<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    caught(run).unwrap_or_else(|words| Err(format!("panic: {words}")))
}
