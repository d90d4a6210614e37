//! Reading the data of a folder of results.

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};

use atl_scenario::scenario::Metric;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::{Field, Row};

use super::places::{Place, Places, Sums, Value};
use crate::data::{COMMAND, FILES, FINISHED, IN_RUN, RECOVERED, SCENARIO_TEXT, WITHOUT};
use crate::quantity::Quantity;

/// Prefix of the columns that hold variables.
const VARIABLE: &str = "var_";

/// A folder of results that cannot be read.
#[derive(Debug)]
pub struct Unreadable {
    /// Path of the file.
    pub path: PathBuf,
    /// The reason, as a message.
    pub reason: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {}: {}", self.path.display(), self.reason)
    }
}

impl std::error::Error for Unreadable {}

/// Content of `flows.parquet`: means over the flows of a group, and the scenario.
#[derive(Debug)]
pub(super) struct Flows {
    /// Text of the scenario file; absent in files of earlier versions.
    pub(super) scenario: Option<String>,
    /// Command that repeats the runs; absent in files of earlier versions.
    pub(super) command: Option<String>,
    pub(super) hash: String,
    pub(super) version: String,
    pub(super) values: Places,
}

impl Flows {
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
        values: Places::default(),
    };
    let mut sums = Sums::default();
    for row in reader.get_row_iter(None)? {
        flows.add(&row?, &mut sums)?;
    }
    flows.values = sums.means();
    Ok(flows)
}

impl Flows {
    fn add(&mut self, row: &Row, sums: &mut Sums) -> Result<(), ParquetError> {
        let mut place = Place::default();
        let (mut seed, mut hash) = (None, None);
        let mut values = Vec::new();
        let (mut finished, mut recovered, mut in_run) = (None, None, None);
        for (name, field) in row.get_column_iter() {
            match (name.as_str(), field) {
                ("engine", Field::Str(text)) => place.engine.clone_from(text),
                ("group", Field::Str(text)) => place.group.clone_from(text),
                (WITHOUT, Field::Str(text)) => place.without = Some(text.clone()),
                ("version", Field::Str(text)) => self.version.clone_from(text),
                ("scenario_hash", Field::Str(text)) => hash = Some(text),
                ("seed", Field::Long(number)) => seed = Some(*number),
                (FINISHED, Field::Long(number)) => finished = Some(*number == 1),
                (RECOVERED, Field::Long(number)) => recovered = Some(*number == 1),
                (IN_RUN, Field::Double(value)) => in_run = Some(*value),
                (name, field) => {
                    if let Some(variable) = name.strip_prefix(VARIABLE) {
                        place.vars.push((variable.to_owned(), shown(field)));
                    } else if let Field::Double(value) = field {
                        let value = *value;
                        values.extend(key(name).map(|key| Value { key, value, ended: true }));
                    }
                }
            }
        }
        let recovery = Quantity::of(Metric::Recovery).key;
        for value in values.iter_mut().filter(|value| value.key == recovery) {
            value.ended = recovered.unwrap_or(true);
        }
        // Absent in files of earlier versions.
        if let (Some(false), Some(value)) = (finished, in_run) {
            let key = Quantity::of(Metric::Completion).key;
            values.push(Value { key, value, ended: false });
        }
        let seed = seed.ok_or_else(|| ParquetError::General("a row has no seed".to_owned()))?;
        // The hash of ablated runs differs from that of the scenario itself.
        if let (Some(hash), None) = (hash, &place.without) {
            self.hash.clone_from(hash);
        }
        sums.add(place, seed, values);
        Ok(())
    }
}

/// Key of the metric in the column of this name, if there is one.
fn key(name: &str) -> Option<&'static str> {
    Metric::all().map(|metric| Quantity::of(metric).key).find(|key| *key == name)
}

/// A variable's value as text.
fn shown(field: &Field) -> String {
    match field {
        Field::Str(text) => text.clone(),
        Field::Double(number) => number.to_string(),
        Field::Null => "–".to_owned(),
        other => other.to_string(),
    }
}
