//! Reading the data of a folder of results.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};

use atl_scenario::scenario::Metric;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::{Field, Row};

use super::Runs;
use crate::data::{COMMAND, FILES, SCENARIO_TEXT};
use crate::quantity::Quantity;

/// Prefix of the columns that hold variables.
const VARIABLE: &str = "var_";

/// A folder of results that cannot be read.
#[derive(Debug)]
pub struct Unreadable {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {}: {}", self.path.display(), self.reason)
    }
}

impl std::error::Error for Unreadable {}

/// Where a value belongs, apart from its seed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// Name of the host.
    pub(super) host: String,
    /// Variables and their values, in the file's order.
    pub(super) vars: Vec<(String, String)>,
    /// Flow group.
    pub(super) group: String,
}

/// What `flows.parquet` holds of a scenario: means over the flows of a group.
#[derive(Debug)]
pub(super) struct Flows {
    /// Text of the scenario file.
    pub(super) scenario: Option<String>,
    /// The command that repeats the runs.
    pub(super) command: Option<String>,
    /// The scenario's hash.
    pub(super) hash: String,
    /// Version of the program.
    pub(super) version: String,
    /// Values by place and seed.
    pub(super) values: BTreeMap<Place, Runs>,
}

impl Flows {
    /// Reads a folder.
    pub(super) fn read(dir: &Path) -> Result<Flows, Unreadable> {
        let [_, flows, ..] = FILES;
        let path = dir.join(format!("{flows}.parquet"));
        let unreadable = |reason: String| Unreadable { path: path.clone(), reason };
        let file = File::open(&path).map_err(|error| {
            unreadable(format!(
                "{error}; name a folder that `atl run` wrote, such as out/showcase/roaming"
            ))
        })?;
        parse(file).map_err(|error| unreadable(format!("{error}; is it a file of `atl run`?")))
    }
}

/// By place and seed, each metric's sum over the flows of a group, and how many have it.
type Sums = BTreeMap<(Place, i64), BTreeMap<&'static str, (f64, usize)>>;

fn parse(file: File) -> Result<Flows, ParquetError> {
    let reader = SerializedFileReader::new(file)?;
    let metadata = reader.metadata().file_metadata().key_value_metadata();
    let text = |key: &str| {
        let entry = metadata?.iter().find(|entry| entry.key == key)?;
        entry.value.clone()
    };
    let mut flows = Flows {
        scenario: text(SCENARIO_TEXT),
        command: text(COMMAND),
        hash: String::new(),
        version: String::new(),
        values: BTreeMap::new(),
    };
    let mut sums = Sums::new();
    for row in reader.get_row_iter(None)? {
        flows.add(&row?, &mut sums)?;
    }
    for ((place, seed), metrics) in sums {
        let means = metrics.into_iter().map(|(key, (sum, n))| (key, sum / n as f64)).collect();
        flows.values.entry(place).or_default().insert(seed, means);
    }
    Ok(flows)
}

impl Flows {
    fn add(&mut self, row: &Row, sums: &mut Sums) -> Result<(), ParquetError> {
        let mut place = Place { host: String::new(), vars: Vec::new(), group: String::new() };
        let mut seed = None;
        let mut values = Vec::new();
        for (name, field) in row.get_column_iter() {
            match (name.as_str(), field) {
                ("host", Field::Str(text)) => place.host.clone_from(text),
                ("group", Field::Str(text)) => place.group.clone_from(text),
                ("version", Field::Str(text)) => self.version.clone_from(text),
                ("scenario_hash", Field::Str(text)) => self.hash.clone_from(text),
                ("seed", Field::Long(number)) => seed = Some(*number),
                (name, field) => {
                    if let Some(variable) = name.strip_prefix(VARIABLE) {
                        place.vars.push((variable.to_owned(), shown(field)));
                    } else if let Field::Double(value) = field {
                        values.extend(key(name).map(|key| (key, *value)));
                    }
                }
            }
        }
        let seed = seed.ok_or_else(|| ParquetError::General("a row has no seed".to_owned()))?;
        let metrics = sums.entry((place, seed)).or_default();
        for (key, value) in values {
            let (sum, n) = metrics.entry(key).or_insert((0.0, 0));
            *sum += value;
            *n += 1;
        }
        Ok(())
    }
}

/// The metric whose values stand in a column of this name.
fn key(name: &str) -> Option<&'static str> {
    Metric::all().map(|metric| Quantity::of(metric).key).find(|key| *key == name)
}

/// A variable's value.
fn shown(field: &Field) -> String {
    match field {
        Field::Str(text) => text.clone(),
        Field::Double(number) => number.to_string(),
        Field::Null => "–".to_owned(),
        other => other.to_string(),
    }
}
